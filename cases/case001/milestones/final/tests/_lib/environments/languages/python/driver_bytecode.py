"""Bytecode in one place for all calls. The product's is made by a process without rights that runs nothing of it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import py_compile
import signal
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from environments.driver.scene import BUILD_UID, become, set_limits

_CACHE = "__pycache__"
_NO_SOURCES = frozenset({"dist-packages", "site-packages", "test", "tests", "idlelib", "lib2to3", "tkinter"})
"""Folders of the standard library that are left out: no product has them from there, or they are large."""
_BUILD_S = 20
_FILES_CAP = 2000
_ENTRIES_CAP = 100_000
_FILE_BYTES_CAP = 1024 * 1024
_BYTES_CAP = 32 * 1024 * 1024
"""Beyond each of them, what is left is not compiled: the folder lies in memory."""


def prepare_bytecode(place: Path, *, product: Sequence[Path], others: Sequence[Path]) -> Path:
    """Make `place`, to which `sys.pycache_prefix` may be set, and return it.

    The product is compiled. Of the folders in `others`, such as the standard library's, what is compiled already is
    linked: with that setting Python looks for it nowhere else.
    """
    place.mkdir(mode=0o755)
    link_compiled(others, place)
    compile_into(place, product)
    return place


def link_compiled(folders: Sequence[Path], place: Path) -> None:
    """Links in `place` to the bytecode that lies beside the sources below `folders`."""
    ending = f".{sys.implementation.cache_tag}.pyc"
    for folder in folders:
        for name, inner, files in os.walk(folder):
            here = Path(name)
            if here.name != _CACHE:
                inner[:] = [part for part in inner if part not in _NO_SOURCES]
                continue
            there = place / here.parent.relative_to("/")
            there.mkdir(mode=0o755, parents=True, exist_ok=True)
            for file in files:
                if file.endswith(ending):
                    (there / file).symlink_to(here / file)


def compile_into(place: Path, folders: Sequence[Path]) -> None:
    """Compile the source files below `folders` into `place`.

    The workspace cannot change, so nothing is checked again at import. What does not compile, or not in time, or is no
    plain file, is left to the import itself: a missing file is no fault, and whatever the candidate put there ends
    the building process at worst. When this returns, that process is gone.
    """
    os.chown(place, BUILD_UID, BUILD_UID)
    process = os.fork()
    if process == 0:
        try:
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            signal.alarm(_BUILD_S)
            set_limits(seconds=_BUILD_S, memory_mb=1024, own_uid=True)
            become(BUILD_UID)
            _compile(folders, place)
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    os.chown(place, 0, 0)


def _compile(folders: Sequence[Path], place: Path) -> None:
    sys.pycache_prefix = str(place)
    for path in plain_sources(folders):
        with contextlib.suppress(Exception):
            py_compile.compile(
                str(path),
                cfile=importlib.util.cache_from_source(str(path)),
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )


def plain_sources(folders: Sequence[Path]) -> Iterator[Path]:
    """Plain files alone, each within the caps: to open a pipe would wait, a device may have no end."""
    entries = files = size = 0
    for folder in folders:
        # Links to folders are not followed, so that a loop has no way in.
        for place, folders_here, names in os.walk(folder):
            folders_here.sort()
            entries += len(folders_here) + len(names)
            if entries > _ENTRIES_CAP:
                return
            for path in (Path(place, name) for name in sorted(names) if name.endswith(".py")):
                length = _plain_size(path)
                if length is None or length > _FILE_BYTES_CAP:
                    continue
                files, size = files + 1, size + length
                if files > _FILES_CAP or size > _BYTES_CAP:
                    return
                yield path


def _plain_size(path: Path) -> int | None:
    """The size of a plain file, also through a link; None for anything else."""
    try:
        info = path.stat()
    except (OSError, ValueError):
        return None
    return info.st_size if stat.S_ISREG(info.st_mode) else None
