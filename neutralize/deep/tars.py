"""Tar archives of every dialect, read once from front to back.

The library's reader takes headers of any size into memory, seeks as far as a header says and ends without a word at a
bad one; this one is for archives that lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from neutralize.deep.limits import FAULTS, Broken, Capped, Limits
from neutralize.deep.member import Member, Names, Notes, shown, text
from neutralize.deep.stream import Stream
from neutralize.kinds import is_tar

_BLOCK = 512
_HEADERS = frozenset({b"L", b"K", b"x", b"g", b"X"})
_LINKS = frozenset({b"1", b"2"})
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
    tar = _Tar(stream, limits)
    try:
        yield from tar.entries()
    except (Capped, *FAULTS):
        yield from tar.notes.members()
        raise
    yield from tar.notes.members()
    rest = _after_zeros(stream)
    if rest.peek(1):
        yield Member(name="(rest)", chunks=rest.rest())


class _Tar:
    """One archive, and what its headers have said so far."""

    def __init__(self, stream: Stream, limits: Limits) -> None:
        self._stream = stream
        self._limits = limits
        self._names = Names()
        self._common = _Next()
        self._coming = _Next()
        self.notes = Notes(limits)

    def entries(self) -> Iterator[Member]:
        while block := self._stream.read(_BLOCK):
            if block == bytes(_BLOCK):
                return
            if not is_tar(block) or not _summed(block):
                raise Broken("one of its headers is broken")
            self._note_owners(block)
            kind = block[156:157]
            if kind in _HEADERS:
                data = _header(self._stream, _size(block), self._limits)
                _note(kind, data, self._common if kind == b"g" else self._coming, self.notes)
            else:
                yield from self._entry(block)
                self._coming = _Next()

    def _note_owners(self, block: bytes) -> None:
        self.notes.add("owner", _field(block, 265, 32))
        self.notes.add("owner", _field(block, 297, 32))
        for told in (self._common, self._coming):
            for key in (b"uname", b"gname"):
                self.notes.add("owner", told.more.get(key, b""))

    def _entry(self, block: bytes) -> Iterator[Member]:
        kind, stream, coming = block[156:157], self._stream, self._coming
        size = coming.size if coming.size is not None else _size(block)
        given = self._given_name(block)
        name = self._names.unique(shown(given))
        if kind == b"S":
            _skip_map(stream, block, self._limits)
        # Links, folders and devices have no bytes behind them, whatever size they say.
        if kind in _LINKS:
            yield text(name, coming.target or self._common.target or _field(block, 157, 100))
        elif kind in _DEVICES:
            yield Member(name=name, problem=f"{_DEVICES[kind]} in an archive")
        elif kind == b"5":
            yield Member(name=f"{name.rstrip('/')}/", chunks=[])
        else:
            yield Member(name=name, chunks=stream.part(size), size=size)
            # Whoever read it has read all of it, or has given up on the archive.
            stream.exactly(-size % _BLOCK)

    def _given_name(self, block: bytes) -> bytes:
        written, coming = _written_name(block), self._coming
        given = coming.more.get(b"GNU.sparse.name", b"") or coming.name or self._common.name or written
        for other in (written, coming.name):
            # A reader without extended headers sees the other name, cut to what fits.
            if not given.startswith(other.rstrip(b"/")):
                self.notes.add("other names", other)
        return given


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
