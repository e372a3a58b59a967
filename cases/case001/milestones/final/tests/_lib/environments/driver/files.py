"""File ops in a tree, done by a process of the tree's uid: links are listed, never followed."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from environments.driver.end import remove
from taskpack.wire.encoding import Body, Encoder, well_formed
from taskpack.wire.frames import BODY_CAP, Frame, Json
from taskpack.wire.messages import wire_error
from taskpack.wire.requests import Request

ENTRIES_CAP = 10_000
DEPTH_CAP = 64
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
}
_ERRORS = {
    errno.ENOENT: "wire.NoSuchPath",
    errno.ENOTDIR: "wire.NotAFolder",
    errno.ELOOP: "wire.IsALink",
    errno.EISDIR: "wire.IsAFolder",
    errno.EEXIST: "wire.Exists",
    errno.EACCES: "wire.NotAllowed",
    errno.ENXIO: "wire.NotAFile",
}
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class _OverLimit(Exception):
    """More than a reply may hold; the text names the limit."""


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A name in an open folder."""

    folder: int
    name: str
    path: str

    def stat(self) -> os.stat_result:
        return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)

    def entry(self) -> Json:
        info = self.stat()
        kind = _KINDS.get(stat.S_IFMT(info.st_mode), "device")
        size = info.st_size if kind == "file" else 0
        return {"path": well_formed(self.path), "kind": kind, "mode": stat.S_IMODE(info.st_mode), "size": size}


def file_op(request: Request, frame: Frame, root: Path) -> Frame:
    """Do `put`, `get`, `list` or `delete` below `root`; the statement's frame, whatever came of it."""
    body = Body()
    try:
        said = _OPS[request.op](request, frame, root, body)
    except OSError as error:
        body = Body()
        if error.errno in _FULL:
            said = {"outcome": "limit", "limit": "disk"}
        else:
            kind = _ERRORS.get(error.errno or 0, "wire.FileError")
            said = {"outcome": "raised", "error": wire_error(kind, f"{error.strerror}: {error.filename}")}
    except _OverLimit as error:
        body, said = Body(), {"outcome": "limit", "limit": str(error)}
    return Frame(header=said, body=body.to_bytes())


def _put(request: Request, frame: Frame, root: Path, _body: Body) -> dict[str, Json]:
    content, mode = request.own.get("content"), request.own.get("mode")
    for path in request.paths:
        with _placed(root, path, make=True) as place:
            if content is None:
                _make_folder(place, 0o755 if mode is None else mode)
            else:
                _write(place, frame.body[content[0] : sum(content)], 0o644 if mode is None else mode)
    return {"outcome": "returned", "value": None}


def _get(request: Request, _frame: Frame, root: Path, body: Body) -> dict[str, Json]:
    found: dict[str, bytes] = {}
    entries: list[Json] = []
    for path in request.paths:
        with _placed(root, path) as place:
            entries.append(place.entry())
            found[path] = _read(place, BODY_CAP - 4096 - sum(map(len, found.values())))
    value: object = found if "paths" in request.own else found[request.paths[0]]
    return {"outcome": "returned", "value": Encoder(body).value(value), "files": entries}


def _list(request: Request, _frame: Frame, root: Path, _body: Body) -> dict[str, Json]:
    entries: list[Json] = []
    for path in request.paths or ("",):
        for entry in _walk(root, path):
            entries.append(entry)
            if len(entries) > ENTRIES_CAP:
                raise _OverLimit("entries")
    entries.sort(key=lambda entry: entry["path"].encode())
    return {"outcome": "returned", "value": None, "files": entries}


def _delete(request: Request, _frame: Frame, root: Path, _body: Body) -> dict[str, Json]:
    for path in request.paths:
        with _placed(root, path) as place:
            if stat.S_ISDIR(place.stat().st_mode):
                remove(Path(f"/proc/self/fd/{place.folder}", place.name))
            else:
                os.unlink(place.name, dir_fd=place.folder)
    return {"outcome": "returned", "value": None}


_OPS = {"put": _put, "get": _get, "list": _list, "delete": _delete}


@contextlib.contextmanager
def _placed(root: Path, path: str, *, make: bool = False) -> Iterator[_Place]:
    """The last name of `path` in its folder, which is reached without a link; `make` makes folders on the way."""
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if not parts:
        raise OSError(errno.EISDIR, "the tree itself is meant", path)
    folder = os.open(root, _FOLDER)
    try:
        for part in parts[:-1]:
            folder = _step(folder, part, make=make)
        yield _Place(folder=folder, name=parts[-1], path="/".join(parts))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        os.close(folder)


def _step(folder: int, name: str, *, make: bool = False) -> int:
    """Open a folder in a folder, which is closed then."""
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=folder)
    inner = os.open(name, _FOLDER, dir_fd=folder)
    os.dup2(inner, folder, inheritable=False)
    os.close(inner)
    return folder


def _make_folder(place: _Place, mode: int) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(place.name, dir_fd=place.folder)
    inner = os.open(place.name, _FOLDER, dir_fd=place.folder)
    try:
        os.fchmod(inner, mode)
    finally:
        os.close(inner)


def _write(place: _Place, data: bytes, mode: int) -> None:
    """Through a new file, so that a link or pipe of that name is replaced and not written to."""
    part = f".put-{os.getpid()}"
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=place.folder)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(number, view) :]
            os.fchmod(number, mode)
        finally:
            os.close(number)
        os.rename(part, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
    except OSError:
        os.unlink(part, dir_fd=place.folder)
        raise


def _read(place: _Place, most: int) -> bytes:
    # Without blocking: a pipe of that name has no writer.
    number = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place.folder)
    with os.fdopen(number, "rb") as file:
        info = os.fstat(number)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(errno.EISDIR if stat.S_ISDIR(info.st_mode) else errno.ENXIO, "no plain file", place.path)
        if info.st_size > most:
            raise _OverLimit("value")
        return file.read(most + 1)


def _walk(root: Path, path: str) -> Iterator[Json]:
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if not parts:
        top = os.open(root, _FOLDER)
        try:
            yield from _inside(top, ())
        finally:
            os.close(top)
        return
    with _placed(root, path) as place:
        yield place.entry()
        if stat.S_ISDIR(place.stat().st_mode):
            inner = os.open(place.name, _FOLDER, dir_fd=place.folder)
            try:
                yield from _inside(inner, parts)
            finally:
                os.close(inner)


def _inside(folder: int, above: Sequence[str]) -> Iterator[Json]:
    if len(above) > DEPTH_CAP:
        raise _OverLimit("depth")
    for name in os.listdir(folder):
        place = _Place(folder=folder, name=name, path="/".join((*above, name)))
        entry = place.entry()
        yield entry
        if entry["kind"] == "folder":
            inner = os.open(name, _FOLDER, dir_fd=folder)
            try:
                yield from _inside(inner, (*above, name))
            finally:
                os.close(inner)
