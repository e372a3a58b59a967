"""The audit's answers: what each mode can conclude, what is left out, what counts as not scanned."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from neutralize.audit.core import Known, audit
from neutralize.audit.layout import case_roots, standing
from neutralize.audit.measures import KEPT, rename_soundness
from neutralize.audit.purpose import without_terms
from neutralize.audit.report import Answer, AuditReport, Kind, Measured, Metric, Mode, Place, Visibility
from neutralize.audit.run import Source, Subject, run
from neutralize.audit.termlists import terms_of
from neutralize.decide import Decision, Found
from neutralize.finding import Finding
from neutralize.lines import Lines
from neutralize.scan import Scanner
from neutralize.traverse import Item
from neutralize.waivers import Fate, Waiver, Waivers
from taskpack.layout import CaseFolder
from taskpack.rename import Grade, Names, Rename, RenameMap, Term
from tests.bundles import TERMS, new_style, old_style, put

DAY = dt.date(2030, 1, 1)
LIST = terms_of(TERMS, source="manifest")


class Spotter:
    """A detector that sees one word."""

    def __init__(self, rule: str, word: str, found: Found = Found.HIT) -> None:
        self.rule = rule
        self.word = word
        self.found = found

    def findings(self, item: Item, text: str | None) -> Iterable[Finding]:
        start = (text or "").find(self.word)
        if text is not None and start >= 0:
            decision = Decision(found=self.found, reason="spotted")
            yield Lines(text).finding(
                item.path, start, start + len(self.word), decision, term=self.word, rule=self.rule
            )


def look(
    path: Path, *, mode: Mode = Mode.TERMS, terms: Sequence[Term] = LIST, waivers: Sequence[Waiver] = ()
) -> AuditReport:
    terms = () if mode is Mode.NOTHING else tuple(terms)
    subject = Subject(path=path, name=path.name, waivers=Waivers(waivers=tuple(waivers)))
    return run(subject, Source(mode=mode, terms=terms), today=DAY)


def of(
    *items: Item, mode: Mode = Mode.TERMS, detectors: Sequence[Spotter] = (), terms: Sequence[Term] = LIST
) -> AuditReport:
    known = Known(name="x", mode=mode, terms=terms, searcher=Scanner(terms), detectors=detectors, today=DAY)
    return audit(items, known)


def row(report: AuditReport, name: str) -> Metric:
    return next(metric for metric in report.scorecard if metric.id == name)


CLOSED = b"7z\xbc\xaf\x27\x1c"
"""An archive of a kind that is not opened."""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return new_style(tmp_path / "case101")


@pytest.mark.parametrize("mode", [Mode.PIN, Mode.TERMS])
def test_a_bundle_that_names_nothing_is_neutral_when_its_names_are_known(bundle: Path, mode: Mode) -> None:
    report = look(bundle, mode=mode)
    assert report.answer is Answer.NEUTRAL
    assert report.kind is Kind.BUNDLE
    assert report.coverage.entries_scanned == report.coverage.entries == 17  # 9 files in 8 folders
    assert row(report, "cues-visible").result is Measured.MET


def test_without_knowledge_nothing_is_neutral(bundle: Path) -> None:
    report = look(bundle, mode=Mode.NOTHING)
    assert report.answer is Answer.UNKNOWN
    assert row(report, "cues-visible").result is Measured.NOT_MEASURED


def test_with_knowledge_that_searches_for_nothing_nothing_is_neutral(bundle: Path) -> None:
    assert look(bundle, terms=()).answer is Answer.UNKNOWN


def test_a_hit_anywhere_names_the_source(bundle: Path) -> None:
    put(bundle / "controls/always_accept/app/vexsum.py", "import brassmonocle\n")
    report = look(bundle)
    assert report.answer is Answer.NAMES
    assert row(report, "cues-visible").result is Measured.MET
    assert row(report, "cues-elsewhere").result is Measured.NOT_MET
    assert row(report, "cues-elsewhere").why == "1 project in control"


def test_what_may_be_plain_english_needs_a_decision(bundle: Path) -> None:
    put(bundle / "public/Full_PRD.md", "It will fetch the next row.\n")
    report = look(bundle)
    assert report.answer is Answer.DECISIONS
    assert [place.found for place in report.findings] == [Found.REVIEW]


def test_what_cannot_be_read_makes_it_incomplete_and_never_neutral(bundle: Path) -> None:
    put(bundle / "public/more.7z", CLOSED)
    report = look(bundle)
    assert report.answer is Answer.INCOMPLETE
    (rest,) = report.coverage.rest
    assert (rest.path, rest.size, rest.visibility) == ("public/more.7z", 6, Visibility.SOLVER)
    assert row(report, "coverage").result is Measured.NOT_MET
    assert row(report, "cues-visible").result is Measured.NOT_MEASURED


def test_a_hit_counts_more_than_what_was_not_read_and_that_more_than_a_review(bundle: Path) -> None:
    put(bundle / "public/Full_PRD.md", "It will fetch the next row.\n")
    put(bundle / "public/more.7z", CLOSED)
    assert look(bundle).answer is Answer.INCOMPLETE
    put(bundle / "public/Interface_Contract.md", "`brassmonocle`\n")
    assert look(bundle).answer is Answer.NAMES


def test_no_entries_are_no_clean_ones() -> None:
    report = of()
    assert report.answer is Answer.INCOMPLETE
    assert row(report, "coverage").result is Measured.NOT_MET


@pytest.mark.parametrize("gone", ["public/Full_PRD.md", "public/Interface_Contract.md"])
def test_a_case_without_a_document_is_incomplete(bundle: Path, gone: str) -> None:
    (bundle / gone).unlink()
    report = look(bundle)
    assert report.answer is Answer.INCOMPLETE
    assert [(rest.path, rest.problem) for rest in report.coverage.rest] == [(gone, "missing")]


@pytest.mark.parametrize(("suite", "missing"), [(False, 0), (True, 2)])
def test_an_archive_for_one_audience_has_no_documents_and_one_of_a_whole_case_must(suite: bool, missing: int) -> None:
    items = [Item(path="h.tar.gz!case1/source/manifest.json", data=b"{}")]
    items += [Item(path="h.tar.gz!case1/milestones/final/test_manifest.json", data=b"{}")] if suite else []
    assert len(of(*items).coverage.rest) == missing


def test_the_share_of_what_was_read_is_cut_and_not_rounded() -> None:
    items = [Item(path=f"f{number:04}", data=b"x") for number in range(2000)]
    report = of(*items, Item(path="z", data=b"\x00"))
    assert row(report, "coverage").value == "99.9 % of entries, 99.9 % of bytes"


def test_the_new_style_is_read_as_it_is(bundle: Path) -> None:
    report = look(bundle)
    assert [(one.path, one.part) for one in report.coverage.left_out] == [
        ("source/denylist.json", ""),
        ("source/manifest.json", "sensitive_terms"),
    ]
    assert all(len(one.sha256) == 64 for one in report.coverage.left_out)


def test_the_old_style_names_its_source_in_the_manifest_where_solvers_do_not_look(tmp_path: Path) -> None:
    report = look(old_style(tmp_path / "case102"))
    assert report.answer is Answer.NAMES
    assert {(place.path, place.role, place.visibility) for place in report.findings} == {
        ("source/manifest.json", "manifest", Visibility.HARNESS)
    }
    assert row(report, "cues-visible").result is Measured.MET


def test_findings_in_a_manifest_stand_where_they_stand_in_the_file(tmp_path: Path) -> None:
    root = old_style(tmp_path / "case102")
    data = (root / "source/manifest.json").read_bytes()
    for place in look(root).findings:
        assert place.span is not None
        assert data[place.span.start : place.span.end].decode() == place.surface
        assert data.split(b"\n")[place.line - 1][place.column - 1 :].decode().startswith(place.surface)


@pytest.mark.parametrize(
    "manifest",
    [
        '{"sensitive_terms": ["a"], "sensitive_terms": ["brassmonocle"]}',
        '{"sensitive_terms": ["a", {"note": "brassmonocle"}]}',
        '{"sensitive_terms": "brassmonocle"}',
        '{"runner": {"sensitive_terms": ["brassmonocle"]}, "sensitive_terms": ["x"]}',
        '{"sensitive_terms": ["brassmonocle"]',
        '["sensitive_terms", "brassmonocle"]',
    ],
)
def test_only_one_list_of_terms_at_the_top_of_a_manifest_is_left_out(bundle: Path, manifest: str) -> None:
    put(bundle / "source/manifest.json", manifest)
    assert look(bundle).answer is Answer.NAMES


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_blanking_the_terms_keeps_every_other_byte(indent: int | str | None) -> None:
    whole = {"a": "é€", "sensitive_terms": ["brassmonocle", 'ü]"}'], "z": [1, {"sensitive_terms": 2}]}
    data = json.dumps(whole, indent=indent, ensure_ascii=False).encode()
    blank = without_terms(data)
    assert len(blank) == len(data)
    assert blank.count(b"\n") == data.count(b"\n")
    assert b"brassmonocle" not in blank
    assert [a for a, b in zip(blank, data, strict=True) if a != b] == [32] * sum(
        a != b for a, b in zip(blank, data, strict=True)
    )
    assert "é€".encode() in blank


def test_a_denylist_is_known_by_what_it_is_and_where(bundle: Path) -> None:
    put(bundle / "public/denylist.json", json.loads((bundle / "source/denylist.json").read_text()))
    assert {place.path for place in look(bundle).findings} == {"public/denylist.json"}
    (bundle / "public/denylist.json").unlink()
    put(bundle / "source/denylist.json", {"bans": ["brassmonocle"]})
    assert {place.path for place in look(bundle).findings} == {"source/denylist.json"}


def test_a_case_inside_a_case_does_not_say_who_sees_what(bundle: Path) -> None:
    shutil.copytree(new_style(bundle.parent / "case103"), bundle / "public/examples/case103")
    report = look(bundle)
    assert {place.path for place in report.findings} == {
        "public/examples/case103/source/denylist.json",
        "public/examples/case103/source/manifest.json",
    }
    assert {place.visibility for place in report.findings} == {Visibility.SOLVER}


def test_several_cases_in_one_folder_are_each_read_as_one(tmp_path: Path) -> None:
    for name in ("case104", "case105"):
        new_style(tmp_path / "all/benchmark/cases" / name)
    report = look(tmp_path / "all")
    assert report.answer is Answer.NEUTRAL
    assert len(report.coverage.left_out) == 4


def test_a_bundle_of_another_maker_is_a_folder_that_anyone_may_see(tmp_path: Path) -> None:
    root = tmp_path / "odd"
    put(root / "task.md", "Write brass-monocle anew.\n")
    put(root / "private/answers.json", {"denylist": ["brassmonocle"]})
    report = look(root)
    assert report.kind is Kind.FOLDER
    assert {place.visibility for place in report.findings} == {Visibility.ANYONE}
    assert report.coverage.left_out == ()


def test_entries_of_archives_are_placed_by_their_own_root() -> None:
    paths = ["b.tar.gz!case1/source/manifest.json", "b.tar.gz!case1/public/Full_PRD.md", "b.tar.gz!other/x"]
    roots = case_roots(paths)
    assert roots == ("b.tar.gz!case1/",)
    assert standing(paths[1], roots).visibility is Visibility.SOLVER
    assert standing(paths[2], roots).visibility is Visibility.ANYONE
    names = json.dumps({"sensitive_terms": TERMS}).encode()
    items = [Item(path=paths[0], data=names), Item(path=paths[1], data=b"x"), Item(path=paths[2], data=b"brassmonocle")]
    report = of(*items, Item(path="b.tar.gz!case1/public/Interface_Contract.md", data=b"x"))
    assert [place.path for place in report.findings] == [paths[2]]


@pytest.mark.parametrize(
    ("path", "role", "visibility"),
    [
        ("public/Full_PRD.md", "document", Visibility.SOLVER),
        ("source/recipe.lock.json", "recipe", Visibility.HARNESS),
        ("source/env/resources.json", "resource", Visibility.HARNESS),
        ("milestones/final/tests/F01_acceptance.py", "test", Visibility.JUDGE),
        ("milestones/final/coverage_matrix.json", "evidence", Visibility.JUDGE),
        ("milestones/gt/code/x.py", "reference", Visibility.AUTHOR),
        ("controls/weak/app/x.py", "control", Visibility.JUDGE),
        ("README.md", "file", Visibility.ANYONE),
        ("publication/x", "file", Visibility.ANYONE),
    ],
)
def test_who_sees_a_file_follows_from_its_place(path: str, role: str, visibility: Visibility) -> None:
    found = standing(f"c/{path}", ["c/"])
    assert (found.role, found.visibility) == (role, visibility)


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("latin-1", b""),
    ],
)
def test_a_finding_knows_its_bytes_in_every_encoding(encoding: str, mark: bytes) -> None:
    text = "caf\u00e9 \u00fc\nna\u00efve: the brassmonocle \u00e9\n"
    data = mark + text.encode(encoding)
    (place,) = of(Item(path="a.txt", data=data)).findings
    assert place.span is not None
    assert data[place.span.start : place.span.end].decode(encoding) == "brassmonocle"
    assert (place.line, place.column) == (2, 12)


def test_bytes_of_what_is_no_text_are_told_too() -> None:
    data = b"\x00\x01\nxx brassmonocle"
    report = of(Item(path="a.bin", data=data))
    (place,) = report.findings
    assert place.span is not None
    assert data[place.span.start : place.span.end] == b"brassmonocle"
    assert report.answer is Answer.NAMES


def test_a_folder_that_tells_is_told_once() -> None:
    items = [Item(path=f"src/brassmonocle/{name}.py", data=b"x\n") for name in "abc"]
    (place,) = of(*items).findings
    assert (place.path, place.view, place.span) == ("src/brassmonocle", "path", None)


def test_the_same_entries_in_another_order_give_the_same_bytes(bundle: Path) -> None:
    put(bundle / "public/Full_PRD.md", "fetch it with brass_monocle\n")
    put(bundle / "public/logo.png", b"\x00brassmonocle")
    assert look(bundle).to_bytes() == look(bundle).to_bytes()
    items = [
        Item(path=path.relative_to(bundle).as_posix(), data=path.read_bytes())
        for path in sorted(bundle.rglob("*"), reverse=True)
        if path.is_file()
    ]
    known = Known(name=bundle.name, mode=Mode.TERMS, terms=LIST, searcher=Scanner(LIST), today=DAY)
    assert audit(items, known).to_bytes() == audit(items[::-1], known).to_bytes()


def test_the_digest_of_what_was_audited_is_of_its_bytes_whatever_was_read_of_them(bundle: Path) -> None:
    put(bundle / "public/logo.png", b"\x00\x01")
    before = {one.name: one.digest for one in look(bundle).inputs}
    (bundle / "public/link").symlink_to("Full_PRD.md")
    after = {one.name: one.digest for one in look(bundle).inputs}
    assert before["audited"] != after["audited"]
    assert set(before) == {"audited", "entries"}


def test_a_report_reads_back_as_it_was_written(bundle: Path) -> None:
    report = look(bundle)
    assert AuditReport.from_bytes(report.to_bytes()) == report


def test_what_detectors_find_is_in_the_report_and_in_the_scorecard() -> None:
    item = Item(path="a.md", data=b"as in 3fa9c1d of old\n")
    report = of(item, detectors=[Spotter("commit", "3fa9c1d"), Spotter("literal", "zzz")])
    (place,) = report.findings
    (term,) = report.terms
    assert (place.rule, place.term_id, term.kind, term.grade) == ("commit", "D001", "commit", "")
    assert report.rules == ("commit", "literal", "term")
    assert row(report, "literals").result is Measured.MET
    assert row(of(item), "literals").result is Measured.NOT_MEASURED


def test_a_review_of_a_detector_needs_a_decision_also_when_nothing_is_known() -> None:
    item = Item(path="a.md", data=b"write to who@where.dev\n")
    report = of(item, mode=Mode.NOTHING, terms=(), detectors=[Spotter("address", "who@where.dev", Found.REVIEW)])
    assert report.answer is Answer.DECISIONS
    assert of(item, mode=Mode.NOTHING, terms=(), detectors=[Spotter("address", "none")]).answer is Answer.UNKNOWN


def test_every_metric_is_told_and_others_take_the_place_of_what_was_not_measured() -> None:
    overlap = Metric(id="ngrams", name="Linkable 8-grams", value="0.02 %", threshold="<= 0.1 %", result=Measured.MET)
    known = Known(name="x", mode=Mode.PIN, terms=LIST, searcher=Scanner(LIST), today=DAY, measured=[overlap])
    report = audit([Item(path="a", data=b"x")], known)
    assert [metric.id for metric in report.scorecard] == [
        "coverage", "cues-visible", "cues-elsewhere", "literals", "identifiers", "ngrams", "longest",
        "rename", "execution", "mutants", "recall", "closed-book",
    ]  # fmt: skip
    assert row(report, "ngrams") == overlap
    assert all(metric.why for metric in report.scorecard if metric.result is Measured.NOT_MEASURED)


def waiver(place: Place, term: str, **change: object) -> Waiver:
    made = Waiver(
        term=term, path=place.path, line_digest=place.line_digest, reason="a verb", expires=dt.date(2030, 2, 1)
    )
    return made.model_copy(update=change)


def test_a_waived_review_is_listed_with_its_waiver_and_the_rest_is_neutral(bundle: Path) -> None:
    put(bundle / "public/Full_PRD.md", "It will fetch the next row.\n")
    (place,) = look(bundle).findings
    report = look(bundle, waivers=[waiver(place, "fetch")])
    assert report.answer is Answer.NEUTRAL
    assert [(one.place.path, one.reason, one.place.number) for one in report.waived] == [
        ("public/Full_PRD.md", "a verb", 0)
    ]
    assert [state.fate for state in report.waivers] == [Fate.HOLDS]


def test_waivers_that_ran_out_are_unused_or_give_no_reason_are_told_and_hold_nothing(bundle: Path) -> None:
    put(bundle / "public/Full_PRD.md", "It will fetch the next row.\n")
    (place,) = look(bundle).findings
    out = [
        waiver(place, "fetch", expires=dt.date(2029, 12, 31)),
        waiver(place, "fetch", line_digest="0" * 64),
        waiver(place, "fetch", reason=" "),
        waiver(place, "fetch", rule="commit"),
    ]
    report = look(bundle, waivers=out)
    assert report.answer is Answer.DECISIONS
    assert [state.fate for state in report.waivers] == [Fate.EXPIRED, Fate.UNUSED, Fate.NO_REASON, Fate.UNUSED]


def test_a_waiver_for_a_hit_is_told_and_holds_nothing(bundle: Path) -> None:
    put(bundle / "public/Full_PRD.md", "`brassmonocle`\n")
    (place,) = look(bundle).findings
    term = next(term.surface for term in look(bundle).terms)
    report = look(bundle, waivers=[waiver(place, term)])
    assert report.answer is Answer.NAMES
    assert [state.fate for state in report.waivers] == [Fate.REFUSED]


def test_regrading_by_grade_is_what_the_scan_does() -> None:
    generic = Term(surface="fetch", grade=Grade.GENERIC, kind="project", sources=("x",))
    strict = generic.model_copy(update={"grade": Grade.IDENTIFYING})
    item = Item(path="a", data=b"prefetching\n")
    assert of(item, terms=[generic]).answer is Answer.NEUTRAL
    assert of(item, terms=[strict]).answer is Answer.NAMES


def test_public_names_that_the_author_keeps_are_a_row_and_no_finding_of_a_detector(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(bundle / "public/Interface_Contract.md", "`derive_key` and derive_keys, twice: derive_key, and left_over.\n")
    spotters = [Spotter("literal", "derive_key"), Spotter("literal", "left_over")]
    monkeypatch.setattr("neutralize.audit.run.detectors", lambda *_, **__: spotters)
    names = Names(map=RenameMap(renames=()), terms=LIST, checks=(f"{KEPT}derive_key, load_all",))
    subject = Subject(path=bundle, name="x", case=CaseFolder(root=bundle))
    report = run(subject, Source(mode=Mode.PIN, terms=LIST, names=names), today=DAY)
    assert [place.surface for place in report.findings] == ["left_over"]
    kept = row(report, "identifiers")
    assert (kept.result, kept.details) == (Measured.REPORTED, ("derive_key: 2",))
    assert kept.value.startswith("1, 2 times")


def test_a_map_that_does_not_come_back_is_not_met(tmp_path: Path) -> None:
    put(tmp_path / "tree/src/oldtally/__init__.py", "name = 'oldtally, not vexsum'\n")
    put(tmp_path / "tree/pyproject.toml", "[project]\nname = 'oldtally'\n")
    rename = Rename(surface="oldtally", replacement="vexsum", kind="name")
    names = Names(map=RenameMap(renames=(rename,)), terms=(), checks=())
    bad = rename_soundness(tmp_path / "tree", names, tmp_path / "a")
    assert (bad.result, bad.value) == (Measured.NOT_MET, "it is refused")
    put(tmp_path / "tree/src/oldtally/__init__.py", "name = 'oldtally'\n")
    good = rename_soundness(tmp_path / "tree", names, tmp_path / "b")
    assert (good.result, good.value) == (Measured.MET, "3 places in 2 files")
