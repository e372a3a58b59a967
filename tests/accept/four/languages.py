"""Part 4, languages: JavaScript and TypeScript whole, programs on terminals, signals, limits of calls and suites."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import Checklist, pytest_passes

LANGUAGES = "tests/integration/languages"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("1 JavaScript and TypeScript: toolchain from the wheel, builds, calls, values both ways, clock",
               lambda: pytest_passes(*(f"{LANGUAGES}/test_javascript_{name}.py"
                                       for name in ("builds", "calls", "values", "hostile_values")), timeout=1800))  # fmt: skip
    book.claim("1 a TypeScript product and css-what's workspace judged: right ones 1, mutants 0",
               lambda: pytest_passes(f"{LANGUAGES}/test_javascript_verdicts.py", timeout=1800))  # fmt: skip
    book.claim("1 programs on a terminal, controlling and not: typed to when they wait, keys are signals",
               lambda: pytest_passes("tests/integration/judge/test_terminals.py"))  # fmt: skip
    book.claim("1 limits of a call and of a suite",
               lambda: pytest_passes("tests/integration/judge/test_driver.py", "tests/integration/judge/test_verdicts.py",
                                     "-k", "limit or end or time or bound"))  # fmt: skip
