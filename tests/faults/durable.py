"""A disk that keeps only what was synced: a strict model of what a power loss leaves.

A file has the bytes that it had when it was last synced, and none if it never was; a folder has the names that it had when
it was last synced. What was there at the start is there. Real file systems keep more.
"""

from __future__ import annotations

import os
import resource
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

_SMALL = 1024 * 1024


class Disk:
    """What would be left, told of each sync as it happens."""

    def __init__(self, roots: Sequence[Path]) -> None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self._roots = list(roots)
        self._names: dict[int, dict[str, int]] = {}
        self._bytes: dict[int, bytes] = {}
        self._first: dict[int, Path] = {}
        """Files and links that were there at the start."""
        self._modes: dict[int, int] = {}
        self._open: list[int] = []
        """Keeps each synced thing, so that its number is not given to another."""
        for root in self._roots:
            for folder, _, files in os.walk(root):
                self._remember(Path(folder))
                for name in files:
                    self._keep_first(Path(folder, name))

    def synced(self, handle: int) -> None:
        """`handle` is durable as it is now."""
        info = os.fstat(handle)
        self._modes[info.st_ino] = info.st_mode
        self._open.append(os.dup(handle))
        if stat.S_ISDIR(info.st_mode):
            self._remember(Path(f"/proc/self/fd/{handle}"))
        else:
            self._bytes[info.st_ino] = Path(f"/proc/self/fd/{handle}").read_bytes()

    def put(self, image: Path) -> None:
        """Write what is durable to `image`, a folder for each root."""
        for root in self._roots:
            self._put_folder(root.stat().st_ino, image / root.name)

    def _remember(self, folder: Path) -> None:
        entries = list(os.scandir(folder))
        self._names[folder.stat().st_ino] = {entry.name: entry.inode() for entry in entries}
        for entry in entries:
            self._modes[entry.inode()] = entry.stat(follow_symlinks=False).st_mode

    def _keep_first(self, path: Path) -> None:
        info = path.lstat()
        self._modes[info.st_ino] = info.st_mode
        self._first[info.st_ino] = path
        if stat.S_ISREG(info.st_mode) and info.st_size < _SMALL and "/cases/" in str(path):
            self._bytes[info.st_ino] = path.read_bytes()

    def _put_folder(self, number: int, dest: Path) -> None:
        dest.mkdir(parents=True)
        dest.chmod(0o755)
        for name, inner in self._names.get(number, {}).items():
            mode = self._modes[inner]
            if stat.S_ISDIR(mode):
                self._put_folder(inner, dest / name)
            elif inner in self._bytes:
                (dest / name).write_bytes(self._bytes[inner])
                (dest / name).chmod(stat.S_IMODE(mode))
            elif inner in self._first:
                shutil.copy2(self._first[inner], dest / name, follow_symlinks=False)
            else:
                (dest / name).write_bytes(b"")
