"""The product's bytecode, made once for all calls by a process that has no rights and runs nothing of the product."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import py_compile
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from environments.languages.python.driver_scene import FIRST_UID, become, set_limits

BUILD_UID = FIRST_UID - 1
_BUILD_S = 20
_FILES_CAP = 2000
_PLACE = Path("/tmp/bytecode")  # noqa: S108 (private, see close_shared_folders)


def compile_product(folders: Sequence[Path]) -> Path | None:
    """Compile every source file below `folders`; returns the folder that `sys.pycache_prefix` may be set to.

    The workspace cannot change, so nothing is checked again at import. What does not compile, or not in time, is left
    to the import itself: a missing file is no fault. When this returns, the building process is gone.
    """
    _PLACE.mkdir(mode=0o755)
    os.chown(_PLACE, BUILD_UID, BUILD_UID)
    process = os.fork()
    if process == 0:
        try:
            signal.alarm(_BUILD_S)
            set_limits(seconds=_BUILD_S, memory_mb=1024, own_uid=True)
            become(BUILD_UID)
            _compile(folders)
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    os.chown(_PLACE, 0, 0)
    return _PLACE


def _compile(folders: Sequence[Path]) -> None:
    sys.pycache_prefix = str(_PLACE)
    for path in _sources(folders):
        with contextlib.suppress(Exception):
            py_compile.compile(
                str(path),
                cfile=importlib.util.cache_from_source(str(path)),
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )


def _sources(folders: Sequence[Path]) -> Iterator[Path]:
    count = 0
    for folder in folders:
        for place, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                if name.endswith(".py"):
                    count += 1
                    if count > _FILES_CAP:
                        return
                    yield Path(place, name)
