"""Part 5, the scan: rows of every kind, everything that can hold a name, detectors beside the term search."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

from judge.subject import Subject
from neutralize.gates import GATES
from taskpack.layout import CaseFolder
from taskpack.verdict import Verdict
from tests.accept.checklist import Checklist, NotMet, need, pytest_passes

UNIT = "tests/unit/neutralize"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("2 rows of every kind: folding, readings, boundaries by grade, affixes, encoded needles",
               lambda: pytest_passes(*(f"{UNIT}/test_{name}.py" for name in ("scan_rows", "scan_kinds", "fold_and_views", "scan_files"))))  # fmt: skip
    book.claim("2 archives by content, git objects, image layers, links, binaries, metadata; caps are told, never clean",
               lambda: pytest_passes(f"{UNIT}/deep", timeout=1200))  # fmt: skip
    book.claim("2 detectors: commits, people, addresses, literals, messages, headings, names of tests and files, assets",
               lambda: pytest_passes(f"{UNIT}/known/test_detect.py"))  # fmt: skip
    book.claim("2 gate NEU-SCAN opens archives", lambda: _joined(scratch))
    book.claim("2 the gate sees what an audit sees: commits, addresses, literals, what cannot be read; seeded defects",
               lambda: pytest_passes(f"{UNIT}/test_gates.py"))  # fmt: skip


def _joined(scratch: Path) -> str:
    """A name in an archive among the documents is found where it lies."""
    case = CaseFolder(root=scratch / "case001")
    shutil.copytree("cases/case001", case.root)
    term = next(one for one in json.loads(case.names.read_bytes())["terms"] if one["grade"] == "I")["surface"]
    with zipfile.ZipFile(case.public / "more.dat", "w") as archive:
        archive.writestr("notes.md", f"as {term} does\n")
    (gate,) = (one for one in GATES if one.code == "NEU-SCAN")
    result = gate.check(Subject(case=case, reference=scratch, scratch=scratch, judge=_never))
    need(
        any("more.dat!notes.md" in line for line in result.evidence), f"{result.message}: {'; '.join(result.evidence)}"
    )
    return result.message


def _never(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
    raise NotMet("a scan needs no verdict")
