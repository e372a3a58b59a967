"""A recipe or a source tree to a folder of installed packages."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from environments.interface import Finished, Launch, Limits, Mount, Sandbox
from environments.languages.python.lock import write_lock
from environments.languages.python.uv import run_uv
from environments.tied import tied
from taskpack.errors import EnvironmentFailed
from taskpack.files import write_bytes
from taskpack.recipe import Recipe

PATH = "/usr/local/bin:/usr/bin:/bin"
_BUILD = Limits(wall_s=900, tmp_mb=1024)
_CACHE_NOTE = "uv_cache.json"
_BUILD_SCRIPT = 'cp -R /source /tmp/source && exec "$@"'


def install_recipe(
    recipe: Recipe, dest: Path, *, python: str, cache: Path | None = None, bytecode: bool = True
) -> None:
    """Install exactly the recipe's packages into the empty folder `dest`: wheels only, so nothing of theirs runs.

    Raises `EnvironmentFailed` when a file is missing or its hash differs, `FetchFailed` when the registry is silent.
    """
    dest.mkdir(parents=True, exist_ok=True)
    if recipe.packages:
        wanted = dest.with_name(f"{dest.name}.txt")
        write_bytes(wanted, write_lock(recipe).encode())
        arguments = ["pip", "install", "--python", python, "--target", str(dest), "--requirements", str(wanted)]
        arguments += ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--link-mode", "copy"]
        try:
            run_uv(arguments, cache=cache)
        finally:
            wanted.unlink()
    _settle(dest)
    if bytecode:
        _compile(dest, python=python)


def _compile(dest: Path, *, python: str) -> None:
    """Bytecode once instead of in every sandbox. It is not checked against times: nobody writes here any more.

    Compiling runs nothing of the packages. Folders of bytecode do not count in an environment's digest.
    """
    options = ["-q", "--invalidation-mode", "unchecked-hash"]
    command = [python, "-I", "-m", "compileall", *options, "-s", str(dest), "-p", "/", str(dest)]
    subprocess.run(tied(command), capture_output=True, check=False, timeout=_BUILD.wall_s)


def install_source(
    tree: Path, dest: Path, *, tools: Sequence[Path], sandbox: Sandbox, resources: Sequence[Mount] = ()
) -> Finished:
    """Build and install the project in `tree` into the empty folder `dest`, offline, with its metadata.

    `tools` are folders with pip and the project's build requirements; `resources` are mounted besides. Raises
    `EnvironmentFailed` when it does not install; the project's build code runs in the sandbox alone.
    """
    dest.mkdir(parents=True, exist_ok=True)
    places = [f"/tools/{number}" for number in range(len(tools))]
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--no-compile", "--no-cache-dir"]
    options += ["--target", "/site", "/tmp/source"]  # noqa: S108 (inside)
    done = sandbox.run(
        Launch(
            argv=["/bin/sh", "-c", _BUILD_SCRIPT, "sh", sandbox.python, "-m", "pip", "install", *options],
            cwd="/tmp",  # noqa: S108
            mounts=[
                Mount(source=tree, dest="/source"),
                Mount(source=dest, dest="/site", writable=True),
                *(Mount(source=tool, dest=place) for tool, place in zip(tools, places, strict=True)),
                *resources,
            ],
            env=python_env(places),
            limits=_BUILD,
        )
    )
    if done.exit_code != 0 or done.timed_out:
        raise EnvironmentFailed(
            "the project does not install offline",
            details={"exit": str(done.exit_code), "log": log_tail(done)},
            remedy="name what its build needs in testing.build_requirements of order.toml",
        )
    _settle(dest)
    return done


def python_env(path: Sequence[str]) -> dict[str, str]:
    """Environment variables for a Python inside that finds packages in `path`, and first of all their programs."""
    return {
        "HOME": "/tmp",  # noqa: S108 (inside)
        "LANG": "C.UTF-8",
        "PATH": ":".join([*(f"{place}/bin" for place in path), PATH]),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": ":".join(path),
        "TZ": "UTC",
    }


def log_tail(done: Finished) -> str:
    """The last words of a process, both streams, for evidence."""
    return "\n".join(text for text in (_last(done.stdout), _last(done.stderr)) if text)


def _last(stream: bytes) -> str:
    return stream.decode("utf-8", "replace").strip()[-2000:]


def _settle(folder: Path) -> None:
    """Leave out what differs between two installs of the same files, and let everyone read the rest."""
    (folder / ".lock").unlink(missing_ok=True)
    for note in sorted(folder.glob(f"*.dist-info/{_CACHE_NOTE}")):
        _forget_note(note)
    for cache in sorted(folder.rglob("__pycache__")):
        shutil.rmtree(cache)
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _forget_note(note: Path) -> None:
    """Take away uv's note on its own cache, which holds the time of a file where the registry is a folder."""
    record = note.with_name("RECORD")
    own = f"{note.parent.name}/{note.name},"
    if record.is_file():
        lines = record.read_text("utf-8").splitlines(keepends=True)
        record.write_text("".join(line for line in lines if not line.startswith(own)), "utf-8")
    note.unlink()
