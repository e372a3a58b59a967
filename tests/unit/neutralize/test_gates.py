from __future__ import annotations

import datetime as dt
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import Subject
from neutralize.audit.report import AuditReport
from neutralize.decide import Found
from neutralize.gates import GATES, scan_case, source_of
from neutralize.known.facts import Fact, Known
from neutralize.known.stored import stored
from neutralize.scan import scan
from neutralize.traverse import Item
from neutralize.waivers import Waiver, Waivers, weigh
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


COMMIT = "9c1e2f70" * 5
KNOWN = Known(
    objects=(COMMIT,),
    people=(Fact(value="Orla Quibbleton", source=f"git:{COMMIT}"),),
    emails=(Fact(value="orla@brassmonocle.dev", source=f"git:{COMMIT}"),),
    literals=(Fact(value="zorblax-of-quenth", source="a.py:1"), Fact(value="open-key", source="a.py:2")),
    terms=(Term(surface="monoclehttp", grade=Grade.IDENTIFYING, kind="project", sources=("a.py:3",)),),
)


def whole(scratch: Path) -> Path:
    """The record as the work directory has it."""
    write_bytes(scratch / "known.json", KNOWN.to_bytes())
    return scratch / "known.json"


def no_judge(_: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
    raise AssertionError("this gate judges nothing")


def check(case: CaseFolder, scratch: Path, *, known: Path | None = None) -> GateResult:
    return NEU_SCAN.check(Subject(case=case, reference=case.root, scratch=scratch, judge=no_judge, known=known))


def zipped(name: str, text: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return data.getvalue()


def reported(case: CaseFolder) -> AuditReport:
    names = Names.from_bytes(case.names.read_bytes())
    return scan_case(case, source_of(case, names), today=dt.date(2030, 1, 1))


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
        case.denylist: b'{"install_ban": ["brassmonocle"], "import_ban": ["brassmonocle"]}\n',
        case.known: stored(KNOWN).to_bytes(),
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
    assert [entry.name for entry in result.inputs] == ["names", "released", "known"]


@pytest.mark.parametrize(
    "place",
    [
        lambda case: case.prd,
        lambda case: case.public / "Hardware_Requirements.md",
        lambda case: case.tests / "scenarios" / "F01.py",
        lambda case: case.coverage_matrix,
        lambda case: case.controls / "weak" / "app" / "x.py",
        lambda case: case.recipe_lock,
        lambda case: case.root / "source" / "notes.txt",
        lambda case: case.denylist,
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


def test_what_cannot_be_read_fails(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.public / "sheets.7z", b"7z\xbc\xaf\x27\x1c")
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.FAIL
    assert result.evidence[0].startswith("public/sheets.7z: not scanned: ")
    assert "1 entries could not be read" in result.message


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("public/more.dat", zipped("notes.md", "as brass_monocle does"), "public/more.dat!notes.md:1"),
        ("source/env/a.bin", zipped("b.zip", "x") + zipped("n.md", "BrassMonocle"), "source/env/a.bin!"),
        ("controls/x/tool", b"\x7fELF\x00\x01 brassmonocle \x00\x02", "controls/x/tool"),
        ("milestones/final/brass_monocle.txt", b"", "milestones/final/brass_monocle.txt (path)"),
        ("public/notes.md", b"since 9c1e2f709c1e2f", "public/notes.md:1:7"),
        ("public/notes.md", b"ask orla@brassmonocle.dev", "public/notes.md:1"),
        ("public/notes.md", b"as zorblax-of-quenth", "public/notes.md:1:4"),
        ("public/notes.md", b"the monoclehttp module", "public/notes.md:1:5"),
        ("public/notes.md", b"a key such as open-key", "public/notes.md:1:15"),
        ("public/logo.png", b"\x89PNG\r\n\x1a\n", "public/logo.png"),
    ],
)
def test_whatever_an_audit_finds_fails_where_it_lies(
    case: CaseFolder, tmp_path: Path, name: str, data: bytes, place: str
) -> None:
    write_bytes(case.root / name, data)
    result = check(case, tmp_path, known=whole(tmp_path))
    assert result.verdict is GateVerdict.FAIL
    assert any(line.startswith(place) for line in result.evidence), result.evidence


def test_a_harmless_archive_passes(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.public / "more.dat", zipped("notes.md", "as anybody does"))
    assert check(case, tmp_path).verdict is GateVerdict.PASS


def test_people_are_looked_for_where_the_whole_record_is_at_hand(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"# Vexsum\n\nBy Orla Quibbleton.\n")
    told = check(case, tmp_path)
    assert told.verdict is GateVerdict.PASS
    assert any("leaves out its people, emails" in line for line in told.evidence)
    result = check(case, tmp_path, known=whole(tmp_path))
    assert result.verdict is GateVerdict.FAIL
    assert "public/Full_PRD.md:3:4: 'Orla Quibbleton'" in result.evidence[0]


def test_without_a_record_of_the_source_nothing_is_released(case: CaseFolder, tmp_path: Path) -> None:
    case.known.unlink()
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.FAIL
    assert "provenance/known.json is missing" in result.evidence[0]


def test_the_author_keeps_a_literal_to_its_last_day(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"# Vexsum\n\nA key such as open-key.\n")
    text = 'schema_version = 1\n[[keep]]\nliteral = "open-key"\nreason = "any would do"\nuntil = {}\n'
    write_bytes(case.provenance / "terms.toml", text.format("2999-01-01").encode())
    result = check(case, tmp_path, known=whole(tmp_path))
    assert (result.verdict, result.evidence[0]) == (
        GateVerdict.PASS,
        "1 literals of the source kept by the author",
    )
    write_bytes(case.provenance / "terms.toml", text.format("2020-01-01").encode())
    assert check(case, tmp_path, known=whole(tmp_path)).verdict is GateVerdict.FAIL


@pytest.mark.parametrize("gone", [lambda case: case.names, lambda case: case.prd, lambda case: case.contract])
def test_a_case_without_terms_or_documents_fails(
    case: CaseFolder, tmp_path: Path, gone: Callable[[CaseFolder], Path]
) -> None:
    gone(case).unlink()
    assert check(case, tmp_path).verdict is GateVerdict.FAIL


def waive(case: CaseFolder, *, expires: dt.date, reason: str = "an ordinary verb here") -> None:
    place = next(each for each in reported(case).findings if each.found is Found.REVIEW)
    term = next(each.surface for each in reported(case).terms if each.id == place.term_id)
    waiver = Waiver(term=term, path=place.path, line_digest=place.line_digest, reason=reason, expires=expires)
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
    findings = scan([Item(path="public/Full_PRD.md", data=case.prd.read_bytes())], TERMS).findings
    held = Waivers.from_bytes((case.provenance / "waivers.json").read_bytes())
    assert weigh(findings, held, today=dt.date(2030, 5, 1)).standing == ()
    assert weigh(findings, held, today=dt.date(2030, 5, 2)).standing == findings
    (waiver,) = held.waivers
    idle = Waivers(waivers=(waiver.model_copy(update={"reason": "  "}),))
    assert weigh(findings, idle, today=dt.date(2030, 5, 1)).standing == findings


def test_a_hit_cannot_be_waived(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"`BrassMonocle`\n")
    (finding,) = scan([Item(path="public/Full_PRD.md", data=case.prd.read_bytes())], TERMS).findings
    waiver = Waiver(
        term=finding.term, path=finding.path, line_digest=finding.line_digest, reason="why not", expires=dt.date.max
    )
    assert weigh((finding,), Waivers(waivers=(waiver,)), today=dt.date(2030, 1, 1)).standing == (finding,)


def test_the_authors_file_of_terms_changes_what_fails_and_is_an_input(case: CaseFolder, tmp_path: Path) -> None:
    write_bytes(case.prd, b"# Vexsum\n\nBy the old guild.\n")
    assert check(case, tmp_path).verdict is GateVerdict.PASS
    text = b'schema_version = 1\n[[add]]\nsurface = "old guild"\ngrade = "I"\nreason = "their forum"\n'
    write_bytes(case.provenance / "terms.toml", text)
    result = check(case, tmp_path)
    assert result.verdict is GateVerdict.FAIL
    assert "terms" in {entry.name for entry in result.inputs}


@pytest.mark.parametrize(
    ("overlay", "verdict"),
    [
        *(
            (f"defect{what}", GateVerdict.FAIL)
            for what in ("", "-address", "-archive", "-commit", "-literal", "-unread")
        ),
        ("twin", GateVerdict.PASS),
    ],
)
def test_each_seeded_defect_fails_and_their_twin_passes(
    checkout: Path, tmp_path: Path, overlay: str, verdict: GateVerdict
) -> None:
    gates = checkout / "tests" / "gates"
    shutil.copytree(gates / "_base" / "case", tmp_path / "case")
    shutil.copytree(gates / "NEU-SCAN" / overlay / "case", tmp_path / "case", dirs_exist_ok=True)
    result = check(CaseFolder(root=tmp_path / "case"), tmp_path)
    assert result.verdict is verdict, result
