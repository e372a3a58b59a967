"""A few of the kills and faults that `make accept-3` does by the hundred; each number is a draw of its own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.faults.at_points import Point, try_at
from tests.faults.ground import Ground
from tests.faults.killing import check_and_resume, fresh_plan, run_with
from tests.faults.looks import temporary
from tests.faults.random_kills import Lengths, kill_at_random

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]


@pytest.fixture(scope="session")
def lengths() -> Lengths:
    return Lengths()


@pytest.mark.parametrize("number", [0, 6])
def test_a_run_killed_at_a_random_moment_goes_on_and_ends_with_the_same_bytes(
    ground: Ground, room: Path, lengths: Lengths, number: int
) -> None:
    trial = kill_at_random(ground, room / f"trial-{number}", seed=7, number=number, lengths=lengths)
    assert not trial.fault, trial.line()


@pytest.mark.parametrize(
    ("kind", "after", "op"),
    [("kill", False, "rename"), ("lose", True, "rename"), ("full", False, "replace")],
    ids=["killed", "power lost", "disk full"],
)
def test_a_fault_where_a_result_gets_its_name_leaves_it_whole_or_away(
    ground: Ground, room: Path, kind: str, after: bool, op: str
) -> None:
    point = Point(taken="reference", stage="reference", op=op, after=after, number=1)
    tried = try_at(kind, point, ground, room / f"{kind}-{op}")
    assert not tried.fault, tried.line()


def test_a_kill_leaves_what_the_next_run_takes_away(ground: Ground, room: Path) -> None:
    """The scratch folder of a stage is really left by a kill: the sweep has something to do."""
    root = room / "swept"
    root.mkdir()
    tiny = ground.copy(root, without=("survey",), rng=Random(1))
    plan = fresh_plan(tiny, fault="kill", stage="survey", op="rename", number=1)
    assert run_with(tiny, plan).killed
    assert [name.rpartition("-")[0] for name in temporary(tiny)] == ["work/stages/.scratch"]
    check_and_resume(tiny, ground)
    assert temporary(tiny) == []
