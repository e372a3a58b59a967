"""A program of ours that a signal ended was killed from outside, where the kernel would have counted a bound."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from environments.interface import Bound, Mechanism
from judge.ends import EndedFromOutside, check_ended_by_itself


@pytest.mark.parametrize("mechanism", [Mechanism.CGROUP_V1, Mechanism.CGROUP_V2])
@pytest.mark.parametrize("code", [-9, -15])
def test_a_signal_that_nothing_inside_can_send_came_from_outside(mechanism: Mechanism, code: int) -> None:
    running: Any = SimpleNamespace(limited_by=Bound.NONE)
    with pytest.raises(EndedFromOutside, match="the bench was killed from outside"):
        check_ended_by_itself("the bench", code, running, mechanism)


@pytest.mark.parametrize(
    ("code", "bound", "mechanism"),
    [
        (-9, Bound.MEMORY, Mechanism.CGROUP_V2),
        (-9, Bound.NONE, Mechanism.WATCHER),
        (-11, Bound.NONE, Mechanism.CGROUP_V1),
        (137, Bound.NONE, Mechanism.CGROUP_V1),
        (None, Bound.NONE, Mechanism.CGROUP_V1),
    ],
    ids=["at a bound", "bounds sampled", "a fault of its own", "a code", "alive"],
)
def test_other_ends_are_not(code: int | None, bound: Bound, mechanism: Mechanism) -> None:
    running: Any = SimpleNamespace(limited_by=bound)
    check_ended_by_itself("the bench", code, running, mechanism)
