"""The self-test itself, on gates and overlays made for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import JudgeWorkspace, Subject
from taskpack.denylist import Denylist
from taskpack.files import tree_digest
from taskpack.gate import Gate, GateResult, failed, passed
from taskpack.layout import CaseFolder
from taskpack.verdict import Verdict
from tests.unit.validation.conftest import FIXTURES, verdict
from validation.selftest import SelftestReport, lay_out, selftest

Make = Callable[[CaseFolder, Path], Subject]


def looks_for(code: str, word: str, requires: tuple[str, ...] = ()) -> Gate[Subject]:
    """A gate that fails when `notes.txt` of the case holds the word."""

    def check(subject: Subject) -> GateResult:
        notes = subject.case.root / "notes.txt"
        bad = notes.is_file() and word in notes.read_text()
        return failed("found", evidence=[word]) if bad else passed("clean")

    return Gate(code=code, holds="", version=1, cost=1, remedy="", check=check, requires=requires)


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    root = tmp_path / "gates"
    root.mkdir()
    (root / "_base").symlink_to(FIXTURES / "_base")
    return root


@pytest.fixture
def make() -> Make:
    def judge(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        raise AssertionError("no gate here judges")

    def made(case: CaseFolder, reference: Path) -> Subject:
        return Subject(case=case, reference=reference, scratch=case.root.with_name("scratch"), judge=judge)

    return made


def overlay(fixtures: Path, code: str, side: str, notes: str) -> None:
    place = fixtures / code / side / "case"
    place.mkdir(parents=True)
    (place / "notes.txt").write_text(notes)


def run(fixtures: Path, make: Make, *gates: Gate[Subject]) -> SelftestReport:
    return selftest(gates, fixtures, make_subject=make, place=fixtures.parent / "laid")


def test_a_defect_that_fails_its_gate_alone_and_a_clean_twin_are_good(fixtures, make, tmp_path) -> None:
    overlay(fixtures, "AA-ONE", "defect", "one")
    overlay(fixtures, "AA-ONE", "twin", "")
    report = run(fixtures, make, looks_for("AA-ONE", "one"))
    assert report.good
    assert [(score.family, score.recall, score.precision) for score in report.scores] == [("AA", 1.0, 1.0)]
    assert not (tmp_path / "scratch").exists()


def test_a_gate_without_its_defect_or_twin_is_not_good(fixtures, make) -> None:
    report = run(fixtures, make, looks_for("AA-ONE", "one"))
    assert not report.good
    assert report.rows[0].notes == ("no seeded defect at AA-ONE/defect", "no repaired twin at AA-ONE/twin")


def test_a_defect_that_its_gate_misses_lowers_recall(fixtures, make) -> None:
    overlay(fixtures, "AA-ONE", "defect", "")
    overlay(fixtures, "AA-ONE", "twin", "")
    report = run(fixtures, make, looks_for("AA-ONE", "one"))
    assert not report.good
    assert (report.scores[0].recall, report.scores[0].precision) == (0.0, 1.0)


def test_a_defect_that_fails_another_gate_too_is_not_alone_and_lowers_precision(fixtures, make) -> None:
    for code, notes in (("AA-ONE", "one two"), ("BB-TWO", "two")):
        overlay(fixtures, code, "defect", notes)
        overlay(fixtures, code, "twin", "")
    report = run(fixtures, make, looks_for("AA-ONE", "one"), looks_for("BB-TWO", "two"))
    one, two = report.rows
    assert (one.good, one.defect_failed, one.failed_alone, one.stray) == (False, True, False, ("BB-TWO",))
    assert two.good
    assert {score.family: score.precision for score in report.scores} == {"AA": 1.0, "BB": 0.5}


def test_a_gate_with_several_defects_must_fail_alone_on_each(fixtures, make) -> None:
    for side, notes in (("defect", "one"), ("defect-other", "one"), ("defect-third", "two"), ("twin", "")):
        overlay(fixtures, "AA-ONE", side, notes)
    report = run(fixtures, make, looks_for("AA-ONE", "one"))
    (row,) = report.rows
    assert (row.seeded, row.found, row.defect_failed, row.good) == (3, 2, False, False)
    assert row.notes == ("AA-ONE does not fail on its defect-third",)
    assert report.scores[0].recall == pytest.approx(2 / 3)
    (fixtures / "AA-ONE/defect-third/case/notes.txt").write_text("one")
    assert run(fixtures, make, looks_for("AA-ONE", "one")).good


def test_gates_that_need_the_failed_one_may_be_skipped_and_others_may_not(fixtures, make) -> None:
    overlay(fixtures, "AA-ONE", "defect", "one")
    overlay(fixtures, "AA-ONE", "twin", "")
    needs = looks_for("BB-TWO", "two", requires=("AA-ONE",))
    far = looks_for("CC-FAR", "far", requires=("BB-TWO",))
    lost = looks_for("DD-LOST", "lost", requires=("ZZ-NONE",))
    gates = [looks_for("AA-ONE", "one"), needs, far]
    assert selftest(gates, fixtures, make_subject=make, place=fixtures.parent / "laid", only=["AA-ONE"]).good
    row = selftest([*gates, lost], fixtures, make_subject=make, place=fixtures.parent / "laid", only=["AA-ONE"]).rows[0]
    assert not row.failed_alone
    assert "DD-LOST gave skip" in row.notes[0]


def test_a_twin_that_any_gate_fails_is_not_good(fixtures, make) -> None:
    overlay(fixtures, "AA-ONE", "defect", "one")
    overlay(fixtures, "AA-ONE", "twin", "one")
    row = run(fixtures, make, looks_for("AA-ONE", "one")).rows[0]
    assert (row.failed_alone, row.twin_passed, row.good) == (True, False, False)


def test_no_gates_at_all_is_not_good(fixtures, make) -> None:
    assert not run(fixtures, make).good


def test_a_verdict_is_asked_once_for_a_suite_a_workspace_and_a_seed(fixtures, tmp_path: Path) -> None:
    asked: list[str | None] = []

    def asks(code: str) -> Gate[Subject]:
        def check(subject: Subject) -> GateResult:
            for seed in ("a", "b", None):
                subject.judge(subject.reference, seed=seed)
            return passed("asked")

        return Gate(code=code, holds="", version=1, cost=1, remedy="", check=check)

    def made(case: CaseFolder, reference: Path) -> Subject:
        def judge(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
            asked.append(seed)
            return verdict(case, workspace, seed=seed, wrong=set())

        return Subject(case=case, reference=reference, scratch=tmp_path / "scratch", judge=judge)

    overlay(fixtures, "AA-ONE", "defect", "")
    overlay(fixtures, "AA-ONE", "twin", "")
    selftest([asks("AA-ONE"), asks("BB-TWO")], fixtures, make_subject=made, place=tmp_path / "laid")
    assert asked == ["a", "b", None]


def test_verdicts_behind_bans_are_remembered_apart_and_a_list_by_its_content(fixtures, tmp_path: Path) -> None:
    asked: list[str] = []
    lists = [
        Denylist(case_id="case000", ecosystem="pip", install_ban=(name,), import_ban=()) for name in ("a", "a", "b")
    ]

    def check(subject: Subject) -> GateResult:
        assert subject.behind_bans
        for judge in (subject.judge, *map(subject.behind_bans, lists)):
            judge(subject.reference, seed="s")
        return passed("asked")

    def judging(case: CaseFolder, name: str) -> JudgeWorkspace:
        def judge(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
            asked.append(name)
            return verdict(case, workspace, seed=seed, wrong=set())

        return judge

    def made(case: CaseFolder, reference: Path) -> Subject:
        return Subject(
            case=case,
            reference=reference,
            scratch=tmp_path / "scratch",
            judge=judging(case, ""),
            behind_bans=lambda listed: judging(case, listed.install_ban[0]),
        )

    overlay(fixtures, "AA-ONE", "defect", "")
    overlay(fixtures, "AA-ONE", "twin", "")
    gate = Gate(code="AA-ONE", holds="", version=1, cost=1, remedy="", check=check)
    selftest([gate], fixtures, make_subject=made, place=tmp_path / "laid")
    assert asked == ["", "a", "b"]


def test_overlays_lie_over_the_base_and_the_engines_harness_is_added(fixtures, tmp_path: Path) -> None:
    place = fixtures / "AA-ONE" / "defect"
    (place / "reference" / "src").mkdir(parents=True)
    (place / "reference" / "src" / "extra.py").write_text("")
    case, reference = lay_out(FIXTURES / "_base", place, tmp_path / "laid")
    assert case.id == "case000"
    assert (case.tests / "_lib" / "judge" / "harness" / "__init__.py").is_file()
    assert tree_digest(reference) != tree_digest(FIXTURES / "_base" / "reference")


def test_every_gate_directory_of_the_checkout_has_both_overlays() -> None:
    for place in FIXTURES.iterdir():
        if place.is_dir() and not place.name.startswith("_"):
            assert {each.name for each in place.iterdir()} >= {"defect", "twin"}
