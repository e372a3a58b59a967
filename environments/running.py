"""One started sandbox: its pipes, its clock, and an end that leaves no process behind."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import IO, Self

from environments.connections import forget_ended
from environments.interface import Bound
from environments.starting import Started
from environments.watcher import Watched, Watcher
from taskpack.errors import SandboxFailed

AGAIN = "run the same command again; repowright doctor shows what is missing"
TAIL = 1024 * 1024
_STDERR_TAIL = 64 * 1024
_END_S = 20.0
"""How long a killed sandbox may take to be gone. Tearing down namespaces takes milliseconds."""


class Starved(SandboxFailed):
    """The kernel ended a process inside because there was no memory outside: the tree was not at its own bound."""


def check_memory(watcher: Watcher) -> None:
    """Raises `Starved`."""
    if watcher.starved and not watcher.reached:
        raise Starved(
            "the kernel ended a process in a sandbox for want of memory",
            details={"fact": "the sandbox was not at its own bound: the machine, or a group around us, was at its"},
            remedy="let less run at the same time, or use a machine with more memory, and run the same command again",
        )


class Tail:
    """Reads a pipe to its end in a thread of its own and keeps the last `TAIL` bytes."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._kept = bytearray()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def bytes(self) -> bytes:
        """What was kept so far."""
        with self._lock:
            return bytes(self._kept[-TAIL:])

    def join(self) -> None:
        self._thread.join(_END_S)

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._pipe.fileno(), 65536):
                with self._lock:
                    self._kept += chunk
                    if len(self._kept) > 2 * TAIL:
                        del self._kept[:-TAIL]


class LocalRunning:
    """A process inside, as `interface.Running`.

    `wait` raises `SandboxFailed` when bubblewrap ended before it had started the program. A program that ended by a
    signal has a negative exit code; one that exits with 128 + n by itself looks the same.
    """

    def __init__(
        self, started: Started, *, uids: bool, alone: bool, watched: Watched, clean: Callable[[], None]
    ) -> None:
        """Takes over what was started; `clean` runs once, after the end. `alone`: with a network of its own.

        Raises `SandboxFailed` when bubblewrap cannot make its namespaces; what was started is the caller's to end then.
        """
        process = started.process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None  # noqa: PT018, S101
        self.uids = uids
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self.stderr = Tail(process.stderr)
        self._process = process
        self._status = started.status
        self._clean = clean
        self._ending = threading.Lock()
        self._killed = False
        self._gone = False
        self._first = started.first
        self._outer = os.pidfd_open(process.pid)
        try:
            self._watcher = Watcher(watched, first=self._first, kill=self.kill)
            if not self._status.readline():
                self._process.wait()
                raise SandboxFailed(
                    "the sandbox could not be made", details={"bubblewrap": self._last_words()}, remedy=AGAIN
                )
            if uids and alone:
                self._forget_ended(started.number)
            self._watcher.start()
        except BaseException:
            os.close(self._outer)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    @property
    def limited_by(self) -> Bound:
        """Which bound ended it, or something in it; settled when `wait` gives a code."""
        return self._watcher.reached

    @property
    def timed_out(self) -> bool:
        return self.limited_by is Bound.WALL

    def kill(self) -> None:
        """End the whole tree now. Safe to call twice."""
        with self._ending:
            if not self._gone and not _ended(self._outer, 0):
                self._killed = True
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def wait(self, timeout_s: float) -> int | None:
        """Exit code, or None when it still runs after `timeout_s` seconds. The whole tree has ended with it."""
        if not self._gone and not _ended(self._outer, timeout_s):
            return None
        self._await_tree()
        self._watcher.join(_END_S)
        self._process.wait()
        check_memory(self._watcher)
        said = self._said_exit_code()
        if said is None:
            if self._killed:
                return -signal.SIGKILL
            raise SandboxFailed(
                "the sandbox was ended from outside, or broke before its program ran",
                details={"bubblewrap": self._last_words()},
                remedy=AGAIN,
            )
        return 128 - said if 128 < said <= 128 + 64 else said

    def stderr_tail(self) -> str:
        return self.stderr.bytes()[-_STDERR_TAIL:].decode("utf-8", "replace")

    def close(self) -> None:
        """Kill, wait until nothing is left, take the folder away. Raises `Starved`, once, after all that."""
        self.kill()
        self._await_tree()
        self._watcher.join(_END_S)
        self._process.wait()
        with self._ending:
            if self._gone:
                return
            self._gone = True
            os.close(self._first)
            os.close(self._outer)
        self.stderr.join()
        for pipe in (self.stdin, self.stdout, self._process.stderr, self._status):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._clean()
        check_memory(self._watcher)

    def _forget_ended(self, first: int) -> None:
        try:
            forget_ended(first)
        except OSError as error:
            raise SandboxFailed(
                "the sandbox's connections could not be bound", details={"fact": str(error)}, remedy=AGAIN
            ) from error

    def _said_exit_code(self) -> int | None:
        if not hasattr(self, "_said"):
            rest = [json.loads(line) for line in self._status.read().splitlines() if line.strip()]
            self._said: int | None = next((row["exit-code"] for row in rest if "exit-code" in row), None)
        return self._said

    def _last_words(self) -> str:
        self.stderr.join()
        return self.stderr_tail().strip()[-400:] or f"no words, exit code {self._process.returncode}"

    def _await_tree(self) -> None:
        if self._gone or (_ended(self._first, _END_S) and _ended(self._outer, _END_S)):
            return
        raise SandboxFailed(
            "a sandbox did not end after it was killed",
            details={"seconds": str(_END_S)},
            remedy="look for a process in state D (ps axo pid,stat,comm); a hanging file system holds it",
        )


def _ended(descriptor: int, timeout_s: float) -> bool:
    """Whether the process behind a pidfd ends within `timeout_s`."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    until = time.monotonic() + timeout_s
    return bool(poll.poll(max(0, (until - time.monotonic()) * 1000)))
