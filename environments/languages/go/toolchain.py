"""Go in an environment: the toolchain is a wheel, and its standard library is compiled once, when that is built."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from environments.interface import Launch, Limits, Mount, Sandbox
from environments.languages.go.driver_build import CACHE, NO_INDEX
from environments.languages.python.install import log_tail
from environments.languages.python.lock import read_lock
from taskpack.errors import EnvironmentFailed
from taskpack.recipe import Recipe

_LOCK = Path(__file__).with_name("locks") / "toolchain.txt"
_SITE = "/env/site"
_CACHE = "/cache"
_LIMITS = Limits(wall_s=900, memory_mb=4096, tmp_mb=1024)
_ENTRY = re.compile(rb"(v1 [0-9a-f]{64} [0-9a-f]{64} [ 0-9]{20}) [ 0-9]{20}\n")


def toolchain_recipe(*, python: str) -> Recipe:
    """The Go that products are built with here, for the interpreter at `python`, which only installs it."""
    return read_lock(_LOCK.read_text("utf-8"), python=python)


def warm(site: Path, *, sandbox: Sandbox, packages: Sequence[str] = ("std",)) -> None:
    """Compile `packages` of the standard library into `site`, offline; does nothing where no Go is installed.

    What is compiled depends on the toolchain alone, not on where it lies or when. Raises `EnvironmentFailed`.
    """
    if not (site / "go" / "bin" / "go").is_file():
        return
    cache = site.with_name(f"{site.name}-{CACHE}")
    cache.mkdir()
    try:
        _compile(site, cache, sandbox, packages)
        _settle(cache)
        cache.rename(site / CACHE)
    finally:
        shutil.rmtree(cache, ignore_errors=True)


def _compile(site: Path, cache: Path, sandbox: Sandbox, packages: Sequence[str]) -> None:
    done = sandbox.run(
        Launch(
            argv=[f"{_SITE}/go/bin/go", "build", "-trimpath", "-p=2", *packages],
            cwd="/tmp",  # noqa: S108 (inside)
            mounts=[Mount(source=site, dest=_SITE), Mount(source=cache, dest=_CACHE, writable=True)],
            env={
                "CGO_ENABLED": "0",
                "GOCACHE": _CACHE,
                "GODEBUG": NO_INDEX,
                "GOENV": "off",
                "GOPATH": "/tmp/go",  # noqa: S108
                "GOPROXY": "off",
                "GOROOT": f"{_SITE}/go",
                "GOTOOLCHAIN": "local",
                "HOME": "/tmp",  # noqa: S108
            },
            limits=_LIMITS,
        )
    )
    if done.exit_code != 0 or done.timed_out:
        raise EnvironmentFailed(
            "Go's standard library does not compile",
            details={"exit": str(done.exit_code), "log": log_tail(done)},
            remedy="use the toolchain that the documentation of the Go pack names",
        )


def _settle(cache: Path) -> None:
    """Leave out what differs between two runs: when they were."""
    for path in cache.iterdir():
        if path.is_file():
            path.unlink()
    for path in sorted(cache.glob("*/*")):
        if path.name.endswith("-a"):
            entry = _ENTRY.fullmatch(path.read_bytes())
            if entry:
                path.write_bytes(entry[1] + b" %20d\n" % 0)
    for path in [cache, *cache.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
