"""What the Python registry is asked for: one source archive by hash, one name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from environments.interface import Finished, Launch, Limits, Mount, Sandbox
from environments.languages.python.install import install_recipe, log_tail, python_env
from environments.languages.python.lock import committed_lock
from environments.languages.python.uv import run_uv
from environments.runtime import scratch
from taskpack.errors import DigestMismatch, EnvironmentFailed, FetchFailed
from taskpack.files import file_digest
from taskpack.order import PypiSource

_FETCH = Limits(wall_s=600, tmp_mb=1024)
_GOT = re.compile(r"Got\s+([0-9a-f]{64})")
_CONTROL = "pip"
"""A name that every registry has: when it is not found either, the registry told us nothing."""


def fetch_sdist(source: PypiSource, dest: Path, *, sandbox: Sandbox) -> Path:
    """The pinned source archive, as a file in the folder `dest`.

    pip runs the project's build code to read its metadata, so it runs inside, with the network. Raises
    `DigestMismatch` when the registry has other bytes under that version, `FetchFailed` when it gives none.
    """
    with scratch() as folder:
        tool, wanted, out = (folder / name for name in ("pip", "wanted", "out"))
        for place in (wanted, out):
            place.mkdir(mode=0o755)
        install_recipe(committed_lock("pip", python=sandbox.python), tool, python=sandbox.python)
        pin = f"{source.name}=={source.version} --hash=sha256:{source.sha256}\n"
        (wanted / "pin.txt").write_text(pin, "utf-8")
        done = _download(tool, wanted, out, sandbox=sandbox)
        for path in sorted(out.iterdir()):
            if path.is_file() and file_digest(path) == source.sha256:
                dest.mkdir(parents=True, exist_ok=True)
                return Path(shutil.move(path, dest / path.name))
        raise _refusal(source, done, [file_digest(path) for path in sorted(out.iterdir()) if path.is_file()])


def name_on_registry(name: str) -> bool | None:
    """Whether the registry has a project called `name`; None when it did not answer.

    One name is asked for, through the ordinary client. "Not found" counts only while a name that exists is found.
    """
    said = _resolve(name)
    if said is None:
        return None
    if "was not found in the package registry" not in said:
        return True
    return False if _resolve(_CONTROL) == "" else None


def _download(tool: Path, wanted: Path, out: Path, *, sandbox: Sandbox) -> Finished:
    options = ["--no-deps", "--no-binary", ":all:", "--require-hashes", "--no-cache-dir", "--no-input"]
    return sandbox.run(
        Launch(
            argv=[sandbox.python, "-m", "pip", "download", *options, "-r", "/wanted/pin.txt", "-d", "/out"],
            cwd="/tmp",  # noqa: S108 (inside)
            mounts=[
                Mount(source=tool, dest="/tools/pip"),
                Mount(source=wanted, dest="/wanted"),
                Mount(source=out, dest="/out", writable=True),
            ],
            env=python_env(["/tools/pip"]),
            network=True,
            limits=_FETCH,
        )
    )


def _refusal(source: PypiSource, done: Finished, digests: list[str]) -> DigestMismatch | FetchFailed:
    """Why nothing with the pinned hash came. pip deletes what it refuses, so its own words tell what that was."""
    log = log_tail(done)
    got = digests or _GOT.findall(log)
    what = f"{source.name} {source.version}"
    if got:
        return DigestMismatch(
            f"the source archive of {what} is not the one that was pinned",
            details={"expected": source.sha256, "got": ", ".join(got)},
            remedy="correct source.sha256 in order.toml, if the registry's file is the one that is meant",
        )
    return FetchFailed(
        f"the registry did not give the source archive of {what}",
        details={"exit": str(done.exit_code), "pip": log[-400:] or "no words"},
        remedy="check the name, the version and the network, then run the same command again",
    )


def _resolve(name: str) -> str | None:
    """Empty when the name resolves, uv's words when the answer is no, None when there is no answer."""
    try:
        run_uv(["pip", "compile", "-", "--no-deps", "--no-header", "--only-binary", ":all:"], stdin=f"{name}\n")
    except EnvironmentFailed as error:
        return error.details.get("uv")
    except FetchFailed:
        return None
    return ""
