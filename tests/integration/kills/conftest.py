"""The run that nobody disturbed, once a session: all tests here start from copies of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.ground import Ground, ground_at, place, prepare
from tests.faults.random_judging import Lengths, Room, make_room, undisturbed


@pytest.fixture(scope="session")
def room() -> Iterator[Path]:
    """A folder that a sandbox's user can pass through."""
    with place() as root:
        yield root


@pytest.fixture(scope="session")
def ground(room: Path) -> Ground:
    """Made now, unless `benchmarks/kills.py --make` has made one where REPOWRIGHT_TEST_GROUND says."""
    kept = os.environ.get("REPOWRIGHT_TEST_GROUND")
    return ground_at(Path(kept)) if kept else prepare(room)


@pytest.fixture(scope="session")
def judging_lengths() -> Lengths:
    return Lengths()


@pytest.fixture(scope="session")
def judged(room: Path, judging_lengths: Lengths) -> Room:
    """A case with candidates. Its environments are built by a first verdict."""
    made = make_room(room / "judging")
    assert undisturbed(made, room / "judging-calm", judging_lengths, right=True) == 0
    return made
