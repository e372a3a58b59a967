"""A few of the kills that `python -m benchmarks.kills --judging N` does by the dozen; each number is a draw of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.random_judging import VICTIMS, Lengths, Room, kill_once

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(900)]


@pytest.mark.parametrize("number", [VICTIMS.index(victim) for victim in dict.fromkeys(VICTIMS)])
def test_whatever_is_killed_while_judging_nobody_is_blamed_and_the_next_verdict_is_right(
    judged: Room, room: Path, judging_lengths: Lengths, number: int
) -> None:
    killed = kill_once(judged, room / f"judging-{number}", seed=7, number=number, lengths=judging_lengths)
    assert not killed.fault, killed.line()
