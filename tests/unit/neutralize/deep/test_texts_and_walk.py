from __future__ import annotations

import os
import random
import socket
from pathlib import Path

import pytest

from neutralize.deep import Limits, deep_items
from neutralize.scan import scan
from neutralize.traverse import items as plain_items
from taskpack.rename import Grade, Term
from tests.unit.neutralize.deep.makers import problems, read, texts, zipped

NAME = Term(surface="BrassMonocle", grade=Grade.IDENTIFYING, kind="project", sources=("order",))
SMALL = Limits(piece=10_000, overlap=64)


# The folder itself


def test_files_links_and_folder_names_come_in_one_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "empty").mkdir()
    (tmp_path / "b" / "x.txt").write_text("calm")
    (tmp_path / "a.txt").write_text("calm")
    (tmp_path / "loop").symlink_to("b")
    (tmp_path / "gone").symlink_to("/nowhere/brass")
    found = [(item.path, item.data) for item in deep_items(tmp_path)]
    assert found == [
        ("a.txt", b"calm"),
        ("gone", b"/nowhere/brass"),
        ("loop", b"b"),
        ("b/", b""),
        ("b/x.txt", b"calm"),
        ("b/empty/", b""),
    ]


def test_plain_files_come_as_the_plain_traversal_gives_them(tmp_path: Path) -> None:
    for name, data in {"a.md": "caf\u00e9".encode("latin-1"), "b/c.txt": b"", "b-c": "wide".encode("utf-16")}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "l").symlink_to("b/../../x")
    deep = {item.path: item.data for item in deep_items(tmp_path) if not item.path.endswith("/")}
    assert deep == {item.path: item.data for item in plain_items(tmp_path)}
    assert [item.path for item in deep_items(tmp_path, ("b", "none", "l"))] == ["b/", "b/c.txt", "l"]


def test_one_archive_is_read_without_a_folder_around_it(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"x": b"brass"}))
    assert texts(list(deep_items(tmp_path / "a.zip"))) == {"a.zip!x": b"brass"}


def test_what_is_no_plain_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        found = list(deep_items(tmp_path))
    assert problems(found) == dict.fromkeys(("pipe", "s"), "neither file, folder nor link")


def test_names_that_are_no_text_are_read(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/brass\xff\n")).write_text("x")
    assert [item.path for item in deep_items(tmp_path)] == ["brass\\xff\n"]


def test_a_file_that_changes_while_it_is_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"x": b"1", "y": b"2"}))
    found = []
    for item in deep_items(tmp_path):
        found.append(item)
        if item.path == "a.zip!x":
            with (tmp_path / "a.zip").open("ab") as file:
                file.write(b"more")
    assert problems(found) == {"a.zip": "it changed while it was read"}


def test_a_file_that_is_gone_and_a_folder_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "b").write_text("x")
    (tmp_path / "c").mkdir()
    found = []
    for item in deep_items(tmp_path):
        found.append(item)
        if item.path == "a":
            (tmp_path / "b").unlink()
            (tmp_path / "c").rmdir()
    assert problems(found) == {"b": "it cannot be read (ENOENT)", "c/": "it cannot be read (ENOENT)"}


def test_a_file_beyond_the_bound_is_told_and_not_read(tmp_path: Path) -> None:
    with (tmp_path / "holes").open("wb") as file:
        file.truncate(1 << 42)
    assert problems(list(deep_items(tmp_path))) == {"holes": f"larger than {1 << 32} bytes (cap 'file_bytes')"}


def test_extended_attributes_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    try:
        os.setxattr(tmp_path / "a", "user.origin", b"brass.example")
    except OSError as error:
        pytest.skip(f"no extended attributes here: {error}")
    assert b"user.origin=brass.example" in texts(list(deep_items(tmp_path)))["a!(attributes)"]


def test_folders_as_deep_as_the_system_lets_them_be_end_in_a_told_problem_or_are_read(tmp_path: Path) -> None:
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 200, dir_fd=place)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    found = list(deep_items(tmp_path))
    assert set(problems(found).values()) == {"it cannot be read (ENAMETOOLONG)"}


