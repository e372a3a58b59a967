"""Two sandboxes of `local` at the same time are different users outside."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from environments.interface import Launch
from environments.local import Local
from environments.usermap import SPAN

from .conftest import processes_with

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="a plain user has one uid for all its sandboxes"),
]

# With uids of its own it has a child at the far end of its range.
TELL = """
import os, sys
if os.getuid() == 0 and os.fork() == 0:
    os.setgroups([]); os.setgid(60_000); os.setuid(60_000)
print(1, flush=True)
sys.stdin.read()
"""


def slices_of(marker: str, local: Local) -> set[int]:
    pids = [int(found.partition(":")[0]) for found in processes_with(marker)]
    uids = {
        int(word)
        for pid in pids
        for row in Path(f"/proc/{pid}/status").read_text().splitlines()
        if row.startswith("Uid:")
        for word in row.split()[1:]
    }
    assert all(local.users.uid <= uid <= local.users.last for uid in uids)
    return {(uid - local.users.uid) // (SPAN + 1) for uid in uids}


@pytest.mark.parametrize("uids", [(False, False), (False, True), (True, True)])
def test_living_sandboxes_share_no_uid(local: Local, uids: tuple[bool, bool]) -> None:
    if local.users.slices < 2:
        pytest.skip("this system maps too few ids for two sandboxes")
    marks = [secrets.token_hex(8), secrets.token_hex(8)]
    first, second = (
        Launch(argv=[local.python, "-c", TELL, mark], uids=each) for mark, each in zip(marks, uids, strict=True)
    )
    with local.start(first) as one, local.start(second) as other:
        for running, each in zip((one, other), uids, strict=True):
            assert running.stdout.read(4 if each else 2) == (b"1\n1\n" if each else b"1\n")
        seen = [slices_of(mark, local) for mark in marks]
    assert [len(numbers) for numbers in seen] == [1, 1]
    assert seen[0] != seen[1]


def test_a_slice_is_free_again_after_every_end(local: Local) -> None:
    for _ in range(local.users.slices + 2):
        with local.start(Launch(argv=["/bin/cat"])):
            pass
    runs = [local.start(Launch(argv=["/bin/cat"])) for _ in range(3)]
    for run in runs:
        run.close()
