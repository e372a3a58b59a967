"""A candidate's workspace, copied before anything looks at it: what is digested is what is judged."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import BadInput, SandboxFailed
from taskpack.files import space_errors, tree_digest
from taskpack.wire.encoding import well_formed

_FILES_CAP = 50_000
_BYTES_CAP = 1024 * 1024 * 1024
_DEPTH_CAP = 100
_PATH_CAP = 2000
"""Bytes of a path within the tree: with the place of a copy before it, it stays one that can be opened."""
_CHUNK = 1024 * 1024
_TOO_MANY = "the workspace has more than {} entries"
_OURS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ESTALE, errno.EAGAIN, errno.ETIMEDOUT})
"""What no tree can bring about: this process or this machine is at an end of something."""
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR})
"""It was listed a moment before."""


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """A private copy."""

    root: Path
    digest: str
    """Of the tree; of what was seen until then when it was refused."""
    absent: tuple[str, ...]
    """What was left out, each with its reason."""
    refusal: str = ""
    """Why it is not copied at all: it is beyond a bound. `root` is an empty folder then."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Something in a tree, as it was found."""

    place: Path
    """Relative to the tree's root."""
    mode: int
    size: int
    """Bytes of a file; 0 for all else."""


Leave = Callable[[Path, int], str]
"""Why what lies at a path, of that mode, is left behind with all that is in it; empty when it is not."""


class Refused(Exception):
    """The tree is beyond a bound, which the text names."""


class Meter:
    """Counts what a workspace holds."""

    def __init__(self) -> None:
        self._entries = self._bytes = 0

    @property
    def room(self) -> int:
        """How many entries more there may be."""
        return _FILES_CAP - self._entries

    def add(self, place: Path, size: int) -> None:
        """Count one entry. Raises `Refused` at the first bound that is passed."""
        self._entries += 1
        self._bytes += size
        if self.room < 0:
            raise Refused(_TOO_MANY.format(_FILES_CAP))
        if self._bytes > _BYTES_CAP:
            raise Refused(f"the workspace has more than {_BYTES_CAP} bytes")
        if len(place.parts) > _DEPTH_CAP or len(os.fsencode(place)) > _PATH_CAP:
            bounds = f"{_DEPTH_CAP} folders, or has a path of more than {_PATH_CAP} bytes"
            raise Refused(f"the workspace nests deeper than {bounds}")


def copy_workspace(source: Path, dest: Path) -> Workspace:
    """Copy `source` to `dest` without following a link.

    Links that leave the tree, devices, sockets, pipes and what cannot be read are left out, and so is every
    `__pycache__`: stale bytecode would run in the place of its source. Modes become 0644, 0755. A tree beyond a bound
    is refused before a byte of it is copied. Raises `BadInput` when `source` itself is no folder that we can look
    into, or changes meanwhile; `SandboxFailed`, `NoSpace` when this machine cannot read or write what it should. All
    else is the doing of whoever filled it.
    """
    check_folder(source)
    absent: list[str] = []
    seen = hashlib.sha256()
    with space_errors(dest):
        dest.mkdir(mode=0o755)
        try:
            entries = list(bounded(source, absent, seen))
            left = _BYTES_CAP
            for entry in entries:
                left -= _copy(source, entry, dest, left, absent)
            check_folder(source)
        except Refused as error:
            _empty(dest)
            seen.update(str(error).encode())
            return Workspace(root=dest, digest=seen.hexdigest(), absent=(), refusal=str(error))
    told = tuple(well_formed(fact) for fact in sorted(absent))
    return Workspace(root=dest, digest=tree_digest(dest), absent=told)


def copy_folder(source: Path, dest: Path, *, what: str) -> Workspace:
    """The same for a tree that is not a candidate's. Raises `BadInput` also for one beyond a bound, or not readable."""
    if not source.is_dir():
        raise BadInput(
            f"{what} is not there",
            details={"missing": str(source)},
            remedy="name a folder that is complete, or make it again",
        )
    copied = copy_workspace(source, dest)
    facts = [copied.refusal] if copied.refusal else copied.absent
    if facts:
        raise BadInput(
            f"{what} cannot be used",
            details={"folder": str(source), "fact": "; ".join(facts)[:400]},
            remedy="take out what does not belong there, and make readable what does",
        )
    return copied


def check_folder(source: Path) -> None:
    """Raises `BadInput` unless it is a folder that we can look into."""
    fact = "it is not a folder"
    try:
        if source.is_dir():
            os.scandir(source).close()
            return
    except OSError as error:
        fact = error.strerror or str(error)
    raise BadInput(
        f"{source} is no workspace",
        details={"fact": fact},
        remedy="name the folder that holds the candidate's files, one that you may read",
    )


