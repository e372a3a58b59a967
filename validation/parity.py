"""The same workspace judged in two ways must come out the same, node by node."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from judge.subject import JudgeWorkspace, Subject
from taskpack.gate import GateResult, failed, passed, skipped
from taskpack.receipt import Input
from taskpack.verdict import NodeReport, Verdict
from validation.inputs import helper_inputs, judged_inputs, stored_inputs
from validation.trials import Maker, judge_made, side_by_side
from validation.workspaces import copy_reference


def check_fork(subject: Subject) -> GateResult:
    """Calls in a fork and calls in a new interpreter."""
    if subject.fresh is None:
        return skipped("calls cannot be judged in new interpreters here", inputs=_inputs(subject, "REF-FORK"))
    return _check(subject, "REF-FORK", subject.fresh, "in forks", "in new interpreters")


def check_back_ends(subject: Subject) -> GateResult:
    """The back end of every other gate, and the other one."""
    if subject.elsewhere is None:
        fact = f"there is no other back end to compare with: {subject.nowhere or 'none was offered'}"
        return skipped(fact, inputs=_inputs(subject, "REF-PARITY"))
    return _check(subject, "REF-PARITY", subject.elsewhere, "on this back end", "on the other")


def _check(subject: Subject, code: str, other: JudgeWorkspace, here: str, there: str) -> GateResult:
    """Judge the reference, and every stored control, both ways."""
    makers = workspaces_of(subject)
    wrong: list[str] = []
    same: list[str] = []
    ways = [(name, judge) for name in makers for judge in (None, other)]

    def judged(way: tuple[str, JudgeWorkspace | None]) -> Verdict:
        name, judge = way
        place = f"{code}-{name}-{'there' if judge else 'here'}".replace(" ", "-")
        return judge_made(subject, place, makers[name], judge=judge)

    verdicts = iter(list(side_by_side(judged, ways)))
    for name, one, two in zip(makers, verdicts, verdicts, strict=True):
        found = differences(one, two, here=here, there=there)
        wrong += [f"{name}: {line}" for line in found]
        same += [] if found else [f"{name}: {len(one.nodes)} nodes alike, reward {one.reward} ({_where(two)})"]
    inputs = _inputs(subject, code)
    if wrong:
        return failed(f"a verdict {here} is not the one {there}", evidence=wrong, inputs=inputs)
    return passed(f"{len(same)} workspaces came out alike {here} and {there}", evidence=same, inputs=inputs)


def workspaces_of(subject: Subject) -> dict[str, Maker]:
    """Name -> the reference and every stored control."""
    makers: dict[str, Maker] = {"reference": partial(copy_reference, subject.reference, replaced={})}
    for app in sorted(subject.case.controls.glob("*/app")):
        makers[f"control {app.parent.name}"] = partial(_copy, app)
    return makers


def _inputs(subject: Subject, code: str) -> tuple[Input, ...]:
    return (*judged_inputs(subject), *helper_inputs(code), *stored_inputs(subject))


def differences(one: Verdict, two: Verdict, *, here: str, there: str, causes: bool = False) -> tuple[str, ...]:
    """Nodes whose result is not the same, and rewards; empty when there are none.

    Causes may be worded otherwise, unless `causes` asks for the same.
    """
    left, right = ({node.id: _said(node, causes=causes) for node in verdict.nodes} for verdict in (one, two))
    lines = [
        f"{node} {left.get(node, 'is not there')} {here} and {right.get(node, 'is not there')} {there}"
        for node in sorted({*left, *right})
        if left.get(node) != right.get(node)
    ]
    if one.reward != two.reward and not lines:
        lines.append(f"reward {one.reward} {here} and {two.reward} {there}")
    return tuple(lines)


def _said(node: NodeReport, *, causes: bool) -> str:
    return f"{node.result} ({node.cause})" if causes and node.cause else str(node.result)


def _copy(app: Path, dest: Path, /) -> None:
    shutil.copytree(app, dest, symlinks=True)


def _where(verdict: Verdict) -> str:
    return f"{verdict.backend}, {verdict.base}"
