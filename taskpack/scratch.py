"""Temporary files and folders that a killed process may leave: each is locked by its maker, and swept once nobody is.

The kernel frees a lock together with the process that holds it: what somebody else can lock belongs to nobody.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PART = ".part"
"""End of the name of a file that is being written."""
SCRATCH = ".scratch-"
"""Start of the name of a folder in which something is being made."""


@dataclass(frozen=True, kw_only=True)
class Temporary:
    """A new file, open for writing."""

    path: Path
    file: IO[bytes]


@contextlib.contextmanager
def temporary_file(folder: Path, *, prefix: str, suffix: str = "") -> Iterator[Temporary]:
    """A new file in `folder`, locked; gone afterwards unless it was renamed."""
    while True:
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=folder)
        path = Path(name)
        with os.fdopen(handle, "wb") as file:
            if not _held(handle, path):
                continue
            try:
                yield Temporary(path=path, file=file)
            finally:
                path.unlink(missing_ok=True)
            return


@contextlib.contextmanager
def temporary_folder(parent: Path, *, prefix: str) -> Iterator[Path]:
    """A new folder in `parent`, locked, that others may look into; gone afterwards unless it was renamed."""
    parent.mkdir(parents=True, exist_ok=True)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with _opened(folder) as handle:
            if handle is None or not _held(handle, folder):
                continue
            try:
                folder.chmod(0o755)
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return


def sweep(folder: Path, pattern: str) -> None:
    """Take away what matches `pattern` below `folder` and nobody has locked. What cannot be taken away stays."""
    for place in folder.glob(pattern):
        with _opened(place) as handle, contextlib.suppress(OSError):
            if handle is not None:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(place)


@contextlib.contextmanager
def _opened(place: Path) -> Iterator[int | None]:
    """A descriptor of what lies at `place`, not of what a link there points to; None when it cannot be had."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


def _held(handle: int, place: Path) -> bool:
    """Lock what was just made. False when a sweep was faster: it took the thing away."""
    fcntl.flock(handle, fcntl.LOCK_EX)
    return place.exists()


def _remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink()
