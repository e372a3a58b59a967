"""Part 4, the hostile corpus: how many there are, what each scores on both back ends, and where each succeeds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.accept.checklist import Checklist, need, pytest_passes
from validation.hostile.candidate import Language, candidates

WANTED = {Language.PYTHON: 45, Language.JAVASCRIPT: 30, Language.COMMAND: 20, Language.GO: 10}
HERE = "tests/integration/validation"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim(
        "2 at least 45 candidates in Python, 30 in JavaScript, 20 programs, 10 in Go, each with its defence", _counted
    )
    book.claim("2 each is made of an attack and a harmless twin",
               lambda: pytest_passes(*map(str, sorted(Path("tests/unit/validation").glob("test_hostile*.py")))))  # fmt: skip
    for name, text in (
        ("candidates", "Python"),
        ("node_candidates", "JavaScript"),
        ("command", "programs"),
        ("go", "Go"),
    ):
        book.claim(f"2 {text}: attacks score 0 with their cause, twins 1, within limits; nothing is left on the machine",
                   lambda name=name: pytest_passes("-m", "not docker", "-k", "not plain_user",
                                                   f"{HERE}/test_hostile_{name}.py", timeout=2400))  # fmt: skip
    book.claim("2 with its defence off, each attack succeeds (programs and Go: in the files above)",
               lambda: pytest_passes(f"{HERE}/test_hostile_naive.py", f"{HERE}/test_hostile_node_naive.py", timeout=2400))  # fmt: skip
    book.claim("2 the same rewards on docker",
               lambda: pytest_passes("-m", "docker", *(f"{HERE}/test_hostile_{name}.py" for name in
                                     ("docker", "node_docker", "others_docker")), timeout=5400))  # fmt: skip
    book.claim("2 a plain user gets the same rewards and leaves nothing",
               lambda: pytest_passes("-k", "plain_user", *(f"{HERE}/test_hostile_{name}.py" for name in
                                     ("candidates", "node_candidates", "command")), timeout=7200))  # fmt: skip
    book.claim("2 what a call leaves, no later one finds; who cleans up is out of its reach",
               lambda: pytest_passes("tests/integration/judge/test_leftovers.py", "tests/integration/judge/test_helper.py"))  # fmt: skip


def _counted() -> str:
    found = {language: candidates(language) for language in Language}
    for language, wanted in WANTED.items():
        need(len(found[language]) >= wanted, f"{language.value}: {len(found[language])} of {wanted}")
        defences = Counter(each.defence for each in found[language])
        need(all(each.defence for each in found[language]), f"{language.value}: one names no defence")
        need(max(defences.values()) == 1, f"{language.value}: the same defence: {defences.most_common(1)}")
    return ", ".join(f"{language.value} {len(each)}" for language, each in found.items())
