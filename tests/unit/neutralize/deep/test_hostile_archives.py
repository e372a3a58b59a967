from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest

from neutralize.deep import Limits, deep_items
from tests.unit.neutralize.deep.makers import ar, cpio, entry, problems, read, tar_of, tarred, texts, zipped

MIB = 1 << 20
SMALL = Limits(ratio_floor=MIB, memory=MIB, piece=MIB)
CALM = {"calm.txt": b"see brass\n"}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_of_a_high_ratio_is_told_and_the_rest_is_read(tmp_path: Path, method: int) -> None:
    noise = random.Random(1).randbytes(300_000)  # the whole is not out of proportion
    items = read(tmp_path, zipped({"bomb": bytes(40 * MIB), "noise": noise, **CALM}, method), SMALL)
    assert problems(items) == {"a.bin!bomb": "unpacks to more than 200 times its size (cap 'ratio')"}
    assert texts(items)["a.bin!calm.txt"] == CALM["calm.txt"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_stream_of_a_high_ratio_is_told(tmp_path: Path, pack: object) -> None:
    data = pack(bytes(40 * MIB))  # type: ignore[operator]
    items = read(tmp_path, data, SMALL)
    assert problems(items)["a.bin!(content)"] == "unpacks to more than 200 times its size (cap 'ratio')"
    assert sum(len(item.data or b"") for item in items) <= max(MIB, 200 * len(data))
    assert not any("(rest)" in item.path for item in items)


def test_many_members_below_the_ratio_do_not_unpack_to_more_than_the_whole_may(tmp_path: Path) -> None:
    """As a bomb whose entries share their bytes: each is small, all of them are not."""
    data = zipped({f"f{number}": bytes(MIB) for number in range(30)})
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.zip").write_bytes(data)
    (tmp_path / "in" / "b.txt").write_text("brass")
    items = list(deep_items(tmp_path / "in", limits=SMALL))
    assert problems(items)["a.zip"] == "not read to its end: unpacks to more than 200 times its size (cap 'ratio')"
    assert texts(items)["b.txt"] == b"brass"


def test_archives_of_archives_that_multiply_come_to_an_end(tmp_path: Path) -> None:
    data = zipped({"0.bin": bytes(4 * MIB)})
    for _ in range(5):
        data = zipped({f"{number}.zip": data for number in range(16)})
    items = read(tmp_path, data, Limits(members=2000))
    assert any("cap 'members'" in problem for problem in problems(items).values())
    assert any("cap 'depth'" in problem for problem in problems(items).values())


def test_a_bound_on_bytes_ends_archives_and_not_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.tar").write_bytes(tarred({"x": b"1" * 5000, "y": b"2" * 5000}))
    (tmp_path / "in" / "b.tar").write_bytes(tarred(CALM))
    (tmp_path / "in" / "c.txt").write_text("brass")
    items = list(deep_items(tmp_path / "in", limits=Limits(unpacked=6000)))
    told = "archives unpack to more than 6000 bytes (cap 'unpacked')"
    assert problems(items) == {
        "a.tar!y": told,
        "a.tar": f"not read to its end: {told}",
        "b.tar": f"not read to its end: {told}",
    }
    assert texts(items).keys() == {"a.tar!x", "c.txt"}


def test_a_member_that_is_too_large_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    for data in (tarred({"x": b"1" * 5000, **CALM}), zipped({"x": b"1" * 5000, **CALM})):
        items = read(tmp_path, data, Limits(file_bytes=4000 if data[:2] == b"PK" else len(data), piece=100_000))
        if data[:2] == b"PK":
            assert problems(items) == {"a.bin!x": "larger than 4000 bytes (cap 'file_bytes')"}
        assert texts(items)["a.bin!calm.txt"] == CALM["calm.txt"]


def test_more_members_than_are_read_are_told(tmp_path: Path) -> None:
    head = tarfile.TarInfo("x").tobuf()
    with gzip.open(tmp_path / "a.tgz", "wb", 1) as file:
        for _ in range(1000):
            file.write(head * 1000)
    (tmp_path / "in").mkdir()
    (tmp_path / "a.tgz").rename(tmp_path / "in" / "a.tgz")
    items = list(deep_items(tmp_path / "in", limits=Limits(members=3000, ratio=10**6)))
    assert len(items) == 3002
    assert problems(items) == {
        "a.tgz": "not read to its end: more than 3000 entries in archives: the rest was not read (cap 'members')"
    }


def patched(data: bytes, mark: bytes, at: int, new: bytes) -> bytes:
    place = data.index(mark) + at
    return data[:place] + new + data[place + len(new) :]


STORED = zipped({"x": b"brassmonocle" * 9, **CALM}, zipfile.ZIP_STORED)
PACKED = zipped({"x": b"brassmonocle" * 9, **CALM})


@pytest.mark.parametrize(
    ("data", "fact"),
    [
        (patched(PACKED, b"PK\x01\x02", 24, struct.pack("<L", 5)), "it has 108 bytes and 5 are written"),
        (patched(PACKED, b"PK\x01\x02", 24, struct.pack("<L", 0xFFFF_FFF0)), "it has 108 bytes and 4294967280"),
        (patched(PACKED, b"PK\x01\x02", 20, struct.pack("<L", 5)), "cut"),
        (patched(PACKED, b"PK\x01\x02", 20, struct.pack("<L", 0x7FFF_FFFF)), "it does not fit into the file"),
        (patched(PACKED, b"PK\x01\x02", 42, struct.pack("<L", 7)), "it is not where the directory says"),
        (patched(PACKED, b"PK\x01\x02", 8, struct.pack("<H", 1)), "it is encrypted"),
        (patched(PACKED, b"PK\x01\x02", 10, struct.pack("<H", 9)), "packed by method 9"),
        (patched(PACKED, b"PK\x01\x02", 16, bytes(4)), "its sum is another than is written"),
        (patched(STORED, b"PK\x01\x02", 10, struct.pack("<H", 8)), "its compressed stream is cut"),
    ],
    ids=["short", "long", "cut", "beyond", "place", "encrypted", "method", "sum", "no-deflate"],
)
def test_an_entry_of_a_zip_that_lies_is_told_and_its_neighbour_is_read(tmp_path: Path, data: bytes, fact: str) -> None:
    items = read(tmp_path, data)
    assert fact in problems(items)["a.bin!x"]
    assert texts(items)["a.bin!calm.txt"] == CALM["calm.txt"]


def test_a_stream_that_begins_behind_its_end_is_told(tmp_path: Path) -> None:
    data = patched(zipped(CALM, zipfile.ZIP_LZMA), b"PK\x01\x02", 20, struct.pack("<L", 3))
    assert problems(read(tmp_path, data))["a.bin!calm.txt"] == "its compressed stream is cut"


def test_a_size_that_is_too_small_hides_nothing(tmp_path: Path) -> None:
    """The library stops at the size that is written; the sum of that part makes it believe."""
    data = b"calm" + b" brassmonocle"
    lying = zipped({"x": data})
    lying = patched(lying, b"PK\x01\x02", 24, struct.pack("<L", 4))
    lying = patched(lying, b"PK\x01\x02", 16, struct.pack("<L", zlib.crc32(b"calm")))
    with zipfile.ZipFile(io.BytesIO(lying)) as archive:
        assert archive.read("x") == b"calm"
    assert texts(read(tmp_path, lying))["a.bin!x"] == data


def test_entries_that_lie_over_each_other_are_told(tmp_path: Path) -> None:
    data = zipped({"x": b"1" * 50, "y": b"2" * 50}, zipfile.ZIP_STORED)
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    over = data[: second + 42] + struct.pack("<L", 0) + data[second + 46 :]
    assert problems(read(tmp_path, over))["a.bin!(entries)"] == "some of its entries lie over each other"


def test_another_name_in_an_entrys_own_header_is_told(tmp_path: Path) -> None:
    data = patched(PACKED, b"PK\x03\x04", 30, b"z")
    assert texts(read(tmp_path, data))["a.bin!(other names)"] == b"z\n"


def sized(size: bytes, kind: bytes = b"0") -> bytes:
    """A tar header with any size."""
    block = bytearray(tarfile.TarInfo("x").tobuf())
    block[124:136], block[156:157] = size, kind
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + 256 + sum(block[156:]))
    return bytes(block)


