"""Part 5, overlap: what a bundle shares with its upstream, cases with each other, and replies with names."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import Checklist, pytest_passes

UNIT = "tests/unit/neutralize"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("5 shared n-grams, longest copied run, literals and identifiers left, thresholds; near duplicates",
               lambda: pytest_passes(f"{UNIT}/known/test_overlap.py"))  # fmt: skip
    book.claim("5 an audit shows them for a case", lambda: pytest_passes(f"{UNIT}/test_audit_joined.py"))
    book.claim("5 replies of models are scanned before they are kept; refused ones are paid once and come back",
               lambda: pytest_passes("tests/unit/providers/test_refused.py", "tests/unit/flows/test_knowing.py",
                                     f"{UNIT}/known/test_replies.py", "tests/unit/drafting/test_drafting.py"))  # fmt: skip
