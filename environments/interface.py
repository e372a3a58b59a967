"""What every sandbox back end gives: a process in a private root, its pipes, and a certain end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
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
    """Bounds for the whole tree of processes in a sandbox, but for `process_mb`, which each process has to itself."""

    wall_s: float = 600.0
    cpu_s: float = 0.0
    """Processor time of all processes together, in seconds; 0 is no bound."""
    memory_mb: int = 2048
    """Memory of all processes together, temporary folders included."""
    process_mb: int = 0
    """Address space of each process; 0 is no bound. Runtimes that reserve much and use little need 0."""
    processes: int = 256
    """Processes and threads together. One more is refused; a tree that does not stop trying is ended."""
    tmp_mb: int = 256
    """Size of each temporary folder. A full one refuses (ENOSPC)."""
    disk_mb: int = 4096
    """What may be added to all writable mounts together. One file may have as much; more in several ends the tree."""


class Bound(StrEnum):
    """Which of the limits ended a tree, or something in it."""

    NONE = ""
    WALL = "wall"
    CPU = "cpu"
    MEMORY = "memory"
    PROCESSES = "processes"
    DISK = "disk"


class Mechanism(StrEnum):
    """What holds the limits of a whole tree."""

    CGROUP_V1 = "cgroup-v1"
    CGROUP_V2 = "cgroup-v2"
    WATCHER = "watcher"
    """Samples from outside: a tree is ended soon after it is past a bound, not before."""


@dataclass(frozen=True, kw_only=True)
class Launch:
    """One process to start inside."""

    argv: Sequence[str]
    cwd: str = "/"
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment: nothing is inherited."""
    mounts: Sequence[Mount] = ()
    masked: Sequence[str] = ()
    """Absolute paths inside that are covered for everyone there, in the base or in a mount: a folder is an empty one, a
    file has no content and cannot be run; behind a link it is what the link leads to. What is not there is left out."""
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
    stopped_by: Bound = Bound.NONE
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

    @property
    def limited_by(self) -> Bound:
        """Which bound ended it, or something in it; settled when `wait` gives a code."""

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
    limits_by: Mechanism
    """What holds `Limits` for the whole tree: a fact for receipts."""

    def start(self, launch: Launch) -> Running:
        """Start a process with pipes on stdin and stdout.

        Raises `SandboxFailed` when the sandbox itself cannot be made.
        """

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        """Run to the end or to `limits.wall_s`, then leave nothing behind."""
