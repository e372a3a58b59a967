"""Archives in a workspace, opened in memory and within bounds. Nothing is written to disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from neutralize.kinds import is_tar

_PACKED = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz"}
_FAULTS = (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zlib.error, lzma.LZMAError,
           zipfile.BadZipFile, tarfile.TarError, UnicodeError, KeyError, OverflowError, MemoryError)  # fmt: skip
UNOPENED = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!\x1a\x07": "rar", b"\x28\xb5\x2f\xfd": "zstandard"}
"""What is known by its first bytes and cannot be opened with the standard library."""


@dataclass
class Budget:
    """What may still be unpacked, of all archives of one scan."""

    members: int
    unpacked: int


@dataclass(frozen=True, kw_only=True)
class Member:
    """A file in an archive; without `data` it could not be read, and `problem` says why."""

    path: str
    data: bytes | None = None
    problem: str = ""


def is_archive(data: bytes) -> bool:
    """By its bytes alone: a suffix says nothing. A program with a zip behind it (a zipapp, an installer) is one."""
    return _kind(data) != ""


def before(data: bytes) -> bytes:
    """What stands before an archive in its file: a program's text, where the two were put together."""
    return data[: max(data.find(b"PK\x03\x04"), 0)] if _kind(data) == "zip" else b""


def members(data: bytes, *, file_bytes: int, budget: Budget) -> Iterator[Member]:
    """Every file in the archive, links as their target. Ends with a member without a path when a bound is reached or
    the archive is broken."""
    try:
        if budget.unpacked <= 0:
            raise ValueError("nothing may be unpacked any more")
        kind = _kind(data)
        found = _of_zip(data, file_bytes, budget) if kind == "zip" else _of_stream(data, kind, file_bytes, budget)
        for member in found:
            if budget.members <= 0:
                yield Member(path="", problem="the archives hold too many files: the rest was not read")
                return
            budget.members -= 1
            yield member
            if budget.unpacked <= 0:
                yield Member(path="", problem="the archives unpack to more than is read")
                return
    except _FAULTS as error:
        yield Member(path="", problem=f"the archive cannot be read to its end ({type(error).__name__})")


def _kind(data: bytes) -> str:
    for mark, kind in _PACKED.items():
        if data.startswith(mark):
            return kind
    if is_tar(data[:512]):
        return "tar"
    # The end of a zip is what makes it one, wherever its beginning is.
    return "zip" if data[-66_000:].rfind(b"PK\x05\x06") >= 0 and b"PK\x01\x02" in data else ""


def _of_zip(data: bytes, file_bytes: int, budget: Budget) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if info.flag_bits & 1:
                yield Member(path=info.filename, problem="it is encrypted")
                continue
            try:
                with archive.open(info) as file:
                    yield _read(info.filename, file, file_bytes, budget)
            except _FAULTS as error:
                yield Member(path=info.filename, problem=f"it cannot be unpacked ({type(error).__name__})")


def _of_stream(data: bytes, kind: str, file_bytes: int, budget: Budget) -> Iterator[Member]:
    """A tar, or one compressed file: whatever is in the stream."""
    raw = io.BytesIO(data)
    openers = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    stream: IO[bytes] = openers[kind](raw) if kind in openers else raw  # type: ignore[operator]
    head = stream.read(512)
    if not is_tar(head):
        rest = _read("", io.BufferedReader(_After(head, stream)), file_bytes, budget)
        yield Member(path="content", data=rest.data, problem=rest.problem)
        return
    raw.seek(0)
    stream = openers[kind](raw) if kind in openers else raw  # type: ignore[operator]
    with tarfile.open(fileobj=_Counted(stream, budget), mode="r|") as archive:
        for info in archive:
            file = archive.extractfile(info) if info.isreg() else None
            if file is not None:
                yield _read(info.name, file, file_bytes, budget)
            elif info.issym() or info.islnk():
                yield Member(path=info.name, data=info.linkname.encode("utf-8", "surrogateescape"))


def _read(path: str, file: IO[bytes], file_bytes: int, budget: Budget) -> Member:
    room = min(file_bytes, budget.unpacked)
    data = file.read(room + 1)
    budget.unpacked -= len(data)
    if len(data) > room:
        return Member(path=path, data=data[:room], problem=f"only its first {room} bytes were read")
    return Member(path=path, data=data)


class _After(io.RawIOBase):
    """A stream whose first bytes were read before."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        part = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(part) :]
        buffer[: len(part)] = part
        return len(part)


class _Counted(io.RawIOBase):
    """What passes here is bounded: a tar reader skips members by reading them."""

    def __init__(self, stream: IO[bytes], budget: Budget) -> None:
        self._stream = stream
        self._left = budget.unpacked * 2

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        part = self._stream.read(size)
        self._left -= len(part)
        if self._left < 0:
            raise ValueError("it unpacks to more than is read")
        return part
