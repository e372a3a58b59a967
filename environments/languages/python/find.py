"""Which source archive of a project the Python registry has: its exact version and hash, for an order to pin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Finished, Launch, Limits, Mount, Sandbox
from environments.languages.python.fetch import name_on_registry
from environments.languages.python.install import install_recipe, log_tail, python_env
from environments.languages.python.lock import committed_lock
from environments.runtime import scratch
from taskpack.errors import BadInput, FetchFailed
from taskpack.files import file_digest
from taskpack.order import PypiSource

_FETCH = Limits(wall_s=600, tmp_mb=1024)
_VERSIONS = re.compile(r"\(from versions: ([^)]*)\)")
_YANKED = re.compile(r"is a yanked version.*?Reason for being yanked: (?P<reason>[^\n]*)", re.DOTALL)
_FILE = re.compile(r"^(?P<name>.+)-(?P<version>[^-]+?)(?:\.tar\.gz|\.tgz|\.zip)$")
_SHOWN = 8


@dataclass(frozen=True, kw_only=True)
class FoundArchive:
    """A source archive of the registry."""

    source: PypiSource
    yanked: str
    """Why its people took the version back; empty when they did not."""


def find_archive(name: str, version: str, *, sandbox: Sandbox) -> FoundArchive:
    """The source archive of `name` at `version`; of the newest version that fits the base's Python when it is empty.

    pip runs the project's build code to read its metadata, so it runs inside, with the network, and what it leaves is
    only hashed here: whoever pins fetches it again by that hash. Raises `BadInput` for an unknown name, an unknown
    version, and a version without a source archive; `FetchFailed` when the registry does not answer.
    """
    with scratch() as folder:
        tool, out = folder / "pip", folder / "out"
        out.mkdir(mode=0o755)
        install_recipe(committed_lock("pip", python=sandbox.python), tool, python=sandbox.python)
        done = _download(f"{name}=={version}" if version else name, tool, out, sandbox=sandbox)
        arrived = sorted(path for path in out.iterdir() if path.is_file() and not path.is_symlink())
        if done.exit_code != 0 or len(arrived) != 1 or not _FILE.match(arrived[0].name):
            raise _refusal(name, version, done)
        found = _FILE.match(arrived[0].name)
        assert found is not None  # noqa: S101 (looked at above)
        source = PypiSource(kind="pypi", name=name, version=version or found["version"], sha256=file_digest(arrived[0]))
        yanked = _YANKED.search(log_tail(done))
        return FoundArchive(source=source, yanked=(yanked["reason"].strip() or "no reason given") if yanked else "")


def _download(wanted: str, tool: Path, out: Path, *, sandbox: Sandbox) -> Finished:
    options = ["--no-deps", "--no-binary", ":all:", "--no-cache-dir", "--no-input", "--progress-bar", "off"]
    return sandbox.run(
        Launch(
            argv=[sandbox.python, "-m", "pip", "download", *options, "-d", "/out", "--", wanted],
            cwd="/tmp",  # noqa: S108 (inside)
            mounts=[Mount(source=tool, dest="/tools/pip"), Mount(source=out, dest="/out", writable=True)],
            env=python_env(["/tools/pip"]),
            network=True,
            limits=_FETCH,
        )
    )


def _refusal(name: str, version: str, done: Finished) -> BadInput | FetchFailed:
    """Why no archive came. The registry is asked for the bare name, so that silence is not taken for "no such name"."""
    log = log_tail(done)
    if done.timed_out:
        return FetchFailed(
            f"the source archive of {name} did not come in time",
            details={"seconds": f"{_FETCH.wall_s:.0f}", "pip": log[-200:] or "no words"},
            remedy="run the same command again, when the network and this machine are less busy",
        )
    known = name_on_registry(name)
    if known is False:
        return BadInput(
            f"the registry has no project {name}",
            details={"asked for": f"{name}=={version}" if version else name},
            remedy="check the name; a git URL or a folder can be given instead",
        )
    said = _VERSIONS.search(log)
    if known and said and said[1] == "none":
        return BadInput(
            f"the registry has no source archive of {name} for this Python",
            details={"fact": "it offers installable files alone, or none for the base's Python"},
            remedy="give its git repository instead: repowright new https://HOST/PATH@TAG",
        )
    if known and said:
        versions = said[1].split(", ")
        return BadInput(
            f"the registry has no source archive of {name} {version}",
            details={"newest with one": ", ".join(versions[-_SHOWN:])},
            remedy="name one of these, or leave the version out for the newest",
        )
    return FetchFailed(
        f"the registry did not give a source archive of {name}",
        details={"exit": str(done.exit_code), "pip": log[-400:] or "no words"},
        remedy="check the network and the index settings, then run the same command again",
    )