@pytest.mark.parametrize(
    "data",
    [
        sized(b"\x80" + b"\0" * 3 + b"\x7f" + b"\xff" * 7) + bytes(2048),
        sized(b"\xff" * 12) + bytes(2048),
        sized(b"77777777777\0") + b"brass",
        sized(b"77777777777\0", b"x") + b"brass",
        sized(b"77777777777\0", b"L") + bytes(2048),
        sized(b"00000001750\0", b"x") + b"9" * 1000 + bytes(24) + sized(b"0" * 12),
        sized(b"00000000020\0", b"x") + b"99 path=brass\n\0\0".ljust(512) + sized(b"0" * 12),
        sized(b"0" * 12) + b"brass" * 500,
        tarred(CALM)[:600],
        gzip.compress(tarred(CALM))[:-40],
        gzip.compress(b"brass" * 100)[:-4] + b"oops",
        bz2.compress(b"brass" * 100)[:-9],
        lzma.compress(b"brass" * 100)[:-9],
        b"\x1f\x8b\x08" + bytes(100),
        b"\x1f\x8b\x08\x08" + b"brass" * 50_000,
        ar(CALM)[:-5],
        ar(CALM) + b"brass",
        ar({}) + f"{'#1/99':48}{5:<10}`\n".encode() + b"brass",
        cpio(CALM)[:130],
        cpio({"dev": b""}, 0o020600),
        zipped(CALM)[:-8],
        zipped(CALM)[:-8] + b"brass" * 9,
        b"PK\x05\x06" + b"\xff" * 18,
    ],
    ids=["exabytes", "negative", "truncated", "pax-size", "name-size", "pax-digits", "pax-record", "no-header", "cut-tar", "cut-tgz", "sum", "bz2", "xz", "no-gz", "gz-name", "cut-ar", "ar-tail", "ar-name", "cut-cpio", "cpio-device", "cut-zip", "no-directory", "directory-outside"],
)  # fmt: skip
def test_a_broken_archive_is_told(tmp_path: Path, data: bytes) -> None:
    assert problems(read(tmp_path, data))


