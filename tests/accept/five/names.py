"""Part 5, names and renaming: checks of a neutral name, one map, every byte back."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import Checklist, NotMet, pytest_passes

UNIT = "tests/unit/neutralize"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("3 a neutral name is checked, in all spellings at once", lambda: pytest_passes(f"{UNIT}/test_names.py"))
    book.claim("3 names are proposed, and checked against lists that are shipped with their date", _not_built)
    book.claim("4 renaming by spans: refusals, every byte back, nothing the second time",
               lambda: pytest_passes(f"{UNIT}/test_rename.py", f"{UNIT}/test_tree.py"))  # fmt: skip
    book.claim("4 Python, JavaScript, prose, configuration from a pack's tables; tests and mutants alike before and after",
               _not_built)  # fmt: skip


def _not_built() -> str:
    raise NotMet("not built yet")
