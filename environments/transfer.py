"""Trees that cross the border of a sandbox: what others may read, copies in and out, removal. No link is followed."""

from __future__ import annotations

import logging
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from taskpack.files import space_errors

_log = logging.getLogger(__name__)

DEPTH = 64
PATH_BYTES = 1024
ENTRIES = 200_000
BYTES = 2 * 1024**3
"""Bounds of a copy out. What lies beyond them stays behind, and the log says so."""


def others_may_read(path: Path, *, gid: int | None = None) -> bool:
    """Whether a uid that owns nothing here, and has the group `gid`, can reach `path` and read all of it."""
    if not all(_may_pass(parent.stat(), gid) for parent in path.parents):
        return False
    if not path.is_dir():
        return bool(path.stat().st_mode & stat.S_IROTH)
    for folder, _, names, descriptor in os.fwalk(path):
        if os.fstat(descriptor).st_mode & 0o005 != 0o005:
            return False
        for name in names:
            info = os.lstat(Path(folder, name))
            if stat.S_ISREG(info.st_mode) and not info.st_mode & stat.S_IROTH:
                return False
    return True


def _may_pass(folder: os.stat_result, gid: int | None) -> bool:
    return bool(folder.st_mode & (stat.S_IXGRP if folder.st_gid == gid else stat.S_IXOTH))


@dataclass(frozen=True, kw_only=True)
class Owner:
    """To whom copied files belong."""

    uid: int
    gid: int


def copy_in(source: Path, dest: Path, *, owner: Owner | None = None) -> None:
    """Copy a file or tree so that everyone may read it: links as links, sockets and devices left out.

    Everything copied is given to `owner`. Raises `NoSpace` on a full disk.
    """
    with space_errors(dest):
        if not source.is_dir():
            _copy_file(source, dest, owner)
            return
        pending = [(source, dest)]
        while pending:
            here, there = pending.pop()
            there.mkdir(parents=True)
            _give(there, 0o755, owner)
            with os.scandir(here) as entries:
                for entry in entries:
                    target = there / entry.name
                    if entry.is_symlink():
                        target.symlink_to(Path(entry.path).readlink())
                        _own_link(target, owner)
                    elif entry.is_dir(follow_symlinks=False):
                        pending.append((Path(entry.path), target))
                    elif entry.is_file(follow_symlinks=False):
                        _copy_file(Path(entry.path), target, owner)


def copy_out(source: Path, dest: Path) -> tuple[str, ...]:
    """Make the folder `dest` hold what a sandbox left in `source`: plain files and folders, nothing else.

    Gives the paths left behind (links, special files, what exceeds the bounds). Nothing may run in `source` any more.
    """
    fresh = dest.parent / f".{dest.name}.{os.getpid()}.in"
    left: list[str] = []
    with space_errors(dest):
        try:
            fresh.mkdir()
            _copy_plain(source, fresh, left)
            for old in list(dest.iterdir()):
                shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
            for new in list(fresh.iterdir()):
                new.rename(dest / new.name)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    if left:
        _log.warning("left inside the sandbox: %s", ascii(left[:20]))
    return tuple(left)


def remove_tree(root: Path) -> None:
    """Remove a folder that untrusted code filled: any depth, any mode. Nothing may run in it any more."""
    if not root.exists():
        return
    root.chmod(0o700)
    count = 0
    while entries := list(os.scandir(root)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                Path(entry.path).unlink()
                continue
            # Subfolders move up, so that no path grows longer than the one we start from.
            Path(entry.path).chmod(0o700)
            for inner in list(os.scandir(entry.path)):
                if inner.is_dir(follow_symlinks=False):
                    Path(inner.path).chmod(0o700)
                    Path(inner.path).rename(root / f".up-{count}")
                    count += 1
                else:
                    Path(inner.path).unlink()
            Path(entry.path).rmdir()
    root.rmdir()


def _copy_plain(source: Path, dest: Path, left: list[str]) -> None:
    pending = [(source, dest, 0)]
    entries_left, bytes_left = ENTRIES, BYTES
    while pending:
        here, there, depth = pending.pop()
        for entry in sorted(os.scandir(here), key=lambda entry: entry.name):
            target, info = there / entry.name, entry.stat(follow_symlinks=False)
            entries_left -= 1
            name = os.path.relpath(entry.path, source)
            if entries_left < 0 or depth >= DEPTH or len(os.fsencode(name)) > PATH_BYTES:
                left.append(name[:200])
                break
            if stat.S_ISDIR(info.st_mode):
                target.mkdir()
                if os.geteuid() != 0:
                    Path(entry.path).chmod(0o700)
                pending.append((Path(entry.path), target, depth + 1))
            elif stat.S_ISREG(info.st_mode) and info.st_size <= bytes_left:
                bytes_left -= info.st_size
                if os.geteuid() != 0:
                    Path(entry.path).chmod(info.st_mode | 0o400)
                _copy_file(Path(entry.path), target, None)
            else:
                left.append(name[:200])


def _copy_file(source: Path, dest: Path, owner: Owner | None) -> None:
    shutil.copyfile(source, dest, follow_symlinks=False)
    _give(dest, 0o755 if source.stat().st_mode & stat.S_IXUSR else 0o644, owner)


def _give(path: Path, mode: int, owner: Owner | None) -> None:
    path.chmod(mode)
    if owner is not None:
        os.chown(path, owner.uid, owner.gid)


def _own_link(path: Path, owner: Owner | None) -> None:
    if owner is not None:
        os.lchown(path, owner.uid, owner.gid)
