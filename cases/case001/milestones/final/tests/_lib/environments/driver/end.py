"""The end of an op: its processes, its System V objects, and its files where the tree ends with it."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path

from environments.driver.scene import become, sweep_ipc
from environments.driver.trees import Tree, shared_places

_END_S = 20.0
_INIT = 1


def end_op(tree: Tree, *, keep: bool) -> None:
    """Return when no process of the tree's uid is left. Its files stay, out of every other tree's way, if `keep`.

    The work is done by a process of that very uid, which may signal and remove all of it and nothing else; should the
    op's own processes kill it first, they are killed from here, and it is sent again. Raises `TimeoutError` when that
    does not come to an end.
    """
    uid = tree.uid
    assert uid is not None  # noqa: S101 (only with uids)
    deadline = time.monotonic() + _END_S
    while not as_uid(uid, lambda: _sweep(uid, tree, keep=keep)):
        for process in _alive(uid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise TimeoutError(f"processes or files of uid {uid} remain")
    if not keep:
        for part in tree.parts():
            part.rmdir()
        tree.root.rmdir()


def as_uid(uid: int, work: Callable[[], None]) -> bool:
    """Do `work` in a process of `uid`; whether it came to its end within `_END_S` seconds."""
    helper = os.fork()
    if helper == 0:
        code = 1
        try:
            signal.alarm(int(_END_S))
            become(uid)
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
    for place in Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            text = (place / "status").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        dead = fields["State"].split()[0] in {"Z", "X"} and fields.get("Threads", "1").strip() in {"0", "1"}
        if not dead and (uid is None or str(uid) in fields["Uid"].split()):
            found.append(int(place.name))
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
