"""The runtime area: what a sandbox needs on disk while it lives, in a place that its uid can reach.

`<area>/kept/<digest>` holds things that never change; `<area>/owners/<id>` is one process of ours, with a locked
`lock` file and a folder per sandbox. A folder whose owner is dead is swept by whoever opens the area next.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import itertools
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from environments.cgroups import sweep_groups
from environments.transfer import Owner, copy_in, others_may_read, remove_tree
from environments.usermap import UserMap, current_users
from taskpack.errors import SandboxUnavailable

VARIABLE = "REPOWRIGHT_RUNTIME"


class Runtime:
    """The area of one process. Opening it sweeps what dead processes left; their sandboxes died with them."""

    def __init__(self, users: UserMap, *, area: Path | None = None) -> None:
        self.users = users
        self.area = area or _default_area(users)
        self._numbers = itertools.count(1)
        self._keeping = threading.Lock()
        self._readable: dict[Path, Path] = {}
        _make_area(self.area, users)
        with _locked(self.area / "lock"):
            _sweep(self.area / "owners")
            self.own = Path(tempfile.mkdtemp(prefix="", dir=self.area / "owners"))
            _reachable(self.own, users)
            self._lock: IO[bytes] = (self.own / "lock").open("wb")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._pid = os.getpid()
        atexit.register(self.close)

    def close(self) -> None:
        """Take the process's own folder away. A forked child leaves it to its parent."""
        if os.getpid() == self._pid and not self._lock.closed:
            # Half removed it looks like a dead owner's to whoever sweeps: both happen under the area's lock.
            with contextlib.suppress(FileNotFoundError), _locked(self.area / "lock"):
                sweep_groups(self.own)  # with its folder would go what tells where they are
                remove_tree(self.own)
            self._lock.close()
            atexit.unregister(self.close)

    def new_run(self) -> Path:
        """A fresh folder for one sandbox."""
        folder = self.own / f"run-{next(self._numbers)}"
        folder.mkdir()
        _reachable(folder, self.users)
        return folder

    def keep(self, source: Path, digest: str) -> Path:
        """Where `source`, which never changes and is named by `digest`, can be read: itself, or a copy made once."""
        with self._keeping:
            if source not in self._readable:
                self._readable[source] = source if self._can_read(source) else self._kept(source, digest)
            return self._readable[source]

    def _kept(self, source: Path, digest: str) -> Path:
        place = self.area / "kept" / digest
        if not place.is_dir():
            with _locked(self.area / "lock"):
                if not place.is_dir():
                    part = self.area / "kept" / f".{digest}.part"
                    remove_tree(part)
                    copy_in(source, part)
                    part.rename(place)
        return place

    def readable(self, source: Path, run: Path, name: str) -> Path:
        """Where the sandbox's uid can read `source`: itself, or a copy in `run`."""
        if self._can_read(source):
            return source
        copy_in(source, run / name)
        return run / name

    def writable(self, source: Path, run: Path, name: str, *, users: UserMap) -> Path:
        """A copy of `source` in `run` that belongs to the uid of the sandbox whose map is `users`."""
        copy_in(source, run / name, owner=Owner(uid=users.uid, gid=users.gid) if users.dropped else None)
        return run / name

    def _can_read(self, source: Path) -> bool:
        return not self.users.dropped or others_may_read(source, gid=self.users.gid)


@contextlib.contextmanager
def scratch(users: UserMap | None = None) -> Iterator[Path]:
    """A fresh folder in the area: ours to list, the dropped uid's to pass through, removed on leaving.

    `users` are those of the sandbox that looks into it, else the current ones. What a killed process left is swept by
    whoever opens the area next. Raises `SandboxUnavailable` when the area is not ours.
    """
    runtime = Runtime(users or current_users())
    try:
        yield runtime.new_run()
    finally:
        runtime.close()


def _default_area(users: UserMap) -> Path:
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute()
    name = f"repowright-{os.geteuid()}" + (f"-{users.uid}" if users.dropped else "")
    places = [Path("/var/tmp"), Path(tempfile.gettempdir())]  # noqa: S108 (the folder's owner and mode are checked)
    usable = [place for place in places if place.is_dir() and os.access(place, os.W_OK | os.X_OK)]
    if not usable:
        raise SandboxUnavailable(
            "there is no temporary folder for sandboxes",
            details={"tried": ", ".join(str(place) for place in places)},
            remedy=f"set {VARIABLE} to a folder of your own",
        )
    return usable[0] / name


def _make_area(area: Path, users: UserMap) -> None:
    """Make the area, or check that the one there is ours: a name in a public folder may be taken by someone else."""
    area.mkdir(mode=0o700, parents=True, exist_ok=True)
    info = area.lstat()
    if area.is_symlink() or info.st_uid != os.geteuid() or info.st_mode & 0o027:
        raise SandboxUnavailable(
            "the sandbox's runtime folder is not ours alone",
            details={"folder": str(area), "owner": str(info.st_uid), "mode": f"{info.st_mode & 0o7777:o}"},
            remedy=f"remove that folder, or set {VARIABLE} to another one",
        )
    _reachable(area, users)
    for name in ("kept", "owners"):
        (area / name).mkdir(mode=0o700, exist_ok=True)
        _reachable(area / name, users)


def _reachable(folder: Path, users: UserMap) -> None:
    """Let the dropped uid's group pass through, and nobody else."""
    if users.dropped:
        os.chown(folder, -1, users.gid)
    folder.chmod(0o710)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sweep(owners: Path) -> None:
    for owner in owners.iterdir():
        with contextlib.suppress(FileNotFoundError), (owner / "lock").open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
        if not sweep_groups(owner):
            continue  # with its folder would go what tells where its groups are
        with contextlib.suppress(OSError):  # what a dying process still writes is left to the next sweep
            remove_tree(owner)
