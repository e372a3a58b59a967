"""Plain bytes as items of text: whole, in pieces, or the runs of a binary that can be read."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from neutralize.deep.limits import MIB, Limits
from neutralize.traverse import Item, decode

_SHORTEST = 6
"""Characters that can be read one after the other, in UTF-8 or in UTF-16 of either order, to be a run."""
_RUN = re.compile(f"[^\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]{{{_SHORTEST},}}")
# Zero, readable beside a zero, anything else: what is wide is looked for in a file of these three.
_CLASSES = bytes(48 if not byte else 120 if byte == 9 or 32 <= byte < 127 or byte >= 160 else 45 for byte in range(256))
_WIDE = (
    (b"x0" * _SHORTEST, re.compile(rb"(?:x0)+"), "utf-16-le"),
    (b"0x" * _SHORTEST, re.compile(rb"(?:0x)+"), "utf-16-be"),
)
_ZEROS = 256
_BLOCK = 256 * 1024
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_LONG_RUN = 64 * 1024
_SHARED = 4096
_LINE = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Entry(Item):
    """An item that knows how many bytes of what was read it stands for."""

    size: int = 0


def plain(path: str, file: IO[bytes], size: int, limits: Limits) -> Iterator[Entry]:
    """One file that is no archive: its text, or itself without content and then what can be read in it."""
    if size <= limits.piece:
        file.seek(0)
        data = file.read(size)
        if decode(data) is not None:
            yield Entry(path=path, data=data, size=len(data))
        elif b"\0" not in data and (softened := _softened(data)) is not None:
            yield Entry(path=path, data=b"", size=len(data))
            yield Entry(path=f"{path}!(strings)", data=softened)
        else:
            yield from binary(path, file, size, limits)
        return
    file.seek(0)
    head = file.read(MIB)
    encoding = _wide(head)
    if encoding:
        yield from _pieces(path, _recoded(file, encoding), limits)
    elif _is_text(head):
        yield from _pieces(path, _blocks(file), limits)
    else:
        yield from binary(path, file, size, limits)


def binary(path: str, file: IO[bytes], size: int, limits: Limits) -> Iterator[Entry]:
    """What no reader knows counts as read when its readable runs are."""
    yield Entry(path=path, data=b"", size=size)
    yield from _gathered(path, _runs(file), limits)


def _softened(data: bytes) -> bytes | None:
    """A text with some control characters, which give way to spaces."""
    softened = _CONTROLS.sub(b" ", data)
    try:
        softened.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return softened


def _is_text(head: bytes) -> bool:
    # The last character may be cut.
    return any(decode(head[: len(head) - cut]) is not None for cut in range(4))


def _wide(head: bytes) -> str:
    """The encoding of a text that is not read byte by byte."""
    text = head[: len(head) // 4 * 4]
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" not in text or decode(text) is None:
        return ""
    zeros = [text[start::4].count(0) * 2 > len(text) // 4 for start in range(4)]
    width, order = (32 if sum(zeros) == 3 else 16), ("le" if not zeros[0] else "be")
    return f"utf-{width}-{order}"


def _blocks(file: IO[bytes], size: int = MIB) -> Iterator[bytes]:
    place = 0
    while True:
        file.seek(place)
        block = file.read(size)
        if not block:
            return
        place += len(block)
        yield block


def _recoded(file: IO[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for block in _blocks(file):
        yield decoder.decode(block).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


@dataclass(kw_only=True)
class _Place:
    """Where a piece lies in its text."""

    byte: int = 0
    line: int = 1
    shared: int = 0
    """Bytes that the piece before has as well."""


def _pieces(path: str, blocks: Iterator[bytes], limits: Limits) -> Iterator[Entry]:
    """Pieces that begin with a line where lines are not too long, and share some bytes with the piece before."""
    held, place = bytearray(), _Place()
    for block in blocks:
        held += block
        while len(held) > limits.piece:
            end = held.rfind(b"\n", limits.piece - min(_LINE, limits.piece // 2), limits.piece) + 1 or limits.piece
            yield from _piece(path, _uncut(bytes(held[:end])), place, limits)
            begin = _begin(held, end, limits)
            line = place.line + held.count(b"\n", 0, begin)
            place = _Place(byte=place.byte + begin, line=line, shared=end - begin)
            del held[:begin]
    if len(held) > place.shared:
        yield from _piece(path, bytes(held), place, limits)


def _begin(held: bytearray, end: int, limits: Limits) -> int:
    begin = max(1, end - limits.overlap)
    lined = held.rfind(b"\n", max(0, begin - _LINE), begin) + 1
    begin = lined if lined > 0 else begin
    while begin < end and held[begin] & 0xC0 == 0x80:  # not inside a character
        begin += 1
    return begin


def _piece(path: str, data: bytes, place: _Place, limits: Limits) -> Iterator[Entry]:
    name = f"{path}!(from byte {place.byte}, line {place.line})"
    size = len(data) - place.shared
    if decode(data) is not None:
        yield Entry(path=name, data=data, size=size)
        return
    yield Entry(path=name, data=b"", size=size)
    softened = _softened(data) if b"\0" not in data else None
    if softened is not None:
        yield Entry(path=f"{name}!(strings)", data=softened)
    else:
        yield from _gathered(name, _runs_of(iter((data,))), limits)


def _uncut(data: bytes) -> bytes:
    """Without a last character that is cut; it stands whole in the next piece."""
    for back in (1, 2, 3):
        lead = data[-back]
        if lead & 0xC0 != 0x80:
            return data[:-back] if lead >= 0xC0 and back < 2 + (lead >= 0xE0) + (lead >= 0xF0) else data
    return data


def _gathered(path: str, runs: Iterator[bytes], limits: Limits) -> Iterator[Entry]:
    """Runs as lines of one text, or of several when they are many."""
    lines, held, number = list[bytes](), 0, 0
    for run in runs:
        if held and held + len(run) > limits.piece:
            yield _strings(path, lines, number)
            lines, held, number = [], 0, number + 1
        lines.append(run)
        held += len(run) + 1
    if lines:
        yield _strings(path, lines, number)


def _strings(path: str, lines: list[bytes], number: int) -> Entry:
    name = f"{path}!(strings)" if not number else f"{path}!(strings, part {number + 1})"
    return Entry(path=name, data=b"\n".join(lines) + b"\n")


def _runs(file: IO[bytes]) -> Iterator[bytes]:
    return _runs_of(_blocks(file, _BLOCK))


def _runs_of(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """A run that the end of a block cuts is found in the next one; a very long one comes in parts that overlap."""
    held = b""
    for block in blocks:
        # Most zeros of a file stand together, and no run goes through two of them.
        held = (held + block).replace(bytes(_ZEROS), bytes(2))
        kept = max(0, len(held) - 4 * _SHORTEST)
        for start, end, run in _found(held):
            if end < len(held) - 3:
                yield run
                kept = max(kept, end)
            elif end - start >= _LONG_RUN:
                yield run
                kept = end - _SHARED
            else:
                kept = min(kept, start)
        held = held[kept:]
    yield from (run for _, _, run in _found(held))


def _found(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Start, end and text of each run: first those in UTF-8, then the wide ones."""
    text = data.decode("utf-8", "surrogateescape")
    for match in _RUN.finditer(text):
        run = match.group().encode()
        # Only near the end does it matter where a run lies.
        end = len(data) - len(text[match.end() :].encode("utf-8", "surrogateescape")) if _near(text, match) else 0
        yield end - len(run), end, run
    classes, place = data.translate(_CLASSES), 0
    nearest = [classes.find(mark) for mark, _, _ in _WIDE]
    while any(at >= 0 for at in nearest):
        start = min(at for at in nearest if at >= 0)
        _, pattern, order = _WIDE[nearest.index(start)]
        wide = pattern.match(classes, start)
        place = wide.end() if wide else len(data)
        # The byte before may have been none of the text: in the other order it then has one more at its end.
        other = order == "utf-16-le" and classes[place : place + 1] == b"x"
        yield start, place + other, data[start:place].decode(order).encode()
        if other:
            yield start, place + other, data[start + 1 : place + 1].decode("utf-16-be").encode()
        # Each mark is looked for once from where the other one stood, so that many runs take no square of time.
        nearest = [classes.find(_WIDE[kind][0], place) if 0 <= at < place else at for kind, at in enumerate(nearest)]


def _near(text: str, match: re.Match[str]) -> bool:
    return len(text) - match.end() < 8 * _SHORTEST
