"""Reading a source archive without extracting it. What becomes of the members is left to `gitstore`."""

from __future__ import annotations

import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from authoring.members import (
    Bounds,
    Member,
    Mode,
    Refused,
    RefusedMember,
    by_bytes,
    check_members,
    clean_name,
    is_git_internal,
)

_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True, kw_only=True)
class Contents:
    """An archive's files, sorted by path bytes, its one top folder taken off."""

    members: tuple[Member, ...]
    dropped: tuple[str, ...]
    """`path: why`, sorted."""


def read_archive(path: Path, bounds: Bounds | None = None) -> Contents | Refused:
    """The members of a `.tar.gz`, `.tgz` or `.zip`, held in memory.

    `Refused` names the first member that breaks a rule; a broken archive is refused as a whole. Nothing is
    written.
    """
    bounds = bounds or Bounds()
    try:
        if path.name.endswith((".tar.gz", ".tgz")):
            members = _collect(_tar_members(path, bounds), bounds)
        elif path.name.endswith(".zip"):
            members = _collect(_zip_members(path, bounds), bounds)
        else:
            raise RefusedMember("", "neither .tar.gz, .tgz nor .zip")
        return _settle(members)
    except RefusedMember as error:
        return error.refused
    except _BROKEN as error:
        return Refused(member="", why=f"the archive is broken: {type(error).__name__}: {error}"[:300])


def _collect(entries: Iterator[Member], bounds: Bounds) -> list[Member]:
    members: list[Member] = []
    total = 0
    for member in entries:
        members.append(member)
        total += len(member.data)
        if len(members) > bounds.members:
            raise RefusedMember(member.path, f"more than {bounds.members:,} members")
        if total > bounds.total_bytes:
            raise RefusedMember(member.path, f"more than {bounds.total_bytes:,} bytes in all")
    return members


def _settle(members: list[Member]) -> Contents:
    if not members:
        raise RefusedMember("", "the archive holds no files")
    tops = {member.path.partition("/")[0] for member in members}
    if len(tops) == 1 and all("/" in member.path for member in members):
        members = [Member(path=member.path.partition("/")[2], mode=member.mode, data=member.data) for member in members]
    kept = [member for member in members if not is_git_internal(member.path)]
    dropped = {f"{member.path}: read by git itself" for member in members if is_git_internal(member.path)}
    check_members(kept)
    return Contents(members=by_bytes(kept), dropped=tuple(sorted(dropped)))


class _Metered:
    """A decompressed stream that refuses to grow past the bounds, whatever its headers claim."""

    def __init__(self, stream: gzip.GzipFile, packed: int, bounds: Bounds) -> None:
        self._stream = stream
        self._packed = packed
        self._bounds = bounds
        self._seen = 0

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._seen += len(data)
        _check_ratio("", self._seen, self._packed, self._bounds)
        # Headers and padding come on top of the members, 1 KiB for each and some names.
        if self._seen > self._bounds.total_bytes + 4096 * self._bounds.members:
            raise RefusedMember("", f"more than {self._bounds.total_bytes:,} bytes in all")
        return data


def _check_ratio(member: str, expanded: int, packed: int, bounds: Bounds) -> None:
    if expanded > bounds.ratio_floor and expanded > packed * bounds.ratio:
        raise RefusedMember(member, f"expands more than {bounds.ratio} times")


def _tar_members(path: Path, bounds: Bounds) -> Iterator[Member]:
    known: dict[str, Member] = {}
    entries = 0
    with gzip.open(path) as stream:
        metered = _Metered(stream, path.stat().st_size, bounds)
        with tarfile.open(fileobj=metered, mode="r|", errorlevel=2) as archive:  # type: ignore[call-overload]
            for info in archive:
                entries += 1
                if entries > 2 * bounds.members:
                    raise RefusedMember(info.name, f"more than {2 * bounds.members:,} entries")
                member = _tar_member(archive, info, known, bounds)
                if member is not None:
                    known[member.path] = member
                    yield member


def _tar_member(
    archive: tarfile.TarFile, info: tarfile.TarInfo, known: dict[str, Member], bounds: Bounds
) -> Member | None:
    """The entry as a member; None for a folder. A hard link is the file that it names, met before."""
    name = clean_name(info.name)
    if info.isdir():
        return None
    if not name:
        raise RefusedMember(info.name, "a file without a name")
    if info.issym():
        return Member(path=name, mode=Mode.LINK, data=info.linkname.encode("utf-8", "surrogateescape"))
    if info.islnk():
        target = known.get(clean_name(info.linkname))
        if target is None:
            raise RefusedMember(info.name, "hard link to nothing that came before it")
        return Member(path=name, mode=target.mode, data=target.data)
    if not info.isreg():
        raise RefusedMember(info.name, "a device, a pipe or an unknown kind of entry")
    if info.size > bounds.member_bytes:
        raise RefusedMember(info.name, f"more than {bounds.member_bytes:,} bytes")
    file = archive.extractfile(info)
    data = file.read() if file else b""
    if len(data) != info.size:
        raise RefusedMember(info.name, "shorter than its header says")
    return Member(path=name, mode=Mode.EXECUTABLE if info.mode & stat.S_IXUSR else Mode.FILE, data=data)


def _zip_members(path: Path, bounds: Bounds) -> Iterator[Member]:
    packed = path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        if len(archive.infolist()) > 2 * bounds.members:
            raise RefusedMember("", f"more than {2 * bounds.members:,} entries")
        expanded = 0
        for info in archive.infolist():
            # zipfile cuts a name at its first NUL; the whole one is judged.
            name = clean_name(info.orig_filename)
            if info.is_dir():
                continue
            expanded += info.file_size
            _check_ratio(info.filename, expanded, packed, bounds)
            yield _zip_member(archive, info, name, bounds)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, bounds: Bounds) -> Member:
    if not name:
        raise RefusedMember(info.filename, "a file without a name")
    if info.flag_bits & 1:
        raise RefusedMember(info.filename, "encrypted")
    if info.file_size > bounds.member_bytes:
        raise RefusedMember(info.filename, f"more than {bounds.member_bytes:,} bytes")
    unix = info.external_attr >> 16 if info.create_system == 3 else 0
    kind = stat.S_IFMT(unix)
    if kind not in {0, stat.S_IFREG, stat.S_IFLNK}:
        raise RefusedMember(info.filename, "a device, a pipe or an unknown kind of entry")
    with archive.open(info) as file:
        data = file.read(bounds.member_bytes + 1)
    if len(data) != info.file_size:
        raise RefusedMember(info.filename, "not as long as its header says")
    if kind == stat.S_IFLNK:
        return Member(path=name, mode=Mode.LINK, data=data)
    return Member(path=name, mode=Mode.EXECUTABLE if unix & stat.S_IXUSR else Mode.FILE, data=data)
