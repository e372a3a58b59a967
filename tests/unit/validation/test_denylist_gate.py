"""Gate NEU-DENYLIST, with the real scan and a judge that answers by rule."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.subject import JudgeWorkspace, Subject
from taskpack.denylist import Denylist
from taskpack.errors import BadInput, EnvironmentFailed, RepowrightError, SandboxFailed
from taskpack.gate import GateResult, GateRun, released, run_gates
from taskpack.receipt import GateVerdict
from taskpack.verdict import Verdict
from tests.unit.validation.conftest import scanning
from validation.denylist import SourceNames, source_names, uses
from validation.gates import GATES

NEU_DENYLIST = next(gate for gate in GATES if gate.code == "NEU-DENYLIST")
ONE = {"test_a_sum_is_exact"}


@pytest.fixture
def subject(make_subject: Callable[..., Subject]) -> Subject:
    return make_subject(lambda workspace, seed: set())


def change(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def assert_failed(result: GateResult, message: str, *evidence: str) -> None:
    assert (result.verdict, result.message) == (GateVerdict.FAIL, message)
    for line in evidence:
        assert any(line in seen for seen in result.evidence), result.evidence


STOPS = "the denylist stops a right workspace"
PASSES = "the denylist does not stop what uses the source"
UNNAMED = "the denylist does not name the source"


def test_a_list_of_the_sources_names_alone_passes_and_each_use_of_the_source_is_shown(subject: Subject) -> None:
    result = NEU_DENYLIST.check(subject)
    assert result.verdict is GateVerdict.PASS, result
    assert result.evidence == (
        "reference: 7 nodes alike, reward 1",
        "stopped: denylist: penny_counter: uses_the_source/imports.py:1: import penny_counter",
        "stopped: denylist: penny-counter: uses_the_source/requirements.txt:1: penny-counter",
        "stopped: denylist: penny-counter: uses_the_source/_vendor/penny_counter:0: a copy under its own name",
    )
    assert {each.name for each in result.inputs} >= {"denylist", "names", "order", "reference", "suite"}


@pytest.mark.parametrize("name", ["denylist", "names"])
def test_a_case_without_the_list_or_what_it_is_held_against_fails(subject: Subject, name: str) -> None:
    path: Path = getattr(subject.case, name)
    path.unlink()
    result = NEU_DENYLIST.check(subject)
    assert_failed(result, "there is no denylist, or nothing to hold it against")
    assert result.evidence == (f"{path.relative_to(subject.case.root)} is missing",)


@pytest.mark.parametrize("name", ["denylist", "names"])
@pytest.mark.parametrize("text", ["", "{", '{"schema_version": 9}'])
def test_a_record_that_cannot_be_read_fails(subject: Subject, name: str, text: str) -> None:
    path: Path = getattr(subject.case, name)
    path.write_text(text)
    assert_failed(NEU_DENYLIST.check(subject), "a record of the case cannot be read", path.name)


def test_an_expectation_that_cannot_be_read_fails(subject: Subject) -> None:
    store(subject, "clean_room", reward="one")
    assert_failed(NEU_DENYLIST.check(subject), "a record of the case cannot be read", "clean_room/expect.json")


def test_an_empty_list_is_no_clean_list(subject: Subject) -> None:
    change(subject.case.denylist, install_ban=[], import_ban=[])
    assert_failed(NEU_DENYLIST.check(subject), UNNAMED, "denylist.json bans nothing")


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("install_ban", "distribution penny-counter is not in install_ban"),
        ("import_ban", "import root penny_counter is not in import_ban"),
    ],
)
def test_a_list_without_a_name_of_the_source_fails(subject: Subject, field: str, line: str) -> None:
    change(subject.case.denylist, **{field: ["something-else"]})
    result = NEU_DENYLIST.check(subject)
    assert_failed(result, UNNAMED)
    assert result.evidence == (line,)


def test_names_that_tell_nothing_of_how_the_source_is_fetched_fail(subject: Subject) -> None:
    change(subject.case.names, terms=[])
    assert_failed(NEU_DENYLIST.check(subject), UNNAMED, "no distribution and no import root")


def test_a_generic_root_that_the_reference_imports_stops_it_and_the_line_is_shown(subject: Subject) -> None:
    change(subject.case.denylist, import_ban=["penny_counter", "hmac"])
    result = NEU_DENYLIST.check(subject)
    assert_failed(result, STOPS)
    assert result.evidence[0] == "reference: denylist: hmac: src/tally/tags.py:3: import hmac"
    assert "test_a_sum_is_exact passed without the list and missing behind it" in " ".join(result.evidence)


def test_a_generic_distribution_that_the_reference_needs_stops_it(subject: Subject) -> None:
    change(subject.case.denylist, install_ban=["penny-counter", "setuptools"])
    assert_failed(NEU_DENYLIST.check(subject), STOPS, "reference: denylist: setuptools: pyproject.toml:")


def test_what_is_covered_and_missed_stops_the_reference_though_the_scan_finds_nothing(
    make_subject: Callable[..., Subject],
) -> None:
    result = NEU_DENYLIST.check(make_subject(lambda workspace, _: ONE if workspace.name.endswith("behind") else set()))
    assert_failed(result, STOPS, "test_a_sum_is_exact passed without the list and failed behind it")


def test_a_reference_that_is_wrong_either_way_is_not_right(make_subject: Callable[..., Subject]) -> None:
    result = NEU_DENYLIST.check(make_subject(lambda workspace, _: ONE))
    assert_failed(result, STOPS)
    assert result.evidence[-1] == "reference: reward 0 behind the list and without it"


def store(subject: Subject, name: str, *, reward: object, code: str = "") -> None:
    app = subject.case.controls / name / "app"
    shutil.copytree(subject.reference, app)
    (app / "more.py").write_text(code)
    (app.parent / "expect.json").write_text(json.dumps({"reward": reward}))


def test_a_control_that_must_score_1_is_held_against_the_list_and_a_wrong_one_is_not(subject: Subject) -> None:
    store(subject, "clean_room", reward=1)
    store(subject, "thief", reward=0, code="import penny_counter\n")
    result = NEU_DENYLIST.check(subject)
    assert result.verdict is GateVerdict.PASS
    assert result.evidence[:2] == ("reference: 7 nodes alike, reward 1", "control clean_room: 7 nodes alike, reward 1")
    change(subject.case.controls / "thief" / "expect.json", reward=1)
    assert_failed(NEU_DENYLIST.check(subject), STOPS, "control thief: denylist: penny_counter: more.py:1:")


def test_what_stays_behind_on_the_way_of_a_submission_stops_nothing(subject: Subject) -> None:
    folder = subject.reference / "tools"
    folder.mkdir()
    (folder / "old.py").write_text("import penny_counter\n")
    assert_failed(NEU_DENYLIST.check(subject), STOPS, "tools/old.py:1:")
    (folder / "pyvenv.cfg").write_text("")
    assert NEU_DENYLIST.check(subject).verdict is GateVerdict.PASS


@pytest.mark.parametrize("kind", [BadInput, EnvironmentFailed])
def test_a_list_that_nothing_can_be_judged_behind_fails_with_what_the_judge_says(
    subject: Subject, kind: type[RepowrightError]
) -> None:
    def refusing(listed: Denylist) -> JudgeWorkspace:
        raise kind("the denylist bans json", details={"fact": "the judge's own driver loads json"})

    result = NEU_DENYLIST.check(dataclasses.replace(subject, behind_bans=refusing))
    assert_failed(result, "nothing can be judged behind the denylist")
    assert result.evidence == ("the denylist bans json", "fact: the judge's own driver loads json")


def test_a_fault_of_the_machinery_is_no_answer(subject: Subject) -> None:
    def broken(listed: Denylist) -> JudgeWorkspace:
        raise SandboxFailed("the search did not come to its end")

    with pytest.raises(SandboxFailed):
        NEU_DENYLIST.check(dataclasses.replace(subject, behind_bans=broken))


def test_a_scan_that_sees_nothing_does_not_pass(subject: Subject) -> None:
    result = NEU_DENYLIST.check(dataclasses.replace(subject, behind_bans=lambda listed: subject.judge))
    assert_failed(result, PASSES)
    assert result.evidence == (
        "the reference with uses_the_source/: reward 1, expected 0",
        "not stopped: uses_the_source/imports.py:1: import penny_counter",
        "not stopped: uses_the_source/requirements.txt:1: penny-counter",
        "not stopped: uses_the_source/_vendor/penny_counter:0: a copy under its own name",
    )


@pytest.mark.parametrize("blind", ["imports.py", "requirements.txt", "_vendor"])
def test_a_scan_that_misses_one_way_does_not_pass(subject: Subject, blind: str) -> None:
    def missing(listed: Denylist) -> JudgeWorkspace:
        whole = scanning(subject.judge, listed)

        def judged(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
            verdict = whole(workspace, seed=seed, only=only)
            causes = tuple(cause for cause in verdict.causes if f"/{blind}" not in cause)
            return verdict.model_copy(update={"causes": causes})

        return judged

    result = NEU_DENYLIST.check(dataclasses.replace(subject, behind_bans=missing))
    assert_failed(result, PASSES)
    assert len(result.evidence) == 1
    assert f"/{blind}" in result.evidence[0]


def test_without_a_way_to_judge_behind_a_list_nothing_is_claimed_and_nothing_is_released(subject: Subject) -> None:
    result = NEU_DENYLIST.check(dataclasses.replace(subject, behind_bans=None))
    assert result.verdict is GateVerdict.SKIP
    good = run_gates([gate for gate in GATES if gate.code == "REF-PASS"], subject)
    assert released(good)
    assert not released([*good, GateRun(code="NEU-DENYLIST", version=1, result=result, optional=NEU_DENYLIST.optional)])


def test_a_source_with_a_name_of_its_own_needs_no_distribution_in_the_names(subject: Subject) -> None:
    text = subject.case.order.read_text()
    start, end = text.index("[source]"), text.index("[product]")
    source = '[source]\nkind = "pypi"\nname = "Penny_Counter"\nversion = "1.0"\nsha256 = "' + "0" * 64 + '"\n\n'
    subject.case.order.write_text(text[:start] + source + text[end:])
    change(subject.case.names, terms=[])
    assert source_names(subject.case) == SourceNames(dists=("penny-counter",), roots=("penny_counter",))
    assert NEU_DENYLIST.check(subject).verdict is GateVerdict.PASS


def test_of_many_names_as_many_are_tried_as_a_verdict_can_tell(subject: Subject) -> None:
    roots = [f"penny_{number}" for number in range(300)]
    terms = [{"surface": root, "grade": "I", "kind": "import-root", "sources": []} for root in roots]
    change(subject.case.names, terms=terms)
    change(subject.case.denylist, import_ban=roots)
    assert NEU_DENYLIST.check(subject).verdict is GateVerdict.PASS


def test_a_root_that_no_statement_can_import_is_tried_as_a_copy_alone() -> None:
    files = uses(SourceNames(dists=(), roots=("2penny", "class", "penny.counter")))
    assert files["uses_the_source/imports.py"] == ("import penny.counter",)
    assert "uses_the_source/_vendor/2penny/__init__.py" in files
