"""Claims of item 7: an order from the source alone, each guess marked, and a tutorial that is true."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from taskpack.order import read_order
from tests.accept.checklist import Checklist, need, repowright, run, tail

UPSTREAMS = ("uritemplate==4.2.0", "h11==0.16.0", "pyotp==2.12.0", "cachetools==8.0.2")
"""They differ: tests beside the package, inside it, in one file at the root, below a src folder."""


def claims(book: Checklist, scratch: Path) -> None:
    cases, work = scratch / "cases", scratch / "work"
    cases.mkdir(parents=True, exist_ok=True)
    places = ["--cases", str(cases), "--work", str(work)]

    def pytest(*arguments: str) -> str:
        done = run([sys.executable, "-m", "pytest", "-q", *arguments], timeout=1800)
        need(done.code == 0 and "skipped" not in tail(done.out, 1), tail(done.out, 25))
        return tail(done.out, 1)

    def untouched(source: str) -> str:
        made = repowright("new", source, *places, "--json", timeout=1800)
        need(made.code == 0, tail(made.out + made.err, 12))
        order = Path(json.loads(made.out)["order"])
        before = order.read_bytes()
        _marked(order)
        case = order.parent.name
        done = repowright("author", case, "--plain", "--until", "spec", *places, timeout=1800)
        need(done.code == 3, tail(done.out + done.err, 12))
        need(order.read_bytes() == before, "the order was changed on the way")
        return f"{case}: {read_order(order).testing.expected} tests, waits for its first draft"

    for source in UPSTREAMS:
        book.claim(f"7 the order of {source} is complete, marked, and waits for a draft untouched",
                   lambda source=source: untouched(source))  # type: ignore[misc]  # fmt: skip
    book.claim("7 guesses: sources, language, manifests, requirements, command, features, mending; each with its evidence",
               lambda: pytest("tests/unit/authoring", "-k", "guess"))  # fmt: skip
    book.claim("7 the order is valid whatever the source says, and says what is open",
               lambda: pytest("tests/unit/flows/test_order_page.py", "tests/unit/test_tutorial.py"))  # fmt: skip
    book.claim("7 bad names, versions, paths, archives, languages and silence get one clear error; the tutorial shows what is written",
               lambda: pytest("tests/integration/flows/test_new.py"))  # fmt: skip


def _marked(order: Path) -> None:
    """Every value of the testing and product tables has its mark beside or above it."""
    text = order.read_text()
    for word in ("# guess: ", "# tried: ", "# decide: "):
        need(word in text, f"{order} marks nothing as {word}")
    table, above = "", []
    for line in text.splitlines():
        table = line if line.startswith("[") else table
        if table != "[source]" and line.startswith(
            ("name =", "summary =", "command =", "expected =", "title =", "files =", "language =")
        ):
            need(any(each.startswith(("# guess: ", "# tried: ", "# decide: ")) for each in above), f"unmarked: {line}")
        above = [*above, line] if line.startswith("#") else []
