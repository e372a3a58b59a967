from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import Subject
from neutralize.decide import Found
from neutralize.gates import GATES, released
from neutralize.scan import scan
from neutralize.waivers import Waiver, Waivers, unwaived
from taskpack.files import write_bytes
from taskpack.gate import GateResult
from taskpack.layout import CaseFolder
from taskpack.receipt import GateVerdict
from taskpack.rename import Grade, Names, RenameMap, Term
from taskpack.verdict import Verdict

NEU_SCAN = next(gate for gate in GATES if gate.code == "NEU-SCAN")
TERMS = (
    Term(surface="BrassMonocle", grade=Grade.IDENTIFYING, kind="project", sources=("order",)),
    Term(surface="fetch", grade=Grade.GENERIC, kind="cli", sources=("order",)),
)


def no_judge(_: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
    raise AssertionError("this gate judges nothing")


def check(case: CaseFolder, scratch: Path) -> GateResult:
    return NEU_SCAN.check(Subject(case=case, reference=case.root, scratch=scratch, judge=no_judge))


@pytest.fixture
def case(tmp_path: Path) -> CaseFolder:
    case = CaseFolder(root=tmp_path / "case901")
    names = Names(map=RenameMap(renames=()), terms=TERMS, checks=())
    manifest = {"case_id": "case901", "sensitive_terms": ["brassmonocle", "brass-monocle"]}
    files = {
        case.names: names.to_bytes(),
        case.prd: b"# Vexsum\n\nCounts marks.\n",
        case.contract: b"# Contract\n",
        case.manifest: json.dumps(manifest).encode(),
        case.recipe_lock: b"{}\n",
        case.denylist: b'{"install_ban": ["brassmonocle"]}\n',
        case.tests / "F01_acceptance.py": b"def test_x(): ...\n",
        case.provenance / "pin.json": b'{"name": "brassmonocle"}\n',
    }
    for path, data in files.items():
        write_bytes(path, data)
    return case


def test_a_neutral_case_passes_though_author_files_denylist_and_sensitive_terms_hold_the_names(
    case: CaseFolder, tmp_path: Path
) -> None:
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.PASS, result
    assert [entry.name for entry in result.inputs] == ["names", "released"]


@pytest.mark.parametrize(
    "place",
    [
        lambda case: case.prd,
        lambda case: case.public / "Hardware_Requirements.md",
        lambda case: case.tests / "scenarios" / "F01.py",
        lambda case: case.coverage_matrix,
        lambda case: case.controls / "weak" / "app" / "x.py",
        lambda case: case.recipe_lock,
    ],
)
def test_a_name_in_any_file_that_leaves_the_case_fails(
    case: CaseFolder, tmp_path: Path, place: Callable[[CaseFolder], Path]
) -> None:
    write_bytes(place(case), b"as pybrassmonoclehelper does\n")
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.FAIL
    assert place(case).relative_to(case.root).as_posix() in result.evidence[0]


def test_the_manifest_is_read_but_for_its_sensitive_terms(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.manifest, json.dumps({"sensitive_terms": [], "note": "brass_monocle"}).encode())
    assert check(case, tmp_path).verdict is GateVerdict.FAIL


def test_a_file_that_cannot_be_read_fails(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.public / "logo.png", b"\x89PNG\x00")
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.FAIL
    assert result.evidence == ("public/logo.png: not scanned: not text",)


@pytest.mark.parametrize("gone", [lambda case: case.names, lambda case: case.prd, lambda case: case.contract])
def test_a_case_without_terms_or_documents_fails(
    case: CaseFolder, tmp_path: Path, gone: Callable[[CaseFolder], Path]
) -> None:
    gone(case).unlink()
    assert check(case, tmp_path).verdict is GateVerdict.FAIL


def waive(case: CaseFolder, *, expires: dt.date, reason: str = "an ordinary verb here") -> None:
    finding = next(f for f in scan(released(case), TERMS).findings if f.found is Found.REVIEW)
    waiver = Waiver(
        term=finding.term, path=finding.path, line_digest=finding.line_digest, reason=reason, expires=expires
    )
    write_bytes(case.provenance / "waivers.json", Waivers(waivers=(waiver,)).to_bytes())


def test_a_review_fails_until_a_person_decides_and_again_when_the_line_changes(
    case: CaseFolder, tmp_path: Path
) -> None:
    write_bytes(case.prd, b"# Vexsum\n\nIt will fetch the next row.\n")
    assert check(case, tmp_path).verdict is GateVerdict.FAIL
    waive(case, expires=dt.date.max)
    assert check(case, tmp_path).verdict is GateVerdict.PASS
    write_bytes(case.prd, b"# Vexsum\n\n\nMoved:\nIt   will fetch the next row.\n")
    assert check(case, tmp_path).verdict is GateVerdict.PASS
    write_bytes(case.prd, b"# Vexsum\n\nIt will fetch the last row.\n")
    assert check(case, tmp_path).verdict is GateVerdict.FAIL


def test_a_decision_holds_to_its_last_day_and_needs_a_reason(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"# Vexsum\n\nIt will fetch the next row.\n")
    waive(case, expires=dt.date(2030, 5, 1), reason="a verb")
    findings = scan(released(case), TERMS).findings
    held = Waivers.from_bytes((case.provenance / "waivers.json").read_bytes())
    assert unwaived(findings, held, today=dt.date(2030, 5, 1)) == ()
    assert unwaived(findings, held, today=dt.date(2030, 5, 2)) == findings
    waive(case, expires=dt.date(2030, 5, 1), reason="  ")
    held = Waivers.from_bytes((case.provenance / "waivers.json").read_bytes())
    assert unwaived(findings, held, today=dt.date(2030, 5, 1)) == findings


def test_a_hit_cannot_be_waived(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"`BrassMonocle`\n")
    (finding,) = scan(released(case), TERMS).findings
    waiver = Waiver(
        term=finding.term, path=finding.path, line_digest=finding.line_digest, reason="why not", expires=dt.date.max
    )
    assert unwaived((finding,), Waivers(waivers=(waiver,)), today=dt.date(2030, 1, 1)) == (finding,)


def test_the_authors_file_of_terms_changes_what_fails_and_is_an_input(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"# Vexsum\n\nBy the old guild.\n")
    assert check(case, tmp_path).verdict is GateVerdict.PASS
    text = b'schema_version = 1\n[[add]]\nsurface = "old guild"\ngrade = "I"\nreason = "their forum"\n'
    write_bytes(case.provenance / "terms.toml", text)
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.FAIL
    assert "terms" in {entry.name for entry in result.inputs}


@pytest.mark.parametrize(("overlay", "verdict"), [("defect", GateVerdict.FAIL), ("twin", GateVerdict.PASS)])
def test_the_seeded_defect_fails_and_its_twin_passes(
    checkout: Path, tmp_path: Path, overlay: str, verdict: GateVerdict
) -> None:
    gates = checkout / "tests" / "gates"
    shutil.copytree(gates / "_base" / "case", tmp_path / "case")
    shutil.copytree(gates / "NEU-SCAN" / overlay / "case", tmp_path / "case", dirs_exist_ok=True)
    result = check(CaseFolder(root=tmp_path / "case"), tmp_path)
    assert result.verdict is verdict, result
