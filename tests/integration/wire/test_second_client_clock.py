"""The time that a call and a program are told, asked for by a client that was written from the page alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.clock import clock_site
from environments.interface import Sandbox
from taskpack.layout import WorkFolder
from tests.integration.wire.conftest import driver
from tests.wire_client.client import Client

pytestmark = pytest.mark.sandbox
DAY = 86_400


@pytest.fixture(scope="module")
def greeted(sandbox: Sandbox, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One connection to a driver with a clock."""
    clock = clock_site(work=WorkFolder(root=tmp_path_factory.mktemp("clock")), sandbox=sandbox)
    with driver(sandbox, library, clock=clock) as client:
        if not client.uids:
            pytest.skip("no range of uids here: a sandbox holds one tree")
        if "clock" not in client.greet(features=["uids", "alone"])["features"]:
            pytest.skip("libfaketime cannot be loaded here")
        yield client


@pytest.mark.parametrize("now", [0, 1.5, 1_577_836_800, 2_208_988_800])
def test_a_frozen_time_is_the_same_all_through_an_op(greeted: Client, now: float) -> None:
    for fresh in (False, True):
        reply = greeted.call("times", now=now, fresh=fresh)
        assert reply.value is not None
        first, second = (float(item[1]) for item in reply.value[1])
        assert first == second == pytest.approx(now, abs=1e-6)
    program = greeted.request({"op": "run", "argv": ["sh", "-c", "date +%s; sleep 0.1; date +%s"], "now": now})
    assert program.stdout.decode().split() == [str(int(now))] * 2


def test_a_running_time_goes_on_from_its_start(greeted: Client) -> None:
    now = {"epoch": 1_577_836_800, "running": True}
    value = greeted.call("times", now=now).value
    assert value is not None
    first, second = (float(item[1]) for item in value[1])
    assert 1_577_836_799 < first < second < 1_577_836_800 + DAY  # it may begin a moment early


def test_without_a_time_it_is_that_of_the_machine(greeted: Client) -> None:
    greeted.call("times", now=0)
    value = greeted.call("times").value
    assert value is not None
    assert float(value[1][0][1]) > 1_577_836_800
