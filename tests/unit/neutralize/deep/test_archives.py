from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from neutralize.deep import Limits
from tests.unit.neutralize.deep.makers import (
    ar,
    cpio,
    entry,
    old_cpio,
    problems,
    read,
    tar_of,
    tarred,
    texts,
    zipped,
)  # fmt: skip

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FILES = {"b/c.py": b"import brassmonocle\n"}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (zipped(FILES), "b/c.py"),
        (zipped(FILES, zipfile.ZIP_STORED), "b/c.py"),
        (zipped(FILES, zipfile.ZIP_BZIP2), "b/c.py"),
        (zipped(FILES, zipfile.ZIP_LZMA), "b/c.py"),
        (tarred(FILES, tarfile.USTAR_FORMAT), "b/c.py"),
        (tarred(FILES, tarfile.GNU_FORMAT), "b/c.py"),
        (tarred(FILES, tarfile.PAX_FORMAT), "b/c.py"),
        (gzip.compress(tarred(FILES)), "b/c.py"),
        (bz2.compress(tarred(FILES)), "b/c.py"),
        (lzma.compress(tarred(FILES)), "b/c.py"),
        (lzma.compress(tarred(FILES), lzma.FORMAT_ALONE), "b/c.py"),
        (zstd.compress(tarred(FILES)), "b/c.py"),
        (gzip.compress(FILES["b/c.py"]), "(content)"),
        (bz2.compress(FILES["b/c.py"]), "(content)"),
        (lzma.compress(FILES["b/c.py"]), "(content)"),
        (lzma.compress(FILES["b/c.py"], lzma.FORMAT_ALONE), "(content)"),
        (zstd.compress(FILES["b/c.py"]), "(content)"),
        (ar({"c.py": FILES["b/c.py"]}), "c.py"),
        (cpio(FILES), "b/c.py"),
        (old_cpio(FILES), "b/c.py"),
    ],
    ids=["zip", "stored", "zip-bz2", "zip-lzma", "ustar", "gnu", "pax", "tar.gz", "tar.bz2", "tar.xz", "tar.lzma", "tar.zst", "gz", "bz2", "xz", "lzma", "zst", "ar", "cpio", "odc"],
)  # fmt: skip
def test_an_archive_is_opened_by_its_bytes_whatever_its_name(tmp_path: Path, data: bytes, path: str) -> None:
    items = read(tmp_path, data, name="notes.txt")
    assert texts(items) == {f"notes.txt!{path}": FILES["b/c.py"]}
    assert problems(items) == {}
    assert items[0].path == "notes.txt"


def test_a_text_about_archives_stays_a_text(tmp_path: Path) -> None:
    for text in (b"BZh is the mark of bzip2\n", b"PK\x05\x06 ends a zip, PK\x01\x02 lists\n", b"x^2 + 1\n", b"070707 is odd\n",
                 b"070701 and 104 more digits\n", b"Rar! says the archive\n", b"ustar\n", b"PACK your things\n"):  # fmt: skip
        assert texts(read(tmp_path, text)) == {"a.bin": text} or b"\x05" in text


def test_archives_in_archives_are_opened_to_the_depth_and_no_deeper(tmp_path: Path) -> None:
    data = zipped(FILES)
    for number in range(3):
        data = gzip.compress(tarred({f"{number}.zip": data}))
    items = read(tmp_path, data)
    assert texts(items) == {"a.bin!2.zip!1.zip!0.zip!b/c.py": FILES["b/c.py"]}
    deeper = read(tmp_path, zipped({"x.zip": data}))
    assert texts(deeper).keys().isdisjoint({"a.bin!x.zip!2.zip!1.zip!0.zip!b/c.py"})
    assert problems(deeper) == {"a.bin!x.zip!2.zip!1.zip!0.zip": "an archive inside 4 others (cap 'depth')"}