# Long texts


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_long_text_comes_in_pieces_that_hold_all_of_it(tmp_path: Path, encoding: str) -> None:
    lines = [f"line {number} of a plain text" for number in range(9000)]
    items = read(tmp_path, "\n".join(lines).encode(encoding), SMALL)
    assert problems(items) == {}
    assert len(items) > 5
    found: dict[int, bytes] = {}
    for item in items:
        assert item.data is not None
        assert len(item.data) <= SMALL.piece
        first = int(item.path.partition("line ")[2].rstrip(")"))
        numbered = enumerate(item.data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), first)
        found.update({number: line for number, line in numbered if line == lines[number - 1].encode()})
    assert len(found) == len(lines), "every line stands whole in a piece, under its own number"


def test_a_name_that_a_border_of_pieces_cuts_is_found(tmp_path: Path) -> None:
    for shift in range(12):
        data = b"\xc3\xa9" * 4990 + b"." * shift + b"brassmonocle" + b"y" * 30_000
        report = scan(read(tmp_path, data, SMALL), (NAME,))
        assert {finding.surface for finding in report.findings} == {"brassmonocle"}
        assert report.complete


def test_a_long_line_without_ends_is_read(tmp_path: Path) -> None:
    items = read(tmp_path, b"x" * 100_000, SMALL)
    assert problems(items) == {}
    assert sum(item.size for item in items) == 100_000  # type: ignore[attr-defined]


def test_a_long_text_with_a_binary_piece_is_read(tmp_path: Path) -> None:
    data = b"plain text\n" * 3000 + bytes(range(256)) * 20 + b"\0brassmonocle\0" + b"plain text\n" * 3000
    limits = Limits(piece=10_000, overlap=64)
    report = scan(read(tmp_path, b"plain text\n" * 100_000 + data, limits), (NAME,))
    assert [finding.surface for finding in report.findings] == ["brassmonocle"]


# Binaries


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_readable_runs_of_a_binary_are_read(tmp_path: Path, encoding: str) -> None:
    noise = random.Random(7).randbytes(5000)
    data = noise + b"\0\0" + "by brass\u00e9 monocle".encode(encoding) + b"\0\0\x01" + noise
    items = read(tmp_path, data)
    assert problems(items) == {}
    assert "by brass\u00e9 monocle".encode() in texts(items)["a.bin!(strings)"]
    assert items[0].path == "a.bin"
    assert items[0].data == b""


def test_runs_of_less_than_six_characters_are_not_told(tmp_path: Path) -> None:
    assert texts(read(tmp_path, b"\0\1brass\0\1" * 9)) == {}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_runs_are_whole_wherever_a_block_ends(tmp_path: Path, encoding: str) -> None:
    from neutralize.deep.texts import _runs_of

    data = b"\0\0\xff\xff" + "see brassmonocl\u00e9 here".encode(encoding) + b"\xff\xff\0\0\xff"
    for cut in range(len(data)):
        found = list(_runs_of(iter((data[:cut], data[cut:]))))
        assert found.count("see brassmonocl\u00e9 here".encode()) == 1, cut


def test_a_long_run_comes_in_parts_that_overlap(tmp_path: Path) -> None:
    from neutralize.deep.texts import _runs_of

    text = b"".join(b"%07d " % number for number in range(40_000))
    parts = list(_runs_of(iter([text[at : at + 100_000] for at in range(0, len(text), 100_000)])))
    assert len(parts) > 1
    assert all(any(b"%07d" % number in part for part in parts) for number in range(0, 40_000, 7))


def test_a_text_with_control_characters_is_read_as_a_whole(tmp_path: Path) -> None:
    assert texts(read(tmp_path, b"\x01h11\x02 and ada\n")) == {"a.bin!(strings)": b" h11  and ada\n"}


def test_pointers_of_large_file_stores_are_text(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.example/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    assert texts(read(tmp_path, pointer)) == {"a.bin": pointer}


def test_what_the_scan_says_of_a_name_in_a_binary_stays_a_hit(tmp_path: Path) -> None:
    report = scan(read(tmp_path, b"\0\1\2xxBrass_Monocle\0\xff"), (NAME,))
    assert [finding.path for finding in report.findings] == ["a.bin!(strings)"]
    assert report.complete
