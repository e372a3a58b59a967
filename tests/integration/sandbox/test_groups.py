"""Control groups of `local` on this system: everything inside is in one, and sees nothing of it."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

import pytest

from environments.interface import Launch, Mechanism
from environments.local import Local

from .conftest import processes_with

pytestmark = pytest.mark.sandbox


@pytest.fixture(autouse=True)
def needs_groups(local: Local) -> None:
    if local.limits_by is Mechanism.WATCHER:
        pytest.skip("no control group can be written here")


def inside(marker: str) -> list[str]:
    """Processes with the marker, once all of them are there: one that becomes another program has no words meanwhile."""
    end = time.monotonic() + 20
    while True:
        found = [row for row in processes_with(marker) if "unshare" not in row.split(",")[0]]
        if len(found) >= 4 or time.monotonic() > end:
            return found
        time.sleep(0.05)


@pytest.mark.parametrize("uids", [False, True])
def test_everything_inside_is_in_the_sandboxes_group(local: Local, uids: bool) -> None:
    marker = secrets.token_hex(8)
    script = "(setsid sh -c 'sleep 600; :' \"$0\" &); echo up; cat"
    with local.start(Launch(argv=["/bin/sh", "-c", script, marker], uids=uids)) as running:
        assert running.stdout.readline() == b"up\n"
        found = inside(marker)
        groups = [Path(f"/proc/{row.partition(':')[0]}/cgroup").read_text() for row in found]
    assert len(found) >= 4
    names = {row.rpartition("/")[2] for text in groups for row in text.splitlines() if "repowright" in row}
    assert len(names) == 1
    assert all("repowright" in text for text in groups)


@pytest.mark.parametrize("uids", [False, True])
def test_the_group_cannot_be_seen_from_inside(local: Local, uids: bool) -> None:
    look = "cat /proc/self/cgroup /proc/1/cgroup | cut -d: -f3 | sort -u; ls -d /sys/fs/cgroup"
    assert local.run(Launch(argv=["/bin/sh", "-c", look], uids=uids)).stdout == b"/\n"


def test_two_sandboxes_have_two_groups(local: Local) -> None:
    with local.start(Launch(argv=["/bin/cat"])), local.start(Launch(argv=["/bin/cat"])):
        groups = {path.name for path in Path("/sys/fs/cgroup").rglob(f"repowright-{local.runtime.own.name}-*")}
    assert len(groups) == 2
    assert list(Path("/sys/fs/cgroup").rglob(f"repowright-{local.runtime.own.name}-*")) == []
