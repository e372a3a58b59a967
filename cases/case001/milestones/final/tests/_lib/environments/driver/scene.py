"""What the driver knows before the first op, and the system calls that Python has no name for."""

from __future__ import annotations

import ctypes
import functools
import os
import resource
from dataclasses import dataclass
from pathlib import Path

FIRST_UID = 1000
BUILD_UID = FIRST_UID - 1
"""Whoever makes ready what all calls share."""
APART_UID = FIRST_UID - 2
"""Real uid of a process that works with a call's uid: it may signal what the call left, and not the other way."""
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_IPC_RMID = 0
_RLIMIT_MSGQUEUE = 12
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The stage for every op."""

    workspace: Path
    product: tuple[Path, ...]
    """The contract's product paths in the workspace: import path, and where programs are found."""
    site: Path | None
    """Folder with the product's dependencies."""
    scenarios: Path
    place: Path
    """A folder of the driver's own; trees lie in it, and what a pack makes ready."""
    memory_mb: int
    """Address space of one process of a call; 0 for no bound."""
    uids: bool
    """Whether every tree gets a uid of its own."""
    alone: bool
    """Whether the sandbox is the driver's own, so that all other processes in it may be ended."""
    clock: dict[str, str]
    """Variables that a program needs to see the time it is told; empty where there is no such clock."""


def hide_from_debuggers() -> None:
    """A call with our own uid must not read our memory or descriptors."""
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def become(uid: int | None) -> None:
    """Drop to `uid` and gid `uid`, all capabilities with it, for good; without a uid only privileges are refused."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    # A process that changed its uid cannot read its own /proc until it says so; after an exec it could.
    _libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def work_for(uid: int) -> None:
    """Take the rights of `uid`, all capabilities dropped, without being one of its processes.

    Signals and traces go by real and saved uids, what is done to files and objects by the effective one. So a process
    of `uid` can neither stop nor write over this one, which can end all of them. Nothing that was open stays.
    """
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(APART_UID, uid, APART_UID)
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    hide_from_debuggers()


def set_limits(*, seconds: float, memory_mb: int, own_uid: bool) -> None:
    """Bounds of one op. Processes are counted by uid, so they are only bounded where the uid is the op's own."""
    own_uid = own_uid and not _uids_are_the_hosts()
    wanted = {
        resource.RLIMIT_FSIZE: 64 * 1024 * 1024,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        _RLIMIT_MSGQUEUE: 0,
    }
    if memory_mb:
        wanted[resource.RLIMIT_AS] = memory_mb * 1024 * 1024
    if own_uid:
        wanted[resource.RLIMIT_NPROC] = 64
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))
    # The soft limit speaks (SIGXCPU) a second before the hard one kills.
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 2, int(seconds) + 3))


def warm_limits() -> None:
    """Find out once what `set_limits` must know, in the process whose children ask."""
    _uids_are_the_hosts()


@functools.cache
def _uids_are_the_hosts() -> bool:
    """Whether a uid here is the same outside, and others' processes count: in a container without a map of its own."""
    first, outside, count = (int(word) for word in Path("/proc/self/uid_map").read_bytes().split()[:3])
    return first == outside == 0 and count == 2**32 - 1


def ipc_objects(uid: int) -> list[tuple[str, int]]:
    """System V objects that `uid` made: kind and number."""
    found = []
    for kind in ("shm", "msg", "sem"):
        try:
            titles, *rows = [line.split() for line in Path("/proc/sysvipc", kind).read_bytes().splitlines()]
        except OSError:
            continue
        owners = [titles.index(b"uid"), titles.index(b"cuid")]
        found += [(kind, int(row[1])) for row in rows if b"%d" % uid in [row[place] for place in owners]]
    return found


def sweep_ipc(uid: int) -> None:
    """Remove System V objects that `uid` made; called by that uid."""
    for kind, number in ipc_objects(uid):
        if kind == "sem":
            _libc.semctl(number, 0, _IPC_RMID)
        else:
            _libc[f"{kind}ctl"](number, _IPC_RMID, None)
