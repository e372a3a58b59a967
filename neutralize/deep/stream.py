"""Bytes that pass once: read, looked ahead, unpacked piece by piece, never held as a whole."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Protocol

from neutralize.deep import zstd
from neutralize.deep.limits import CHUNK, MIB, Broken, Capped, Limits

_LZMA_MEMORY = 160 * MIB


class Stream:
    """Chunks as something to read from."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = b""

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end; they stay."""
        while len(self._held) < size:
            chunk = next(self._chunks, b"")
            if not chunk:
                break
            self._held += chunk
        return self._held[:size]

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end. Only for what is small."""
        found = self.peek(size)
        self._held = self._held[len(found) :]
        return found

    def exactly(self, size: int) -> bytes:
        found = self.read(size)
        if len(found) < size:
            raise Broken("ends too early")
        return found

    def part(self, size: int) -> Iterator[bytes]:
        """The next `size` bytes in chunks. Raises `Broken` when they are not there."""
        while size:
            held = self._held[:size] or next(self._chunks, b"")
            if not held:
                raise Broken("ends too early")
            self._held = self._held[len(held) :] if self._held else held[size:]
            held = held[:size]
            size -= len(held)
            yield held

    def rest(self) -> Iterator[bytes]:
        if self._held:
            held, self._held = self._held, b""
            yield held
        yield from self._chunks


def chunks(file: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    """`file[start:end]`, wherever others have moved it meanwhile."""
    while start < end:
        file.seek(start)
        data = file.read(min(CHUNK, end - start))
        if not data:
            raise Broken("ends too early")
        start += len(data)
        yield data


class Engine(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


class _Inflater:
    """zlib in the form that the other libraries have."""

    def __init__(self, bits: int) -> None:
        self._engine = zlib.decompressobj(bits)

    @property
    def eof(self) -> bool:
        return self._engine.eof

    @property
    def needs_input(self) -> bool:
        return not self._engine.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._engine.unused_data

    def decompress(self, data: bytes, max_length: int = 0) -> bytes:
        return self._engine.decompress(self._engine.unconsumed_tail + data, max_length)


ENGINES: dict[str, Callable[[], Engine]] = {
    "gz": lambda: _Inflater(31),
    "zlib": lambda: _Inflater(15),
    "deflate": lambda: _Inflater(-15),
    "bz2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY),
    "lzma": lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_LZMA_MEMORY),
    "zstd": zstd.decompressor,
}


def unpacked(
    file: IO[bytes],
    start: int,
    end: int,
    kind: str,
    limits: Limits,
    *,
    head: bytes = b"",
    ends: list[int] | None = None,
) -> Iterator[bytes]:
    """One compressed stream in `file[start:end]`, unpacked in chunks; where it ends is put into `ends`.

    `head` goes before the bytes of the file. Raises `Broken` when the stream is cut, `Capped` above the ratio, and
    what the libraries raise.
    """
    engine = ENGINES[kind]()
    source = chunks(file, start, end)
    made, taken, data = 0, 0, head
    while not engine.eof:
        final = False
        if engine.needs_input and not data:
            data = next(source, b"")
            taken, final = taken + len(data), not data
        out = engine.decompress(data, CHUNK)
        data = b""
        if final and not out and not engine.eof:
            raise Broken("its compressed stream is cut")
        made += len(out)
        if made > limits.ratio_floor and made > taken * limits.ratio:
            raise Capped("ratio", f"unpacks to more than {limits.ratio} times its size")
        if out:
            yield out
    if ends is not None:
        ends.append(start + taken - len(engine.unused_data))