def test_two_entries_of_one_name_are_both_read(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("x", b"first")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("x", b"second")
    for data in (out.getvalue(), tar_of(entry("x", b"first"), entry("x", b"second"))):
        assert texts(read(tmp_path, data)) == {"a.bin!x": b"first", "a.bin!x (copy 2)": b"second"}


def test_names_that_lead_outside_are_only_names(tmp_path: Path) -> None:
    names = {"/etc/one": b"1", "../../two": b"2", "a/../../three": b"3"}
    for data in (zipped(names), tarred(names, tarfile.USTAR_FORMAT), cpio(names)):
        found = {path.partition("!")[2] for path in texts(read(tmp_path / "in", data))}
        assert {name.lstrip("/") for name in found} >= {"etc/one", "../../two", "a/../../three"}
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_links_and_devices_and_folders_in_a_tar(tmp_path: Path) -> None:
    data = tar_of(
        entry("dir", type=tarfile.DIRTYPE),
        entry("soft", type=tarfile.SYMTYPE, linkname="/home/brass/x"),
        entry("hard", type=tarfile.LNKTYPE, linkname="dir/brass"),
        entry("null", type=tarfile.CHRTYPE),
        entry("disk", type=tarfile.BLKTYPE),
        entry("pipe", type=tarfile.FIFOTYPE),
        entry("last", b"read on"),
    )
    items = read(tmp_path, data)
    assert texts(items) == {"a.bin!soft": b"/home/brass/x", "a.bin!hard": b"dir/brass", "a.bin!last": b"read on"}
    assert problems(items) == {
        "a.bin!null": "a character device in an archive",
        "a.bin!disk": "a block device in an archive",
        "a.bin!pipe": "a pipe in an archive",
    }
    assert "a.bin!dir/" in {item.path for item in items}


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_owners_in_a_tar_are_told(tmp_path: Path, kind: int) -> None:
    data = tarred({"x": b"1", "y": b"2"}, kind, uname="mbrass", gname="monocle")
    assert texts(read(tmp_path, data))["a.bin!(owner)"] == b"mbrass\nmonocle\n"


def test_an_owner_that_an_extended_header_covers_is_told_as_well(tmp_path: Path) -> None:
    data = tar_of(entry("x", b"1", uname="calm", pax_headers={"uname": "mbrass"}))
    assert texts(read(tmp_path, data))["a.bin!(owner)"].split() == [b"calm", b"mbrass"]


def test_extended_headers_are_told_without_times_and_names(tmp_path: Path) -> None:
    data = tar_of(entry("x", b"1", mtime=1.5, pax_headers={"comment": "by brass"}), pax={"comment": "0d1fa3"})
    assert texts(read(tmp_path, data))["a.bin!(pax)"] == b"comment=0d1fa3\ncomment=by brass\n"


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_and_targets_are_whole(tmp_path: Path, kind: int) -> None:
    name = "/".join(["d" * 60] * 9) + "/brass"
    data = tar_of(entry(name, b"1"), entry("l", type=tarfile.SYMTYPE, linkname=name), kind=kind)
    assert texts(read(tmp_path, data)) == {f"a.bin!{name}": b"1", "a.bin!l": name.encode()}


def test_the_stored_part_of_a_sparse_file_is_read(tmp_path: Path) -> None:
    """The old dialect, by hand: 512 stored bytes of a file of eight gigabytes."""
    block = bytearray(tarfile.TarInfo("holes").tobuf(tarfile.GNU_FORMAT))
    block[124:136] = b"%011o\0" % 512
    block[156:157] = b"S"
    block[386:410] = b"%011o\0%011o\0" % (1 << 32, 512)
    block[483:495] = b"%011o\0" % (1 << 32)
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + 256 + sum(block[156:]))
    data = bytes(block) + b"brass monocle".ljust(512) + tarred({"next": b"1"})
    assert texts(read(tmp_path, data)) == {"a.bin!holes": b"brass monocle".ljust(512), "a.bin!next": b"1"}


def test_what_stands_behind_the_end_of_a_tar_is_read(tmp_path: Path) -> None:
    data = tarred({"x": b"1"})
    assert texts(read(tmp_path, data + b"see brass"))["a.bin!(rest)"] == b"see brass"
    assert texts(read(tmp_path, data + tarred({"y": b"2"})))["a.bin!(rest)!y"] == b"2"


def test_comments_and_extra_fields_of_a_zip_are_told(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.comment = b"a file by brass"
        info.extra = struct.pack("<2H", 0x7075, 11) + b"brass/x.txt" + struct.pack("<2H4s", 0x5455, 4, b"time")
        archive.writestr(info, b"1")
        archive.comment = b"the archive of brass"
    found = texts(read(tmp_path, out.getvalue()))
    assert found["a.bin!(comment)"] == b"the archive of brass\na file by brass\n"
    assert found["a.bin!(extra)"] == b"brass/x.txt\n"


def test_what_surrounds_the_entries_of_a_zip_is_read(tmp_path: Path) -> None:
    data = zipped(FILES)
    found = texts(read(tmp_path, b"#!/usr/bin/env brass\n" + data + b"behind it brass"))
    assert found["a.bin!(before)"] == b"#!/usr/bin/env brass\n"
    assert found["a.bin!(after)"] == b"behind it brass"
    assert found["a.bin!b/c.py"] == FILES["b/c.py"]


def test_an_entry_that_the_directory_does_not_list_is_not_passed_over(tmp_path: Path) -> None:
    """The second of two entries is taken out of the directory, as some tools delete."""
    data = zipped({"x": b"calm", "y": b"brassmonocle"}, zipfile.ZIP_STORED)
    directory = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", directory + 4)
    end = data.index(b"PK\x05\x06")
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, second - directory, directory, 0)
    assert end > second
    items = read(tmp_path, data[:second] + tail)
    (path,) = problems(items)
    assert path.startswith("a.bin!(unlisted from byte ")
    assert "a.bin!x" in texts(items)


