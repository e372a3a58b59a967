"""Slices of uids: each living sandbox has one to itself, across all processes that share a runtime area."""

from __future__ import annotations

import fcntl
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from environments.usermap import UserMap
from taskpack.errors import SandboxFailed

_WAIT_S = 60.0


@dataclass(frozen=True, kw_only=True)
class Slice:
    """Uids that nobody else uses until `close`."""

    users: UserMap
    lock: IO[bytes] | None = None

    def close(self) -> None:
        if self.lock is not None:
            self.lock.close()


class Slices:
    """Gives slices of `users`. `folder` holds their locks; what a killed process had is free again."""

    def __init__(self, users: UserMap, folder: Path) -> None:
        self._users = users
        self._folder = folder
        if self._apart:
            folder.mkdir(mode=0o700, exist_ok=True)

    @property
    def _apart(self) -> bool:
        return self._users.dropped and self._users.slices > 1

    def take(self, *, wait_s: float = _WAIT_S) -> Slice:
        """A free slice, or the only one there is; waits for one to become free.

        Raises `SandboxFailed` when none does within `wait_s`.
        """
        if not self._apart:
            return Slice(users=self._users)
        until = time.monotonic() + wait_s
        # Not always the lowest: what the last sandbox of a slice left with the kernel has time to go.
        start = random.randrange(self._users.slices)  # noqa: S311 (no secret)
        while True:
            for number in range(start, start + self._users.slices):
                found = self._try(number % self._users.slices)
                if found is not None:
                    return found
            if time.monotonic() > until:
                raise SandboxFailed(
                    "there are no uids left for another sandbox",
                    details={"alive at once": str(self._users.slices), "waited": f"{wait_s:.0f} s"},
                    remedy="let fewer runs work at the same time",
                )
            time.sleep(0.02)

    def _try(self, number: int) -> Slice | None:
        lock = (self._folder / str(number)).open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return None
        return Slice(users=self._users.slice(number), lock=lock)
