"""How much a tree of processes has added to its writable mounts, files included that only an open descriptor holds."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from pathlib import Path

_BLOCK = 512
_ENTRY = 4096
"""What an entry costs at least, so that empty files have an end."""
_LOOK_S = 1.0
_DEPTH = 128
_PATH_BYTES = 3000
_BOTTOMLESS = 1 << 62


class DiskMeter:
    """Watches folders that a tree is writing to. Their content now is what was given and costs nothing.

    A process may hide its descriptors from a plain user: while one does, all that the file system has lost since the
    start counts as the tree's.
    """

    def __init__(self, folders: Sequence[Path], *, pids: Callable[[], Iterable[int]]) -> None:
        self._folders = folders
        self._pids = pids
        self._devices = {folder.stat().st_dev for folder in folders}
        self._given = self._named({})
        self._added = 0
        self._free_at_first = self._free = self._free_bytes()
        self._next = time.monotonic() + _LOOK_S

    def is_past(self, bound: int) -> bool:
        """Whether more than `bound` bytes were added.

        The folders are counted once a second, and at once when the file system has lost half of what was left.
        """
        free = self._free_bytes()
        if self._free - free < (bound - self._added) // 2 and time.monotonic() < self._next:
            return False
        start = time.monotonic()
        self._added, self._free = self.added(), free
        # Counting may take half of the time, however many files there are.
        self._next = time.monotonic() + max(_LOOK_S, time.monotonic() - start)
        return self._added > bound

    def added(self) -> int:
        """Bytes added up to now, counted anew."""
        sizes: dict[tuple[int, int], int] = {}
        added = self._named(sizes) - self._given
        seen = set(sizes)
        shown = [_open_files(pid, self._devices, sizes) for pid in self._pids()]
        added += sum(size for file, size in sizes.items() if file not in seen)
        return added if all(shown) else max(added, self._free_at_first - self._free_bytes())

    def _named(self, sizes: dict[tuple[int, int], int]) -> int:
        """Bytes that have a name in the folders; the size of each file goes to `sizes` as well."""
        return sum(_tree_bytes(folder, sizes) for folder in self._folders) + sum(sizes.values())

    def _free_bytes(self) -> int:
        there = os.statvfs(self._folders[0])
        return there.f_bfree * there.f_frsize


def _tree_bytes(root: Path, sizes: dict[tuple[int, int], int]) -> int:
    """Sizes of the files go to `sizes`, by device and inode; the result is what folders and names cost.

    A tree too deep to be brought out is past every bound. No link is followed.
    """
    total, pending = 0, [(root, 0)]
    while pending:
        folder, depth = pending.pop()
        if depth > _DEPTH or len(os.fsencode(folder)) - len(os.fsencode(root)) > _PATH_BYTES:
            return _BOTTOMLESS
        with contextlib.suppress(OSError), _listed(folder) as entries:
            for entry in entries:
                total += _ENTRY
                with contextlib.suppress(OSError):
                    info = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(info.st_mode):
                        pending.append((folder / entry.name, depth + 1))
                    else:
                        sizes[info.st_dev, info.st_ino] = info.st_blocks * _BLOCK
    return total


@contextlib.contextmanager
def _listed(folder: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with os.scandir(descriptor) as entries:
            yield entries
    finally:
        os.close(descriptor)


def _open_files(pid: int, devices: Set[int], sizes: dict[tuple[int, int], int]) -> bool:
    """Files without a name that `pid` still has, by descriptor or (where we may look) mapped, go to `sizes`.

    Gives whether its descriptors were shown; those of a process that has ended are.
    """
    shown = True
    for kind in ("fd", "map_files"):
        try:
            places = list(Path(f"/proc/{pid}/{kind}").iterdir())
        except OSError as error:
            shown &= kind != "fd" or not isinstance(error, PermissionError)
            continue
        for place in places:
            with contextlib.suppress(OSError):
                info = place.stat()
                if not info.st_nlink and info.st_dev in devices and stat.S_ISREG(info.st_mode):
                    sizes[info.st_dev, info.st_ino] = info.st_blocks * _BLOCK
    return shown
