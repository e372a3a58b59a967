"""What every sandbox back end gives: a process in a private root, its pipes, and a certain end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self


@dataclass(frozen=True, kw_only=True)
class Mount:
    """A host folder shown inside. It is copied or bound; what is written inside never reaches a read-only source."""

    source: Path
    dest: str
    """Absolute path inside."""
    writable: bool = False


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds for what runs in a sandbox.

    `wall_s` holds for the whole tree. `memory_mb` is each process's address space, `processes` counts those of a uid,
    `tmp_mb` is each temporary folder's size: rlimits and mounts hold them, not a bound for the tree as a whole.
    """

    wall_s: float = 600.0
    memory_mb: int = 2048
    processes: int = 256
    tmp_mb: int = 256


@dataclass(frozen=True, kw_only=True)
class Launch:
    """One process to start inside."""

    argv: Sequence[str]
    cwd: str = "/"
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment: nothing is inherited."""
    mounts: Sequence[Mount] = ()
    network: bool = False
    uids: bool = False
    """Ask for a range of uids inside, with the process as uid 0 holding SETUID, SETGID, KILL, CHOWN, DAC_OVERRIDE.
    `Running.uids` tells whether it was given."""
    limits: Limits = Limits()


@dataclass(frozen=True, kw_only=True)
class Finished:
    """How a process ended."""

    exit_code: int
    """Negative: the signal that ended it."""
    timed_out: bool
    stdout: bytes
    stderr: bytes
    """Each cut at 1 MiB from its end backwards: the tail is kept."""


class Running(Protocol):
    """A started process. Leaving the `with` block kills everything inside and takes every trace away."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    uids: bool

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def kill(self) -> None:
        """End the whole tree now. Safe to call twice."""

    def wait(self, timeout_s: float) -> int | None:
        """Exit code, or None when it still runs after `timeout_s` seconds."""

    def stderr_tail(self) -> str:
        """The last 64 KiB of standard error, for causes and logs."""


class Sandbox(Protocol):
    """A back end."""

    name: str
    """`local` or `docker`."""
    base: str
    """What the root file system is: `preview:<facts>` or `rootfs:<digest>`."""
    python: str
    """The base's interpreter, as an absolute path inside."""

    def start(self, launch: Launch) -> Running:
        """Start a process with pipes on stdin and stdout.

        Raises `SandboxFailed` when the sandbox itself cannot be made.
        """

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        """Run to the end or to `limits.wall_s`, then leave nothing behind."""
