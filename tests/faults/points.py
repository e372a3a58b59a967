"""Faults at the points where a disk changes: before and after each call that makes, syncs, renames or removes.

The calls of `os` are replaced, which everything of Python's goes through; programs that the run starts are left alone.
"""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults.durable import Disk
from tests.faults.entry import Plan, mark

MAKING = ("open", "mkdir", "link", "fsync", "rename", "replace")
"""What a full disk refuses."""
TAKING = ("unlink", "rmdir")
OPS = (*MAKING, *TAKING)


def arm(plan: Plan, stage: Callable[[], str]) -> None:
    """From now on, `plan` comes true in this process. `stage` tells which one is at work."""
    armed = _Armed(plan, stage)
    for op in OPS:
        setattr(os, op, armed.watched(op, getattr(os, op)))


class _Armed:
    def __init__(self, plan: Plan, stage: Callable[[], str]) -> None:
        self._plan = plan
        self._stage = stage
        self._seen = 0
        self._full = False
        self._pid = os.getpid()
        self._busy = threading.RLock()
        self._inside = False
        self._disk = Disk([Path(root) for root in plan.roots]) if plan.fault == "lose" else None

    def watched(self, op: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*args: Any, **options: Any) -> Any:
            if os.getpid() != self._pid or self._inside or not self._counts(op, args, options):
                return call(*args, **options)
            with self._busy:
                self._point(op, after=False)
                if self._full and op in MAKING:
                    self._quietly_mark(f"refused {args[0]}")
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(args[0]))
                result = call(*args, **options)
                if self._disk is not None and op == "fsync":
                    self._quietly(lambda disk: disk.synced(args[0]))
                self._point(op, after=True)
                return result

        return instead

    def _counts(self, op: str, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
        if op == "open" and not args[1] & os.O_CREAT:
            return False
        place = _place(args[0], options.get("dir_fd", options.get("src_dir_fd")))
        return any(place.startswith(root) for root in self._plan.roots)

    def _point(self, op: str, *, after: bool) -> None:
        plan = self._plan
        if plan.fault == "count":
            self._quietly_mark(f"point {op} {'after' if after else 'before'} {self._stage()}")
            return
        if (op, after, self._stage()) != (plan.op, plan.after, plan.stage):
            return
        self._seen += 1
        if self._seen < plan.number:
            return
        if plan.fault == "full":
            self._full = True
            return
        self._quietly(lambda disk: disk.put(Path(plan.image)))
        os.kill(self._pid, signal.SIGKILL)

    def _quietly(self, what: Callable[[Disk], None]) -> None:
        """With the calls of our own not counted."""
        self._inside = True
        try:
            if self._disk is not None:
                what(self._disk)
        finally:
            self._inside = False

    def _quietly_mark(self, text: str) -> None:
        self._inside = True
        try:
            mark(self._plan, text)
        finally:
            self._inside = False


def _place(what: Any, folder: int | None) -> str:
    if isinstance(what, int):
        return str(Path(f"/proc/self/fd/{what}").readlink())
    base = Path(f"/proc/self/fd/{folder}").readlink() if folder is not None else Path.cwd()
    return str(base / os.fsdecode(what))
