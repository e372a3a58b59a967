"""Zip archives by their directory, each entry unpacked to where its stream ends, whatever sizes are written."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from neutralize.deep.limits import Broken, Limits
from neutralize.deep.member import Member, Names, Notes, short_runs, shown
from neutralize.deep.stream import chunks, unpacked
from neutralize.kinds import TAIL

_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_METHODS = {8: "deflate", 12: "bz2", 14: "lzma", 93: "zstd", 20: "zstd"}
# Sizes of large files, times, numbers of owners, the mark of a Java archive.
_NUMBERS = frozenset({0x0001, 0x000A, 0x5455, 0x5855, 0x7855, 0x7875, 0xCAFE})
_DESCRIPTORS = frozenset({12, 16, 20, 24})


@dataclass(frozen=True, kw_only=True)
class _Directory:
    start: int
    end: int
    shift: int
    """Bytes before the archive, which its own offsets do not count."""
    comment: bytes
    after: int


@dataclass(frozen=True, kw_only=True)
class _Entry:
    name: bytes
    extra: bytes
    comment: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    place: int


def zip_members(file: IO[bytes], size: int, limits: Limits) -> Iterator[Member]:
    """Every entry of the directory, then comments and extra fields, then what no entry covers."""
    directory = _directory(file, size)
    notes, names = Notes(limits), Names()
    notes.add("comment", directory.comment)
    spans: list[tuple[int, int, bool]] = []
    for entry in _entries(file, directory):
        notes.add("comment", entry.comment)
        _note_extra(entry.extra, notes)
        name = names.unique(_name(entry))
        try:
            start = _data_start(file, directory, entry, notes)
        except (Broken, struct.error) as error:
            yield Member(name=name, problem=f"its own header is broken ({error})", size=entry.size)
            continue
        spans.append((entry.place, start + entry.packed, bool(entry.flags & 8)))
        yield _member(file, entry, name, start, limits)
    yield from notes.members()
    yield from _uncovered(file, sorted(spans), directory, size)


def _directory(file: IO[bytes], size: int) -> _Directory:
    base = max(0, size - TAIL)
    file.seek(base)
    tail = file.read(TAIL)
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < 22:
        raise Broken("its directory is missing")
    count, length, offset, comment = struct.unpack("<H2LH", tail[place + 10 : place + 22])
    end = base + place
    if 0xFFFF_FFFF in {length, offset} or count == 0xFFFF:
        file.seek(max(0, end - 76))
        large = file.read(76)
        if large[:4] == b"PK\x06\x06" and large[56:60] == b"PK\x06\x07":
            length, offset = struct.unpack("<2Q", large[40:56])
            end -= 76
    start = end - length
    if start < offset:
        raise Broken("its directory is not where it says")
    after = base + place + 22
    return _Directory(
        start=start,
        end=end,
        shift=start - offset,
        comment=tail[place + 22 : place + 22 + comment],
        after=after + comment,
    )


def _entries(file: IO[bytes], directory: _Directory) -> Iterator[_Entry]:
    place = directory.start
    while place < directory.end:
        file.seek(place)
        raw = file.read(min(_ENTRY.size, directory.end - place))
        if len(raw) < _ENTRY.size or raw[:4] != b"PK\x01\x02":
            raise Broken("its directory is broken")
        part = _ENTRY.unpack(raw)
        lengths = part[10:13]
        name, extra, comment = (file.read(length) for length in lengths)
        place += _ENTRY.size + sum(lengths)
        if place > directory.end:
            raise Broken("its directory is broken")
        size, packed, offset = _large(extra, part[9], part[8], part[16])
        yield _Entry(
            name=name, extra=extra, comment=comment, flags=part[3], method=part[4], crc=part[7], packed=packed,
            size=size, place=offset + directory.shift,
        )  # fmt: skip


def _large(extra: bytes, *values: int) -> Iterator[int]:
    """Sizes and offset; what does not fit in four bytes stands in an extra field."""
    found = next((data for kind, data in _fields(extra) if kind == 1), b"")
    for value in values:
        if value == 0xFFFF_FFFF and len(found) >= 8:
            yield int.from_bytes(found[:8], "little")
            found = found[8:]
        else:
            yield value


def _fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= 4:
        kind, length = struct.unpack("<2H", extra[:4])
        yield kind, extra[4 : 4 + length]
        extra = extra[4 + length :]
    if extra:
        yield -1, extra


def _note_extra(extra: bytes, notes: Notes) -> None:
    for kind, data in _fields(extra):
        if kind not in _NUMBERS:
            notes.add("extra", short_runs(data))


def _name(entry: _Entry) -> str:
    """As UTF-8 when it is that, whatever its flag says."""
    try:
        return entry.name.decode("utf-8")
    except UnicodeDecodeError:
        return shown(entry.name) if entry.flags & 0x800 else entry.name.decode("cp437")


def _data_start(file: IO[bytes], directory: _Directory, entry: _Entry, notes: Notes) -> int:
    file.seek(entry.place)
    part = _LOCAL.unpack(file.read(_LOCAL.size))
    if part[0] != b"PK\x03\x04":
        raise Broken("it is not where the directory says")
    name, extra = file.read(part[9]), file.read(part[10])
    if name != entry.name:
        notes.add("other names", name)
    if extra != entry.extra:
        _note_extra(extra, notes)
    start = entry.place + _LOCAL.size + len(name) + len(extra)
    if start + entry.packed > directory.start:
        raise Broken("it does not fit into the file")
    return start


def _member(file: IO[bytes], entry: _Entry, name: str, start: int, limits: Limits) -> Member:
    if entry.flags & 1:
        return Member(name=name, problem="it is encrypted", size=entry.size)
    if entry.method == 0:
        found = chunks(file, start, start + entry.packed)
    elif entry.method in _METHODS:
        found = _unpacked(file, entry, start, limits)
    else:
        return Member(name=name, problem=f"packed by method {entry.method}, which is not undone", size=entry.size)
    return Member(name=name, chunks=_checked(found, entry), size=entry.size)


def _unpacked(file: IO[bytes], entry: _Entry, start: int, limits: Limits) -> Iterator[bytes]:
    kind, end, head = _METHODS[entry.method], start + entry.packed, b""
    if kind == "lzma":  # its head in a zip is another than that of a file of its own
        file.seek(start)
        own = file.read(9)
        ends = b"\xff" * 8 if entry.flags & 2 else entry.size.to_bytes(8, "little")
        head, start = own[4:9] + ends, start + 9
    where: list[int] = []
    yield from unpacked(file, start, end, kind, limits, head=head, ends=where)
    if where[0] < end:
        raise Broken("more bytes than its stream has")


def _checked(found: Iterator[bytes], entry: _Entry) -> Iterator[bytes]:
    crc, size = 0, 0
    for chunk in found:
        crc, size = zlib.crc32(chunk, crc), size + len(chunk)
        yield chunk
    if size != entry.size:
        raise Broken(f"it has {size} bytes and {entry.size} are written")
    if crc != entry.crc:
        raise Broken("its sum is another than is written")


def _uncovered(
    file: IO[bytes], spans: list[tuple[int, int, bool]], directory: _Directory, size: int
) -> Iterator[Member]:
    """Bytes before, between and behind the entries: a program, an entry that was taken out of the directory."""
    place, described, overlap = 0, False, False
    for start, end, flag in [*spans, (directory.start, directory.end, False)]:
        overlap = overlap or start < place
        gap = start - place
        if gap > 0 and not (described and gap in _DESCRIPTORS) and _not_zero(file, place, start):
            name = "(before)" if place == 0 else f"(unlisted from byte {place})"
            yield Member(name=name, chunks=chunks(file, place, start), size=gap)
        place, described = max(place, end), flag
    if overlap:
        yield Member(name="(entries)", problem="some of its entries lie over each other")
    if directory.after < size:
        yield Member(name="(after)", chunks=chunks(file, directory.after, size), size=size - directory.after)


def _not_zero(file: IO[bytes], start: int, end: int) -> bool:
    return any(chunk.strip(b"\0") for chunk in chunks(file, start, end))
