"""The release bundle: a case in zero2repo layout, an archive for each audience, checksums. Same case, same bytes."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

from taskpack.files import file_digest, walk, write_bytes
from taskpack.layout import Audience, CaseFolder, audience
from taskpack.release import Archive, Release, ReleasedFile

EPOCH = 1_000_000_000
"""Time of every member, so that an archive depends on content alone."""


def write_bundle(
    case: CaseFolder,
    dest: Path,
    *,
    engine: str,
    backend: str,
    base: str,
    gates: Iterable[str],
    not_checked: Iterable[str],
) -> Release:
    """Write the bundle of `case` into the empty folder `dest`: `<case id>/`, archives, `release.json`, `SHA256SUMS`."""
    whole = dest / case.id
    for path in walk(case.root):
        relative = path.relative_to(case.root)
        if "__pycache__" not in relative.parts:
            write_bytes(whole / relative, path.read_bytes())
    files = tuple(
        ReleasedFile(path=name, audience=audience(name), sha256=file_digest(path), size=path.stat().st_size)
        for path in walk(whole)
        for name in [path.relative_to(whole).as_posix()]
    )
    archives = tuple(
        _archive(whole, dest, one, files) for one in Audience if any(file.audience is one for file in files)
    )
    release = Release(
        case_id=case.id,
        engine=engine,
        backend=backend,
        base=base,
        files=files,
        archives=archives,
        gates=tuple(sorted(gates)),
        not_checked=tuple(not_checked),
    )
    write_bytes(dest / "release.json", release.to_bytes())
    sums = "".join(
        f"{file_digest(path)}  {path.relative_to(dest).as_posix()}\n"
        for path in walk(dest)
        if path.name != "SHA256SUMS"
    )
    write_bytes(dest / "SHA256SUMS", sums.encode())
    return release


def _archive(whole: Path, dest: Path, one: Audience, files: Iterable[ReleasedFile]) -> Archive:
    name = f"{whole.name}-{one}.tar.gz"
    data = pack(
        {file.path: (whole / file.path).read_bytes() for file in files if file.audience is one},
        top=whole.name,
    )
    write_bytes(dest / name, data)
    return Archive(audience=one, file=name, sha256=file_digest(dest / name))


def pack(members: dict[str, bytes], *, top: str) -> bytes:
    """A .tar.gz of `members` below `top`: sorted, owner 0, fixed time, no names in the headers that a host adds."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(members, key=str.encode):
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size, info.mtime, info.mode = len(members[name]), EPOCH, 0o644
            tar.addfile(info, io.BytesIO(members[name]))
    return gzip.compress(raw.getvalue(), compresslevel=9, mtime=0)
