"""Every file of an environment, those in archives too. Whatever it is, it is data: bounded, not followed, not run."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FILE_CAP = 64 * 1024 * 1024
_ARCHIVE_CAP = 512 * 1024 * 1024
"""Bytes that all members of an archive on disk may come to, archives in it included."""
_MEMBERS_CAP = 50_000
_DEPTH = 3
_NOT_KEPT = frozenset({"dev", "proc", "sys", "run"})
_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    KeyError,
    IndexError,
    MemoryError,
    OverflowError,
)
"""What readers of archives raise for hostile ones."""


@dataclass(frozen=True, kw_only=True)
class File:
    """One file. What lies in an archive follows a `!`, as in `pip.whl!pip/main.py`."""

    path: str
    data: bytes | None
    """None for one that is too large or cannot be read."""

    @property
    def name(self) -> str:
        return self.path.rpartition("!")[2].rpartition("/")[2]


class _Room:
    """Bytes and members that are left for one archive on disk."""

    def __init__(self) -> None:
        self.bytes, self.members = _ARCHIVE_CAP, _MEMBERS_CAP

    def take(self, size: int) -> bool:
        self.bytes, self.members = self.bytes - size, self.members - 1
        return self.bytes >= 0 and self.members >= 0


def files(roots: Sequence[Path], *, unread: list[str], archives: bool = True) -> Iterator[File]:
    """Every regular file below the roots, sorted by path; paths are relative to their root, or whole for several.

    Links are not followed. `unread` gets what could not be read and why.
    """
    for root in roots:
        for path in _walked(root):
            shown = os.fsencode(path if len(roots) > 1 else path.relative_to(root)).decode("utf-8", "backslashreplace")
            yield from _file(path, shown, unread, archives=archives)


def decoded(data: bytes) -> str | None:
    """The text of a file: UTF-8, else Latin-1; None for what has a zero byte among its first."""
    if b"\0" in data[:8192]:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _walked(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
    for folder, below, names in os.walk(root):
        if Path(folder) == root and (root / "usr").is_dir():
            below[:] = [name for name in below if name not in _NOT_KEPT]
        below.sort()
        yield from (Path(folder, name) for name in sorted(names))


def _file(path: Path, shown: str, unread: list[str], *, archives: bool) -> Iterator[File]:
    try:
        info = path.lstat()
        if not stat.S_ISREG(info.st_mode):
            return
        if info.st_size > FILE_CAP:
            unread.append(f"{shown}: larger than {FILE_CAP} bytes")
            return
        data = path.read_bytes()
    except OSError as error:
        unread.append(f"{shown}: {error.strerror}")
        return
    yield File(path=shown, data=data)
    if archives:
        yield from _inside(data, shown, unread, _Room(), _DEPTH)


def _inside(data: bytes, shown: str, unread: list[str], room: _Room, depth: int) -> Iterator[File]:
    """What is in an archive, known by its content."""
    opened = _zip if data[:4] in {b"PK\x03\x04", b"PK\x05\x06"} else _packed
    if opened is _packed and not data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ")) and data[257:262] != b"ustar":
        if not zipfile.is_zipfile(io.BytesIO(data)):  # with a program before it
            return
        opened = _zip
    if not depth:
        unread.append(f"{shown}: archives too deep in archives")
        return
    try:
        for name, member in opened(data, room):
            place = f"{shown}!{name}"
            yield File(path=place, data=member)
            yield from _inside(member, place, unread, room, depth - 1)
    except _ERRORS as error:
        unread.append(f"{shown}: {type(error).__name__}: {error}"[:200])


def _zip(data: bytes, room: _Room) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                with archive.open(info) as member:
                    yield _shown(info.filename), _read(member.read, room)


def _packed(data: bytes, room: _Room) -> Iterator[tuple[str, bytes]]:
    """A tar, or one compressed file that may be one."""
    if data[257:262] != b"ustar":
        unpack = gzip.open if data.startswith(b"\x1f\x8b") else bz2.open if data.startswith(b"BZh") else lzma.open
        with unpack(io.BytesIO(data)) as stream:
            data = _read(stream.read, room)
        if data[257:262] != b"ustar":
            yield "content", data
            return
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for info in archive:
            member = archive.extractfile(info) if info.isreg() else None
            if member is not None:
                yield _shown(info.name), _read(member.read, room)


def _read(read, room: _Room) -> bytes:  # type: ignore[no-untyped-def]  # `read(size)` of any stream
    data: bytes = read(min(FILE_CAP, max(room.bytes, 0)) + 1)
    if len(data) > FILE_CAP or not room.take(len(data)):
        raise ValueError("holds more than may be unpacked")
    return data


def _shown(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()
