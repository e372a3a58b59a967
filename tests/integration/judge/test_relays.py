"""A call whose processes hand on to a new one all the time, so that a look at the list of processes can miss them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.product import Product

pytestmark = pytest.mark.sandbox

SCENARIOS = """
import os

def relay():
    if os.fork() == 0:
        os.setsid()
        while os.fork() == 0:
            pass
        os._exit(0)
    os.wait()
"""
CALLS = 60


def inside() -> set[int]:
    """Processes of this host in a process namespace that is not ours, zombies left out."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if state != b"Z" and (folder / "ns/pid").readlink() != Path("/proc/self/ns/pid").readlink():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


@contextmanager
def started(sandbox: Sandbox, folder: Path, *, without: str = "") -> Iterator[Product]:
    (folder / "app").mkdir()
    (folder / "scenarios").mkdir()
    (folder / "scenarios/F01.py").write_text(SCENARIOS)
    copy_lib(folder / "tests")
    end = folder / "tests/_lib/environments/driver/end.py"
    assert without in end.read_text(), "the defence has another text now"
    end.write_text(end.read_text().replace(without, "") if without else end.read_text())
    with Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=["."],
    ) as product:
        yield product


@pytest.fixture
def at_rest() -> set[int]:
    if os.geteuid():
        pytest.skip("only root sees the namespaces of other users' processes")
    return inside()


def test_what_hands_on_all_the_time_ends_with_its_call(sandbox: Sandbox, tmp_path: Path, at_rest: set[int]) -> None:
    with started(sandbox, tmp_path) as product:
        product.call("drop", {})
        before = inside()
        for _ in range(CALLS):
            assert product.call("relay", {}).reply.outcome == "returned"
            assert inside() == before


def test_without_a_look_at_the_last_process_id_one_is_missed(
    sandbox: Sandbox, tmp_path: Path, at_rest: set[int]
) -> None:
    with started(sandbox, tmp_path, without=" or _last_process() != before") as product:
        product.call("drop", {})
        before = inside()
        missed = False
        for _ in range(CALLS):
            product.call("relay", {})
            missed = missed or inside() != before
            if missed:
                break
        assert missed
    time.sleep(0.1)
    assert inside() == at_rest, "it ends with its sandbox all the same"
