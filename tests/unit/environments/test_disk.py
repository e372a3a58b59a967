"""What a tree has added to its writable folders, on real files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from environments.disk import DiskMeter

KIB = 1024
ENTRY = 4 * KIB


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "given").write_bytes(bytes(64 * KIB))
    return tmp_path / "out"


@pytest.fixture
def meter(folder: Path) -> DiskMeter:
    return DiskMeter([folder], pids=lambda: [os.getpid()])


def test_what_was_given_is_free_and_what_comes_is_not(folder: Path, meter: DiskMeter) -> None:
    assert meter.added() == 0
    (folder / "a").mkdir()
    (folder / "a" / "file").write_bytes(bytes(64 * KIB))
    assert meter.added() == 64 * KIB + 2 * ENTRY
    (folder / "given").unlink()
    assert meter.added() == ENTRY


def test_empty_files_have_a_price(folder: Path, meter: DiskMeter) -> None:
    for number in range(10):
        (folder / str(number)).touch()
    assert meter.added() == 10 * ENTRY


def test_a_file_with_two_names_counts_once(folder: Path, meter: DiskMeter) -> None:
    (folder / "one").write_bytes(bytes(64 * KIB))
    os.link(folder / "one", folder / "two")
    assert meter.added() == 64 * KIB + 2 * ENTRY


def test_a_hole_costs_nothing(folder: Path, meter: DiskMeter) -> None:
    with (folder / "hole").open("wb") as file:
        file.truncate(1 << 30)
    assert meter.added() <= 2 * ENTRY


def test_a_file_without_a_name_counts_while_it_is_open(folder: Path, meter: DiskMeter) -> None:
    with (folder / "gone").open("wb") as file:
        (folder / "gone").unlink()
        file.write(bytes(64 * KIB))
        file.flush()
        assert meter.added() == 64 * KIB
    assert meter.added() == 0


def test_links_are_not_followed(folder: Path, tmp_path: Path, meter: DiskMeter) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_bytes(bytes(64 * KIB))
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    assert meter.added() <= 2 * ENTRY


def test_a_bottomless_tree_is_past_every_bound(folder: Path, meter: DiskMeter) -> None:
    here = folder
    for _ in range(200):
        here /= "n"
        here.mkdir()
    assert meter.added() > 1 << 60


def test_the_bound_is_seen_at_once_when_the_disk_fills(folder: Path, meter: DiskMeter) -> None:
    bound = 16 * KIB * KIB
    assert not meter.is_past(bound)
    (folder / "file").write_bytes(bytes(2 * bound))
    assert meter.is_past(bound)
