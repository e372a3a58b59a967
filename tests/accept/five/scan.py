"""Part 5, the scan: rows of every kind, everything that can hold a name, detectors beside the term search."""

from __future__ import annotations

from pathlib import Path

from neutralize import gates
from tests.accept.checklist import Checklist, need, pytest_passes

UNIT = "tests/unit/neutralize"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("2 rows of every kind: folding, readings, boundaries by grade, affixes, encoded needles",
               lambda: pytest_passes(*(f"{UNIT}/test_{name}.py" for name in ("scan_rows", "scan_kinds", "fold_and_views", "scan_files"))))  # fmt: skip
    book.claim("2 archives by content, git objects, image layers, links, binaries, metadata; caps are told, never clean",
               lambda: pytest_passes(f"{UNIT}/deep", timeout=1200))  # fmt: skip
    book.claim("2 detectors: commits, people, addresses, literals, messages, headings, names of tests and files, assets",
               lambda: pytest_passes(f"{UNIT}/known/test_detect.py"))  # fmt: skip
    book.claim("2 gate NEU-SCAN reads deep and looks with all detectors", _joined)


def _joined() -> str:
    text = Path(gates.__file__).read_text("utf-8")
    need("deep_items" in text and "detectors(" in text, "NEU-SCAN still reads plain files and searches for terms alone")
    return "both"
