"""The end of a call: its processes, its System V objects, its files."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import time
from pathlib import Path

from environments.languages.python.driver_scene import become, sweep_ipc

_END_S = 20.0


def end_of_uid(uid: int, folder: Path) -> None:
    """Return when nothing of `uid` is left. Raises `TimeoutError` when that does not come to an end.

    The work is done by a process of that very uid, which may signal and remove all of it and nothing else; should the
    call's own processes kill it first, they are killed from here, and it is sent again.
    """
    deadline = time.monotonic() + _END_S
    while True:
        helper = os.fork()
        if helper == 0:
            _sweep(uid, folder)
        _, status = os.waitpid(helper, 0)
        if status == 0:
            break
        for process in _alive(uid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise TimeoutError(f"processes or files of uid {uid} remain")
    folder.rmdir()


def try_kill_group(process: int) -> None:
    """Kill the group that `process` leads, if there is one."""
    with contextlib.suppress(OSError):
        os.killpg(process, signal.SIGKILL)


def remove(folder: Path) -> None:
    """Remove `folder` and everything in it, however deep and whatever its modes, without following a link.

    Sub-folders are first moved up to `folder` itself, so that no path grows long and nothing recurses.
    """
    _empty(folder)
    folder.rmdir()


def _sweep(uid: int, folder: Path) -> None:
    """In a process of the call's own uid: end its processes, remove its objects and files. Never returns."""
    code = 1
    try:
        signal.alarm(int(_END_S))
        become(uid)
        while True:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            if not [process for process in _alive(uid) if process != os.getpid()]:
                break
            time.sleep(0.001)
        sweep_ipc(uid)
        _empty(folder)
        code = 0
    finally:
        os._exit(code)


def _alive(uid: int) -> list[int]:
    """Processes of `uid` that can still do something: one that only waits to be reaped cannot."""
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
        if str(uid) in fields["Uid"].split() and not dead:
            found.append(int(place.name))
    return found


def _empty(folder: Path) -> None:
    count = 0
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
            todo.append(path.rename(folder / f".gone-{os.getpid()}-{count}"))
        if current != folder:
            current.rmdir()
