"""Single compressed streams, or several in a row, with a tar or one file inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from neutralize.deep.limits import Broken, Limits
from neutralize.deep.member import Member, Notes, short_runs
from neutralize.deep.stream import Stream, chunks, unpacked
from neutralize.deep.tars import tar_members
from neutralize.kinds import is_tar

_AGAIN = {"gz": b"\x1f\x8b\x08", "bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
_HEADER = 64 * 1024


def packed_members(file: IO[bytes], size: int, kind: str, limits: Limits) -> Iterator[Member]:
    """The entries of a compressed tar, or one entry `(content)`; then what the headers say and what follows."""
    packed = _Packed(file, size, kind, limits)
    stream = Stream(packed.content())
    if is_tar(stream.peek(512)):
        yield from tar_members(stream, limits)
    else:
        yield Member(name="(content)", chunks=stream.rest())
    for _ in stream.rest():
        pass
    yield from packed.notes.members()
    if packed.whole and packed.end < size:
        yield Member(name="(rest)", chunks=chunks(file, packed.end, size), size=size - packed.end)


class _Packed:
    """All streams of one file, read one after the other."""

    def __init__(self, file: IO[bytes], size: int, kind: str, limits: Limits) -> None:
        self._file = file
        self._size = size
        self._kind = kind
        self._limits = limits
        self.notes = Notes(limits)
        self.end = 0
        """Where the last stream ends."""
        self.whole = False

    def content(self) -> Iterator[bytes]:
        while True:
            if self._kind == "zstd":
                self.end = _skip(self._file, self.end, self._size, self.notes)
            if self._kind == "gz":
                _gzip_header(self._file, self.end, self.notes)
            if self.end >= self._size:
                break
            where: list[int] = []
            yield from unpacked(self._file, self.end, self._size, self._kind, self._limits, ends=where)
            self.end = _next(self._file, where[0], self._size)
            if not self._goes_on():
                break
        self.whole = True

    def _goes_on(self) -> bool:
        self._file.seek(self.end)
        head = self._file.read(8)
        again = _AGAIN.get(self._kind)
        return bool(again and head.startswith(again)) or (self._kind == "zstd" and head[1:4] == b"\x2a\x4d\x18")


def _next(file: IO[bytes], place: int, size: int) -> int:
    """Streams may be filled up with zeros."""
    while place < size:
        file.seek(place)
        block = file.read(min(4096, size - place))
        kept = block.lstrip(b"\0")
        place += len(block) - len(kept)
        if kept or not block:
            break
    return place


def _skip(file: IO[bytes], place: int, size: int, notes: Notes) -> int:
    """Frames that every reader passes over can hold anything."""
    while place < size:
        file.seek(place)
        head = file.read(8)
        if len(head) < 8 or head[1:4] != b"\x2a\x4d\x18" or head[0] & 0xF0 != 0x50:
            break
        length = int.from_bytes(head[4:], "little")
        if length > _HEADER:
            raise Broken("one of its skippable frames is too large to be read")
        notes.add("skipped frames", short_runs(file.read(length)))
        place += 8 + length
    return place


def _gzip_header(file: IO[bytes], place: int, notes: Notes) -> None:
    """The name that the file had, a comment, extra fields."""
    file.seek(place)
    head = file.read(_HEADER)
    if len(head) < 10:
        return
    flags, at = head[3], 10
    if flags & 4:
        length = int.from_bytes(head[at : at + 2], "little")
        notes.add("extra", short_runs(head[at + 2 : at + 2 + length]))
        at += 2 + length
    for flag, kind in ((8, "name"), (16, "comment")):
        if flags & flag:
            end = head.find(b"\0", at)
            if end < 0:
                raise Broken("a text in its header has no end")
            notes.add(kind, head[at:end])
            at = end + 1
