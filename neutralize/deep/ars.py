"""The two simple archive formats: ar, as in a Debian package or a static library, and cpio."""

from __future__ import annotations

from collections.abc import Iterator

from neutralize.deep.limits import Broken, Capped, Limits
from neutralize.deep.member import Member, Names, shown, text
from neutralize.deep.stream import Stream


def ar_members(stream: Stream, limits: Limits) -> Iterator[Member]:
    names, table = Names(), b""
    stream.exactly(8)
    while head := stream.read(60):
        if len(head) < 60 or head[58:] != b"`\n":
            raise Broken("one of its headers is broken")
        size, name = _number(head[48:58].strip(), 10), head[:16].rstrip(b" ")
        pad = size % 2
        if name == b"//":
            table = _small(stream, size, limits)
            yield text("(names)", table)
        elif name.startswith(b"#1/"):
            length = _number(name[3:], 10)
            if length > size:
                raise Broken("one of its headers is broken")
            long = _small(stream, length, limits).rstrip(b"\0")
            yield Member(name=names.unique(shown(long)), chunks=stream.part(size - length), size=size)
        else:
            if name[:1] == b"/" and name[1:].isdigit():
                name = table[int(name[1:]) :].partition(b"\n")[0]
            given = shown(name.rstrip(b"/")) or "(symbols)"
            yield Member(name=names.unique(given), chunks=stream.part(size), size=size)
        stream.read(pad)


def cpio_members(stream: Stream, limits: Limits) -> Iterator[Member]:
    """Both forms whose headers are text. What follows the last entry is given as `(rest)`: another archive, often."""
    names = Names()
    while head := stream.read(6):
        new = head in {b"070701", b"070702"}
        if not new and head != b"070707":
            raise Broken("one of its headers is broken")
        if new:
            fields = stream.exactly(104)
            mode, size, length = (_number(fields[at : at + 8], 16) for at in (8, 48, 88))
        else:
            fields = stream.exactly(70)
            mode, length, size = (_number(part, 8) for part in (fields[12:18], fields[53:59], fields[59:70]))
        name = _small(stream, length, limits).rstrip(b"\0")
        _align(stream, 110 + length, new=new)
        if name == b"TRAILER!!!":
            break
        kind = mode & 0o170000
        given = names.unique(shown(name))
        if kind == 0o040000:
            yield Member(name=f"{given}/", chunks=stream.part(size))
        elif kind in {0o100000, 0o120000, 0}:
            yield Member(name=given, chunks=stream.part(size), size=size)
        else:
            yield Member(name=given, problem="a device, a pipe or a socket in an archive")
            for _ in stream.part(size):
                pass
        _align(stream, size, new=new)
    else:
        raise Broken("it has no end")
    yield from _rest(stream)


def _rest(stream: Stream) -> Iterator[Member]:
    while (block := stream.peek(1024)) and not block.strip(b"\0"):
        stream.read(len(block))
    if stream.peek(1):
        stream.read(len(block) - len(block.lstrip(b"\0")))
        yield Member(name="(rest)", chunks=stream.rest())


def _align(stream: Stream, size: int, *, new: bool) -> None:
    if new:
        stream.read(-size % 4)


def _small(stream: Stream, size: int, limits: Limits) -> bytes:
    if size > limits.header:
        raise Capped("header", f"one of its headers has more than {limits.header} bytes")
    return stream.exactly(size)


def _number(digits: bytes, base: int) -> int:
    if not digits.isalnum():
        raise Broken("one of its headers has no number where one belongs")
    return int(digits, base)
