"""What the driver knows before the first call, and the system calls that Python has no name for."""

from __future__ import annotations

import ctypes
import os
import resource
import stat
import types
from dataclasses import dataclass
from pathlib import Path

FIRST_UID = 1000
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_IPC_RMID = 0
_RLIMIT_MSGQUEUE = 12
_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue")  # noqa: S108 (closed, not used)
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The stage for every call."""

    product: tuple[Path, ...]
    """Folders of the product on the import path."""
    site: Path | None
    functions: dict[str, tuple[Path, ...]]
    """Scenario functions by name and by `file.name`, with the files that define them."""
    memory_mb: int
    uids: bool
    """Whether every call gets a uid of its own. If not, the sandbox ends after one call."""
    always_fresh: bool
    """A module of the product has the name of one that the driver has loaded."""
    stdlib: tuple[str, ...]
    codes: dict[Path, types.CodeType]
    """The scenario files, compiled: they are the suite's own."""
    bytecode: Path | None = None
    """Where the product's bytecode lies, see `compile_product`."""

    def import_path(self) -> list[str]:
        """Product, standard library, dependencies."""
        return [*map(str, self.product), *self.stdlib, *([str(self.site)] if self.site else [])]


def close_shared_folders() -> None:
    """Nobody but uid 0 may write where everybody could. Raises `PermissionError` when such a folder stays open."""
    for name in _SHARED:
        path = Path(name)
        if not path.is_dir():
            continue
        try:
            path.chmod(0o711)
        except OSError:
            if path.stat().st_mode & stat.S_IWOTH and os.access(path, os.W_OK):
                raise PermissionError(f"{name} is open to every call") from None


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


def set_limits(*, seconds: float, memory_mb: int, own_uid: bool) -> None:
    """Bounds of one call. Processes are counted by uid, so they are only bounded where the uid is the call's own."""
    memory = memory_mb * 1024 * 1024
    wanted = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_FSIZE: 64 * 1024 * 1024,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        _RLIMIT_MSGQUEUE: 0,
    }
    if own_uid:
        wanted[resource.RLIMIT_NPROC] = 64
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))
    # The soft limit speaks (SIGXCPU) a second before the hard one kills.
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 2, int(seconds) + 3))


def sweep_ipc(uid: int) -> None:
    """Remove System V objects that `uid` made; called by that uid."""
    for name, control in (("shm", "shmctl"), ("msg", "msgctl"), ("sem", "semctl")):
        try:
            rows = Path("/proc/sysvipc", name).read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        titles = rows[0].split()
        owners = [titles.index("uid"), titles.index("cuid")]
        for row in rows[1:]:
            fields = row.split()
            if str(uid) in [fields[place] for place in owners]:
                number = int(fields[1])
                if name == "sem":
                    _libc.semctl(number, 0, _IPC_RMID)
                else:
                    _libc[control](number, _IPC_RMID, None)
