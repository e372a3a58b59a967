"""The clock and the bounds of one sandbox: a thread that looks at the tree until it ends, and ends it past a bound."""

from __future__ import annotations

import contextlib
import logging
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from environments.disk import DiskMeter
from environments.interface import Bound, Limits
from environments.usage import Usage

_log = logging.getLogger(__name__)

_LOOK_S = 0.05
_MIB = 1024 * 1024
_REFUSALS = 1000
"""A tree that was refused so many processes does not stop trying."""
_FULL_LOOKS = 40
"""So many looks in a row at a tree that is full say the same where refusals are not counted."""
_FULL = 4
"""How far below its bound a full tree may look: what ends has left the samples before its place is taken."""


class Meter(Protocol):
    """Tells what a tree uses; raises `OSError` when there is nothing to look at any more."""

    def usage(self) -> Usage: ...


@dataclass(frozen=True, kw_only=True)
class Watched:
    """What a watcher looks at."""

    limits: Limits
    meter: Meter
    disk: DiskMeter | None = None


class Watcher:
    """Calls `kill` once when a bound is passed. `first` is a handle whose process ends after all others."""

    def __init__(self, watched: Watched, *, first: int, kill: Callable[[], None]) -> None:
        self.reached = Bound.NONE
        self.starved = False
        """The kernel ended something in it for want of memory, and it was not at its own bound."""
        self._watched = watched
        self._kill = kill
        self._full = 0
        self._until = time.monotonic() + watched.limits.wall_s
        self._poll = select.poll()
        self._poll.register(first, select.POLLIN)
        self._thread = threading.Thread(target=self._run, name="sandbox-watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self, timeout_s: float) -> None:
        """Wait until the last look was made; the tree must have ended."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def _run(self) -> None:
        try:
            self._watch()
        except BaseException:
            self._kill()  # a tree that nobody watches has no bounds
            raise

    def _watch(self) -> None:
        while not self._poll.poll(1000 * max(0.0, min(_LOOK_S, self._until - time.monotonic()))):
            reached = self._look()
            if reached or self.starved:
                self._end(reached)
                return
        # The kernel may have ended something since the last look.
        with contextlib.suppress(OSError):
            usage = self._watched.meter.usage()
            self.starved = bool(usage.starved)
            if usage.oom_kills:
                self.reached = Bound.MEMORY

    def _end(self, reached: Bound) -> None:
        self.reached = reached
        _log.info("a sandbox reached its bound: %s", reached or "memory of the machine")
        self._kill()

    def _look(self) -> Bound:
        limits, disk = self._watched.limits, self._watched.disk
        with contextlib.suppress(OSError):
            usage = self._watched.meter.usage()
            self.starved = bool(usage.starved)
            if usage.oom_kills or self._is_past_memory(usage):
                return Bound.MEMORY
            if limits.cpu_s and usage.cpu_s > limits.cpu_s:
                return Bound.CPU
            if self._is_bomb(usage):
                return Bound.PROCESSES
        with contextlib.suppress(OSError):
            if disk is not None and disk.is_past(limits.disk_mb * _MIB):
                return Bound.DISK
        return Bound.WALL if time.monotonic() >= self._until else Bound.NONE

    def _is_past_memory(self, usage: Usage) -> bool:
        """A sample is no moment: while processes fork, what they share counts more than once. So it is taken again."""
        bound = self._watched.limits.memory_mb * _MIB
        return usage.memory > bound and self._watched.meter.usage().memory > bound

    def _is_bomb(self, usage: Usage) -> bool:
        bound = self._watched.limits.processes
        self._full = self._full + 1 if usage.tasks and usage.tasks >= bound - _FULL else 0
        return usage.refused > _REFUSALS or usage.tasks > bound + _FULL or self._full > _FULL_LOOKS
