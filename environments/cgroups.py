"""Control groups, version 1 or 2: one group a sandbox, below the group that we are in ourselves.

The kernel holds memory and processes there and counts processor time; nothing inside can leave or see the group.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Limits, Mechanism
from environments.usage import Usage

_log = logging.getLogger(__name__)

_MIB = 1024 * 1024
_LAST = 4 * _MIB
"""More than the kernel gives at one time."""
_BUFFERS = 64 * _MIB
"""What version 1 counts apart, and not at all without a bound: what lies in network sockets and was not read. The
machine's own bound is one for everybody, and a tree that is at it slows all of its connections down."""
_V1 = ("memory", "pids", "cpuacct")
_V2 = frozenset({"memory", "pids"})
_PREFIX = "repowright-"
_RECORD = "groups"
_REMOVE_S = 5.0
"""How long a group whose processes have ended may stay busy. It takes milliseconds."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where groups can be made: `folders` is one for each of memory, pids, cpuacct (version 1), or one in all."""

    mechanism: Mechanism
    folders: tuple[Path, ...]

    def group(self, name: str, limits: Limits) -> Group:
        """Make a group that holds `limits`. Raises `OSError`; nothing is left behind then."""
        made = Group(self, name)
        try:
            made.make(limits)
        except OSError:
            made.remove()
            raise
        return made


class Group:
    """The group of one sandbox."""

    def __init__(self, place: Place, name: str) -> None:
        self._folders = [folder / name for folder in place.folders]
        self._v1 = place.mechanism is Mechanism.CGROUP_V1

    def make(self, limits: Limits) -> None:
        for folder in self._folders:
            folder.mkdir()
        memory, pids = self._folders[0], self._folders[1 if self._v1 else 0]
        size = str(limits.memory_mb * _MIB)
        if self._v1:
            _write(memory / "memory.limit_in_bytes", size)
            _write_if_there(memory / "memory.memsw.limit_in_bytes", size)
            _write_if_there(memory / "memory.kmem.tcp.limit_in_bytes", str(_BUFFERS))
        else:
            _write(memory / "memory.max", size)
            _write_if_there(memory / "memory.swap.max", "0")
            _write_if_there(memory / "memory.oom.group", "1")
        _write(pids / "pids.max", str(limits.processes))

    def add(self, pid: int) -> None:
        """Put a process in; what it starts from then on is in as well. Raises `OSError`."""
        for folder in self._folders:
            _write(folder / "cgroup.procs", str(pid))

    def usage(self) -> Usage:
        """What the kernel has counted so far. Raises `OSError` when the group is gone."""
        memory, pids, cpu = self._folders if self._v1 else self._folders * 3
        if self._v1:
            killed = _row(memory / "memory.oom_control", "oom_kill")
            cpu_s = int((cpu / "cpuacct.usage").read_text("ascii")) / 1e9
        else:
            killed = _row(memory / "memory.events", "oom_kill")
            cpu_s = _row(cpu / "cpu.stat", "usage_usec") / 1e6
        own = killed if killed and self._was_at_its_bound() else 0
        return Usage(cpu_s=cpu_s, oom_kills=own, starved=killed - own, refused=_row(pids / "pids.events", "max"))

    def _was_at_its_bound(self) -> bool:
        """Whether the bound of memory was ever reached; where the kernel does not say so, it was."""
        memory = self._folders[0]
        if not self._v1:
            return any(_row(memory / "memory.events", name) > 0 for name in ("max", "oom"))
        counts = [path for path in (memory / "memory.failcnt", memory / "memory.memsw.failcnt") if path.exists()]
        if not counts or any(_number(path) > 0 for path in counts):
            return True
        # Some kernels never count a refusal; the most that was in use says it as well, but for what was asked for last.
        return _number(memory / "memory.max_usage_in_bytes") + _LAST >= _number(memory / "memory.limit_in_bytes")

    def pids(self) -> tuple[int, ...]:
        """The processes that are in now."""
        with contextlib.suppress(OSError):
            return tuple(int(line) for line in (self._folders[0] / "cgroup.procs").read_text("ascii").split())
        return ()

    def remove(self) -> bool:
        """Take the group away, once its processes have ended; whether it is gone."""
        gone = [_remove(folder, _REMOVE_S) for folder in self._folders]
        return all(gone)


def _number(path: Path) -> int:
    return int(path.read_text("ascii"))


