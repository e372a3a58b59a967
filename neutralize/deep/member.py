"""What the readers of archives hand over."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neutralize.deep.limits import Limits

_RUN = re.compile(rb"(?:[\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){3,}")


@dataclass(frozen=True, kw_only=True)
class Member:
    """One entry of an archive. `chunks` are read before the next member is asked for, or never."""

    name: str
    """In parentheses when it is no entry but something about the archive, as in `(owner)`."""
    chunks: Iterable[bytes] | None = None
    problem: str = ""
    """Why it was not read, or not as a whole."""
    size: int = 0
    """Bytes that are not read, where known."""
    about: bool = False
    """Whether it says something about the archive and is no file of it."""


def shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def text(name: str, data: bytes | str, *, about: bool = False) -> Member:
    given = data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace")
    return Member(name=name, chunks=[given], about=about)


def short_runs(data: bytes) -> bytes:
    """What can be read in a small block of metadata, one run a line."""
    return b"\n".join(run.group() for run in _RUN.finditer(data))


class Notes:
    """Metadata of one archive by kind, every line once."""

    def __init__(self, limits: Limits) -> None:
        self._left = limits.header
        self._lines: dict[str, dict[bytes, None]] = {}
        self._full = False

    def add(self, kind: str, line: bytes | str) -> None:
        data = line if isinstance(line, bytes) else line.encode("utf-8", "backslashreplace")
        lines = self._lines.setdefault(kind, {})
        if not data or data in lines:
            return
        self._left -= len(data) + 1
        self._full = self._full or self._left < 0
        if not self._full:
            lines[data] = None

    def members(self) -> Iterator[Member]:
        for kind, lines in sorted(self._lines.items()):
            if lines:
                yield text(f"({kind})", b"\n".join(lines) + b"\n", about=True)
        if self._full:
            yield Member(name="(metadata)", problem="more metadata than is read (cap 'header')")


class Names:
    """Tells the second entry of a name from the first."""

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}  # by digest: a name may be as long as a header

    def unique(self, name: str) -> str:
        key = hashlib.blake2b(name.encode("utf-8", "backslashreplace"), digest_size=16).digest()
        self._seen[key] = count = self._seen.get(key, 0) + 1
        return name if count == 1 else f"{name} (copy {count})"