def test_the_names_and_comments_in_gzip_headers_are_told(tmp_path: Path) -> None:
    head = b"\x1f\x8b\x08\x1c" + bytes(6) + struct.pack("<H", 9) + b"AB\5\0brass" + b"brass.txt\0" + b"by monocle\0"
    data = head + gzip.compress(b"text")[10:]
    found = texts(read(tmp_path, data + data.replace(b"brass.txt", b"other.txt")))
    assert found["a.bin!(content)"] == b"texttext"
    assert found["a.bin!(name)"] == b"brass.txt\nother.txt\n"
    assert found["a.bin!(comment)"] == b"by monocle\n"
    assert b"brass" in found["a.bin!(extra)"]


def test_what_follows_a_compressed_stream_is_read(tmp_path: Path) -> None:
    for data in (gzip.compress(b"text"), bz2.compress(b"text"), lzma.compress(b"text"), zstd.compress(b"text")):
        assert texts(read(tmp_path, data + data)) == {"a.bin!(content)": b"texttext"}
        found = texts(read(tmp_path, data + bytes(512) + b"and brass"))
        assert found == {"a.bin!(content)": b"text", "a.bin!(rest)": b"and brass"}


def test_frames_that_zstandard_readers_skip_are_read(tmp_path: Path) -> None:
    skipped = b"\x50\x2a\x4d\x18" + struct.pack("<L", 8) + b"by brass"
    for data in (skipped + zstd.compress(b"text"), zstd.compress(b"text") + skipped):
        assert texts(read(tmp_path, data)) == {"a.bin!(content)": b"text", "a.bin!(skipped frames)": b"by brass\n"}


def test_a_debian_package_is_read_to_its_files(tmp_path: Path) -> None:
    data = ar({
        "debian-binary": b"2.0\n",
        "control.tar.xz": lzma.compress(tarred({"./control": b"Maintainer: Brass\n"})),
        "data.tar.zst": zstd.compress(tarred({"./usr/bin/x": b"#!/bin/sh\n"})),
    })  # fmt: skip
    found = texts(read(tmp_path, data))
    assert found["a.bin!control.tar.xz!./control"] == b"Maintainer: Brass\n"
    assert found["a.bin!data.tar.zst!./usr/bin/x"] == b"#!/bin/sh\n"


def test_long_names_of_both_kinds_of_ar_are_read(tmp_path: Path) -> None:
    table = b"brass_monocle_long_name.o/\n"
    gnu = (
        ar({})
        + f"{'//':48}{len(table):<10}`\n".encode()
        + table
        + b"\n"
        + ar({"0": b"one"})[8:].replace(b"0/ ", b"/0 ", 1)
    )
    assert texts(read(tmp_path, gnu))["a.bin!brass_monocle_long_name.o"] == b"one"
    long = b"brass_monocle_long_name.o\0\0\0"
    bsd = b"!<arch>\n" + f"{f'#1/{len(long)}':48}{len(long) + 4:<10}`\n".encode() + long + b"two\n"
    assert texts(read(tmp_path, bsd)) == {"a.bin!brass_monocle_long_name.o": b"two\n"}


def test_a_container_image_is_read_to_the_files_of_its_layers(tmp_path: Path) -> None:
    layer = tarred({"usr/lib/x.py": b"import brass\n", "usr/.wh.monocle": b""})
    image = tarred({
        "manifest.json": b'[{"Config": "c.json", "Layers": ["l/layer.tar"]}]',
        "c.json": b'{"author": "brass"}',
        "l/layer.tar": layer,
        "blobs/sha256/aa": gzip.compress(layer),
    })  # fmt: skip
    items = read(tmp_path, image)
    found = texts(items)
    assert found["a.bin!c.json"] == b'{"author": "brass"}'
    assert found["a.bin!l/layer.tar!usr/lib/x.py"] == found["a.bin!blobs/sha256/aa!usr/lib/x.py"] == b"import brass\n"
    assert "a.bin!l/layer.tar!usr/.wh.monocle" in {item.path for item in items}
    assert problems(items) == {}


def test_the_same_bytes_give_the_same_items(tmp_path: Path) -> None:
    data = tarred({"b": zipped(FILES), "a": gzip.compress(b"x"), "c": bytes(300) + b"readable"}, uname="mbrass")
    assert read(tmp_path, data) == read(tmp_path, data)


def test_a_member_that_does_not_fit_into_memory_is_read_all_the_same(tmp_path: Path) -> None:
    data = tarred({"in.zip": zipped({"x": b"y" * 300_000})})
    whole, little = read(tmp_path, data), read(tmp_path, data, Limits(memory=1000))
    assert texts(whole) == texts(little) == {"a.bin!in.zip!x": b"y" * 300_000}
