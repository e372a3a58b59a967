"""What a launch's masked paths come to on a base: places that are there, and whether each is a folder."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from environments.interface import Mount
from taskpack.errors import SandboxFailed

NOTHING = "/dev/null"
"""What a masked file is covered with: it has no content, is no plain file, and cannot be run."""
_OPEN = frozenset({"app", "dev", "proc", "run", "sys", "tmp"})
"""Tops that are other in each sandbox, or hold what is judged."""
_LINKS = 40


@dataclass(frozen=True, kw_only=True)
class Cover:
    """One place inside to be covered."""

    dest: str
    folder: bool


def covers(masked: Sequence[str], *, root: Path, mounts: Sequence[Mount]) -> tuple[Cover, ...]:
    """Each masked place once, links followed as they would be inside; none below another. `root` is the base's root.

    Raises `SandboxFailed` for a path that no mask can cover.
    """
    found: dict[str, bool] = {}
    for path in masked:
        place = PurePosixPath(path)
        if not place.is_absolute() or ".." in place.parts or len(place.parts) < 3 or place.parts[1] in _OPEN:
            raise SandboxFailed(
                f"{path} cannot be masked",
                details={"fact": "it is not absolute, a top, or in a folder of the sandbox's own"},
                remedy="correct the launch",
            )
        for dest, mode in _real(place, root, mounts):
            if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
                found[str(dest)] = stat.S_ISDIR(mode)
    above = {dest for dest, folder in found.items() if folder}
    return tuple(
        Cover(dest=dest, folder=folder)
        for dest, folder in sorted(found.items())
        if not any(str(parent) in above for parent in PurePosixPath(dest).parents)
    )


def _real(place: PurePosixPath, root: Path, mounts: Sequence[Mount]) -> Iterator[tuple[PurePosixPath, int]]:
    """The place without links, and what it is; nothing when it is not there, or leads to a folder of the sandbox's."""
    todo, seen, links = list(place.parts[1:]), PurePosixPath("/"), 0
    mode = stat.S_IFDIR
    while todo:
        part = todo.pop(0)
        seen = seen.parent if part == ".." else seen / part
        outside = _outside(seen, root, mounts)
        try:
            mode = outside.lstat().st_mode
        except OSError:
            if any(PurePosixPath(mount.dest).is_relative_to(seen) for mount in mounts):
                mode = stat.S_IFDIR  # made on the way to the mount; the base has no such folder
                continue
            return
        if stat.S_ISLNK(mode):
            links += 1
            target = PurePosixPath(outside.readlink())
            seen = PurePosixPath("/") if target.is_absolute() else seen.parent
            todo = [*(target.parts[1:] if target.is_absolute() else target.parts), *todo]
            if links > _LINKS:
                return
    if len(seen.parts) >= 3 and seen.parts[1] not in _OPEN:
        yield seen, mode


def _outside(place: PurePosixPath, root: Path, mounts: Sequence[Mount]) -> Path:
    """Where on this machine that lies which is at `place` inside."""
    for mount in mounts:
        if place.is_relative_to(mount.dest):
            return mount.source / place.relative_to(mount.dest)
    return root / place.relative_to("/")
