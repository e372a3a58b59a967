"""Single compressed streams, or several in a row, with a tar or one file inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from neutralize.deep.kinds import is_tar
from neutralize.deep.limits import Broken, Limits
from neutralize.deep.member import Member, Notes, short_runs
from neutralize.deep.stream import Stream, chunks, unpacked
from neutralize.deep.tars import tar_members

_AGAIN = {"gz": b"\x1f\x8b\x08", "bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
_HEADER = 64 * 1024


def packed_members(file: IO[bytes], size: int, kind: str, limits: Limits) -> Iterator[Member]:
    """The entries of a compressed tar, or one entry `(content)`; then what the headers say and what follows."""
    notes, end = Notes(limits), [0]
    stream = Stream(_joined(file, size, kind, limits, notes, end))
    if is_tar(stream.peek(512)):
        yield from tar_members(stream, limits)
    else:
        yield Member(name="(content)", chunks=stream.rest())
    for _ in stream.rest():
        pass
    yield from notes.members()
    if end[0] < size:
        yield Member(name="(rest)", chunks=chunks(file, end[0], size), size=size - end[0])


def _joined(file: IO[bytes], size: int, kind: str, limits: Limits, notes: Notes, end: list[int]) -> Iterator[bytes]:
    """All streams of the file, one after the other; `end` keeps where the last of them ends."""
    place = 0
    while True:
        if kind == "zstd":
            place = _skip(file, place, size, notes)
        if kind == "gz":
            _gzip_header(file, place, notes)
        if place >= size:
            break
        where: list[int] = []
        yield from unpacked(file, place, size, kind, limits, ends=where)
        place = _next(file, where[0], size)
        file.seek(place)
        again = file.read(8)
        skippable = kind == "zstd" and again[1:4] == b"\x2a\x4d\x18"
        if kind not in _AGAIN or not (again.startswith(_AGAIN[kind]) or skippable):
            break
    end[0] = place


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
