"""Archives, honest and hostile, made anew for each test."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

from neutralize.deep import Limits, deep_items
from neutralize.traverse import Item


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
        archive.comment = comment
    return out.getvalue()


def tarred(files: dict[str, bytes], kind: int = tarfile.PAX_FORMAT, **more: object) -> bytes:
    """`more` are attributes of every entry."""
    return tar_of(*(entry(name, data, **more) for name, data in files.items()), kind=kind)


def entry(name: str, data: bytes = b"", **more: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in more.items():
        setattr(info, key, value)
    return info, data


def tar_of(
    *entries: tuple[tarfile.TarInfo, bytes], kind: int = tarfile.PAX_FORMAT, pax: dict[str, str] | None = None
) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind, pax_headers=pax) as archive:
        for info, data in entries:
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def ar(files: dict[str, bytes]) -> bytes:
    out = b"!<arch>\n"
    for name, data in files.items():
        out += (
            f"{name + '/':16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
        )
    return out


def cpio(files: dict[str, bytes], mode: int = 0o100644) -> bytes:
    """The form that Debian's and the kernel's tools write."""
    out = b""
    for name, data in {**files, "TRAILER!!!": b""}.items():
        fields = (1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        out += head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4)
    return out


def old_cpio(files: dict[str, bytes]) -> bytes:
    """The portable form of POSIX."""
    out = b""
    for name, data in {**files, "TRAILER!!!": b""}.items():
        out += b"070707" + b"%06o" % 1 * 2 + b"%06o" % 0o100644 + b"%06o" % 0 * 4 + b"%011o" % 0
        out += b"%06o" % (len(name) + 1) + b"%011o" % len(data) + name.encode() + b"\0" + data
    return out


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    out = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", bytes(13)), *chunks, (b"IDAT", zlib.compress(bytes(8))), (b"IEND", b"")):
        out += struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))
    return out


LIMITS = Limits()


def read(folder: Path, data: bytes, limits: Limits = LIMITS, name: str = "a.bin") -> list[Item]:
    """All that is read of one file, without the file's own first entry when it stands for its content."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return list(deep_items(folder, (name,), limits=limits))


def texts(items: list[Item]) -> dict[str, bytes]:
    """What has content, by path."""
    found = [(item.path, item.data) for item in items if item.data]
    assert len(found) == len(dict(found)), "two entries of one path"
    return dict(found)


def problems(items: list[Item]) -> dict[str, str]:
    return {item.path: item.problem for item in items if item.data is None}
