"""Controls that an author stored in the case: whole workspaces with the reward that a right suite gives them."""

from __future__ import annotations

import shutil
from pathlib import Path

from pydantic import ValidationError

from judge.subject import Subject
from taskpack.errors import RecordUnreadable
from taskpack.files import tree_digest
from taskpack.gate import GateResult, failed, passed, skipped
from taskpack.layout import CaseFolder
from taskpack.receipt import Input
from taskpack.record import Part, unreadable
from validation.inputs import helper_inputs, judged_inputs
from validation.trials import Trial, failed_nodes, judge_made, side_by_side

NOTHING_STORED = (
    "no control is stored, so nothing was asked: store a clean-room implementation as controls/clean_room/app with"
    ' expect.json {"reward": 1}, and wrong ones as controls/NAME/app'
)


class Expectation(Part):
    """`controls/<name>/expect.json` (zero2repo, section 12)."""

    reward: int = 0
    note: str = ""
    must_fail_tests: tuple[str, ...] = ()
    """Node ids, or ends of them, that must have failed."""


def stored_controls(case: CaseFolder) -> dict[str, Expectation]:
    """Name -> expectation of each folder of `controls/` with an `app/`; without `expect.json` the reward is 0.

    Raises `RecordUnreadable` for an expectation that is none.
    """
    found = {}
    for app in sorted(case.controls.glob("*/app")):
        path = app.with_name("expect.json")
        try:
            found[app.parent.name] = Expectation.model_validate_json(path.read_bytes() if path.is_file() else b"{}")
        except ValidationError as error:
            raise unreadable(Expectation, f"controls/{app.parent.name}/expect.json", error) from error
    return found


def check_stored(subject: Subject) -> GateResult:
    """Every stored control scores what its expectation says, and the nodes that must fail did. Skipped without one."""
    inputs = [*judged_inputs(subject), *helper_inputs("FAIR-STORED")]
    if subject.case.controls.is_dir():
        inputs.append(Input(name="controls", digest=tree_digest(subject.case.controls)))
    try:
        controls = stored_controls(subject.case)
    except RecordUnreadable as error:
        return failed("an expectation cannot be read", evidence=[error.render()], inputs=inputs)
    if not controls:
        return skipped(NOTHING_STORED, inputs=inputs)
    wrong: list[str] = []
    trials: list[Trial] = []
    for trial in side_by_side(lambda name: _trial(subject, name, controls[name]), controls):
        trials.append(trial)
        failures = failed_nodes(trial.verdict)
        wrong += [] if trial.as_expected else [trial.line()]
        wrong += [
            f"{trial.name}: {node} did not fail"
            for node in controls[trial.name].must_fail_tests
            if not any(seen.endswith(node) for seen in failures)
        ]
    if wrong:
        return failed("a stored control came out otherwise than expected", evidence=wrong, inputs=inputs)
    said = f"{len(trials)} stored controls score as expected"
    return passed(said, evidence=[trial.line() for trial in trials], inputs=inputs)


def _trial(subject: Subject, name: str, expectation: Expectation) -> Trial:
    def make(dest: Path) -> None:
        shutil.copytree(subject.case.controls / name / "app", dest, symlinks=True)

    return Trial(name=name, expected=expectation.reward, verdict=judge_made(subject, f"control-{name}", make))
