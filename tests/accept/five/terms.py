"""Part 5, terms: every source of names, and the author's word about them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.accept.checklist import Checklist, need, pytest_passes

UNIT = "tests/unit/neutralize"
CASE = Path("cases/case001")


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("1 manifests of Python, npm, Go, Cargo, CMake, licence texts, README, addresses, people, variables, closure",
               lambda: pytest_passes(f"{UNIT}/test_terms.py", f"{UNIT}/known/test_manifests.py", f"{UNIT}/known/test_derive.py"))  # fmt: skip
    book.claim("1 an audit with a source in any of these languages looks for its names",
               lambda: pytest_passes("tests/unit/flows/test_audit_command.py", "-k", "in_any_language"))  # fmt: skip
    book.claim("1 an author adds, regrades, keeps and waives in a file, with reasons and days, bound to content",
               lambda: pytest_passes(f"{UNIT}/test_audit_terms.py", f"{UNIT}/test_audit.py", f"{UNIT}/test_audit_joined.py"))  # fmt: skip
    book.claim("1 the demo task's record holds what is known of its upstream beside the renamed names", _stored)


def _stored() -> str:
    names = json.loads((CASE / "provenance/names.json").read_bytes())
    kinds = sorted({term["kind"] for term in names["terms"]})
    need((CASE / "provenance/known.json").is_file(), f"provenance/known.json is not made yet; names.json has {kinds}")
    return ", ".join(kinds)