def bounded(
    root: Path, absent: list[str], seen: hashlib._Hash, *, leave: Leave = lambda _path, _mode: ""
) -> Iterator[Entry]:
    """Every entry, each folder before what it holds; what is left out is told in `absent`. Raises `Refused`."""
    meter = Meter()
    todo = [Path()]
    while todo:
        folder = todo.pop()
        for name in _names(root, folder, meter.room, absent):
            entry = _look(root, folder / name, absent)
            if entry is None:
                continue
            if reason := leave(root / entry.place, entry.mode):
                absent.append(f"{entry.place}: {reason}")
                continue
            seen.update(os.fsencode(entry.place) + f"\0{stat.S_IFMT(entry.mode):o}\0{entry.size}\n".encode())
            meter.add(entry.place, entry.size)
            if stat.S_ISDIR(entry.mode):
                todo.append(entry.place)
            yield entry


def _names(root: Path, folder: Path, room: int, absent: list[str]) -> list[str]:
    found: list[str] = []
    try:
        with os.scandir(root / folder) as entries:
            for entry in entries:
                if entry.name == "__pycache__":
                    continue
                found.append(entry.name)
                if len(found) > room:
                    raise Refused(_TOO_MANY.format(_FILES_CAP))
    except OSError as error:
        absent.append(f"{folder}: it cannot be read ({theirs(error, folder)})")
    return sorted(found, key=os.fsencode)


def _look(root: Path, place: Path, absent: list[str]) -> Entry | None:
    try:
        info = (root / place).lstat()
    except OSError as error:
        absent.append(f"{place}: it cannot be read ({theirs(error, place)})")
        return None
    return Entry(place=place, mode=info.st_mode, size=_size(info))


def _size(info: os.stat_result) -> int:
    return info.st_size if stat.S_ISREG(info.st_mode) else 0


def _copy(root: Path, entry: Entry, dest: Path, left: int, absent: list[str]) -> int:
    """Copy one entry, or tell why it is left out; gives the bytes that it took."""
    source, target = root / entry.place, dest / entry.place
    if stat.S_ISDIR(entry.mode):
        target.mkdir(mode=0o755)
    elif stat.S_ISLNK(entry.mode):
        _copy_link(source, entry.place, target, absent)
    elif stat.S_ISREG(entry.mode):
        return _copy_file(source, entry.place, target, left, absent)
    else:
        absent.append(f"{entry.place}: neither file, folder nor link")
    return 0


def _copy_link(source: Path, place: Path, target: Path, absent: list[str]) -> None:
    """Keep a relative link whose text stays inside the tree for certain; else tell why it is absent."""
    try:
        text = source.readlink()
    except OSError as error:
        absent.append(f"{place}: it cannot be read ({theirs(error, place)})")
        return
    reason = why_no_link(place, text)
    if reason:
        absent.append(f"{place}: {reason}")
    else:
        target.symlink_to(text)


def why_no_link(place: Path, text: Path) -> str:
    """Why a link at `place` with this text is not kept; empty for one that stays inside the tree for certain."""
    # By its text alone: what it would lead to here says nothing about the sandbox.
    inside = Path(os.path.normpath(place.parent / text))
    if text.is_absolute() or inside.parts[:1] == ("..",):
        return "a link that leaves the workspace"
    if _goes_up_after_a_name(text):
        return "a link with .. after a name, which may leave the workspace"
    return ""


def _goes_up_after_a_name(text: Path) -> bool:
    """The name may be another link's, and `..` is then the parent of whatever that one leads to."""
    ups = [part == ".." for part in text.parts]
    return any(ups[ups.index(False) :]) if False in ups else False


def _copy_file(source: Path, place: Path, target: Path, left: int, absent: list[str]) -> int:
    """What cannot be read is absent; a disk that is full is our own trouble and is raised."""
    try:
        reading = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        absent.append(f"{place}: it cannot be read ({theirs(error, place)})")
        return 0
    size = 0
    with os.fdopen(reading, "rb", buffering=0) as file, target.open("wb") as out:
        info = os.fstat(reading)
        while part := _read(file.fileno(), place, absent):
            size += len(part)
            if size > left:
                raise Refused(f"the workspace has more than {_BYTES_CAP} bytes")
            out.write(part)
    target.chmod(0o755 if info.st_mode & stat.S_IXUSR else 0o644)
    return size


def _read(descriptor: int, place: Path, absent: list[str]) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError as error:
        absent.append(f"{place}: only its beginning can be read ({theirs(error, place)})")
        return b""


def theirs(error: OSError, place: Path) -> str:
    """Why it cannot be read, where the tree is the reason. Raises `SandboxFailed` or `BadInput` where it is not."""
    check_machine(error, place)
    fact = error.strerror or str(error)
    if error.errno in _GONE:
        raise BadInput(
            "a workspace changed while it was copied",
            details={"file": str(place), "fact": fact},
            remedy="judge it again when nothing writes to it",
        ) from error
    return fact


def check_machine(error: OSError, place: Path) -> None:
    """Raises `SandboxFailed` for an error that no tree can bring about, met while its copy is read or written."""
    if error.errno in _OURS:
        raise SandboxFailed(
            "a workspace could not be copied",
            details={"file": str(place), "fact": error.strerror or str(error)},
            remedy="look at this machine's disks and at the limits of this process (ulimit -a), and judge it again",
        ) from error


def _empty(folder: Path) -> None:
    """Of what we copied ourselves, so neither deep nor closed."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
