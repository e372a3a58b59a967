"""Every file of an environment, those in archives too. Whatever it is, it is data: bounded, not followed, not run."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neutralize.deep.limits import MIB, Budget, Limits
from neutralize.deep.whole import archive_kind, whole_files

LIMITS = Limits(depth=3, members=50_000, unpacked=512 * MIB, file_bytes=64 * MIB)
"""Of one file on disk with all that is packed in it."""
_NOT_KEPT = frozenset({"dev", "proc", "sys", "run"})


@dataclass(frozen=True, kw_only=True)
class File:
    """One file. What lies in an archive follows a `!`, as in `pip.whl!pip/main.py`."""

    path: str
    data: bytes | None
    """None for one that is too large or cannot be read."""

    @property
    def name(self) -> str:
        return self.path.rpartition("!")[2].rpartition("/")[2]


def files(roots: Sequence[Path], *, unread: list[str], archives: bool = True) -> Iterator[File]:
    """Every regular file below the roots, sorted by path; paths are relative to their root, or whole for several.

    Links are not followed. `unread` gets what could not be read and why.
    """
    for root in roots:
        for path in _walked(root):
            shown = os.fsencode(path if len(roots) > 1 else path.relative_to(root)).decode("utf-8", "backslashreplace")
            yield from _file(path, shown, unread, archives=archives)


def decoded(data: bytes) -> str | None:
    """The text of a file: UTF-8, else Latin-1; None for what has a zero byte among its first."""
    if b"\0" in data[:8192]:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _walked(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
    for folder, below, names in os.walk(root):
        if Path(folder) == root and (root / "usr").is_dir():
            below[:] = [name for name in below if name not in _NOT_KEPT]
        below.sort()
        yield from (Path(folder, name) for name in sorted(names))


def _file(path: Path, shown: str, unread: list[str], *, archives: bool) -> Iterator[File]:
    try:
        info = path.lstat()
        if not stat.S_ISREG(info.st_mode):
            return
        if info.st_size > LIMITS.file_bytes:
            unread.append(f"{shown}: larger than {LIMITS.file_bytes} bytes")
            return
        data = path.read_bytes()
    except OSError as error:
        unread.append(f"{shown}: {error.strerror}")
        return
    yield File(path=shown, data=data)
    if archives:
        budget = Budget(LIMITS)
        budget.begin(len(data))
        yield from _inside(data, shown, unread, budget, 0)


def _inside(data: bytes, shown: str, unread: list[str], budget: Budget, depth: int) -> Iterator[File]:
    """What is in an archive, known by its content."""
    if not archive_kind(data):
        return
    if depth >= LIMITS.depth:
        unread.append(f"{shown}: archives too deep in archives")
        return
    for inside in whole_files(data, budget):
        place = f"{shown}!{inside.name}" if inside.name else shown
        if inside.problem:
            unread.append(f"{place}: {inside.problem}")
        if inside.data is not None and not inside.problem:
            yield File(path=place, data=inside.data)
            yield from _inside(inside.data, place, unread, budget, depth + 1)
