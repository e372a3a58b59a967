"""The run that nobody disturbed, once a session: all tests here start from copies of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.ground import Ground, ground_at, place, prepare


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
