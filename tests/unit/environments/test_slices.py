"""Slices of uids: one living sandbox each, across processes; free again after any end."""

from __future__ import annotations

import multiprocessing
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from environments.slices import Slices
from environments.usermap import UserMap
from taskpack.errors import SandboxFailed


def users(slices: int) -> UserMap:
    return UserMap(uid=70_000, gid=70_000, dropped=True, slices=slices)


def test_no_two_have_the_same_slice_until_one_is_given_back(tmp_path: Path) -> None:
    here, there = Slices(users(3), tmp_path / "slices"), Slices(users(3), tmp_path / "slices")
    with ExitStack() as held:
        taken = [held.enter_context(closing(slices.take())) for slices in (here, there, here)]
        assert len({one.users.uid for one in taken}) == 3
        with pytest.raises(SandboxFailed, match="no uids left"):
            there.take(wait_s=0)
        taken[1].close()
        with closing(there.take(wait_s=0)) as again:
            assert again.users == taken[1].users


def _hold(folder: Path, pipe: Connection) -> None:
    held = Slices(users(2), folder).take()
    pipe.send(held.users.uid)
    pipe.recv()


def test_the_slice_of_a_killed_process_is_free_again(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    holder = context.Process(target=_hold, args=(tmp_path / "slices", theirs))
    holder.start()
    assert ours.poll(120)
    theirs_uid = ours.recv()
    slices = Slices(users(2), tmp_path / "slices")
    with closing(slices.take(wait_s=0)) as mine:
        assert mine.users.uid != theirs_uid
        with pytest.raises(SandboxFailed):
            slices.take(wait_s=0)
        holder.kill()
        holder.join(60)
        with closing(slices.take(wait_s=0)) as again:
            assert again.users.uid == theirs_uid


def test_where_there_is_one_slice_or_no_range_it_is_shared(tmp_path: Path) -> None:
    for one in (users(1), UserMap(uid=70_000, gid=70_000, dropped=False)):
        slices = Slices(one, tmp_path / "slices")
        assert slices.take().users == slices.take().users == one
