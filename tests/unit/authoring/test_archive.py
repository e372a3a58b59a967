"""Hostile archives are refused with the member and the reason; honest ones give the same members every time."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from authoring.archive import Contents, read_archive
from authoring.members import Bounds, Mode, Refused
from tests.unit.authoring.sources import PROJECT, entry, write_sdist, write_tar, write_zip


def test_the_common_top_folder_is_taken_off_and_members_are_sorted_by_bytes(tmp_path: Path) -> None:
    contents = read_archive(write_sdist(tmp_path / "a.tar.gz", {"b": b"1", "C": b"2", "é": b"3", "a/z": b"4"}))
    assert isinstance(contents, Contents)
    assert [member.path for member in contents.members] == ["C", "a/z", "b", "é"]


def test_two_top_folders_stay(tmp_path: Path) -> None:
    contents = read_archive(write_tar(tmp_path / "a.tgz", entry("one/x"), entry("two/x")))
    assert isinstance(contents, Contents)
    assert [member.path for member in contents.members] == ["one/x", "two/x"]


def test_only_three_modes_come_out(tmp_path: Path) -> None:
    path = write_tar(
        tmp_path / "a.tar.gz",
        entry("p/file", mode=0o6666),
        entry("p/program", mode=0o4711),
        entry("p/link", kind=tarfile.SYMTYPE, link="file"),
        entry("p/folder", kind=tarfile.DIRTYPE),
    )
    contents = read_archive(path)
    assert isinstance(contents, Contents)
    assert {member.path: member.mode for member in contents.members} == {
        "file": Mode.FILE,
        "link": Mode.LINK,
        "program": Mode.EXECUTABLE,
    }


def test_tar_and_zip_of_the_same_files_give_the_same_members(tmp_path: Path) -> None:
    tar = read_archive(write_sdist(tmp_path / "a.tar.gz", PROJECT))
    packed = read_archive(write_zip(tmp_path / "a.zip", {f"top/{name}": data for name, data in PROJECT.items()}))
    assert isinstance(tar, Contents)
    assert tar == packed


def test_what_git_reads_itself_is_dropped_and_said(tmp_path: Path) -> None:
    files = {
        ".git/config": b"[core]",
        ".gitmodules": b"",
        "a/.GIT/hooks/post-checkout": b"",
        ".gitignore": b"",
        "x": b"",
    }
    contents = read_archive(write_sdist(tmp_path / "a.tar.gz", files))
    assert isinstance(contents, Contents)
    assert [member.path for member in contents.members] == [".gitignore", "x"]
    assert contents.dropped == (
        ".git/config: read by git itself",
        ".gitmodules: read by git itself",
        "a/.GIT/hooks/post-checkout: read by git itself",
    )


def test_a_hard_link_to_an_earlier_member_is_its_copy(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tar.gz", entry("p/a", b"text"), entry("p/b", kind=tarfile.LNKTYPE, link="p/a"))
    contents = read_archive(path)
    assert isinstance(contents, Contents)
    assert [member.data for member in contents.members] == [b"text", b"text"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/passwd", "absolute path"),
        ("p/../../x", "`..` in the path"),
        ("..", "`..` in the path"),
        ("p/a\\..\\b", "backslash in the name"),
        ("p/a\nb", "NUL or control character in the name"),
        ("p/\udcff", "name is not UTF-8"),
        ("p/" + "n" * 256, "name is too long"),
        ("p/" + "n/" * 600 + "n", "name is too long"),
    ],
)
def test_a_hostile_name_in_a_tar_is_refused(tmp_path: Path, name: str, why: str) -> None:
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT) as archive:
        for info, data in (entry("p/ok"), entry(name)):
            archive.addfile(info, io.BytesIO(data))
    refused = read_archive(path)
    assert isinstance(refused, Refused)
    assert refused.why == why
    assert refused.member.isprintable()
    assert refused.member.startswith(name[:1] if name[0] in "/." else "p/")


def test_a_name_with_nul_in_a_pax_header_is_refused(tmp_path: Path) -> None:
    info, data = entry("p/ok")
    info.pax_headers = {"path": "p/a\0b"}
    assert read_archive(write_tar(tmp_path / "a.tar.gz", (info, data))) == Refused(
        member="p/a\\x00b", why="NUL or control character in the name"
    )


@pytest.mark.parametrize(
    ("links", "member", "why"),
    [
        ({"p/out": "../../x"}, "out", "link leaves the tree"),
        ({"p/out": ".."}, "out", "link leaves the tree"),
        ({"p/out": "/etc/passwd"}, "out", "link leaves the tree"),
        ({"p/s/up": "..", "p/s/x": "up/.."}, "s/x", "link leaves the tree"),
        ({"p/a": "b", "p/b": "a"}, "a", "link turns in a circle"),
        ({"p/a": "x\\y"}, "a", "link target is no path"),
    ],
)
def test_a_link_that_does_not_stay_inside_is_refused(
    tmp_path: Path, links: dict[str, str], member: str, why: str
) -> None:
    entries = [entry("p/ok"), *(entry(name, kind=tarfile.SYMTYPE, link=target) for name, target in links.items())]
    assert read_archive(write_tar(tmp_path / "a.tar.gz", *entries)) == Refused(member=member, why=why)


def test_a_link_that_text_alone_would_refuse_but_the_kernel_keeps_inside_is_taken(tmp_path: Path) -> None:
    path = write_tar(
        tmp_path / "a.tar.gz",
        entry("p/deep/down/file"),
        entry("p/short", kind=tarfile.SYMTYPE, link="deep/down"),
        entry("p/via", kind=tarfile.SYMTYPE, link="short/../down/file"),
    )
    assert isinstance(read_archive(path), Contents)


@pytest.mark.parametrize(
    ("entries", "member", "why"),
    [
        ([entry("p/a"), entry("p/./a")], "a", "the name is there twice"),
        ([entry("p/a"), entry("p/a/b")], "a/b", "lies below `a`, which is no folder"),
        ([entry("p/l", kind=tarfile.SYMTYPE, link="d"), entry("p/l/x")], "l/x", "lies below `l`, which is no folder"),
        ([entry("p/dev", kind=tarfile.CHRTYPE)], "p/dev", "a device, a pipe or an unknown kind of entry"),
        ([entry("p/fifo", kind=tarfile.FIFOTYPE)], "p/fifo", "a device, a pipe or an unknown kind of entry"),
        (
            [entry("p/h", kind=tarfile.LNKTYPE, link="/etc/passwd")],
            "/etc/passwd",
            "absolute path",
        ),
        ([entry("p/h", kind=tarfile.LNKTYPE, link="p/no")], "p/h", "hard link to nothing that came before it"),
        ([entry("p", kind=tarfile.DIRTYPE)], "", "the archive holds no files"),
    ],
)
def test_a_hostile_entry_is_refused(
    tmp_path: Path, entries: list[tuple[tarfile.TarInfo, bytes]], member: str, why: str
) -> None:
    assert read_archive(write_tar(tmp_path / "a.tar.gz", *entries)) == Refused(member=member, why=why)


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (Bounds(members=2), "more than 2 members"),
        (Bounds(member_bytes=9), "more than 9 bytes"),
        (Bounds(total_bytes=25), "more than 25 bytes in all"),
    ],
)
@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
def test_too_many_or_too_large_members_are_refused(tmp_path: Path, bounds: Bounds, why: str, kind: str) -> None:
    files = {f"p/{name}": b"0123456789" for name in "abc"}
    path = tmp_path / f"a.{kind}"
    made = write_zip(path, files) if kind == "zip" else write_tar(path, *(entry(*item) for item in files.items()))
    refused = read_archive(made, bounds)
    assert isinstance(refused, Refused)
    assert refused.why == why


@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path, kind: str) -> None:
    path, files = tmp_path / f"a.{kind}", {"p/zeros": bytes(20_000_000)}
    made = write_zip(path, files) if kind == "zip" else write_tar(path, *(entry(*item) for item in files.items()))
    refused = read_archive(made)
    assert isinstance(refused, Refused)
    assert refused.why == "expands more than 100 times"


def test_a_header_that_claims_a_huge_name_does_not_fill_memory(tmp_path: Path) -> None:
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 4 * 1024**3
    path = tmp_path / "a.tar.gz"
    with gzip.open(path, "wb") as stream:
        stream.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(64):
            stream.write(bytes(1_000_000))
    refused = read_archive(path)
    assert isinstance(refused, Refused)
    assert refused.why == "expands more than 100 times"


@pytest.mark.parametrize("junk", [b"", b"not an archive", gzip.compress(b"\0" * 100), gzip.compress(b"x" * 5000)[:-9]])
def test_what_is_no_archive_is_refused_as_a_whole(tmp_path: Path, junk: bytes) -> None:
    for name in ("a.tar.gz", "a.zip"):
        (tmp_path / name).write_bytes(junk)
        refused = read_archive(tmp_path / name)
        assert isinstance(refused, Refused)
        assert refused.why.startswith("the archive is broken: ") or refused.why == "the archive holds no files"


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    path = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    path.write_bytes(path.read_bytes()[:-200])
    assert isinstance(read_archive(path), Refused)


def test_a_negative_size_ends_the_reading(tmp_path: Path) -> None:
    info = tarfile.TarInfo("p/x")
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\xff" * 11 + b"\x00"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(bytes(header) * 3 + bytes(1024)))
    assert isinstance(read_archive(path), Refused)


def test_another_kind_of_archive_is_refused(tmp_path: Path) -> None:
    assert read_archive(tmp_path / "a.rar") == Refused(member="", why="neither .tar.gz, .tgz nor .zip")


@pytest.mark.parametrize(
    ("name", "mode", "data", "why"),
    [
        ("/abs", 0o100644, b"", "absolute path"),
        ("p/../../x", 0o100644, b"", "`..` in the path"),
        ("p/x\\y", 0o100644, b"", "backslash in the name"),
        ("p/link", 0o120777, b"../../etc", "link leaves the tree"),
        ("p/fifo", 0o010644, b"", "a device, a pipe or an unknown kind of entry"),
    ],
)
def test_a_hostile_zip_member_is_refused(tmp_path: Path, name: str, mode: int, data: bytes, why: str) -> None:
    path = write_zip(tmp_path / "a.zip", {"p/ok": b"", name: data}, {name: mode})
    refused = read_archive(path)
    assert isinstance(refused, Refused)
    assert refused.why == why


def test_a_zip_name_that_is_cut_at_nul_is_judged_whole(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"p/aXb": b"", "p/ok": b""})
    path.write_bytes(path.read_bytes().replace(b"p/aXb", b"p/a\0b"))
    refused = read_archive(path)
    assert isinstance(refused, Refused)
    assert refused.why == "NUL or control character in the name"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_with_a_name_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("p/a", "1")
        archive.writestr("p/a", "2")
    assert read_archive(path) == Refused(member="a", why="the name is there twice")


@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("p/README", "p/readme"),
        ("p/Doc/a", "p/doc/b"),
        ("p/stra\u00dfe", "p/STRASSE"),
        ("p/caf\u00e9", "p/cafe\u0301"),
    ],
)
def test_names_that_some_file_systems_take_for_one_are_refused(tmp_path: Path, kind: str, one: str, two: str) -> None:
    files = {one: b"1", two: b"2", "p/ok": b""}
    path = tmp_path / f"a.{kind}"
    refused = read_archive(
        write_zip(path, files) if kind == "zip" else write_tar(path, *(entry(*item) for item in files.items()))
    )
    assert isinstance(refused, Refused)
    assert refused.why.endswith("in case or spelling alone")


@pytest.mark.parametrize("name", [".g\u200cit/config", "git~1/x", ".git./config", ".GIT /x", ".git::$DATA", "GITMOD~1"])
def test_other_spellings_of_what_git_reads_are_dropped_and_said(tmp_path: Path, name: str) -> None:
    contents = read_archive(write_sdist(tmp_path / "a.tar.gz", {name: b"", "x": b""}))
    assert isinstance(contents, Contents)
    assert [member.path for member in contents.members] == ["x"]
    assert contents.dropped == (f"{name}: read by git itself",)


def test_a_sparse_file_that_claims_a_terabyte_is_refused_unread(tmp_path: Path) -> None:
    info, _ = entry("p/holes", b"")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1024**4)}
    refused = read_archive(write_tar(tmp_path / "a.tar.gz", (info, b"")))
    assert isinstance(refused, Refused)
    assert refused.why.startswith(("more than 33,554,432 bytes", "the archive is broken"))


def test_members_of_a_zip_that_share_their_bytes_are_refused_by_their_sum(tmp_path: Path) -> None:
    """Many names, one block of compressed bytes: small on disk, huge when every name is read."""
    path = write_zip(tmp_path / "a.zip", {"p/0": bytes(1_000_000)})
    with zipfile.ZipFile(path) as archive:
        first = archive.infolist()[0]
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(1, 300):
            twin = zipfile.ZipInfo(f"p/{number}")
            for field in ("compress_type", "CRC", "compress_size", "file_size", "header_offset"):
                setattr(twin, field, getattr(first, field))
            archive.filelist.append(twin)
            archive.NameToInfo[twin.filename] = twin
        archive._didModify = True
    assert path.stat().st_size < 100_000
    refused = read_archive(path)
    assert isinstance(refused, Refused)
    assert (
        refused.why in {"expands more than 100 times", "more than 268,435,456 bytes in all"} or "broken" in refused.why
    )
