"""From the tree that a package manager leaves to the root that a sandbox shows: a tar in, a tar out, no tool run.

Gone are addresses of registries, logs, caches, machine ids, passwords, documentation and every package of Python;
what stays is readable by everyone, writable by nobody, without set-uid bits.
"""

from __future__ import annotations

import copy
import io
import tarfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from taskpack.errors import EnvironmentFailed

VERSION = 1
"""Part of a base's identity: raise it when the same tree is trimmed in another way."""

_TOPS = frozenset(
    {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "tmp", "usr", "var"}
)
_EMPTY = ("dev", "proc", "run", "sys", "tmp", "var/tmp")
"""Folders that are there for something to be mounted on."""
_OPEN = frozenset({"tmp", "var/tmp"})
_KEPT_ETC = """
    alternatives debian_version ld.so.cache ld.so.conf ld.so.conf.d localtime mime.types os-release protocols python3
    python3.11 rpc services ssl timezone
"""
_ETC = frozenset(_KEPT_ETC.split())
_GONE = (
    "etc/ssl/private",
    "usr/lib/python3/dist-packages",
    "usr/local/lib",
    "usr/share/bug",
    "usr/share/info",
    "usr/share/lintian",
    "usr/share/locale",
    "usr/share/man",
)
_DOCUMENTS = PurePosixPath("usr/share/doc")
_STATUS = "var/lib/dpkg/status"


def trim(raw: tarfile.TarFile, trimmed: tarfile.TarFile, *, written: Mapping[str, str], epoch: int) -> tuple[str, ...]:
    """Copy what stays, then the files `written` (path -> text); give the packages that `raw` lists as installed.

    Raises `EnvironmentFailed` when a file that stays is a hard link to one that goes, or lies outside the tree.
    """
    packages: tuple[str, ...] = ()
    names: set[str] = set()
    for member in raw:
        name = _name(member)
        content = raw.extractfile(member) if member.isreg() else None
        if name == _STATUS and content is not None:
            packages = installed(content.read().decode("utf-8"))
        if not stays(name) or not (member.isdir() or member.isreg() or member.issym() or member.islnk()):
            continue
        if member.islnk() and _clean(member.linkname) not in names:
            raise EnvironmentFailed(
                "the base's tree has a hard link to a file that goes",
                details={"link": name, "to": member.linkname},
                remedy="correct what environments/rootfs_trim.py leaves out",
            )
        names.add(name)
        trimmed.addfile(_plain(member, name), content)
    for name, text in sorted(written.items()):
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = len(text.encode()), 0o644, epoch
        trimmed.addfile(info, io.BytesIO(text.encode()))
    return packages


def stays(name: str) -> bool:
    """Whether the file at `name`, relative to the root, is shown inside."""
    path = PurePosixPath(name)
    if not name or path.parts[0] not in _TOPS:
        return False
    if path.parts[0] in {"dev", "proc", "run", "sys", "tmp", "var"}:
        return name in _EMPTY or name == "var"
    if path.parts[0] == "etc":
        return (len(path.parts) == 1 or path.parts[1] in _ETC) and not _below(path, _GONE)
    if path.is_relative_to(_DOCUMENTS):
        # Licences go with what they are for.
        return len(path.parts) <= len(_DOCUMENTS.parts) + 1 or path.name == "copyright"
    return not _below(path, _GONE)


def installed(status: str) -> tuple[str, ...]:
    """`name=version` of every installed package in dpkg's own list, sorted."""
    found = []
    for paragraph in status.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and line[0] != " ")
        if fields.get("Status", "").endswith(" installed"):
            found.append(f"{fields['Package']}={fields['Version']}")
    return tuple(sorted(found))


def _below(path: PurePosixPath, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(place) for place in places)


def _name(member: tarfile.TarInfo) -> str:
    name = _clean(member.name)
    if ".." in PurePosixPath(name).parts:
        raise EnvironmentFailed(
            "the base's tree leaves its root", details={"path": member.name}, remedy="build it anew"
        )
    return name


def _clean(name: str) -> str:
    return name.removeprefix("./").strip("/").removeprefix(".")


def _plain(member: tarfile.TarInfo, name: str) -> tarfile.TarInfo:
    info = copy.copy(member)
    info.name, info.pax_headers = name, {}
    info.linkname = _clean(member.linkname) if member.islnk() else member.linkname
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    if name in _OPEN:
        info.mode = 0o1777
    elif member.issym():
        info.mode = 0o777
    else:
        info.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return info
