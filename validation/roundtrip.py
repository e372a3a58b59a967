"""The way of a submission loses nothing that a right workspace needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from judge.subject import Subject
from judge.submission import hand_over
from taskpack.gate import GateResult, failed, passed
from taskpack.scratch import SCRATCH, temporary_folder
from taskpack.verdict import Verdict
from validation.inputs import helper_inputs, judged_inputs, stored_inputs
from validation.parity import differences, workspaces_of
from validation.trials import Maker, judge_made, side_by_side

_CODE = "PKG-ROUNDTRIP"
_LEFT_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class _Sent:
    """One workspace, judged as it lies and as it arrived."""

    name: str
    here: Verdict
    there: Verdict
    left: tuple[str, ...]
    """What stayed behind on the way, or why all of it did."""

    def lines(self) -> list[str]:
        """What is not the same, and what stayed behind then. Of the reference, causes must be alike too."""
        found = differences(
            self.here, self.there, here="as it lies", there="as it arrives", causes=self.name == "reference"
        )
        left = [f"left behind: {fact}" for fact in self.left[:_LEFT_SHOWN]] if found else []
        return [f"{self.name}: {line}" for line in (*left, *found)]


def check_roundtrip(subject: Subject) -> GateResult:
    """Judge the reference and every stored control as they lie, and as they come out of a harness's archive."""
    makers = workspaces_of(subject)
    sent = list(side_by_side(lambda name: _send(subject, name, makers[name]), makers))
    wrong = [line for one in sent for line in one.lines()]
    inputs = (*judged_inputs(subject), *helper_inputs(_CODE), *stored_inputs(subject))
    if wrong:
        return failed("a workspace does not arrive as it was sent", evidence=wrong, inputs=inputs)
    same = [f"{one.name}: {len(one.here.nodes)} nodes alike, {len(one.left)} things left behind" for one in sent]
    return passed(f"{len(sent)} workspaces arrive and come out alike, node by node", evidence=same, inputs=inputs)


def _send(subject: Subject, name: str, make: Maker) -> _Sent:
    place = f"{_CODE}-{name}".replace(" ", "-")
    left: list[str] = []
    return _Sent(
        name=name,
        here=judge_made(subject, f"{place}-here", make),
        there=judge_made(subject, f"{place}-there", partial(arrived, make, left)),
        left=tuple(left),
    )


def arrived(make: Maker, left: list[str], dest: Path, /) -> None:
    """Make a workspace as it arrives by way of a harness's archive, and add to `left` what stayed behind."""
    with temporary_folder(dest.parent, prefix=SCRATCH) as folder:
        make(folder / "app")
        handed = hand_over(folder / "app", dest)
    left += [handed.refusal] if handed.refusal else handed.absent
