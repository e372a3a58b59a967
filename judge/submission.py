"""From a solver's container to the judge: a finished workspace as an archive, and the archive as a fresh folder.

`docs/build-contract.md` says what survives. Nothing of a workspace is run on the way, and nothing of it is built.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from judge.printable import printable
from judge.workspace import Entry, Meter, Refused, Workspace, bounded, check_folder, check_machine, theirs, why_no_link
from taskpack.errors import BadInput
from taskpack.files import FULL, space_errors, tree_digest
from taskpack.scratch import SCRATCH, temporary_folder
from taskpack.wire.encoding import well_formed

HISTORY = frozenset({".git", ".hg", ".svn"})
VENV_MARK = "pyvenv.cfg"
_OF_HISTORY = "the history of a version control"
_OF_VENV = "a virtual environment, bound to the place and the interpreter that it was made with"
_BLOCK = 512
_FACT = 300
"""Characters that are told of what is wrong with an archive: some of them are the archive's own."""


@dataclass(frozen=True, kw_only=True)
class Packed:
    """What a harness has taken out of a solver's container."""

    absent: tuple[str, ...]
    """What was left behind, each with its reason."""
    refusal: str = ""
    """Why there is no archive: the workspace is beyond a bound."""


def hand_over(workspace: Path, dest: Path) -> Workspace:
    """Take a finished workspace the whole way: packed, and unpacked to the new folder `dest`.

    Raises `BadInput` when `workspace` is no folder that we can look into, or changes meanwhile; `SandboxFailed`,
    `NoSpace` when this machine cannot read or write what it should.
    """
    with temporary_folder(dest.parent, prefix=SCRATCH) as folder:
        archive = folder / "workspace.tar"
        packed = pack_workspace(workspace, archive)
        if packed.refusal:
            return _refused(dest, packed.refusal)
        taken = unpack_workspace(archive, dest)
    absent = tuple(sorted({*packed.absent, *taken.absent}))
    return Workspace(root=dest, digest=taken.digest, absent=absent, refusal=taken.refusal)


def pack_workspace(workspace: Path, archive: Path) -> Packed:
    """Write the children of `workspace` to the new tar `archive`. No link is followed; nothing may run in it any more.

    Owners, times and names of users are not kept. Raises `BadInput` when `workspace` is no readable folder.
    """
    check_folder(workspace)
    absent: list[str] = []
    try:
        with space_errors(archive), tarfile.open(archive, "w", format=tarfile.PAX_FORMAT, encoding="utf-8") as tar:
            for entry in bounded(workspace, absent, hashlib.sha256(), leave=_left_behind):
                _pack(tar, workspace, entry, absent)
    except Refused as error:
        archive.unlink()
        return Packed(absent=(), refusal=str(error))
    return Packed(absent=tuple(well_formed(fact) for fact in sorted(absent)))


def unpack_workspace(archive: Path, dest: Path) -> Workspace:
    """Write what the uncompressed tar `archive` holds to the new folder `dest`, by the rules of the page.

    The archive may come from any harness; its members are the children of the workspace, with or without `./`. A member
    that is not taken is told in `absent`. Raises `BadInput` when it is no whole tar: then nothing is judged.
    """
    with space_errors(dest):
        dest.mkdir(mode=0o755)
        try:
            with archive.open("rb") as file:
                absent = _unpack(file, dest)
        except Refused as error:
            shutil.rmtree(dest)
            return _refused(dest, str(error))
        except (tarfile.TarError, EOFError, PermissionError) as error:
            raise _broken(archive, printable(str(error))[:_FACT]) from error
    told = tuple(well_formed(fact) for fact in sorted(absent))
    return Workspace(root=dest, digest=tree_digest(dest), absent=told)


def _refused(dest: Path, fact: str) -> Workspace:
    dest.mkdir(mode=0o755)
    return Workspace(root=dest, digest=hashlib.sha256(fact.encode()).hexdigest(), absent=(), refusal=fact)


def _left_behind(path: Path, mode: int) -> str:
    if path.name in HISTORY:
        return _OF_HISTORY
    if stat.S_ISDIR(mode):
        with contextlib.suppress(OSError):
            if stat.S_ISREG((path / VENV_MARK).lstat().st_mode):
                return _OF_VENV
    return ""


def _pack(tar: tarfile.TarFile, root: Path, entry: Entry, absent: list[str]) -> None:
    info = tarfile.TarInfo(str(entry.place))
    info.mode = 0o755 if entry.mode & stat.S_IXUSR or stat.S_ISDIR(entry.mode) else 0o644
    path = root / entry.place
    try:
        if stat.S_ISDIR(entry.mode):
            info.type = tarfile.DIRTYPE
            tar.addfile(info)
        elif stat.S_ISLNK(entry.mode):
            info.type, info.linkname = tarfile.SYMTYPE, str(path.readlink())
            tar.addfile(info)
        elif stat.S_ISREG(entry.mode):
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                info.size = os.fstat(file.fileno()).st_size
                tar.addfile(info, file)
        else:
            absent.append(f"{entry.place}: neither file, folder nor link")
    except OSError as error:
        if error.errno in FULL:
            raise
        absent.append(f"{entry.place}: it cannot be read ({theirs(error, entry.place)})")


