"""What a file is, by its bytes alone. A suffix says nothing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import IO

HEAD = 1024
TAIL = 66_000
"""The end of a zip with the longest comment."""
_MARKS = (
    (b"\x1f\x8b\x08", "gz"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"!<arch>\n", "ar"),
    (b"PACK\0\0\0", "pack"),
    (b"# v2 git bundle\n", "bundle"),
    (b"# v3 git bundle\n", "bundle"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
)
UNOPENED = (
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"LZIP\x01", "lzip"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress"),
    (b"MSCF\0\0\0\0", "cab"),
    (b"xar!\0", "xar"),
    (b"hsqs", "squashfs"),
    (b"\xed\xab\xee\xdb", "rpm"),
    (b"\xc7\x71", "cpio in its binary form"),
    (b"\x71\xc7", "cpio in its binary form"),
    (b"wOFF\0", "woff"),
    (b"wOF2\0", "woff2"),
    (b"wOFFOTTO", "woff"),
    (b"wOF2OTTO", "woff2"),
    (b"!<thin>\n", "thin ar"),
    (b"PAR1", "parquet"),
)
"""Kinds whose content is packed in a way that is not undone here."""
_BZ2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_CPIO = re.compile(rb"07070[12][0-9A-Fa-f]{104}|070707[0-7]{70}")
_LOOSE = re.compile(rb"(?:commit|tree|blob|tag) \d{1,19}\0")
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")


def kind_of(file: IO[bytes], size: int) -> str:
    """One word; empty for what is no container and no document of a known kind."""
    file.seek(0)
    head = file.read(HEAD)
    found = next((kind for mark, kind in _MARKS if head.startswith(mark)), "")
    if found := found or next((kind for test, kind in _TESTS if test(head)), ""):
        return found
    file.seek(max(0, size - TAIL))
    # The end of a zip is what makes it one: it may stand behind a program or an image.
    return "zip" if _has_directory(file.read(TAIL)) else ""


def unopened(head: bytes) -> str:
    """A packed kind that stays closed; empty for anything else."""
    return next((kind for mark, kind in UNOPENED if head.startswith(mark)), "")


def is_tar(head: bytes) -> bool:
    """By its mark, or by the sum that a header of the oldest kind has."""
    if head[257:262] == b"ustar" or len(head) < 512:
        return head[257:262] == b"ustar"
    written = head[148:156].strip(b" \0")
    summed = sum(head[:148]) + 8 * 32 + sum(head[156:512])
    return bool(re.fullmatch(rb"[0-7]+", written)) and int(written, 8) == summed


def _has_directory(tail: bytes) -> bool:
    place = tail.rfind(b"PK\x05\x06")
    return place >= 0 and len(tail) - place >= 22 and b"\0" in tail[place : place + 22]


def _inflated(head: bytes) -> bytes:
    """The beginning of a zlib stream; empty for anything else."""
    if len(head) < 3 or head[0] & 0x8F != 8 or (head[0] << 8 | head[1]) % 31 or head[1] & 0x20:
        return b""
    try:
        return zlib.decompressobj().decompress(head, 64)
    except zlib.error:
        return b""


def _is_lzma(head: bytes) -> bool:
    """There is no mark: likely properties, a size of the window that is used, and a believable length."""
    if len(head) < 14 or head[0] != 0x5D or head[1:3] != b"\0\0" or head[13] != 0:
        return False
    window = int.from_bytes(head[1:5], "little")
    length = head[5:13]
    return window.bit_count() <= 2 and window >= 4096 and (length == b"\xff" * 8 or length[5:] == b"\0\0\0")


_TESTS: tuple[tuple[Callable[[bytes], object], str], ...] = (
    (_BZ2.match, "bz2"),
    (is_tar, "tar"),
    (_SKIPPABLE.match, "zstd"),
    (_CPIO.match, "cpio"),
    (lambda head: _LOOSE.match(_inflated(head)), "loose"),
    (_inflated, "zlib"),
    (_is_lzma, "lzma"),
)
