"""Which Python of the base runs inside a sandbox: never the one that runs us."""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

from environments.usermap import UserMap
from taskpack.errors import SandboxUnavailable

FOLDERS = ("/usr/bin", "/usr/local/bin")
LOWEST = (3, 11)

FACTS = """
import json, os, platform, site, sys, sysconfig, encodings, ssl, zlib, xml.etree
print(json.dumps({
    "version": platform.python_version(), "minor": list(sys.version_info[:2]), "machine": platform.machine(),
    "executable": os.path.realpath(sys.executable), "packages": site.getsitepackages(),
}))
"""


@dataclass(frozen=True, kw_only=True)
class Interpreter:
    """A Python of the base."""

    path: str
    version: str
    minor: str
    """`3.11`."""
    machine: str
    packages: tuple[str, ...]
    """The host's own package folders of this Python; they are masked inside."""


def find_interpreter(users: UserMap, *, folders: tuple[str, ...] = FOLDERS) -> Interpreter:
    """The first Python >= 3.11 that the sandbox's uid can run and whose standard library it can read.

    Raises `SandboxUnavailable` that says of every candidate why not.
    """
    refused: dict[str, str] = {}
    for path in _candidates(folders):
        found = _ask(path, users)
        if isinstance(found, Interpreter):
            return found
        refused[path] = found
    raise SandboxUnavailable(
        "no Python on this system can serve inside a sandbox",
        details=refused or {"looked in": ", ".join(folders)},
        remedy="install Python 3.11 or newer with the system's packages (apt-get install python3)",
    )


def base_name(interpreter: Interpreter) -> str:
    """`preview:debian-12,python-3.11.2,x86_64`."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    system = "-".join(part for part in (release.get("ID", "linux"), release.get("VERSION_ID", "")) if part)
    return f"preview:{system},python-{interpreter.version},{interpreter.machine}"


def _candidates(folders: tuple[str, ...]) -> list[str]:
    names = ["python3", *(f"python3.{minor}" for minor in range(LOWEST[1], 20))]
    paths = [Path(folder, name) for folder in folders for name in names]
    return list(dict.fromkeys(str(path.resolve()) for path in paths if path.is_file()))


def _ask(path: str, users: UserMap) -> Interpreter | str:
    """The interpreter's facts, or why it cannot serve."""
    if not path.startswith("/usr/"):
        return "it lies outside /usr"
    drop = {"user": users.uid, "group": users.gid, "extra_groups": ()} if users.dropped else {}
    try:
        done = subprocess.run(  # type: ignore[call-overload]
            [path, "-I", "-c", FACTS], capture_output=True, cwd="/", env={}, timeout=60, check=False, **drop
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"uid {users.uid} cannot run it: {error}"
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it said nothing"]
        return f"it does not run as uid {users.uid}: {lines[-1]}"
    facts = json.loads(done.stdout)
    if tuple(facts["minor"]) < LOWEST:
        return f"it is {facts['version']}; 3.11 is the lowest"
    return Interpreter(
        path=facts["executable"],
        version=facts["version"],
        minor=".".join(str(number) for number in facts["minor"]),
        machine=facts["machine"],
        packages=tuple(facts["packages"]),
    )