def _unpack(file: IO[bytes], dest: Path) -> set[str]:
    meter = Meter()
    with contextlib.ExitStack() as opened:
        with _odd_headers():
            tar = opened.enter_context(
                tarfile.open(fileobj=file, mode="r:", encoding="utf-8", errors="surrogateescape")
            )
            members = list(_members(tar, meter))
        file.seek(tar.offset)
        if file.read(_BLOCK) != bytes(_BLOCK):
            raise tarfile.ReadError("it has no end")
        venvs = {place.parent for place, info in members if place.name == VENV_MARK and info.isreg()}
        taken = _Taken(tar, dest, venvs - {PurePosixPath()}, meter)
        for place, info in members:
            taken.take(place, info)
        taken.make_links()
        return taken.absent


@contextlib.contextmanager
def _odd_headers() -> Iterator[None]:
    """Raise `TarError` for headers that are none, whatever the library makes of them: numbers that are no numbers, or
    greater than any file; one header that only says what the next one means, a thousand times."""
    try:
        yield
    except (ValueError, ArithmeticError, LookupError, RecursionError, MemoryError) as error:
        raise tarfile.ReadError(f"a header that cannot be read ({type(error).__name__})") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the beginning of the file
            raise
        raise tarfile.ReadError("a header that leads nowhere") from error


def _members(tar: tarfile.TarFile, meter: Meter) -> Iterator[tuple[PurePosixPath, tarfile.TarInfo]]:
    for info in tar:
        place = PurePosixPath(info.name)
        meter.add(Path(place), info.size if info.isreg() else 0)
        yield place, info


class _Taken:
    """The members of one archive, being written. Links come last, so that nothing is ever written through one."""

    def __init__(self, tar: tarfile.TarFile, dest: Path, venvs: set[PurePosixPath], meter: Meter) -> None:
        self.absent: set[str] = set()
        self._tar = tar
        self._dest = dest
        self._venvs = venvs
        self._meter = meter
        self._files: dict[PurePosixPath, Path] = {}
        self._links: dict[PurePosixPath, Path] = {}

    def take(self, place: PurePosixPath, info: tarfile.TarInfo) -> None:
        """Write a file or folder; keep a link for later; tell why anything else is absent."""
        if not place.parts or "__pycache__" in place.parts:
            return
        if fact := self._why_not(place, info):
            self.absent.add(fact)
        elif info.issym():
            self._links[place] = Path(info.linkname)
        else:
            with self._telling(place):
                self._write(place, info)

    def make_links(self) -> None:
        """The links, when all else is there."""
        for place, text in self._links.items():
            target = self._dest / place
            behind = [parent for parent in place.parents if (self._dest / parent).is_symlink()]
            if behind:
                self.absent.add(f"{place}: it lies behind the link {behind[-1]}")
                continue
            with self._telling(place):
                target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                target.symlink_to(text)

    def _why_not(self, place: PurePosixPath, info: tarfile.TarInfo) -> str:
        if place.is_absolute() or ".." in place.parts or "\0" in str(place):
            return f"{place}: a name that leaves the workspace"
        for folder in (*reversed(place.parents), place):
            # Told once, of the folder.
            if folder.name in HISTORY:
                return f"{folder}: {_OF_HISTORY}"
            if folder in self._venvs:
                return f"{folder}: {_OF_VENV}"
        reason = "" if info.isreg() or info.isdir() or info.islnk() else "neither file, folder nor link"
        if info.issym():
            reason = why_no_link(Path(place), Path(info.linkname))
        return f"{place}: {reason}" if reason else ""

    def _write(self, place: PurePosixPath, info: tarfile.TarInfo) -> None:
        target = self._dest / place
        folder = target if info.isdir() else target.parent
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if info.isdir():
            return
        with self._opened(place, info) as source, target.open("xb") as out:
            shutil.copyfileobj(source, out)
        target.chmod(0o755 if info.mode & stat.S_IXUSR else 0o644)
        self._files[place] = target

    def _opened(self, place: PurePosixPath, info: tarfile.TarInfo) -> IO[bytes]:
        """The content of a file; a hard link's is that of the file before it that it names."""
        if not info.islnk():
            content = self._tar.extractfile(info)
            if content is None:
                raise OSError(errno.EINVAL, "it has no content")
            return content
        first = self._files.get(PurePosixPath(info.linkname))
        if first is None:
            raise OSError(errno.ENOENT, "a hard link to no file before it")
        self._meter.add(Path(place), first.stat().st_size)
        return first.open("rb")

    @contextlib.contextmanager
    def _telling(self, place: PurePosixPath) -> Iterator[None]:
        """What cannot be written is absent; a full disk, or a machine that is at an end of something, is raised."""
        try:
            yield
        except (FileExistsError, NotADirectoryError):
            self.absent.add(f"{place}: something else has its place")
        except OSError as error:
            if error.errno in FULL:
                raise
            check_machine(error, Path(place))
            self.absent.add(f"{place}: it cannot be written ({error.strerror or error})")


def _broken(archive: Path, fact: str) -> BadInput:
    return BadInput(
        f"{archive.name} is no whole archive of a workspace",
        details={"file": str(archive), "fact": fact or "it is cut off"},
        remedy="copy the workspace out of its container again, as an uncompressed tar",
    )
