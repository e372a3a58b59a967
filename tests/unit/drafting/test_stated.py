"""DOC-STATED: what it finds in scenarios, in test files, and in the reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.stated import check_stated
from environments.languages.python.literals import named_literals
from environments.languages.python.used_names import leaned_on, made_names
from judge.subject import Subject
from taskpack.gate import GateResult
from taskpack.receipt import GateVerdict
from taskpack.rendering import CHECKOUT
from taskpack.spec import NamedValue, Spec
from taskpack.verdict import Verdict
from validation.selftest import lay_out

BASE = CHECKOUT / "tests" / "gates" / "_base"


def never(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
    raise AssertionError("a structure gate judged something")


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    case, reference = lay_out(BASE, None, tmp_path)
    return Subject(case=case, reference=reference, scratch=tmp_path / "scratch", judge=never)


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def in_scenarios(text: str) -> Callable[[Subject], None]:
    return lambda subject: append(subject.case.tests / "scenarios" / "F01.py", text)


def check(subject: Subject, change: Callable[[Subject], None]) -> GateResult:
    change(subject)
    return check_stated(subject)


def test_the_base_states_everything(subject: Subject) -> None:
    assert check_stated(subject).verdict is GateVerdict.PASS


@pytest.mark.parametrize(
    ("scenario", "finding"),
    [
        ("import tally.amounts\n", "the module `tally.amounts`"),
        ("from tally import BadAmount, other\n", "the import `other`"),
        ("def f(x):\n    return tally.total(x).whole\n", "the attribute `whole`"),
        ("def f(x):\n    return tally.split(x, place=1)\n", "the keyword `place`"),
    ],
)
def test_a_name_that_only_the_source_shows_is_found(subject: Subject, scenario: str, finding: str) -> None:
    result = check(subject, in_scenarios(scenario))
    assert result.verdict is GateVerdict.FAIL
    assert any(finding in line for line in result.evidence), result.evidence


@pytest.mark.parametrize("scenario", ["def f(x):\n    return tally.total(x).upper()\n", "import hashlib\n"])
def test_names_that_are_not_the_products_are_free(subject: Subject, scenario: str) -> None:
    assert check(subject, in_scenarios(scenario)).verdict is GateVerdict.PASS


def with_a_value(source: str) -> Callable[[Subject], None]:
    return lambda subject: append(subject.reference / "src/tally/tags.py", source)


@pytest.mark.parametrize(
    "source",
    [
        "def other(way='left-to-right'): return way\n",
        "class Other:\n    way = 'left-to-right'\n",
        "def other(way): return way == 'left-to-right'\n",
        "def other(way): return way + b'left-to-right'\n",
        "WAYS = {'left-to-right': 1}\n",
    ],
)
def test_a_value_that_is_behaviour_must_be_stated_or_left_open(subject: Subject, source: str) -> None:
    result = check(subject, with_a_value(source))
    assert result.verdict is GateVerdict.FAIL
    assert any("left-to-right" in line for line in result.evidence)


def test_a_test_file_that_holds_an_unstated_value_is_named(subject: Subject) -> None:
    def change(subject: Subject) -> None:
        with_a_value("WAY = 'left-to-right'\n")(subject)
        append(subject.case.tests / "F01_helpers.py", "WAY = b'left-to-right'\n")

    evidence = check(subject, change).evidence
    assert any(line.startswith("F01_helpers.py: `left-to-right`") for line in evidence), evidence


@pytest.mark.parametrize(
    "source",
    [
        '"""left-to-right"""\n',
        "def f():\n    raise ValueError('left-to-right' + x)\n",
        "def f():\n    warnings.warn('left-to-right' + x)\n",
        "def f() -> 'left-to-right': ...\n",
        "T = typing.TypeVar('left-to-right')\n",
        "def f():\n    return g('left-to-right')\n",
        "X = __name__ == '__main__'\n",
        "X = '.'\n",
        "def (:\n",
    ],
)
def test_what_is_no_behaviour_is_no_named_value(source: str) -> None:
    assert named_literals(source.encode()) == ()


def test_a_named_value_has_its_line_and_its_role() -> None:
    (found,) = named_literals(b"import os\n\nclass A:\n    way: str = 'left'\n")
    assert (found.value, found.line, found.role) == ("left", 4, "attribute")


def test_made_and_used_names() -> None:
    source = b"class A:\n    b = 1\n    def c(self, d):\n        self.e = d\n        self._f = d\n"
    assert made_names(source) == {"A", "b", "c", "self", "d", "e"}
    used = leaned_on("from p.q import A\nimport r\ndef f(x): return A(d=x).e.encode()\n", product="p")
    assert used == {("module", "p.q"), ("import", "A"), ("keyword", "d"), ("attribute", "e")}


def test_keywords_of_the_languages_own_functions_are_free_and_a_products_are_not() -> None:
    used = leaned_on("from p import max\ndef f(x): return sorted(max(x, way=1).rows(up=2), key=len)\n", product="p")
    assert {name for what, name in used if what == "keyword"} == {"way", "up"}


def test_a_value_of_a_file_that_no_clause_rests_on_is_nobodys_to_state(subject: Subject) -> None:
    def beside(subject: Subject) -> None:
        (subject.reference / "src/tally/program.py").write_text("def main(way='left-to-right'): return way\n")

    assert check(subject, beside).verdict is GateVerdict.PASS
    held = check(subject, in_scenarios("def f(x):\n    return tally.total(x, 'left-to-right')\n"))
    assert held.verdict is GateVerdict.FAIL, "but a suite that holds it needs it"
    assert any("left-to-right" in line for line in held.evidence)
    spec = Spec.from_bytes(subject.case.spec.read_bytes())
    left_open = (NamedValue(value="left-to-right", reason="the program's own, which no feature point asks for"),)
    overview = spec.overview.model_copy(update={"left_open": left_open})
    subject.case.spec.write_bytes(spec.model_copy(update={"overview": overview}).to_bytes())
    assert check_stated(subject).verdict is GateVerdict.PASS, "unless it was left open"
