"""How much one reading may take, and what is raised when a bound or a broken file ends it."""

from __future__ import annotations

import lzma
import struct
import zlib
from dataclasses import dataclass

from neutralize.deep.zstd import ZstdError
from neutralize.traverse import MAX_BYTES

MIB = 1024 * 1024
CHUNK = 64 * 1024
"""Bytes that are read, or unpacked, in one step."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one reading. What lies beyond one of them is an item without data that names the bound."""

    depth: int = 4
    """Archives inside archives. A compressed tar counts once."""
    members: int = 500_000
    """Entries in all archives together."""
    unpacked: int = 16 * 1024 * MIB
    """Bytes unpacked, of all archives together."""
    file_bytes: int = 4 * 1024 * MIB
    """Of one file, or of one member of an archive."""
    ratio: int = 200
    """Unpacked bytes for each packed byte, of one member, and of one file with all that is nested in it."""
    ratio_floor: int = 64 * MIB
    """Below this many bytes no ratio is too high."""
    piece: int = MAX_BYTES
    """A longer text is given in pieces of this many bytes."""
    overlap: int = 4096
    """Bytes that two neighbouring pieces share."""
    memory: int = 8 * MIB
    """A member that is larger lies in a nameless temporary file while it is read."""
    header: int = MIB
    """Of one header, one name, or the metadata of one kind in one archive."""
    object_bytes: int = 32 * MIB
    """Of one git object that has to be put together in memory: a tree, or whatever is stored as a difference."""
    chain: int = 4096
    """Differences between one git object and the whole one that it starts from."""


class Capped(Exception):
    """A bound ends this entry; its neighbours are still read."""

    def __init__(self, cap: str, fact: str) -> None:
        super().__init__(f"{fact} (cap {cap!r})")


class Exhausted(Capped):
    """A bound of the whole ends the archive."""


class Broken(Exception):
    """The bytes are not what their kind promises."""


FAULTS = (Broken, OSError, EOFError, ValueError, IndexError, KeyError, OverflowError, MemoryError, struct.error,
          zlib.error, lzma.LZMAError, ZstdError)  # fmt: skip
"""What bytes that lie about themselves can raise in whoever reads them."""


class Budget:
    """What may still be read in one run."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._members = limits.members
        self._unpacked = limits.unpacked
        self._of_file = 0

    def begin(self, size: int) -> None:
        """A file of `size` bytes is next: what may be unpacked from it depends on its size."""
        self._of_file = max(self.limits.ratio_floor, size * self.limits.ratio)

    def member(self) -> None:
        if self._members <= 0:
            raise Exhausted("members", f"more than {self.limits.members} entries in archives: the rest was not read")
        self._members -= 1
        self.take(0)

    def take(self, size: int) -> None:
        self._unpacked -= size
        self._of_file -= size
        if self._unpacked < 0:
            raise Exhausted("unpacked", f"archives unpack to more than {self.limits.unpacked} bytes")
        if self._of_file < 0:
            raise Exhausted("ratio", f"unpacks to more than {self.limits.ratio} times its size")


def fact(error: BaseException) -> str:
    """An error in words that are the same in every run."""
    if isinstance(error, Capped | Broken):
        return str(error)
    return f"cannot be read to its end ({type(error).__name__})"
