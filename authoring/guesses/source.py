"""What a user names as a source: a project of the registry, a git repository, something on this machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import BadInput

_PROJECT = re.compile(r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:==(?P<version>[A-Za-z0-9.!+_-]+))?")
_SCP = re.compile(r"(?P<user>[\w.-]+)@(?P<host>[\w.-]+):(?P<path>[^/].*)")
_ARCHIVES = (".tar.gz", ".tgz", ".zip")
_FORMS = "NAME, NAME==VERSION, https://HOST/PATH@TAG, ./FOLDER, ./FOLDER@BRANCH or ./FILE.tar.gz"


@dataclass(frozen=True, kw_only=True)
class Project:
    """A project of the Python registry; without a version the newest is meant."""

    name: str
    version: str = ""


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A git repository: `ref` is a branch, a tag or a full commit id; empty for what it has checked out itself."""

    url: str
    ref: str = ""


@dataclass(frozen=True, kw_only=True)
class LocalArchive:
    """A source archive on this machine."""

    path: Path


@dataclass(frozen=True, kw_only=True)
class LocalFolder:
    """A folder on this machine that is no git repository."""

    path: Path


Asked = Project | Repository | LocalArchive | LocalFolder


def read_source(text: str) -> Asked:
    """`text` as one of the forms that `repowright new` takes.

    A bare name is always a project of the registry; what is on this machine is written with a slash. Raises
    `BadInput` for anything else, and for a path where nothing is.
    """
    rest = text.removeprefix("git+")
    if "://" in rest:
        return _repository(rest)
    if scp := _SCP.fullmatch(rest):
        return _repository(f"ssh://{scp['user']}@{scp['host']}/{scp['path']}")
    named = text.removeprefix("pypi:")
    if named == text and ("/" in text or text.startswith((".", "~")) or text.endswith(_ARCHIVES)):
        return _local(text)
    found = _PROJECT.fullmatch(named)
    if found is None:
        raise BadInput(
            f"`{text[:200]}` is no source",
            details={"fact": "a version is written ==VERSION, and a path has a slash"},
            remedy=f"write {_FORMS}",
        )
    return Project(name=found["name"], version=found["version"] or "")


def _repository(url: str) -> Repository:
    """The address, and what follows the last `@` of its path."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    place, _, ref = path.partition("@")
    return Repository(url=f"{scheme}://{host}{slash}{place}", ref=ref)


def _local(text: str) -> Asked:
    path, ref = Path(text).expanduser(), ""
    if not path.exists() and "@" in text:
        before, _, ref = text.rpartition("@")
        path = Path(before).expanduser()
    path = path.absolute()
    if path.is_file() and not ref:
        return LocalArchive(path=path)
    if not path.is_dir():
        raise BadInput(
            f"{text} is neither a folder nor an archive",
            details={"looked for": str(path)},
            remedy="name what is there, or a project of the registry without a slash",
        )
    path = path.resolve()
    if (path / ".git").exists() or (path / "HEAD").is_file():
        return Repository(url=str(path), ref=ref)
    if ref:
        raise BadInput(
            f"{path} is no git repository, so that it has no {ref}",
            remedy="name the folder alone, or a repository",
        )
    return LocalFolder(path=path)
