"""What is to be scanned: files as bytes, links as text, and a reason for whatever cannot be read."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from taskpack.files import walk

MAX_BYTES = 16 * 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = frozenset(range(0x20)) - frozenset(b"\t\n\v\f\r\x1b") | {0x7F}


@dataclass(frozen=True, kw_only=True)
class Item:
    """One entry. Without `data` it could not be read, and `problem` says why."""

    path: str
    data: bytes | None
    problem: str = ""
    head: bytes = b""
    """How the file begins, where `data` is not its bytes: it is opened, or no text."""
    sha256: str = ""
    """Of its bytes, there too."""


def items(root: Path, tops: Iterable[str] = ("",)) -> Iterator[Item]:
    """Every entry below the named parts of `root`, sorted. Links are not followed: their target is the text.

    Nothing inside the tree can exclude a file.
    """
    for top in tops:
        place = root / top
        if place.is_symlink() or place.is_file():
            yield _item(root, place)
        elif place.is_dir():
            yield from (_item(root, path) for path in walk(place))


def _item(root: Path, path: Path) -> Item:
    name = os.fsencode(path.relative_to(root)).decode("utf-8", "backslashreplace")
    info = path.lstat()
    if stat.S_ISLNK(info.st_mode):
        return Item(path=name, data=os.fsencode(path.readlink()))
    if not stat.S_ISREG(info.st_mode):
        return Item(path=name, data=None, problem="neither file, folder nor link")
    if info.st_size > MAX_BYTES:
        return Item(path=name, data=None, problem=f"larger than {MAX_BYTES} bytes")
    return Item(path=name, data=path.read_bytes())


_TEXT_BYTES = bytes(sorted(frozenset(range(0x80)) - _CONTROLS))


def decode(data: bytes) -> str | None:
    """The text of a file: by its mark, as UTF-8, as UTF-16 or UTF-32 by the pattern of zeros, else Latin-1.

    None for what is no text: archives, images, anything with control characters.
    """
    if data.isascii() and b"\0" not in data:
        # The usual case, without a look at every character.
        return None if data.translate(None, _TEXT_BYTES) else data.decode("ascii")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data, encoding)
    for encoding in ("utf-8", _wide(data), "latin-1"):
        text = _decoded(data, encoding) if encoding else None
        if text is not None:
            return text
    return None


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    controls = _CONTROLS | (frozenset(range(0x80, 0xA0)) if encoding == "latin-1" else frozenset())
    return None if any(ord(char) in controls for char in set(text)) else text


def _wide(data: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, when zeros stand where they stand for mostly ASCII text."""
    head = data[:4096]
    if len(head) < 4 or len(data) % 2:
        return ""
    zeros = [head[start::4].count(0) / max(1, len(head[start::4])) for start in range(4)]
    if len(data) % 4 == 0 and min(zeros[1:]) > 0.7 > zeros[0]:
        return "utf-32-le"
    if len(data) % 4 == 0 and min(zeros[:3]) > 0.7 > zeros[3]:
        return "utf-32-be"
    if min(zeros[1], zeros[3]) > 0.7 and max(zeros[0], zeros[2]) < 0.3:
        return "utf-16-le"
    return "utf-16-be" if min(zeros[0], zeros[2]) > 0.7 and max(zeros[1], zeros[3]) < 0.3 else ""
