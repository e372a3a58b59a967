"""The end of an op: its processes, its System V objects, and its files where the tree ends with it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path

from environments.driver.scene import ipc_objects, sweep_ipc, work_for
from environments.driver.trees import Tree, shared_places

_END_S = 20.0
_INIT = 1
_FIELD = re.compile(rb"^(State|Threads|Uid):\s*(.*)$", re.MULTILINE)


def end_op(tree: Tree, *, keep: bool) -> None:
    """Return when no process of the tree's uid is left. Its files stay, out of every other tree's way, if `keep`.

    Where something is left, the work is done with the rights of that very uid, by which all of it may be signalled and
    removed and nothing else. Should that not come to its end, the op's processes are killed from here, and it is done
    again. Raises `TimeoutError` when that does not help.
    """
    uid = tree.uid
    assert uid is not None  # noqa: S101 (only with uids)
    if not _left_nothing(uid, tree, keep=keep):
        _clean(uid, tree, keep=keep)
    if not keep:
        for part in tree.parts():
            part.rmdir()
        tree.root.rmdir()


def _left_nothing(uid: int, tree: Tree, *, keep: bool) -> bool:
    """Whether there is no process of `uid`, and no object or file that has to go with the op.

    A process could fork another one and be gone while we look. Then a process id was given out meanwhile.
    """
    try:
        before = _last_process()
        if _alive(uid) or ipc_objects(uid) or _last_process() != before:
            return False
        return not any(map(os.listdir, (*shared_places(), *(() if keep else tree.parts()))))
    except OSError:
        return False


def _last_process() -> bytes:
    """The process id that was given out last in this process namespace."""
    return Path("/proc/loadavg").read_bytes().split()[-1]


def _clean(uid: int, tree: Tree, *, keep: bool) -> None:
    deadline = time.monotonic() + _END_S
    while not as_uid(uid, lambda: _sweep(uid, tree, keep=keep)):
        for process in _alive(uid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise TimeoutError(f"processes or files of uid {uid} remain")


def as_uid(uid: int, work: Callable[[], None]) -> bool:
    """Do `work` with the rights of `uid`, in another process; whether that came to its end within `_END_S` seconds."""
    helper = os.fork()
    if helper == 0:
        code = 1
        try:
            signal.alarm(int(_END_S))
            work_for(uid)
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(helper, 0)[1] == 0


def end_all_others() -> None:
    """Kill every process of the sandbox but ours and its first one, until none is left.

    Raises `TimeoutError` when that does not come to an end.
    """
    deadline = time.monotonic() + _END_S
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        if not [process for process in _alive(None) if process not in {os.getpid(), _INIT}]:
            return
        if time.monotonic() > deadline:
            raise TimeoutError("processes of a call remain")
        time.sleep(0.001)


def try_kill_group(process: int) -> None:
    """Kill the group that `process` leads, if there is one."""
    with contextlib.suppress(OSError):
        os.killpg(process, signal.SIGKILL)


def remove(folder: Path) -> None:
    """Remove `folder` and everything in it, however deep and whatever its modes, without following a link.

    Sub-folders are first moved up to `folder` itself, so that no path grows long and nothing recurses.
    """
    empty(folder)
    folder.rmdir()


def _sweep(uid: int, tree: Tree, *, keep: bool) -> None:
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        if not [process for process in _alive(uid) if process != os.getpid()]:
            break
        time.sleep(0.001)
    sweep_ipc(uid)
    if keep:
        tree.park()
    for place in (*shared_places(), *(() if keep else tree.parts())):
        empty(place)


def _alive(uid: int | None) -> list[int]:
    """Processes of `uid`, or all, that can still do something: one that only waits to be reaped cannot."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 (once an op: names are all that is wanted)
        if not name.isdigit():
            continue
        try:
            text = Path("/proc", name, "status").read_bytes()
        except OSError:
            continue
        fields = dict(_FIELD.findall(text))
        dead = fields[b"State"][:1] in {b"Z", b"X"} and fields.get(b"Threads", b"1") in {b"0", b"1"}
        if not dead and (uid is None or b"%d" % uid in fields[b"Uid"].split()):
            found.append(int(name))
    return found


def empty(folder: Path) -> None:
    """Remove everything in `folder`, as `remove` does."""
    count, name = 0, f".gone-{os.urandom(8).hex()}"  # one that nobody can have taken
    todo = [folder]
    while todo:
        current = todo.pop()
        current.chmod(0o700)
        for path in list(current.iterdir()):
            if not stat.S_ISDIR(path.lstat().st_mode):
                path.unlink()
                continue
            count += 1
            path.chmod(0o700)
            todo.append(path.rename(folder / f"{name}-{count}"))
        if current != folder:
            current.rmdir()
