"""Whatever bytes a file has: the reading comes to an end, raises nothing, and says the same twice."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from neutralize.deep import Limits
from neutralize.traverse import decode
from tests.unit.neutralize.deep.makers import ar, cpio, entry, old_cpio, png, read, tar_of, tarred, zipped
from tests.unit.neutralize.deep.test_git_stores import added, blob_id, pack, stored

FILES = {"a/b.txt": b"see brass\n" * 9, "c": bytes(200)}
INNER = {"x.zip": zipped(FILES), "y.tar": tarred(FILES, uname="mbrass")}
BUILT: dict[str, Callable[[], bytes]] = {
    "zip": lambda: zipped(INNER, comment=b"by brass"),
    "stored": lambda: zipped(INNER, zipfile.ZIP_STORED),
    "zip-lzma": lambda: zipped(FILES, zipfile.ZIP_LZMA),
    "tar": lambda: tar_of(
        entry("n" * 150, b"1"), *(entry(name, data) for name, data in INNER.items()), pax={"comment": "x"}
    ),
    "gz": lambda: gzip.compress(tarred(INNER), mtime=0),
    "bz2": lambda: bz2.compress(tarred(FILES)),
    "xz": lambda: lzma.compress(tarred(FILES)),
    "ar": lambda: ar({"x.zip": INNER["x.zip"]}),
    "cpio": lambda: cpio(INNER),
    "odc": lambda: old_cpio(INNER),
    "pack": lambda: pack(
        stored(3, b"brass"), stored(7, added(5, b"more"), base=blob_id(b"brass")), stored(1, b"tree 0\n")
    ),
    "loose": lambda: zlib.compress(b"blob 5\0brass"),
    "png": lambda: png((b"tEXt", b"A\0brass"), (b"zTXt", b"B\0\0" + zlib.compress(b"brass"))),
    "pdf": lambda: b"%PDF-1.4\n<< /Author (by brass) >>\nstream\n" + zlib.compress(b"/Title (x)") + b"\nendstream",
    "jpeg": lambda: b"\xff\xd8\xff\xe1\0\x12Exif\0\0MM by brass\xff\xda\0\2",
}


def damaged(data: bytes, dice: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(out))
        kind = dice.randrange(4)
        if kind == 0:
            out[place] = dice.randrange(256)
        elif kind == 1:
            out[place : place + 4] = dice.choice((b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff"))
        elif kind == 2:
            del out[place : place + dice.randrange(40)]
        else:
            out[place:place] = out[: dice.randrange(200)]
        if not out:
            return b"\0"
    return bytes(out)


def rounds(tmp_path: Path, kind: str, count: int) -> None:
    data, dice = BUILT[kind](), random.Random(kind)
    limits = Limits(members=2000, ratio_floor=1 << 20, file_bytes=1 << 22)
    for _ in range(count):
        bad = damaged(data, dice)
        items = read(tmp_path, bad, limits)
        assert items[0].path == "a.bin"
        assert all(bool(item.problem) == (item.data is None) for item in items)
        assert all(item.data is None or decode(item.data) is not None for item in items), "all data are text"
        assert read(tmp_path, bad, limits) == items


@pytest.mark.parametrize("kind", sorted(BUILT))
def test_damaged_archives_raise_nothing(tmp_path: Path, kind: str) -> None:
    rounds(tmp_path, kind, 60)


@pytest.mark.full
@pytest.mark.parametrize("kind", sorted(BUILT))
def test_many_damaged_archives_raise_nothing(tmp_path: Path, kind: str) -> None:
    rounds(tmp_path, kind, 2000)
