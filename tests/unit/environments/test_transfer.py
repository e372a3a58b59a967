"""Copies and removals on real trees, hostile ones included."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from environments.transfer import DEPTH, PATH_BYTES, copy_in, copy_out, others_may_read, remove_tree


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text("host")
    return path


def deep_tree(root: Path, levels: int, name: str = "n" * 200) -> None:
    """A tree whose paths are longer than any path may be."""
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=here)
        down = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = down
    os.close(here)


def test_copy_in_keeps_links_and_does_not_follow_them(tmp_path: Path, secret: Path) -> None:
    source = tmp_path / "source"
    (source / "sub").mkdir(parents=True)
    (source / "sub" / "run").write_text("x")
    (source / "sub" / "run").chmod(0o700)
    (source / "link").symlink_to(secret)
    (source / "folder").symlink_to(tmp_path)
    os.mkfifo(source / "pipe")
    copy_in(source, tmp_path / "dest")
    assert (tmp_path / "dest" / "link").readlink() == secret
    assert (tmp_path / "dest" / "folder").is_symlink()
    assert not (tmp_path / "dest" / "pipe").exists()
    assert (tmp_path / "dest" / "sub" / "run").stat().st_mode & 0o777 == 0o755


def test_copy_out_gives_plain_files_only_and_names_the_rest(tmp_path: Path, secret: Path) -> None:
    source, dest = tmp_path / "source", tmp_path / "dest"
    (source / "a").mkdir(parents=True)
    (source / "a" / "file").write_text("x")
    (source / "file").symlink_to(secret)
    (source / "folder").symlink_to(tmp_path)
    dest.mkdir()
    (dest / "folder").symlink_to(tmp_path)
    (dest / "old").mkdir()
    assert sorted(copy_out(source, dest)) == ["file", "folder"]
    assert sorted(str(path.relative_to(dest)) for path in dest.rglob("*")) == ["a", "a/file"]
    assert secret.read_text() == "host"


@pytest.mark.parametrize(("name", "kept"), [("n", DEPTH), ("n" * 200, PATH_BYTES // 201)])
def test_copy_out_stops_at_its_bounds(tmp_path: Path, name: str, kept: int) -> None:
    deep_tree(tmp_path / "source", 2 * DEPTH, name)
    (tmp_path / "dest").mkdir()
    assert len(copy_out(tmp_path / "source", tmp_path / "dest")) == 1
    assert len(list((tmp_path / "dest").rglob("*"))) == kept
    remove_tree(tmp_path / "source")
    remove_tree(tmp_path / "dest")


def test_any_tree_can_be_removed(tmp_path: Path, secret: Path) -> None:
    root = tmp_path / "root"
    deep_tree(root, 300)
    (root / "link").symlink_to(tmp_path)
    (root / "closed" / "inner").mkdir(parents=True)
    (root / "closed" / "inner" / "file").write_text("x")
    (root / "closed" / "inner").chmod(0)
    (root / "closed").chmod(0)
    remove_tree(root)
    assert sorted(tmp_path.iterdir()) == [secret]


def test_a_removal_that_was_interrupted_can_be_finished(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for path in ("a/one/deep", ".up-0/kept/deep", ".up-1/kept/deep"):
        (root / path).mkdir(parents=True)
    remove_tree(root)
    assert not root.exists()


@pytest.mark.parametrize(
    ("place", "mode"), [("", 0o750), ("sub", 0o751), ("sub/file", 0o640), ("sub", 0o754)], ids=["top", "r", "file", "x"]
)
def test_one_closed_thing_makes_a_tree_unreadable_for_others(place: str, mode: int) -> None:
    import shutil
    import tempfile

    root = Path(tempfile.mkdtemp(dir="/var/tmp"))
    try:
        (root / "sub").mkdir()
        (root / "sub" / "file").write_text("x")
        for path in (root, root / "sub", root / "sub" / "file"):
            path.chmod(0o755)
        assert others_may_read(root)
        (root / place).chmod(mode)
        assert not others_may_read(root)
    finally:
        shutil.rmtree(root)


def test_closed_parent_makes_a_tree_unreadable_for_others(tmp_path: Path) -> None:
    (tmp_path / "closed" / "tree").mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    assert not others_may_read(tmp_path / "closed" / "tree")
