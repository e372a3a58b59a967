"""Tar archives of every dialect, read once from front to back.

The library's reader takes headers of any size into memory, seeks as far as a header says and ends without a word at a
bad one; this one is for archives that lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from neutralize.deep.kinds import is_tar
from neutralize.deep.limits import Broken, Capped, Limits
from neutralize.deep.member import Member, Names, Notes, shown, text
from neutralize.deep.stream import Stream

_BLOCK = 512
_LINKS = {b"1": "hard link", b"2": "link"}
_DEVICES = {b"3": "a character device", b"4": "a block device", b"6": "a pipe"}
_UNTOLD = frozenset({b"path", b"linkpath", b"size", b"uname", b"gname", b"mtime", b"atime", b"ctime", b"uid", b"gid",
                     b"hdrcharset"})  # fmt: skip


@dataclass
class _Next:
    """What headers of their own say about the entry that follows."""

    name: bytes = b""
    target: bytes = b""
    size: int | None = None
    more: dict[bytes, bytes] = field(default_factory=dict)


def tar_members(stream: Stream, limits: Limits) -> Iterator[Member]:
    """Every entry, then owners and further headers, then whatever stands behind the end."""
    notes, names, common = Notes(limits), Names(), _Next()
    coming = _Next()
    while block := stream.read(_BLOCK):
        if block == bytes(_BLOCK):
            break
        if not is_tar(block) or not _summed(block):
            yield from notes.members()
            raise Broken("one of its headers is broken")
        notes.add("owner", _field(block, 265, 32))
        notes.add("owner", _field(block, 297, 32))
        kind = block[156:157]
        if kind in b"LKxgX" and kind:
            data = _header(stream, _size(block), limits)
            _note(kind, data, common if kind == b"g" else coming, notes)
            continue
        for told in (common, coming):
            for key in (b"uname", b"gname"):
                notes.add("owner", told.more.get(key, b""))
        yield from _entry(stream, block, coming, common, names, limits, notes)
        coming = _Next()
    yield from notes.members()
    rest = _after_zeros(stream)
    if rest.peek(1):
        yield Member(name="(rest)", chunks=rest.rest())


def _entry(
    stream: Stream, block: bytes, coming: _Next, common: _Next, names: Names, limits: Limits, notes: Notes
) -> Iterator[Member]:
    kind = block[156:157]
    size = coming.size if coming.size is not None else _size(block)
    written = _written_name(block)
    sparse = coming.more.get(b"GNU.sparse.name", b"")
    given = sparse or coming.name or common.name or written
    for other in (written, coming.name):
        # A reader without extended headers sees the other name, cut to what fits.
        if not given.startswith(other.rstrip(b"/")):
            notes.add("other names", other)
    name = names.unique(shown(given))
    target = coming.target or common.target or _field(block, 157, 100)
    if kind == b"S":
        _skip_map(stream, block, limits)
    if kind in _LINKS:
        size = size if kind == b"1" and coming.size else 0
        yield text(name, target)
    elif kind in _DEVICES:
        yield Member(name=name, problem=f"{_DEVICES[kind]} in an archive")
    elif kind == b"5" or (kind in b"0\0" and given.endswith(b"/")):
        yield Member(name=name if name.endswith("/") else f"{name}/", chunks=[])
    elif kind == b"M":
        yield Member(name=name, problem="a part of a file that began in another volume", size=size)
    elif kind == b"V":
        yield Member(name=f"{name} (volume)", chunks=[])
    else:
        yield Member(name=name, chunks=stream.part(size), size=size)
        # Whoever read it has read all of it, or has given up on the archive.
        stream.exactly(-size % _BLOCK)
        return
    for _ in stream.part(size + -size % _BLOCK):
        pass


def _note(kind: bytes, data: bytes, about: _Next, notes: Notes) -> None:
    if kind == b"L":
        about.name = data.rstrip(b"\0")
        return
    if kind == b"K":
        about.target = data.rstrip(b"\0")
        return
    for key, value in _records(data):
        about.more[key] = value
        if key not in _UNTOLD:
            notes.add("pax", key + b"=" + value)
    about.name = about.more.get(b"path", about.name)
    about.target = about.more.get(b"linkpath", about.target)
    if b"size" in about.more:
        about.size = _natural(about.more[b"size"])


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """`length key=value` lines; what does not hold to that ends the archive."""
    place = 0
    while place < len(data) and data[place : place + 1] != b"\0":
        space = data.find(b" ", place, place + 20)
        length = _natural(data[place:space]) if space > 0 else 0
        record = data[space + 1 : place + length]
        key, equals, value = record.partition(b"=")
        if not equals or place + length > len(data) or not value.endswith(b"\n"):
            raise Broken("one of its extended headers is broken")
        yield key, value[:-1]
        place += length


def _header(stream: Stream, size: int, limits: Limits) -> bytes:
    if size > limits.header:
        raise Capped("header", f"one of its headers has more than {limits.header} bytes")
    return stream.exactly(size + -size % _BLOCK)[:size]


def _skip_map(stream: Stream, block: bytes, limits: Limits) -> None:
    """Only what is stored of a sparse file is read; where its holes are does not matter."""
    more, left = block[482:483], limits.header
    while more not in {b"\0", b""}:
        left -= _BLOCK
        if left < 0:
            raise Capped("header", f"a list of holes has more than {limits.header} bytes")
        more = stream.exactly(_BLOCK)[504:505]


def _after_zeros(stream: Stream) -> Stream:
    """What stands behind the end of the archive and the zeros that fill its last record."""

    def rest() -> Iterator[bytes]:
        begun = False
        for chunk in stream.rest():
            kept = chunk if begun else chunk.lstrip(b"\0")
            begun = begun or bool(kept)
            if kept:
                yield kept

    return Stream(rest())


def _written_name(block: bytes) -> bytes:
    name = _field(block, 0, 100)
    prefix = _field(block, 345, 155) if block[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _field(block: bytes, start: int, length: int) -> bytes:
    if start > 157 and block[257:262] != b"ustar":
        return b""
    return block[start : start + length].partition(b"\0")[0]


def _size(block: bytes) -> int:
    raw = block[124:136]
    if raw[0] & 0x80:
        size = int.from_bytes(bytes([raw[0] & 0x7F]) + raw[1:], "big")
        if raw[0] == 0xFF or size >= 1 << 63:
            raise Broken("one of its headers has an impossible size")
        return size
    return _natural(raw.strip(b" \0") or b"0", 8)


def _natural(digits: bytes, base: int = 10) -> int:
    if not digits.isdigit() or len(digits) > 20:
        raise Broken("one of its headers has no number where one belongs")
    return int(digits, base)


def _summed(block: bytes) -> bool:
    """The sum that the header carries; both ways of counting are in use."""
    digits = block[148:156].strip(b" \0")
    if not digits.isdigit() or b"8" in digits or b"9" in digits:
        return False
    plain = sum(block[:148]) + 8 * 32 + sum(block[156:512])
    signed = plain - 256 * sum(byte > 127 for byte in block[:148] + block[156:512])
    return int(digits, 8) in {plain, signed}
