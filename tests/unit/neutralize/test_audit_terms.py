"""Lists of terms that an audit is given, the author's file, and the writing of waivers."""

from __future__ import annotations

import datetime as dt
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from neutralize.audit.termlists import read_terms, terms_of
from neutralize.authored import read_authored
from neutralize.decide import Found
from neutralize.scan import Scanner
from neutralize.waivers import Waiver, add_waiver, read_waivers
from taskpack.errors import BadInput, RecordUnreadable
from taskpack.rename import Grade, Names, RenameMap, Term

TERM = Term(surface="fetch", grade=Grade.GENERIC, kind="cli", sources=("order",))


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "terms"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_our_names_record_gives_its_terms_with_their_grades(tmp_path: Path) -> None:
    names = Names(map=RenameMap(renames=()), terms=(TERM,), checks=())
    assert read_terms(written(tmp_path, names.to_bytes())) == (TERM,)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"case_id": "x", "sensitive_terms": ["brassmonocle", "fetch"]}),
        json.dumps(["brassmonocle", "fetch"]),
        "brassmonocle\nfetch\n",
        "\ufeff# names\r\n\r\n  brassmonocle  \r\nfetch\r\n",
    ],
)
def test_lists_of_other_makers_are_read_and_graded(tmp_path: Path, content: str) -> None:
    terms = read_terms(written(tmp_path, content))
    assert {(term.surface, term.grade) for term in terms} == {
        ("brassmonocle", Grade.IDENTIFYING),
        ("fetch", Grade.GENERIC),
    }


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        ("", "no term"),
        ("# only a comment\n---\n", "no term"),
        ("[]", "no term"),
        ("{", "JSON"),
        ('{"terms": []}', "neither"),
        ('{"sensitive_terms": [1]}', "neither"),
        ("bras\x1bsmonocle\n", "control"),
        ("x" * 3000, "2000"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_what_is_no_list_of_terms_is_refused_with_the_fact(tmp_path: Path, content: str | bytes, fact: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_terms(written(tmp_path, content))
    assert fact in caught.value.details["fact"]


def test_a_broken_names_record_is_told_as_one(tmp_path: Path) -> None:
    with pytest.raises(RecordUnreadable):
        read_terms(written(tmp_path, '{"map": {}, "terms": []}'))


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        read_terms(tmp_path)


@pytest.mark.parametrize(
    "surface",
    [
        "https://github.com/monocleworks/brassmonocle.git",
        "ada.quill@brass.example",
        "Counts, sorts & files: a monocle's work",
        "src/brassmonocle",
        "BRASS_MONOCLE_HOME",
        "10.5281/zenodo.1234567",
        "Ada Quillfeather",
    ],
)
def test_every_kind_of_surface_is_found_as_it_stands_and_in_other_case(surface: str) -> None:
    scanner = Scanner(terms_of([surface], source="x"))
    assert scanner.verdict(f"see {surface} there") is Found.HIT
    assert scanner.verdict(f"see {surface.upper()} there") is Found.HIT
    assert scanner.verdict("see nothing there") is Found.MISS


def test_a_tagline_is_found_over_a_line_end() -> None:
    scanner = Scanner(terms_of(["Counts, sorts & files: a monocle's work"], source="x"))
    assert scanner.verdict("Counts, sorts &\n  files: a monocle's work") is Found.HIT


def authored(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "terms.toml"
    path.write_text(text)
    return path


def test_the_author_adds_and_regrades_in_every_spelling(tmp_path: Path) -> None:
    path = authored(
        tmp_path,
        'schema_version = 1\n[[add]]\nsurface = "old guild"\ngrade = "I"\nkind = "org"\nreason = "their forum"\n'
        '[[regrade]]\nsurface = "Fetch"\ngrade = "D"\nreason = "no verb in this domain"\n',
    )
    found = read_authored(path)
    assert found is not None
    terms = found.applied([TERM, TERM.model_copy(update={"kind": "dist", "surface": "FETCH"})])
    assert [(term.kind, term.surface, term.grade) for term in terms] == [
        ("cli", "fetch", Grade.DISTINCTIVE),
        ("dist", "FETCH", Grade.DISTINCTIVE),
        ("org", "old guild", Grade.IDENTIFYING),
    ]


def test_without_a_file_nothing_is_changed(tmp_path: Path) -> None:
    assert read_authored(tmp_path / "terms.toml") is None


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("schema_version = 1\n[[add]\n", "line 2"),
        ("[[add]]\n", "schema_version"),
        ("schema_version = 2\n", "schema_version"),
        ('schema_version = 1\n[[add]]\nsurface = "a"\ngrade = "I"\nreason = " "\n', "add.0.reason"),
        ('schema_version = 1\n[[add]]\nsurface = "a"\ngrade = "X"\nreason = "b"\n', "add.0.grade"),
        ('schema_version = 1\n[[add]]\nsurface = "--"\ngrade = "I"\nreason = "b"\n', "add.0.surface"),
        ('schema_version = 1\n[[waive]]\nsurface = "a"\n', "waive"),
    ],
)
def test_a_broken_file_of_the_author_names_the_field(tmp_path: Path, text: str, fact: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_authored(authored(tmp_path, text))
    assert fact in caught.value.details["fact"]


def test_regrading_what_is_no_term_is_refused(tmp_path: Path) -> None:
    found = read_authored(
        authored(tmp_path, 'schema_version = 1\n[[regrade]]\nsurface = "gone"\ngrade = "D"\nreason = "b"\n')
    )
    assert found is not None
    with pytest.raises(BadInput, match="gone"):
        found.applied([TERM])


def waiver(number: int, **change: object) -> Waiver:
    made = Waiver(
        term="fetch", path=f"p{number:02}", line_digest="0" * 64, reason="a verb", expires=dt.date(2030, 1, 1)
    )
    return made.model_copy(update=change)


def test_decisions_that_are_written_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "provenance/waivers.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: add_waiver(path, waiver(number)), range(24)))
    assert [one.path for one in read_waivers(path).waivers] == [f"p{number:02}" for number in range(24)]
    assert [file.name for file in path.parent.iterdir()] == ["waivers.json"]


def test_a_second_decision_on_a_place_takes_the_place_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "waivers.json"
    add_waiver(path, waiver(1))
    add_waiver(path, waiver(1, reason="still a verb"))
    assert [one.reason for one in read_waivers(path).waivers] == ["still a verb"]


def test_a_broken_file_of_waivers_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "waivers.json"
    path.write_text("{")
    with pytest.raises(RecordUnreadable):
        add_waiver(path, waiver(1))
    assert path.read_text() == "{"


def test_waivers_written_before_rules_had_names_are_about_terms(tmp_path: Path) -> None:
    path = tmp_path / "waivers.json"
    old = {"term": "fetch", "path": "p", "line_digest": "0" * 64, "reason": "a verb", "expires": "2030-01-01"}
    path.write_text(json.dumps({"schema_version": 1, "waivers": [old]}))
    assert [one.rule for one in read_waivers(path).waivers] == ["term"]
