"""`repowright judge` that is told to stop, and one that cannot say what it came to; by the dozen with
`python -m benchmarks.kills --judging N --stops`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from taskpack.rendering import CHECKOUT
from tests.faults.random_judging import Lengths, Room, ground_for
from tests.faults.stopped_judging import WAYS, stop_once
from tests.integration.validation.hostile_look import left_on

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]
MOMENTS = 4
PLAIN = 4
"""The last way is the third, twice."""


@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=[] if number < PLAIN else [pytest.mark.full]) for number in range(MOMENTS * len(WAYS))],
)
def test_whoever_is_told_to_stop_ends_says_so_and_leaves_nothing(
    judged: Room, room: Path, judging_lengths: Lengths, number: int
) -> None:
    stopped = stop_once(judged, room / f"stop-{number}", seed=11, number=number, lengths=judging_lengths)
    assert not stopped.fault, stopped.line()


@pytest.mark.parametrize("form", [["--json"], []], ids=["as JSON", "for people"])
def test_a_verdict_that_cannot_be_written_is_no_reward_in_the_exit_code(
    judged: Room, room: Path, form: list[str]
) -> None:
    """Exit code 1 is reward 0, and Python's own for what nobody has caught."""
    ground = ground_for(judged, room / f"unwritten{''.join(form)}")
    command = [word for word in judged.command(right=True) if word != "--json"] + form
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, cwd=CHECKOUT, env={**os.environ, **ground.environment}, stdout=full, stderr=subprocess.PIPE,
            check=False,
        )  # fmt: skip
    assert done.returncode == 9, done.stderr
    assert b"error: the result could not be written: no space left on the disk" in done.stderr
    assert left_on(ground, everywhere=False) == []
