"""The model of a power loss: what was synced is there, what was not is lost, and a careless writer is found out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from taskpack.files import publish_folder, write_bytes
from tests.faults.durable import Disk


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def disk(root: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    made, sync = Disk([root]), os.fsync

    def synced(handle: int) -> None:
        sync(handle)
        made.synced(handle)

    monkeypatch.setattr(os, "fsync", synced)
    return made


def left(disk: Disk, tmp_path: Path) -> dict[str, bytes]:
    disk.put(tmp_path / "image")
    top = tmp_path / "image" / "work"
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def test_a_file_that_was_renamed_into_place_without_a_sync_is_empty(disk: Disk, root: Path, tmp_path: Path) -> None:
    (root / "part").write_bytes(b"new")
    (root / "part").rename(root / "x.json")
    handle = os.open(root, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
    assert left(disk, tmp_path) == {"x.json": b""}


def test_a_file_in_a_folder_that_was_not_synced_is_gone(disk: Disk, root: Path, tmp_path: Path) -> None:
    with (root / "x.json").open("wb") as file:
        file.write(b"new")
        file.flush()
        os.fsync(file.fileno())
    assert left(disk, tmp_path) == {}


def test_what_we_write_is_there_also_in_folders_that_are_new(disk: Disk, root: Path, tmp_path: Path) -> None:
    write_bytes(root / "a" / "b" / "x.json", b"new")
    assert left(disk, tmp_path) == {"a/b/x.json": b"new"}


def test_a_published_folder_is_there_whole(disk: Disk, root: Path, tmp_path: Path) -> None:
    (root / "scratch" / "deep").mkdir(parents=True)
    (root / "scratch" / "deep" / "x").write_bytes(b"new")
    publish_folder(root / "scratch", root / "stages" / "pin")
    assert left(disk, tmp_path)["stages/pin/deep/x"] == b"new"


def test_a_folder_that_is_renamed_without_a_sync_of_its_tree_is_empty(disk: Disk, root: Path, tmp_path: Path) -> None:
    (root / "scratch").mkdir()
    (root / "scratch" / "x").write_bytes(b"new")
    (root / "scratch").rename(root / "kept")
    handle = os.open(root, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
    assert left(disk, tmp_path) == {}
