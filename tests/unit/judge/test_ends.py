"""A program of ours that a signal ended was killed from outside: for certain where the kernel counts bounds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from environments.interface import Bound, Mechanism
from judge.ends import EndedFromOutside, check_ended_by_itself


@pytest.mark.parametrize("mechanism", Mechanism)
@pytest.mark.parametrize("code", [-9, -15])
def test_a_signal_that_nothing_inside_can_send_came_from_outside(mechanism: Mechanism, code: int) -> None:
    running: Any = SimpleNamespace(limited_by=Bound.NONE)
    with pytest.raises(EndedFromOutside, match="the bench was killed from outside") as raised:
        check_ended_by_itself("the bench", code, running, mechanism)
    assert raised.value.certain is (mechanism is not Mechanism.WATCHER)


@pytest.mark.parametrize(
    ("code", "bound", "mechanism"),
    [
        (-9, Bound.MEMORY, Mechanism.CGROUP_V2),
        (-11, Bound.NONE, Mechanism.CGROUP_V1),
        (137, Bound.NONE, Mechanism.CGROUP_V1),
        (None, Bound.NONE, Mechanism.CGROUP_V1),
    ],
    ids=["at a bound", "a fault of its own", "a code", "alive"],
)
def test_other_ends_are_not(code: int | None, bound: Bound, mechanism: Mechanism) -> None:
    running: Any = SimpleNamespace(limited_by=bound)
    check_ended_by_itself("the bench", code, running, mechanism)
