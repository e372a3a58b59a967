"""A call whose processes hand on to a new one all the time, so that a look at the list of processes can miss them."""

from __future__ import annotations

import os
import tempfile
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
        while True:
            try:
                if os.fork():
                    os._exit(0)
            except OSError:
                pass  # those that have gone wait to be reaped, and count till then
    os.wait()
"""
CALLS = 10
LOOKS = 20
LISTED = 'os.listdir("/proc")'
SLOWLY = f"(lambda names: (time.sleep(0.02), names)[1])({LISTED})"
"""What is listed is looked at a while later, so that luck has no part in it."""


def inside(folder: Path) -> dict[int, bytes]:
    """Processes of this host that have `folder` in their sandbox, each with its real uid, zombies left out."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state = (place / "stat").read_bytes().rpartition(b")")[2].split()[0]
            mounts = (place / "mountinfo").read_text() if state != b"Z" else ""
            uid = (place / "status").read_bytes().partition(b"\nUid:")[2].split()[0]
        except OSError:
            continue
        if f"{folder}/app /app " in mounts:
            found[int(place.name)] = uid
    return found


def grown(folder: Path, before: dict[int, bytes]) -> bool:
    """Whether there is one with another uid than the driver's. Who looks from here can miss it, and so looks often."""
    return any(set(inside(folder).values()) - set(before.values()) for _ in range(LOOKS))


@contextmanager
def started(sandbox: Sandbox, folder: Path, *, without: str = "") -> Iterator[Product]:
    (folder / "app").mkdir()
    (folder / "scenarios").mkdir()
    (folder / "scenarios/F01.py").write_text(SCENARIOS)
    copy_lib(folder / "tests")
    end = folder / "tests/_lib/environments/driver/end.py"
    text = end.read_text()
    assert text.count(LISTED) == 1, "the look at processes has another text now"
    assert without in text, "the defence has another text now"
    text = text.replace(without, "") if without else text
    end.write_text(text.replace(LISTED, SLOWLY))
    with Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=["."],
    ) as product:
        yield product


@pytest.fixture(autouse=True)
def root() -> None:
    if os.geteuid():
        pytest.skip("only root sees what other users' processes have mounted")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where a dropped uid can read it: else a copy is mounted."""
    with tempfile.TemporaryDirectory(prefix="relays-", dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_what_hands_on_all_the_time_ends_with_its_call(sandbox: Sandbox, folder: Path) -> None:
    with started(sandbox, folder) as product:
        product.call("drop", {})
        before = inside(folder)
        assert len(before) >= 2
        for _ in range(CALLS):
            assert product.call("relay", {}).reply.outcome == "returned"
            assert not grown(folder, before)


def test_without_a_look_at_the_last_process_id_one_is_missed(sandbox: Sandbox, folder: Path) -> None:
    with started(sandbox, folder, without=" or _last_process() != before") as product:
        product.call("drop", {})
        before = inside(folder)
        missed = False
        for _ in range(CALLS):
            product.call("relay", {})
            missed = grown(folder, before)
            if missed:
                break
        assert missed
    time.sleep(0.1)
    assert not inside(folder), "it ends with its sandbox all the same"
