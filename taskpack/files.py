"""Writing without halves and digests of what lies on disk."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from taskpack.errors import NoSpace
from taskpack.scratch import PART, temporary_file

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the system says when a disk, or somebody's share of it, is full."""


@contextlib.contextmanager
def space_errors(path: Path) -> Iterator[None]:
    """Turn a full disk into `NoSpace` that names the place."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise NoSpace(
                f"no space left while writing {path.name}",
                details={"folder": str(path.parent), "errno": errno.errorcode[error.errno or 0]},
                remedy="free some space and run the same command again; finished stages are kept",
            ) from error
        raise


def write_bytes(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write atomically and durably: a reader sees the old bytes or the new, also after a crash.

    Raises `NoSpace` on a full disk; the old content is then untouched and no temporary file is left.
    """
    with space_errors(path):
        make_folder(path.parent)
        with temporary_file(path.parent, prefix=f".{path.name}.", suffix=PART) as made:
            made.file.write(data)
            made.file.flush()
            os.fchmod(made.file.fileno(), mode)
            os.fsync(made.file.fileno())
            made.path.replace(path)
            sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make `folder` and its parents, durably: what is synced inside them later is found there after a crash."""
    missing = [place for place in (folder, *folder.parents) if not place.is_dir()]
    for place in reversed(missing):
        place.mkdir(exist_ok=True)
        with contextlib.suppress(PermissionError):  # a parent that we may write in and not read
            sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename inside `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(root: Path) -> None:
    """Flush every file and folder below `root` (and `root`) to disk."""
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if path.is_symlink() or not path.is_file():
                continue
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        sync_folder(Path(folder))


def publish_folder(source: Path, dest: Path) -> None:
    """Move a finished folder to its final name, durably. An existing `dest` wins: it has the same content by name."""
    with space_errors(dest):
        make_folder(dest.parent)
        sync_tree(source)
        try:
            source.rename(dest)
        except OSError as error:
            if error.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
                raise
            shutil.rmtree(source)
        sync_folder(dest.parent)


def walk(root: Path) -> Iterator[Path]:
    """Every file and symbolic link below `root`, sorted by relative path bytes; links are not followed."""
    found: list[Path] = []
    for folder, folders, names in os.walk(root, followlinks=False):
        found += [Path(folder, name) for name in names]
        found += [Path(folder, name) for name in folders if Path(folder, name).is_symlink()]
    yield from sorted(found, key=lambda path: os.fsencode(path.relative_to(root)))


def file_digest(path: Path) -> str:
    """SHA-256, hexadecimal, of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_digest(root: Path) -> str:
    """SHA-256 over path, kind, executable bit and content (or link target) of every entry, `__pycache__` left out.

    An empty folder is an entry: whoever reads the tree can see it. Neither times nor owners count, so a copy has the
    digest of its original.
    """
    total = hashlib.sha256()
    for folder in _empty_folders(root):
        total.update(os.fsencode(folder) + b"\0folder\n")
    for path in walk(root):
        relative = path.relative_to(root)
        if "__pycache__" in relative.parts:
            continue
        info = path.lstat()
        if stat.S_ISLNK(info.st_mode):
            kind, content = "link", hashlib.sha256(os.fsencode(path.readlink())).hexdigest()
        elif stat.S_ISREG(info.st_mode):
            kind, content = ("exec" if info.st_mode & stat.S_IXUSR else "file"), file_digest(path)
        else:
            kind, content = f"special-{stat.S_IFMT(info.st_mode):o}", ""
        total.update(os.fsencode(relative) + f"\0{kind}\0{content}\n".encode())
    return total.hexdigest()


def _empty_folders(root: Path) -> list[Path]:
    """Relative paths of folders without any entry, sorted; `root` itself does not count."""
    found = []
    for folder, folders, names in os.walk(root):
        relative = Path(folder).relative_to(root)
        if not folders and not names and relative.parts and "__pycache__" not in relative.parts:
            found.append(relative)
    return sorted(found, key=os.fsencode)
