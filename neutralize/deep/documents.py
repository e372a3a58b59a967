"""What images and documents say about themselves. Pixels and the text of pages are not read."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import IO

from neutralize.deep.limits import Broken, Limits
from neutralize.deep.member import Member, Notes, short_runs
from neutralize.deep.stream import chunks

_PDF_BYTES = 64 * 1024 * 1024
_INFO = re.compile(
    rb"/(Title|Author|Subject|Keywords|Creator|Producer|Company|Manager|SourceModified|Trapped)\s*"
    rb"(\((?:[^\\()]|\\.|\([^()]{0,2000}\)){0,20000}\)|<[0-9A-Fa-f\s]{0,20000}>)",
    re.DOTALL,
)
_STREAM = re.compile(rb"stream\r?\n")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|\r|\n)|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"", b"f": b""}


def png_members(file: IO[bytes], size: int, limits: Limits) -> Iterator[Member]:
    """Its text chunks, camera data and the name of its colour profile; then what follows the image."""
    notes, place = Notes(limits), 8
    while place < size:
        file.seek(place)
        head = file.read(8)
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        if len(head) < 8 or place + 12 + length > size:
            raise Broken("one of its chunks is cut")
        if kind in {b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"iCCP"}:
            if length > limits.header:
                yield Member(name="(text)", problem="a text chunk that is too large (cap 'header')", size=length)
            else:
                _png_text(kind, file.read(length), notes, limits)
        place += 12 + length
        if kind == b"IEND":
            break
    yield from notes.members()
    if place < size:
        yield Member(name="(rest)", chunks=chunks(file, place, size), size=size - place)


def _png_text(kind: bytes, data: bytes, notes: Notes, limits: Limits) -> None:
    if kind == b"eXIf":
        notes.add("exif", short_runs(data) + b"\n" + _wide_runs(data))
        return
    key, _, value = data.partition(b"\0")
    if kind == b"iTXt":
        packed, rest = value[:1] == b"\1", value[2:]
        language, _, rest = rest.partition(b"\0")
        translated, _, value = rest.partition(b"\0")
        notes.add("text", b" ".join((language, translated)).strip())
        value = _inflated(value, limits) if packed else value
    elif kind in {b"zTXt", b"iCCP"}:
        value = _inflated(value[1:], limits)
        value = short_runs(value) if kind == b"iCCP" else value.decode("latin-1").encode()
    else:
        value = value.decode("latin-1").encode()
    notes.add("text", key.decode("latin-1").encode() + b": " + value)


def jpeg_members(file: IO[bytes], size: int, limits: Limits) -> Iterator[Member]:
    """Readable runs of its application and comment segments: EXIF, XMP, IPTC, comments."""
    notes, place = Notes(limits), 2
    while place + 4 <= size:
        file.seek(place)
        head = file.read(4)
        length = int.from_bytes(head[2:], "big")
        if head[0] != 0xFF or head[1] in {0xD9, 0xDA} or length < 2:
            break
        if 0xE0 <= head[1] <= 0xEF or head[1] == 0xFE:
            data = file.read(length - 2)
            notes.add("exif", short_runs(data))
            notes.add("exif", _wide_runs(data))
        place += 2 + length
    yield from notes.members()


def pdf_members(file: IO[bytes], size: int, limits: Limits) -> Iterator[Member]:
    """Its information entries and every metadata packet, also where they are compressed."""
    if size > _PDF_BYTES:
        yield Member(name="(information)", problem=f"only documents up to {_PDF_BYTES} bytes are read", size=size)
        return
    file.seek(0)
    data = file.read(size)
    notes = Notes(limits)
    _pdf_notes(data, notes)
    left = 4 * _PDF_BYTES
    for found in _STREAM.finditer(data):
        plain = _deflated(data[found.end() : found.end() + _PDF_BYTES // 4], limits)
        left -= len(plain)
        if left < 0:
            yield Member(name="(information)", problem="its streams unpack to more than is read")
            break
        _pdf_notes(plain, notes)
    yield from notes.members()
    yield Member(name="(pages)", problem="the text of its pages is not read")


def _pdf_notes(data: bytes, notes: Notes) -> None:
    for found in _INFO.finditer(data):
        notes.add("information", found[1].decode() + ": " + _pdf_text(found[2]))
    place = 0
    while (start := data.find(b"<x:xmpmeta", place)) >= 0:
        end = data.find(b"</x:xmpmeta>", start)
        place = end if end > 0 else len(data)
        notes.add("metadata", data[start:place])


def _pdf_text(raw: bytes) -> str:
    if raw[:1] == b"<":
        digits = b"".join(raw[1:-1].split())
        value = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
    else:
        value = _ESCAPE.sub(_unescaped, raw[1:-1])
    return value.decode("utf-16", "replace") if value[:2] in {b"\xfe\xff", b"\xff\xfe"} else value.decode("latin-1")


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 8) & 0xFF])
    return b"" if match[2] else _ESCAPED.get(match[3], match[3])


def _inflated(data: bytes, limits: Limits) -> bytes:
    engine = zlib.decompressobj()
    found = engine.decompress(data, limits.header)
    if not engine.eof:
        raise Broken("a compressed text of it is cut, or larger than is read")
    return found


def _deflated(data: bytes, limits: Limits) -> bytes:
    """What one stream of a document begins with; empty when it is packed in another way."""
    try:
        return zlib.decompressobj().decompress(data, limits.header)
    except zlib.error:
        return b""


def _wide_runs(data: bytes) -> bytes:
    return b"\n".join(run.group()[::2] for run in re.finditer(rb"(?:[\x20-\x7e]\0){3,}", data))
