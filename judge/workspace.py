"""A candidate's workspace, copied before anything looks at it: what is digested is what is judged."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import BadInput
from taskpack.files import space_errors, tree_digest
from taskpack.wire.encoding import well_formed

_FILES_CAP = 50_000
_BYTES_CAP = 1024 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """A private copy."""

    root: Path
    digest: str
    absent: tuple[str, ...]
    """What was left out, each with its reason."""


def copy_workspace(source: Path, dest: Path) -> Workspace:
    """Copy `source` to `dest` without following a link.

    Links that leave the tree, devices, sockets and pipes are left out, and so is every `__pycache__`: stale bytecode
    would run in the place of its source. Modes become 0644, 0755. Raises `BadInput` when it is no folder or too large.
    """
    if not source.is_dir():
        raise BadInput(f"{source} is no workspace", details={"fact": "it is not a folder"})
    absent: list[str] = []
    total = count = 0
    with space_errors(dest):
        dest.mkdir(mode=0o755)
        for entry, relative in _entries(source, absent):
            info = entry.stat(follow_symlinks=False)
            count += 1
            total += info.st_size if stat.S_ISREG(info.st_mode) else 0
            if count > _FILES_CAP or total > _BYTES_CAP:
                raise BadInput(
                    f"{source} is too large to be judged",
                    details={"entries": f"more than {_FILES_CAP}, or more than {_BYTES_CAP} bytes"},
                )
            absent += _copy(source, relative, dest / relative, info.st_mode)
    return Workspace(root=dest, digest=tree_digest(dest), absent=tuple(well_formed(fact) for fact in sorted(absent)))


def _entries(root: Path, absent: list[str]) -> Iterator[tuple[os.DirEntry[str], Path]]:
    """Folders before what they hold."""
    todo = [(root, Path())]
    while todo:
        folder, relative = todo.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda item: os.fsencode(item.name))
        except PermissionError:
            absent.append(f"{relative}: it cannot be read")
            continue
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            place = relative / entry.name
            yield entry, place
            if entry.is_dir(follow_symlinks=False):
                todo.append((Path(entry.path), place))


def _copy(root: Path, relative: Path, target: Path, mode: int) -> list[str]:
    """Copy one entry; or the reason why it is left out."""
    if stat.S_ISDIR(mode):
        target.mkdir(mode=0o755)
        return []
    if stat.S_ISLNK(mode):
        return _copy_link(root, relative, target)
    if stat.S_ISREG(mode):
        return _copy_file(root, relative, target)
    return [f"{relative}: neither file, folder nor link"]


def _copy_link(root: Path, relative: Path, target: Path) -> list[str]:
    """Keep a relative link whose text stays inside the tree; else tell why it is absent."""
    text = (root / relative).readlink()
    # By its text alone: what it would lead to here says nothing about the sandbox.
    inside = Path(os.path.normpath(relative.parent / text))
    if text.is_absolute() or inside.parts[:1] == ("..",):
        return [f"{relative}: a link that leaves the workspace"]
    target.symlink_to(text)
    return []


def _copy_file(root: Path, relative: Path, target: Path) -> list[str]:
    try:
        reading = os.open(root / relative, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except PermissionError:
        return [f"{relative}: it cannot be read"]
    with os.fdopen(reading, "rb") as file, target.open("wb") as out:
        while part := file.read(1024 * 1024):
            out.write(part)
        executable = os.fstat(file.fileno()).st_mode & stat.S_IXUSR
    target.chmod(0o755 if executable else 0o644)
    return []
