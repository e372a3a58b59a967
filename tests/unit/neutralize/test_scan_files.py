from __future__ import annotations

import os
import tarfile
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from neutralize.scan import ScanReport, scan
from neutralize.traverse import MAX_BYTES, Item, items
from taskpack.rename import Grade, Term

NAME = Term(surface="BrassMonocle", grade=Grade.IDENTIFYING, kind="project", sources=("order",))


def report(root: Path) -> ScanReport:
    return scan(items(root), (NAME,))


def test_a_finding_says_where_and_what(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("first\nsee the pybrass_monocle2 page\n", "utf-8")
    (finding,) = report(tmp_path).findings
    assert (finding.path, finding.line, finding.column) == ("a.md", 2, 11)
    assert finding.surface == "brass_monocle"
    assert finding.snippet == "see the pybrass_monocle2 page"
    assert finding.render().startswith("a.md:2:11: 'brass_monocle' is 'BrassMonocle' (hit: identifying term)")


def test_a_place_is_given_in_the_files_own_characters_behind_folding(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("\u00e9\u200b\ufb01 x brass\u00admon\u043ecle\n", "utf-8")
    (finding,) = report(tmp_path).findings
    assert (finding.line, finding.column) == (1, 7)
    assert finding.surface == "brass\\xadmon\u043ecle"


def test_file_names_and_link_targets_are_read(tmp_path: Path) -> None:
    (tmp_path / "brass-monocle").mkdir()
    (tmp_path / "brass-monocle" / "x.txt").write_text("calm", "utf-8")
    (tmp_path / "link").symlink_to("/nowhere/brassmonocle/y")
    seen = [(finding.path, finding.view) for finding in report(tmp_path).findings]
    assert seen == [("brass-monocle/x.txt", "path"), ("link", "raw")]


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32", "latin-1"]
)
def test_other_encodings_of_text_are_read(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes("caf\u00e9 and the brassmonocle here\n".encode(encoding))
    seen = report(tmp_path)
    assert seen.complete
    assert len(seen.findings) == 1


def test_what_cannot_be_read_makes_the_report_incomplete_and_never_clean(tmp_path: Path) -> None:
    (tmp_path / "ok.txt").write_text("calm", "utf-8")
    assert report(tmp_path).clean
    with tarfile.open(tmp_path / "t.txt", "w") as tar:
        tar.add(tmp_path / "ok.txt", "ok.txt")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    os.mkfifo(tmp_path / "pipe")
    seen = report(tmp_path)
    assert not seen.clean
    assert not seen.complete
    assert not seen.findings
    assert [entry.path for entry in seen.unscanned] == ["huge.txt", "image.png", "pipe", "t.txt"]


def test_a_name_in_plain_bytes_of_an_unreadable_file_is_a_finding_too(tmp_path: Path) -> None:
    (tmp_path / "lib.so").write_bytes(b"\x7fELF\x00\x01brass_monocle\x00\xff")
    seen = report(tmp_path)
    assert [finding.view for finding in seen.findings] == ["bytes"]
    assert not seen.complete


def test_nothing_looked_at_or_looked_for_is_not_clean(tmp_path: Path) -> None:
    assert not report(tmp_path).clean
    (tmp_path / "ok.txt").write_text("calm", "utf-8")
    assert not scan(items(tmp_path), ()).clean


def test_nothing_in_a_tree_can_exclude_a_file(tmp_path: Path) -> None:
    for name in (".gitignore", ".scanignore", ".ignore"):
        (tmp_path / name).write_text("*\n", "utf-8")
    (tmp_path / "a.txt").write_text("brassmonocle  # noqa ignore: scan", "utf-8")
    assert [finding.path for finding in report(tmp_path).findings] == ["a.txt"]


def test_the_same_files_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text("brassmonocle `Brass-Monocle`\n" * number + "calm", "utf-8")
    found = list(items(tmp_path))
    assert scan(found, (NAME,)).to_bytes() == scan(reversed(found), (NAME,)).to_bytes()


def test_spellings_of_one_name_give_one_finding_for_a_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("brassmonocle and brass-monocle", "utf-8")
    other = NAME.model_copy(update={"surface": "brassmonocle", "kind": "dist"})
    assert len(scan(items(tmp_path), (NAME, other)).findings) == 2


def test_a_scan_holds_one_file_at_a_time() -> None:
    gone = []
    alive: list[weakref.ref[Item]] = []

    def each() -> Iterator[Item]:
        for number in range(6):
            item = Item(path=f"{9 - number}.txt", data=b"brassmonocle\n")
            alive.append(weakref.ref(item))
            yield item
            del item
            gone.append(sum(one() is not None for one in alive))

    found = scan(each(), (NAME,))
    assert max(gone) <= 1
    assert [finding.path for finding in found.findings] == [f"{number}.txt" for number in range(4, 10)]
