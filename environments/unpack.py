"""A packed resource to a folder. Its digest was pinned, yet nothing in it is trusted to stay where it is put."""

from __future__ import annotations

import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from taskpack.errors import EnvironmentFailed

_ENTRIES = 50_000
_PARTS = 32
_NAME_BYTES = 255
_CHUNK = 1024 * 1024
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OSError)


@dataclass(frozen=True)
class _Refused(Exception):
    member: str
    why: str


def unpack_zip(archive: Path, dest: Path, *, size: int) -> None:
    """Write the files of `archive` below `dest`: plain files and folders, nothing else, `size` bytes in all.

    Raises `EnvironmentFailed`, naming the first member that is refused: one that leaves `dest` or is no file, is there
    twice, or does not fit into `size`. What was written until then is for the caller to remove.
    """
    left = size
    try:
        with zipfile.ZipFile(archive) as opened:
            if len(opened.infolist()) > _ENTRIES:
                raise _Refused("", f"more than {_ENTRIES:,} entries")
            for info in opened.infolist():
                target = dest / _checked(info)
                if info.is_dir():
                    target.mkdir(mode=0o755, parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                with opened.open(info) as content, target.open("xb") as out:
                    left = _copy(content, out, left, info.filename)
                target.chmod(0o644)
        if left:
            raise _Refused("", f"{size - left} bytes in all, where {size} were promised")
    except _Refused as error:
        raise _failed(archive, error.member, error.why) from None
    except FileExistsError as error:
        raise _failed(archive, str(error.filename), "it is there twice, or a file has the place of a folder") from None
    except _BROKEN as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _failed(archive, "", f"it is broken: {type(error).__name__}: {error}"[:300]) from error


def _checked(info: zipfile.ZipInfo) -> str:
    # zipfile cuts a name at its first NUL; the whole one is judged.
    name = info.orig_filename
    parts = name.removesuffix("/").split("/")
    if name.startswith("/") or "\\" in name or any(part in {"", ".", ".."} for part in parts):
        raise _Refused(name, "a name that is no plain path inside")
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in name):
        raise _Refused(name, "a control character in the name")
    if len(parts) > _PARTS or any(len(part.encode("utf-8", "surrogatepass")) > _NAME_BYTES for part in parts):
        raise _Refused(name, "a name that is too long or too deep")
    if info.flag_bits & 1:
        raise _Refused(name, "encrypted")
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == 3 else 0
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise _Refused(name, "neither file nor folder")
    return name


def _copy(content: IO[bytes], out: IO[bytes], left: int, member: str) -> int:
    """What may still be written after it. Headers are not believed: bytes are counted as they come."""
    while part := content.read(min(_CHUNK, left + 1)):
        left -= len(part)
        if left < 0:
            raise _Refused(member, "more bytes than were promised")
        out.write(part)
    return left


def _failed(archive: Path, member: str, why: str) -> EnvironmentFailed:
    shown = member.encode("unicode_escape").decode("ascii")[:200]
    return EnvironmentFailed(
        "a resource cannot be unpacked",
        details={"archive": archive.name, **({"member": shown} if shown else {}), "fact": why},
        remedy="name another archive, or correct unpacked_size in order.toml",
    )