def find_place(*, owner: Path | None = None) -> Place | None:
    """Where this process can make groups that hold something, or None.

    It is tried with a real process. `owner` is the folder of the runtime area in which the place is written down, so
    that `sweep_groups` finds what we leave if we are killed.
    """
    place = read_place(
        mountinfo=Path("/proc/self/mountinfo").read_text("utf-8"), own=Path("/proc/self/cgroup").read_text("utf-8")
    )
    if place is None:
        return None
    name = owner.name if owner else str(os.getpid())
    if owner:
        (owner / _RECORD).write_text("".join(f"{folder}\n" for folder in place.folders), "utf-8")
    return place if _holds(place, group_name(name, "trial")) else None


def read_place(*, mountinfo: str, own: str) -> Place | None:
    """The place that these two files of `/proc/self` tell of, whether or not it may be written."""
    paths = {names: path for _, names, path in (line.split(":", 2) for line in own.splitlines())}
    mine = {name: path for names, path in paths.items() for name in names.split(",")}
    first = [_folder(mounted, mine.get(name)) for name in _V1 for mounted in _mounts(mountinfo, "cgroup", name)]
    found = tuple(folder for folder in first if folder is not None)
    if len(found) == len(_V1):
        return Place(mechanism=Mechanism.CGROUP_V1, folders=found)
    for mounted in _mounts(mountinfo, "cgroup2", None):
        folder = _folder(mounted, mine.get(""))
        # A group with processes of its own can give no controllers to groups below it: look further up.
        while folder is not None and folder.is_relative_to(mounted.point):
            if _given_below(folder) >= _V2:
                return Place(mechanism=Mechanism.CGROUP_V2, folders=(folder,))
            folder = folder.parent
    return None


def group_name(owner: str, run: str) -> str:
    """The name of a group: it tells which folder of the runtime area it belongs to."""
    return f"{_PREFIX}{owner}-{run}"


def sweep_groups(owner: Path) -> bool:
    """Take away what a dead process, whose folder in the runtime area is `owner`, left; whether all of it is gone."""
    with contextlib.suppress(FileNotFoundError):
        places = [Path(line) for line in (owner / _RECORD).read_text("utf-8").splitlines()]
        gone = [_remove(group, 1.0) for place in places for group in place.glob(group_name(owner.name, "*"))]
        return all(gone)
    return True


@dataclass(frozen=True, kw_only=True)
class _Mounted:
    root: str
    point: Path


def _mounts(mountinfo: str, kind: str, controller: str | None) -> Iterator[_Mounted]:
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        fields, (found, _, options) = before.split(), after.split()[:3]
        if found == kind and (controller is None or controller in options.split(",")):
            yield _Mounted(root=fields[3], point=Path(fields[4]))


def _folder(mounted: _Mounted, path: str | None) -> Path | None:
    """Where our own group lies in a mount that shows the hierarchy from `root` downwards."""
    if path is None:
        return None
    inside = os.path.relpath(path, mounted.root)
    if inside.startswith(".."):
        inside = "."
    folder = mounted.point / inside
    return folder if folder.is_dir() else None


def _given_below(folder: Path) -> frozenset[str]:
    with contextlib.suppress(OSError):
        return frozenset((folder / "cgroup.subtree_control").read_text("ascii").split())
    return frozenset()


def _holds(place: Place, name: str) -> bool:
    """Whether a process can be put into a group there."""
    try:
        group = place.group(name, Limits())
    except OSError as error:
        _log.info("no control groups: %s", error)
        return False
    try:
        with subprocess.Popen(["/bin/sh", "-c", "read line"], stdin=subprocess.PIPE) as process:
            group.add(process.pid)
            group.usage()
    except (OSError, ValueError) as error:
        _log.info("no control groups: %s", error)
        return False
    finally:
        group.remove()
    return True


def _write(path: Path, text: str) -> None:
    path.write_text(text, "ascii")


def _write_if_there(path: Path, text: str) -> None:
    if path.exists():
        _write(path, text)


def _row(path: Path, name: str) -> int:
    """The number after `name` in a file of lines of two words; 0 where the kernel does not count it."""
    rows: Sequence[list[str]] = [line.split() for line in path.read_text("ascii").splitlines()]
    return next((int(row[1]) for row in rows if row[0] == name), 0)


def _remove(folder: Path, patience_s: float) -> bool:
    until = time.monotonic() + patience_s
    while folder.is_dir():
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError as error:
            if time.monotonic() > until:
                _log.warning("a control group stays: %s", error)
                return False
            time.sleep(0.005)
    return True