def test_links_that_lead_to_each_other_are_only_text(tmp_path: Path) -> None:
    data = tar_of(
        entry("a", type=tarfile.SYMTYPE, linkname="b"), entry("b", type=tarfile.LNKTYPE, linkname="a"),
        entry("c", type=tarfile.SYMTYPE, linkname="c/brass"), entry("c/brass", b"text"),
    )  # fmt: skip
    assert texts(read(tmp_path, data)) == {
        "a.bin!a": b"b",
        "a.bin!b": b"a",
        "a.bin!c": b"c/brass",
        "a.bin!c/brass": b"text",
    }


def test_endless_metadata_is_told(tmp_path: Path) -> None:
    data = tar_of(*(entry("x", b"", pax_headers={"comment": f"{number} {'m' * 900}"}) for number in range(50)))
    items = read(tmp_path, data, Limits(header=20_000))
    assert problems(items) == {"a.bin!(metadata)": "more metadata than is read (cap 'header')"}


@pytest.mark.parametrize(
    "mark", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\0", b"wOF2\0\1\0\0", b"LZIP\1", b"\xed\xab\xee\xdb"]
)
def test_what_is_packed_in_ways_that_are_not_undone_is_told(tmp_path: Path, mark: bytes) -> None:
    items = read(tmp_path, mark + bytes(40) + b"brass_monocle.txt" + bytes(9))
    assert "which is not opened" in problems(items)["a.bin"]
    assert texts(items) == {"a.bin!(strings)": b"brass_monocle.txt\n"}


BOMBS = {
    "gz": lambda: gzip.compress(bytes(150 * MIB), 9),
    "bz2": lambda: bz2.compress(bytes(150 * MIB)),
    "zip-bz2": lambda: zipped({"x": bytes(150 * MIB)}, zipfile.ZIP_BZIP2),
    "pax": lambda: gzip.compress(sized(b"01000000000\0", b"x") + bytes(128 * MIB)),
    "line": lambda: gzip.compress(b"a" * (150 * MIB)),
}


@pytest.mark.parametrize(
    "kind", ["pax", *(pytest.param(kind, marks=pytest.mark.full) for kind in sorted(BOMBS) if kind != "pax")]
)
def test_memory_stays_bounded(tmp_path: Path, kind: str) -> None:
    """No bound but that of memory is in the way: everything is unpacked and read, in pieces."""
    (tmp_path / "a.bin").write_bytes(BOMBS[kind]())
    code = (
        "import re, sys, pathlib\n"
        "from neutralize.deep import Limits, deep_items\n"
        "count = sum(len(item.data or b'') for item in deep_items(pathlib.Path(sys.argv[1]), limits=Limits(ratio=10**9)))\n"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', pathlib.Path('/proc/self/status').read_text())[1], count)\n"
    )
    told = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, text=True)
    assert int(told.stdout.split()[0]) < 150 * 1024  # kibibytes


def test_every_entry_says_how_many_bytes_it_stands_for(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 300)
    (tmp_path / "b.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(94))
    (tmp_path / "c.tar").write_bytes(tarred({"d": b"y" * 100}))
    entries = list(deep_items(tmp_path))
    assert sum(entry.size for entry in entries) == 500
    assert [(e.path, e.size, e.problem) for e in entries if e.data is None] == [
        ("b.7z", 100, "packed as 7z, which is not opened")
    ]
