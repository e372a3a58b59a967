"""Ten SIGKILLs through the Prefect flow, one while it starts and one in each stage, each at a random moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.ground import Ground, place, prepare
from tests.integration.flows.shown import kill_one, through_the_flow

pytestmark = [pytest.mark.full, pytest.mark.sandbox, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    with place() as root:
        yield root


@pytest.fixture(scope="module")
def ground(room: Path) -> Ground:
    return through_the_flow(prepare(room), room / "shown")


@pytest.mark.parametrize("number", range(10))
def test_a_run_that_is_killed_leaves_no_server_and_goes_on_through_the_flow(
    ground: Ground, room: Path, number: int
) -> None:
    kill = kill_one(ground, room / f"kill-{number}", seed=3, number=number)
    assert not kill.fault, kill.line()
