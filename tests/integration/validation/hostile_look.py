"""What a run left on this machine. A run has uids and folders of its own, so that others at work here do not count."""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from environments.usermap import SLICES, SPAN

_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run")
_UIDS = SLICES * (SPAN + 1)
_IPC = ("shm", "msg", "sem")
_PATIENCE_S = 10.0
"""The kernel takes some things away a moment after their last user."""


@dataclass(frozen=True, kw_only=True)
class Ground:
    """Where a run happens: the first of its uids, its runtime area and its temporary folder."""

    uid: int
    area: Path
    temporary: Path
    mounts: frozenset[str]
    """Mount points of this machine before the run."""
    owners: set[str] = field(default_factory=set)
    """Names of the folders that the run had in its area, as far as they were `note`d: its control groups carry them."""

    @property
    def environment(self) -> dict[str, str]:
        """What tells a run of ours to stay on this ground."""
        return {
            "REPOWRIGHT_RUNTIME": str(self.area),
            "REPOWRIGHT_SANDBOX_UID": str(self.uid),
            "TMPDIR": str(self.temporary),
        }

    def note(self) -> None:
        """To be called now and then while the run lasts. Each of its owners lives as long as a verdict."""
        self.owners.update(path.name for path in (self.area / "owners").glob("*"))

    def has(self, uid: int) -> bool:
        return self.uid <= uid < self.uid + _UIDS


def new_ground(folder: Path, *, owner: int = 0) -> Ground:
    """Ground that nobody else uses, in `folder`, which belongs to `owner`."""
    uid = 1_200_000_000 + secrets.randbelow(300) * _UIDS
    ground = Ground(uid=owner or uid, area=folder / "area", temporary=folder / "tmp", mounts=_mounts())
    for place in (folder, ground.area, ground.temporary):
        place.mkdir(mode=0o755, exist_ok=True)
        os.chown(place, owner, owner)
    ground.area.chmod(0o700)
    return ground


def left_on(ground: Ground, *, everywhere: bool = True) -> list[str]:
    """A line for each thing that is there and was not before; looked at again for some seconds.

    Without `everywhere`, files are looked for on the ground alone: public folders of a busy machine take long.
    """
    until = time.monotonic() + _PATIENCE_S
    looks = _LOOKS if everywhere else {**_LOOKS, "file": _own_files}
    while True:
        found = [f"{kind}: {what}" for kind, look in looks.items() for what in look(ground)]
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.2)


def _processes(ground: Ground) -> Iterator[str]:
    marker = f"REPOWRIGHT_RUNTIME={ground.area}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            status = (place / "status").read_text("utf-8", "replace")
            environ = (place / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        rows = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        mine = any(ground.has(int(uid)) for uid in rows["Uid"].split())
        if (mine or marker in environ) and place.name != str(os.getpid()):
            yield f"{place.name} {rows['Name'].strip()}"


def _mounts() -> frozenset[str]:
    rows = Path("/proc/self/mountinfo").read_text("utf-8").splitlines()
    return frozenset(f"{row.split()[4]} {row.split(' - ')[1].split()[0]}" for row in rows)


def _new_mounts(ground: Ground) -> Iterator[str]:
    for mount in _mounts() - ground.mounts:
        if mount.startswith(str(ground.area.parent)):
            yield mount


def _files(ground: Ground) -> Iterator[str]:
    for place in (each for each in _PLACES if Path(each).is_dir()):
        range_ = ["-uid", f"+{ground.uid - 1}", "-uid", f"-{ground.uid + _UIDS}"]
        known = ["-path", str(ground.area.parent), "-prune", "-o"]
        done = subprocess.run(["find", place, *known, *range_, "-print"], capture_output=True, text=True, check=False)
        yield from done.stdout.splitlines()
    yield from _own_files(ground)


def public_files(grounds: Sequence[Ground]) -> list[str]:
    """Files of any of these runs' uids in public folders, in one walk."""
    mine: list[str] = []
    for ground in grounds:
        mine += ["-o", "(", "-uid", f"+{ground.uid - 1}", "-uid", f"-{ground.uid + _UIDS}", ")"]
    known = ["-path", str(grounds[0].area.parent.parent), "-prune", "-o"]
    places = [each for each in _PLACES if Path(each).is_dir()]
    command = ["find", *places, *known, "(", *mine[1:], ")", "-print"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def _own_files(ground: Ground) -> Iterator[str]:
    for path in ground.temporary.iterdir():
        yield str(path)
    for path in (ground.area / "owners").glob("*"):
        yield str(path)


def _ipc(ground: Ground) -> Iterator[str]:
    for kind in _IPC:
        titles, *rows = Path("/proc/sysvipc", kind).read_text("ascii").splitlines()
        places = [titles.split().index(name) for name in ("uid", "cuid")]
        for row in rows:
            if any(ground.has(int(row.split()[place])) for place in places):
                yield f"{kind} {row.split()[1]}"


def _keys(ground: Ground) -> Iterator[str]:
    rows = Path("/proc/key-users")
    for row in rows.read_text("ascii").splitlines() if rows.is_file() else ():
        if ground.has(int(row.partition(":")[0])):
            yield row


def _groups(ground: Ground) -> Iterator[str]:
    for folder, _, _ in os.walk("/sys/fs/cgroup"):
        if any(owner in Path(folder).name for owner in ground.owners):
            yield folder


_LOOKS: dict[str, Callable[[Ground], Iterator[str]]] = {
    "process": _processes,
    "mount": _new_mounts,
    "file": _files,
    "ipc": _ipc,
    "keys": _keys,
    "control group": _groups,
}
"""Namespaces live as long as a process, a mount or a descriptor holds them: the first two are looked for, and the
descriptors are gone with the run. Only mounts on the run's own ground are told from a neighbour's."""
