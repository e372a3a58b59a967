"""Faults at the steps of one verdict. Real where they can be: kills, bounds of this process, small file systems."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from environments.interface import Launch, Running, Sandbox
from judge.product import Product

Hook = Callable[[str, Any], None]
_GONE_S = 10.0


class Disturbed:
    """A sandbox that tells of each start: `before(kind, launch)` may raise, `after(kind, running)` may kill.

    Kinds are `bench` and `product`.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.name, self.base, self.python = sandbox.name, sandbox.base, sandbox.python
        self.limits_by = sandbox.limits_by
        self.before: Hook = lambda kind, launch: None
        self.after: Hook = lambda kind, running: None
        self.alive: dict[str, Any] = {}
        """The last of each kind."""

    def start(self, launch: Launch) -> Running:
        kind = "bench" if "--seed" in launch.argv else "product"
        self.before(kind, launch)
        running = self._sandbox.start(launch)
        self.alive[kind] = running
        self.after(kind, running)
        return running

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Any:
        return self._sandbox.run(launch, stdin=stdin)


def processes_of(running: Any) -> list[int]:
    """The processes of a local sandbox: ours first, then its children, level by level."""
    found = [running._process.pid]
    for pid in found:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                found += [int(word) for word in (thread / "children").read_text().split()]
    return found


def program_of(running: Any, word: str) -> int:
    """The program inside whose command line has `word`: the driver, or pytest."""
    for pid in processes_of(running)[1:]:
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if b"python" in words[0] and word.encode() in words:
                return pid
    raise LookupError(f"no {word} in {processes_of(running)}")


PROGRAMS = {"bench": "--suite", "product": "--workspace"}
"""A word of each program's own command line."""


def kill(running: Any, kind: str, *, first: bool) -> None:
    """SIGKILL to the program inside, or to the first process of the sandbox, and wait until it is gone."""
    pid = processes_of(running)[1] if first else program_of(running, PROGRAMS[kind])
    handle = os.pidfd_open(pid)
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        select.select([handle], [], [], _GONE_S)
    finally:
        os.close(handle)


def wait_for_program(running: Any, kind: str) -> None:
    until = time.monotonic() + _GONE_S
    while time.monotonic() < until:
        with contextlib.suppress(LookupError):
            program_of(running, PROGRAMS[kind])
            return
        time.sleep(0.002)


@contextlib.contextmanager
def at_calls(action: Callable[[int], None], *, after: bool = False) -> Iterator[None]:
    """`action(n)` comes before the n-th request to a product, or after its answer, from 1, tries counted together."""
    relay, count = Product.relay, [0]

    def disturbed(self: Product, request: Any, body: bytes) -> Any:
        count[0] += 1
        if not after:
            action(count[0])
        answer = relay(self, request, body)
        if after:
            action(count[0])
        return answer

    Product.relay = disturbed  # type: ignore[method-assign]
    try:
        yield
    finally:
        Product.relay = relay  # type: ignore[method-assign]


@contextlib.contextmanager
def few_files(spare: int) -> Iterator[None]:
    """This process may open `spare` files more than it has now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + spare, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextlib.contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A file system of `size` at the new folder `place`. Needs root."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def larger(place: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(place)], check=True)
