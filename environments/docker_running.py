"""One started container: its pipes, its limits, and an end that the engine confirms."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from environments.cgroups import Group
from environments.disk import DiskMeter
from environments.docker import Ending, Engine
from environments.docker_meter import container_meter
from environments.docker_streams import Inward, Outward
from environments.interface import Bound, Limits
from environments.running import AGAIN, Tail, check_memory
from environments.watcher import Meter, Watched, Watcher
from taskpack.errors import SandboxFailed

READY = "repowright: go"
"""What the first program says on standard error just before it becomes the wanted one."""
_READY_S = 60.0
_END_S = 30.0
"""How long a killed container may take to be gone. It takes some tens of milliseconds."""
_STDERR_TAIL = 64 * 1024


class DockerRunning:
    """A program in a container, as `interface.Running`.

    `wait` and the end of the `with` block raise `SandboxFailed` when the engine went away, or somebody else ended the
    container. A program that ended by a signal has a negative exit code; one that exits with 128 + n by itself looks
    the same.
    """

    def __init__(
        self,
        engine: Engine,
        container: str,
        *,
        uids: bool,
        limits: Limits,
        writable: Sequence[Path],
        clean: Callable[[], None],
    ) -> None:
        """Starts the container and takes it over; `clean` runs once, after it was removed.

        Raises `SandboxFailed` when it does not start; nothing is left behind then either.
        """
        self.uids = uids
        self._engine = engine
        self._container = container
        self._clean = clean
        self._ending = threading.Lock()
        self._killed = False
        self._gone = False
        self._ended = threading.Event()
        self._end: Ending | None = None
        self._broken: SandboxFailed | None = None
        self._meter: Meter | None = None
        self._streams = contextlib.ExitStack()
        try:
            self._attach()
            # What is there before the start was given and costs nothing.
            disk = DiskMeter(writable, pids=self._pids) if writable else None
            self._meter = container_meter(engine, container, engine.start(container))
            self._watch(Watched(limits=limits, meter=self._meter, disk=disk))
            self._await_ready()
        except BaseException:
            self._give_up()
            raise
        self._waiter = threading.Thread(target=self._await_end, args=(limits.wall_s + 2 * _END_S,), daemon=True)
        self._waiter.start()
        self._watcher.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    @property
    def limited_by(self) -> Bound:
        """Which bound ended it, or something in it; settled when `wait` gives a code."""
        out_of_memory = self._end is not None and self._end.out_of_memory
        if out_of_memory and not self._watcher.reached and not self._watcher.starved:
            return Bound.MEMORY
        return self._watcher.reached

    @property
    def timed_out(self) -> bool:
        return self.limited_by is Bound.WALL

    def kill(self) -> None:
        """End the whole tree now. Safe to call twice."""
        with self._ending:
            if self._gone or self._ended.is_set():
                return
            self._killed = True
            self._outward.let_go()
        self._engine.kill(self._container)

    def wait(self, timeout_s: float) -> int | None:
        """Exit code, or None when it still runs after `timeout_s` seconds. The whole tree has ended with it."""
        if not self._ended.wait(timeout_s):
            return None
        if self._broken is not None:
            raise self._broken
        check_memory(self._watcher)
        if self._killed or self._end is None:
            return -signal.SIGKILL
        return 128 - self._end.code if 128 < self._end.code <= 128 + 64 else self._end.code

    def stderr_tail(self) -> str:
        return self.stderr.bytes()[-_STDERR_TAIL:].decode("utf-8", "replace")

    def close(self) -> None:
        """Kill, wait until the engine has taken the container away, then take the folder away."""
        with self._ending:
            if self._gone:
                return
            self._gone = True
            self._killed = self._killed or not self._ended.is_set()
            self._outward.let_go()
        try:
            self._engine.remove(self._container)
            if not self._ended.wait(_END_S):
                raise SandboxFailed(
                    "a container did not end after it was killed", details={"seconds": str(_END_S)}, remedy=AGAIN
                )
        finally:
            self._finish()
            self._watcher.join(_END_S)
            self._streams.close()
            self.stderr.join()
            self._clean()
        if self._broken is not None:
            raise self._broken
        check_memory(self._watcher)

    def _pids(self) -> tuple[int, ...]:
        """Its processes, where their group can be seen: they may hold files that have no name any more."""
        return self._meter.pids() if isinstance(self._meter, Group) else ()

    def _watch(self, watched: Watched) -> None:
        """Ready the watcher. It ends when the writing side of its pipe closes."""
        reading, self._until_end = os.pipe()
        self._streams.callback(os.close, reading)
        self._streams.callback(self._finish)
        self._watcher = Watcher(watched, first=reading, kill=self._kill_quietly)

    def _kill_quietly(self) -> None:
        """An engine that does not answer any more is found out by whoever waits."""
        with contextlib.suppress(SandboxFailed):
            self.kill()

    def _finish(self) -> None:
        with self._ending:
            if self._until_end >= 0:
                os.close(self._until_end)
            self._until_end = -1
        self._ended.set()

    def _attach(self) -> None:
        """Pipes to the container that is not started yet, so that no byte is missed."""
        both = self._engine.attach(self._container, "stdin", "stdout")
        inward, self._outward = Inward(both), Outward(both)
        self._streams.callback(self._outward.end)
        self._streams.callback(inward.end)
        errors = Outward(self._engine.attach(self._container, "stderr"))
        self._streams.callback(errors.end)
        self.stdin: IO[bytes] = inward.pipe
        self.stdout: IO[bytes] = self._outward.pipe
        self._errors: IO[bytes] = errors.pipe

    def _await_ready(self) -> None:
        """Read the first program's word; what follows it is the program's own."""
        said = _first_line(self._errors.fileno()).decode("utf-8", "replace").rstrip("\n")
        self.stderr = Tail(self._errors)
        if said != READY:
            raise SandboxFailed(
                "the container broke before its program ran",
                details={"it said": said[:400] or f"nothing within {_READY_S:.0f} s"},
                remedy=AGAIN,
            )

    def _give_up(self) -> None:
        try:
            self._engine.remove(self._container)
        finally:
            self._streams.close()
            self._clean()

    def _await_end(self, timeout_s: float) -> None:
        try:
            end = self._engine.await_end(self._container, timeout_s)
        except SandboxFailed as error:
            with self._ending:
                # Taken away by ourselves: the engine then has nothing to tell.
                self._broken = None if self._gone else error
        else:
            with self._ending:
                self._end = end
                if end.was_killed and not self._killed:
                    self._broken = SandboxFailed("a container was ended by somebody else", remedy=AGAIN)
        self._finish()


def _first_line(descriptor: int) -> bytes:
    """The first line, read byte by byte so that nothing after it is taken; all there is when the pipe ends."""
    line = b""
    while not line.endswith(b"\n") and len(line) < 4096:
        ready, _, _ = select.select([descriptor], [], [], _READY_S)
        byte = os.read(descriptor, 1) if ready else b""
        if not byte:
            break
        line += byte
    return line
