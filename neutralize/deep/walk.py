"""A folder as items: every file, link and folder name in it, and everything inside the files."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from neutralize.deep.limits import FAULTS, Limits, fact
from neutralize.deep.reader import Reader
from neutralize.deep.texts import Entry


def deep_items(root: Path, tops: Iterable[str] = ("",), *, limits: Limits = Limits()) -> Iterator[Entry]:  # noqa: B008 (frozen)
    """Every entry below the named parts of `root`, in the same order each time.

    As `traverse.items`, and further: folders end with `/`; what lies in an archive follows a `!`; what is no entry
    but says something about one stands in parentheses, as in `a.tar!(owner)`. All `data` is text or empty. What could
    not be read comes as an entry without data, beside what could be read of it. `root` itself may be a file.

    Nothing is run, followed or unpacked into a folder, and no file can exclude another. Hostile bytes are input: they
    give entries with a problem, never an error, within `limits`.
    """
    reader = Reader(limits)
    for top in tops:
        place = root / top
        if place.is_dir() and not place.is_symlink():
            yield from _folder(reader, root, place, limits)
        elif place.is_symlink() or place.exists():
            yield from _entry(reader, _name(place, root) if place != root else _shown(place.name), place, limits)


def _folder(reader: Reader, root: Path, top: Path, limits: Limits) -> Iterator[Entry]:
    todo = [top]
    while todo:
        place = todo.pop()
        name = "" if place == root else f"{_name(place, root)}/"
        if name:
            yield Entry(path=name, data=b"")
            yield from _attributes(name, place)
        try:
            with os.scandir(place) as entries:
                found = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            yield Entry(path=name or "./", data=None, problem=_problem(error))
            continue
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                path = Path(entry.path)
                yield from _entry(reader, _name(path, root), path, limits)
        todo += [Path(entry.path) for entry in reversed(found) if entry.is_dir(follow_symlinks=False)]


def _entry(reader: Reader, name: str, place: Path, limits: Limits) -> Iterator[Entry]:
    try:
        if place.is_symlink():
            target = os.fsencode(place.readlink())
            yield Entry(path=name, data=_shown(target).encode(), size=len(target))
        else:
            yield from _file(reader, name, place, limits)
    except OSError as error:
        yield Entry(path=name, data=None, problem=_problem(error))
    yield from _attributes(name, place)


def _file(reader: Reader, name: str, place: Path, limits: Limits) -> Iterator[Entry]:
    if not stat.S_ISREG(place.lstat().st_mode):
        yield Entry(path=name, data=None, problem="neither file, folder nor link")
        return
    # Whatever takes its place meanwhile is not followed and not waited for.
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY)
    with os.fdopen(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            yield Entry(path=name, data=None, problem="neither file, folder nor link")
        elif before.st_size > limits.file_bytes:
            problem = f"larger than {limits.file_bytes} bytes (cap 'file_bytes')"
            yield Entry(path=name, data=None, problem=problem, size=before.st_size)
        else:
            yield from _read(reader, name, file, before.st_size)
            if _state(os.fstat(descriptor)) != _state(before):
                yield Entry(path=name, data=None, problem="it changed while it was read", size=before.st_size)


def _read(reader: Reader, name: str, file: IO[bytes], size: int) -> Iterator[Entry]:
    try:
        yield from reader.file(name, file, size)
    except FAULTS as error:
        yield Entry(path=name, data=None, problem=fact(error), size=size)


def _state(info: os.stat_result) -> tuple[int, int, int]:
    return info.st_size, info.st_mtime_ns, info.st_ctime_ns


def _attributes(name: str, place: Path) -> Iterator[Entry]:
    """Extended attributes, where the system has them."""
    try:
        found = sorted(os.listxattr(place, follow_symlinks=False))
        lines = [os.fsencode(key) + b"=" + os.getxattr(place, key, follow_symlinks=False) for key in found]
    except OSError as error:
        if error.errno not in {errno.ENOTSUP, errno.ENOENT, errno.ENODATA, errno.ENAMETOOLONG}:
            yield Entry(path=f"{name}!(attributes)", data=None, problem=_problem(error))
        return
    if lines:
        yield Entry(path=f"{name}!(attributes)", data="\n".join(map(_shown, lines)).replace("\0", " ").encode())


def _name(path: Path, root: Path) -> str:
    return _shown(os.fsencode(path.relative_to(root)))


def _shown(name: str | bytes) -> str:
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _problem(error: OSError) -> str:
    return f"it cannot be read ({errno.errorcode.get(error.errno or 0, 'EIO')})"
