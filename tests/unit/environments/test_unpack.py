"""Archives that try to get out, to lie about their size, or to be something else than files."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.unpack import unpack_zip
from taskpack.errors import EnvironmentFailed

Fill = Callable[[zipfile.ZipFile], object]


def entry(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


def zipped(path: Path, fill: Fill) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        fill(archive)
    return path


def test_files_and_folders_are_written_readable_by_all(tmp_path: Path) -> None:
    def fill(archive: zipfile.ZipFile) -> None:
        archive.writestr(entry("a/", stat.S_IFDIR | 0o700), b"")
        archive.writestr(entry("a/b", stat.S_IFREG | 0o4700), b"12345")
        archive.writestr("c", b"")

    unpack_zip(zipped(tmp_path / "x.zip", fill), tmp_path / "dest", size=5)
    assert (tmp_path / "dest/a/b").read_bytes() == b"12345"
    assert stat.S_IMODE((tmp_path / "dest/a/b").stat().st_mode) == 0o644
    assert (tmp_path / "dest/c").is_file()


HOSTILE: dict[str, tuple[Fill, str]] = {
    "up": (lambda archive: archive.writestr("../up", b"x"), "no plain path inside"),
    "up inside": (lambda archive: archive.writestr("a/../../up", b"x"), "no plain path inside"),
    "absolute": (lambda archive: archive.writestr("/tmp/up", b"x"), "no plain path inside"),
    "backslash": (lambda archive: archive.writestr("a\\..\\up", b"x"), "no plain path inside"),
    "link": (lambda archive: archive.writestr(entry("l", stat.S_IFLNK | 0o777), b"/etc/passwd"), "neither file nor folder"),
    "device": (lambda archive: archive.writestr(entry("d", stat.S_IFCHR | 0o666), b""), "neither file nor folder"),
    "control": (lambda archive: archive.writestr("a\x1b[31m", b"x"), "control character"),
    "deep": (lambda archive: archive.writestr("a/" * 40 + "b", b"x"), "too long or too deep"),
    "bomb": (lambda archive: archive.writestr("b", bytes(50_000_000)), "more bytes than were promised"),
    "twice": (lambda archive: [archive.writestr(name, b"x") for name in ("a", "a/b")], "a file has the place of a folder"),
    "short": (lambda archive: archive.writestr("a", b"x" * 9), "9 bytes in all, where 10 were promised"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_and_nothing_is_written_outside(name: str, tmp_path: Path) -> None:
    fill, word = HOSTILE[name]
    archive = zipped(tmp_path / "x.zip", fill)
    with pytest.raises(EnvironmentFailed, match="cannot be unpacked") as caught:
        unpack_zip(archive, tmp_path / "in" / "dest", size=10)
    assert word in caught.value.details["fact"]
    assert caught.value.remedy
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != archive]
    assert sum(path.stat().st_size for path in written) <= 10
    assert all(path.is_relative_to(tmp_path / "in" / "dest") for path in written)


def test_a_header_that_lies_about_the_size_is_not_believed(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "x.zip", lambda made: made.writestr("a", b"x" * 1000))
    data = bytearray(archive.read_bytes())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.index(mark) + at
        data[start : start + 4] = (5).to_bytes(4, "little")
    archive.write_bytes(data)
    with pytest.raises(EnvironmentFailed):
        unpack_zip(archive, tmp_path / "dest", size=5)


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04" + bytes(60)])
def test_a_broken_archive_is_said_to_be_broken(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(EnvironmentFailed) as caught:
        unpack_zip(tmp_path / "x.zip", tmp_path / "dest", size=5)
    assert "it is broken" in caught.value.details["fact"]
