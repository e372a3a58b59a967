"""An audit with the pinned files at hand: archives are opened, detectors look, texts are compared."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from pathlib import Path

import pytest

from neutralize.audit.report import Answer, AuditReport, Measured, Mode
from neutralize.audit.run import Source, Subject, facts, run
from neutralize.authored import Kept
from neutralize.decide import Found
from taskpack.rename import Grade, Term
from tests.bundles import new_style, put

DAY = dt.date(2030, 1, 2)
TERMS = (Term(surface="brassmonocle", grade=Grade.IDENTIFYING, kind="project", sources=("x",)),)
PARAGRAPH = (
    "Every grommet that the lathe has turned is weighed twice before the night watch may carry it down to the harbour,"
    " because salt water eats what the scales have missed and nobody pays for a sunken anchor."
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "upstream"
    put(root / "README.md", f"# Brass monocle\n\n{PARAGRAPH}\n")
    put(root / "brassmonocle/__init__.py", 'RATIO = 0.738291546\nKEY = "open-key"\nTOKEN = "zorblax-of-quenth"\n')
    return root


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return new_style(tmp_path / "case101")


def audited(bundle: Path, tree: Path, *, kept: tuple[Kept, ...] = ()) -> AuditReport:
    source = Source(mode=Mode.PIN, terms=TERMS, tree=tree, facts=facts(tree, None, TERMS), kept=kept)
    return run(Subject(path=bundle, name="x"), source, today=DAY)


def zipped(name: str, text: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return data.getvalue()


def results(report: AuditReport) -> dict[str, Measured]:
    return {row.id: row.result for row in report.scorecard}


def test_a_bundle_of_its_own_is_neutral(bundle: Path, tree: Path) -> None:
    report = audited(bundle, tree)
    assert report.answer is Answer.NEUTRAL
    assert {"literal", "address", "commit"} <= set(report.rules)
    assert results(report)["ngrams"] is results(report)["longest"] is results(report)["literals"] is Measured.MET


def test_a_name_in_an_archive_is_found_where_it_lies(bundle: Path, tree: Path) -> None:
    put(bundle / "public/data.dat", zipped("inner/notes.txt", "see brassmonocle\n"))
    report = audited(bundle, tree)
    assert report.answer is Answer.NAMES
    assert {place.path for place in report.findings} == {"public/data.dat!inner/notes.txt"}


@pytest.mark.parametrize("literal", ["0.738291546", "zorblax-of-quenth"])
def test_a_literal_of_the_upstream_alone_is_a_hit(bundle: Path, tree: Path, literal: str) -> None:
    put(bundle / "milestones/final/tests/F01_helpers.py", f'VALUE = "{literal}"\n')
    (place,) = audited(bundle, tree).findings
    assert (place.rule, place.found, place.surface) == ("literal", Found.HIT, literal)


def test_a_literal_in_common_words_needs_a_decision_which_runs_out(bundle: Path, tree: Path) -> None:
    put(bundle / "milestones/final/tests/F01_helpers.py", 'VALUE = "open-key"\n')
    report = audited(bundle, tree)
    assert (report.answer, [place.surface for place in report.findings]) == (Answer.DECISIONS, ["open-key"])
    kept = Kept(literal="open-key", reason="any key would do", until=DAY)
    assert audited(bundle, tree, kept=(kept,)).answer is Answer.NEUTRAL
    gone = kept.model_copy(update={"until": DAY - dt.timedelta(days=1)})
    assert audited(bundle, tree, kept=(gone,)).answer is Answer.DECISIONS


def test_a_copied_sentence_is_told_with_both_places(bundle: Path, tree: Path) -> None:
    put(bundle / "public/Full_PRD.md", f"# Product\n\n{PARAGRAPH}\n")
    report = audited(bundle, tree)
    rows = {row.id: row for row in report.scorecard}
    assert rows["ngrams"].result is rows["longest"].result is Measured.NOT_MET
    assert rows["longest"].details[0].startswith("public/Full_PRD.md:")
    assert "README.md:3" in rows["longest"].details[0]


def test_what_the_author_alone_sees_is_not_compared(bundle: Path, tree: Path) -> None:
    put(bundle / "provenance/notes.md", f"{PARAGRAPH}\n")
    assert results(audited(bundle, tree))["longest"] is Measured.MET


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef"
    "0000000049454e44ae426082"
)


def packed(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("public/a.png", PIXEL, "public/a.png"),
        ("public/a.dat", PIXEL, "public/a.dat"),
        ("public/a.zip", packed("b.dat", PIXEL), "public/a.zip!b.dat"),
    ],
)
def test_images_are_told_wherever_they_lie_and_those_of_the_source_are_hits(
    bundle: Path, tree: Path, name: str, data: bytes, place: str
) -> None:
    (bundle / name).write_bytes(data)
    (found,) = (one for one in audited(bundle, tree).findings if one.rule == "asset")
    assert (found.path, found.found) == (place, Found.REVIEW)
    (tree / "logo.png").write_bytes(PIXEL)
    (found,) = (one for one in audited(bundle, tree).findings if one.rule == "asset")
    assert (found.path, found.found) == (place, Found.HIT)


def test_an_archive_of_the_source_is_a_hit_though_it_is_opened(bundle: Path, tree: Path) -> None:
    data = packed("b.txt", b"nothing that tells")
    (bundle / "public/a.zip").write_bytes(data)
    assert audited(bundle, tree).answer is Answer.NEUTRAL
    (tree / "data.zip").write_bytes(data)
    (found,) = (one for one in audited(bundle, tree).findings if one.rule == "asset")
    assert (found.path, found.found) == ("public/a.zip", Found.HIT)


def test_what_holds_the_names_by_purpose_is_no_copy(bundle: Path, tree: Path) -> None:
    manifest = bundle / "source/manifest.json"
    document = json.loads(manifest.read_text())
    put(manifest, json.dumps({**document, "sensitive_terms": [PARAGRAPH]}))
    assert results(audited(bundle, tree))["longest"] is Measured.MET
    put(manifest, json.dumps({**document, "notes": [PARAGRAPH]}))
    assert results(audited(bundle, tree))["longest"] is Measured.NOT_MET
