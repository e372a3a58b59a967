"""Whether this machine can do the work: each thing that is needed, the fact, and what to do where it is missing."""

from __future__ import annotations

import contextlib
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import uv

from environments.base import find_base
from environments.bwrap import find_bwrap
from environments.choose import Backend, open_sandbox, prove
from environments.languages.python.fetch import name_on_registry
from environments.rootfs import find_rootfs, why_none
from environments.runtime import Runtime
from environments.usermap import UserMap, current_users
from taskpack.errors import RepowrightError, SandboxUnavailable
from taskpack.layout import WorkFolder

_FREE_GB = 2


@dataclass(frozen=True, kw_only=True)
class Check:
    """One answer of the doctor."""

    name: str
    ok: bool
    fact: str
    remedy: str = ""


class _NotHere(RepowrightError):
    """A check's answer is no."""


def checks(work: WorkFolder) -> tuple[Check, ...]:
    """Every check, in the order in which one depends on another. None of them raises."""
    asked: dict[str, Callable[[], str]] = {
        "python": _python,
        "git": lambda: _says("git", "--version"),
        "uv": lambda: _says(uv.find_uv_bin(), "--version"),
        "bubblewrap": _bubblewrap,
        "user namespaces": _user_namespaces,
        "uid range": _uid_range,
        "base interpreter": _base_interpreter,
        "root file system": _root_file_system,
        "self-probe": lambda: _self_probe(Backend.LOCAL),
        "container engine": _container_engine,
        "registry": _registry,
        "disk": lambda: _disk(work.root),
    }
    return tuple(_check(name, ask) for name, ask in asked.items())


def _check(name: str, ask: Callable[[], str]) -> Check:
    try:
        return Check(name=name, ok=True, fact=ask())
    except RepowrightError as error:
        details = "; ".join(f"{label}: {value}" for label, value in error.details.items())
        fact = f"{error.message} ({details})" if details else error.message
        return Check(name=name, ok=False, fact=fact, remedy=error.remedy)
    except (OSError, subprocess.SubprocessError) as error:
        return Check(name=name, ok=False, fact=str(error), remedy=f"install or repair {name}")


def _python() -> str:
    return f"Python {platform.python_version()}"  # an older one cannot read this file


def _says(program: str, *arguments: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise _NotHere(f"{program} is not here", remedy=f"install {Path(program).name}")
    done = subprocess.run([found, *arguments], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()


def _bubblewrap() -> str:
    with _runtime() as runtime:
        return _says(str(find_bwrap(runtime)), "--version")


def _user_namespaces() -> str:
    users = current_users()
    drop = {"user": users.uid, "group": users.gid, "extra_groups": ()} if users.dropped else {}
    done = subprocess.run(  # type: ignore[call-overload]
        ["unshare", "--map-current-user", "true"], capture_output=True, cwd="/", timeout=60, check=False, **drop
    )
    if done.returncode != 0:
        raise _NotHere(
            f"uid {users.uid} may not make one: {done.stderr.decode('utf-8', 'replace').strip()}",
            remedy="sysctl -w user.max_user_namespaces=10000, and kernel.unprivileged_userns_clone=1 or "
            "kernel.apparmor_restrict_unprivileged_userns=0 where these exist",
        )
    return f"uid {users.uid} may make one"


def _uid_range() -> str:
    users = current_users()
    if not users.dropped:
        return "a plain user has none: every call gets a sandbox of its own, which is slower"
    taken = _taken(users)
    if taken:
        raise _NotHere(f"uids {users.uid} to {users.last} are used: {taken}", remedy="set REPOWRIGHT_SANDBOX_UID")
    return f"uids {users.uid} to {users.last}, used by nobody else"


def _taken(users: UserMap) -> str:
    """The first account, or range given to one, that overlaps with ours."""
    for name, starts, counts in (("passwd", 2, None), ("subuid", 1, 2)):
        path = Path("/etc", name)
        for line in path.read_text("utf-8", "replace").splitlines() if path.is_file() else ():
            fields = line.split(":")
            try:
                first = int(fields[starts])
                last = first + (int(fields[counts]) - 1 if counts else 0)
            except (IndexError, ValueError):
                continue
            if first <= users.last and last >= users.uid:
                return f"{fields[0]} in {path}"
    return ""


def _base_interpreter() -> str:
    with _runtime() as runtime:
        found = find_base(runtime.users, runtime.area).interpreter
    return f"{found.path}, Python {found.version}"


def _root_file_system() -> str:
    with _runtime() as runtime:
        built = find_rootfs(runtime.area)
        if built is None:
            name = find_base(runtime.users, runtime.area).name
            return f"{name}, the host's own programs: {why_none(runtime.users)}"
    return f"{built.record.name}, {built.record.suite}, {len(built.record.packages)} packages"


def _self_probe(backend: Backend) -> str:
    sandbox = open_sandbox(backend)
    try:
        prove(sandbox)
    finally:
        sandbox.close()
    return f"nothing got out of {sandbox.name} on {sandbox.base}"


def _container_engine() -> str:
    """No engine is no fault; one that lets a program out is."""
    from environments.docker import Engine, engine_address  # noqa: PLC0415 (the SDK takes its time to import)

    try:
        engine = Engine(engine_address())
    except SandboxUnavailable as error:
        return f"{error.message}: the docker back end cannot be used ({error.remedy})"
    engine.close()
    with _runtime() as runtime:
        if find_rootfs(runtime.area) is None:
            return f"{engine.facts.describe()}; without the root file system the docker back end cannot be used"
    return f"{engine.facts.describe()}; {_self_probe(Backend.DOCKER)}; used with --backend docker, and by REF-PARITY"


@contextlib.contextmanager
def _runtime() -> Iterator[Runtime]:
    runtime = Runtime(current_users())
    try:
        yield runtime
    finally:
        runtime.close()


def _registry() -> str:
    if name_on_registry("pip") is None:
        raise _NotHere(
            "the package registry does not answer",
            remedy="check the network and the index settings (UV_DEFAULT_INDEX, proxies)",
        )
    return "the package registry answers"


def _disk(folder: Path) -> str:
    there = next(path for path in [folder.absolute(), *folder.absolute().parents] if path.is_dir())
    free = shutil.disk_usage(there).free / 1024**3
    if free < _FREE_GB:
        raise _NotHere(f"{free:.1f} GB free at {there}", remedy=f"free {_FREE_GB} GB, or choose another --work")
    return f"{free:.0f} GB free for the work directory"
