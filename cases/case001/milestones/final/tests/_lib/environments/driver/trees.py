"""Trees on disk: each has a uid, a folder that is HOME and working directory, a TMPDIR, and its own shared places."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 (given to one tree at a time)
"""Where everybody may write elsewhere: here only the tree of the running op can, and its files go with it."""
_QUEUES = "/dev/mqueue"


@dataclass(frozen=True, kw_only=True)
class Tree:
    """One tree. `root` is the driver's; what lies in it belongs to the tree's uid."""

    root: Path
    uid: int | None

    @property
    def files(self) -> Path:
        """HOME and working directory; paths of file ops start here."""
        return self.root / "files"

    @property
    def tmp(self) -> Path:
        """TMPDIR."""
        return self.root / "tmp"

    @property
    def parked(self) -> Path:
        """What the tree left in the shared places, while another one has them."""
        return self.root / "parked"

    def parts(self) -> tuple[Path, ...]:
        return (self.files, self.tmp, self.parked)

    def make(self) -> None:
        """Make it, where it is not there yet. Nobody but its uid can look into it."""
        try:
            self.root.mkdir(mode=0o711)
        except FileExistsError:
            return
        for part in self.parts():
            part.mkdir(mode=0o700)
            if self.uid is not None:
                os.chown(part, self.uid, self.uid)

    def open_shared(self) -> None:
        """Give the shared places to this tree's uid alone. Only with uids: else the sandbox ends with the tree."""
        for place in shared_places():
            if self.uid is not None:
                os.chown(place, self.uid, self.uid)  # closed places have mode 0700 already

    def bring(self) -> None:
        """Put back what was parked. Called by a process of the tree's uid, while nothing else of it runs."""
        for place in shared_places():
            _move(self.parked / _plain_name(place), place)

    def park(self) -> None:
        """Take what lies in the shared places out of the way. Called as `bring`; what cannot be moved is left there."""
        for place in shared_places():
            _move(place, self.parked / _plain_name(place))

    def has_parked(self) -> bool:
        """Whether `bring` has something to do. Called by the driver, which may look into every folder."""
        return any(self.parked.iterdir())


def close_shared() -> None:
    """Nobody but uid 0 can enter a place where everybody could write. Raises `PermissionError` when one stays open."""
    for place in (*shared_places(), Path(_QUEUES)):
        if not place.is_dir():
            continue
        try:
            os.chown(place, 0, 0)
            place.chmod(0o700)
            _wipe(place)
        except OSError:
            if place.stat().st_mode & 0o002 and os.access(place, os.W_OK):
                raise PermissionError(f"{place} is open to every call") from None


def _wipe(place: Path) -> None:
    """Take off what its last owner wrote on the folder itself: attributes, access rules, times."""
    for name in os.listxattr(place):
        os.removexattr(place, name)
    os.utime(place, (0, 0))


@functools.cache
def shared_places() -> tuple[Path, ...]:
    """The shared places that are there: nobody can make or remove one while a driver runs."""
    return tuple(path for path in map(Path, SHARED) if path.is_dir())


def _plain_name(place: Path) -> str:
    return place.as_posix().strip("/").replace("/", "-")


def _move(source: Path, dest: Path) -> None:
    """Move what lies in `source`, never following a link. What fails half way is removed with the rest later."""
    if not source.is_dir():
        return
    for entry in list(os.scandir(source)):
        dest.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(OSError, shutil.Error, RecursionError):
            shutil.move(entry.path, dest / entry.name)
