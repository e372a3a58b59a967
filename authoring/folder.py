"""Reading a plain folder on this machine as a source. No program runs in it, and no link is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from authoring.archive import Contents
from authoring.members import (
    Bounds,
    Member,
    Mode,
    Refused,
    RefusedMember,
    by_bytes,
    check_members,
    clean_name,
    is_git_internal,
)
from taskpack.errors import BadInput

_DEEPEST = 64


def read_folder(root: Path, bounds: Bounds | None = None) -> Contents | Refused:
    """The files of `root`, held in memory; what git itself would read is left out and said.

    `Refused` names the first entry that breaks a rule. Raises `BadInput` when there is no such folder or a file cannot
    be read.
    """
    if root.is_symlink() or not root.is_dir():
        raise BadInput(
            "the source is no folder",
            details={"path": str(root), "fact": "a symbolic link" if root.is_symlink() else "there is none"},
            remedy="write the path of the folder itself into source.path of order.toml",
        )
    dropped: set[str] = set()
    try:
        members = list(_entries(root, bounds or Bounds(), dropped))
        if not members:
            raise RefusedMember("", "the folder holds no files")
        check_members(members)
    except RefusedMember as error:
        return error.refused
    except OSError as error:
        raise BadInput(
            "a file of the source cannot be read",
            details={"path": str(error.filename or root), "fact": error.strerror or type(error).__name__},
            remedy="make it readable, or take it out of the folder",
        ) from error
    return Contents(members=by_bytes(members), dropped=tuple(sorted(dropped)))


def _entries(root: Path, bounds: Bounds, dropped: set[str]) -> Iterator[Member]:
    pending = [("", 0)]
    count = total = 0
    while pending:
        folder, depth = pending.pop()
        for entry in sorted(os.scandir(root / folder), key=lambda entry: entry.name):
            raw = f"{folder}/{entry.name}" if folder else entry.name
            name = clean_name(raw)
            if is_git_internal(name):
                dropped.add(f"{name}: read by git itself")
            elif entry.is_dir(follow_symlinks=False):
                if depth >= _DEEPEST:
                    raise RefusedMember(name, f"more than {_DEEPEST} folders deep")
                pending.append((raw, depth + 1))
            else:
                member = _member(Path(entry.path), name, bounds)
                count, total = count + 1, total + len(member.data)
                if count > bounds.members:
                    raise RefusedMember(name, f"more than {bounds.members:,} members")
                if total > bounds.total_bytes:
                    raise RefusedMember(name, f"more than {bounds.total_bytes:,} bytes in all")
                yield member


def _member(path: Path, name: str, bounds: Bounds) -> Member:
    if path.is_symlink():
        return Member(path=name, mode=Mode.LINK, data=os.fsencode(path.readlink()))
    # Opened without waiting for a writer and without following, so that what is looked at is what is read.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK) if path.is_file() else -1
    if descriptor < 0:
        raise RefusedMember(name, "a device, a pipe or an unknown kind of entry")
    with os.fdopen(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise RefusedMember(name, "a device, a pipe or an unknown kind of entry")
        data = file.read(bounds.member_bytes + 1)
    if len(data) > bounds.member_bytes:
        raise RefusedMember(name, f"more than {bounds.member_bytes:,} bytes")
    return Member(path=name, mode=Mode.EXECUTABLE if info.st_mode & stat.S_IXUSR else Mode.FILE, data=data)
