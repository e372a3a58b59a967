"""Writing without halves: also on a full disk, also when killed."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from taskpack import files
from taskpack.errors import NoSpace
from taskpack.files import publish_folder, tree_digest, walk, write_bytes


def test_what_is_written_is_there_with_its_mode_and_nothing_else(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_bytes(tmp_path / "a" / "b.json", b"one")
        write_bytes(tmp_path / "a" / "b.json", b"two", mode=0o755)
    finally:
        os.umask(before)
    assert (tmp_path / "a" / "b.json").read_bytes() == b"two"
    assert (tmp_path / "a" / "b.json").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.json"]


@pytest.mark.parametrize("call", ["fsync", "fchmod"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_keeps_the_old_content_and_leaves_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    write_bytes(tmp_path / "x.json", b"old")

    def full(*_args: object) -> None:
        raise OSError(number, "full")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(NoSpace, match=r"no space left while writing x\.json") as caught:
            write_bytes(tmp_path / "x.json", b"new")
    assert caught.value.details == {"folder": str(tmp_path), "errno": errno.errorcode[number]}
    assert caught.value.exit_code == 9
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
    assert (tmp_path / "x.json").read_bytes() == b"old"


def test_another_fault_of_the_disk_is_not_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="Input/output error"):
        write_bytes(tmp_path / "x.json", b"new")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if done.returncode != 0:
        pytest.skip(f"cannot mount a small file system here: {done.stderr.decode().strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_really_full_disk_is_no_space_and_the_old_content_stays(tiny_disk: Path) -> None:
    write_bytes(tiny_disk / "x.json", b"old")
    with pytest.raises(NoSpace):
        write_bytes(tiny_disk / "x.json", b"n" * 200_000)
    assert (tiny_disk / "x.json").read_bytes() == b"old"
    assert [path.name for path in tiny_disk.iterdir()] == ["x.json"]
    write_bytes(tiny_disk / "x.json", b"new")


def killed_while(action: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def die(*_args: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_kill_before_the_rename_leaves_the_old_content(tmp_path: Path) -> None:
    write_bytes(tmp_path / "x.json", b"old")

    def action() -> None:
        os.fsync = die  # type: ignore[assignment]
        write_bytes(tmp_path / "x.json", b"new")

    killed_while(action)
    assert (tmp_path / "x.json").read_bytes() == b"old"


def test_a_kill_after_the_rename_leaves_the_new_content(tmp_path: Path) -> None:
    write_bytes(tmp_path / "x.json", b"old")

    def action() -> None:
        files.sync_folder = die  # type: ignore[assignment]
        write_bytes(tmp_path / "x.json", b"new")

    killed_while(action)
    assert (tmp_path / "x.json").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_a_folder_is_published_whole_and_the_first_one_wins(tmp_path: Path) -> None:
    for number in ("1", "2"):
        (tmp_path / number / "deep").mkdir(parents=True)
        (tmp_path / number / "deep" / "x").write_text(number)
        publish_folder(tmp_path / number, tmp_path / "kept" / "final")
    assert (tmp_path / "kept" / "final" / "deep" / "x").read_text() == "1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]


def test_links_are_listed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "tree" / "b").mkdir(parents=True)
    (tmp_path / "tree" / "b" / "x").write_text("x")
    (tmp_path / "tree" / "a").symlink_to("b")
    (tmp_path / "tree" / "Z").symlink_to("nowhere")
    assert [path.relative_to(tmp_path / "tree").as_posix() for path in walk(tmp_path / "tree")] == ["Z", "a", "b/x"]


def tree(folder: Path) -> Path:
    (folder / "p").mkdir(parents=True)
    (folder / "p" / "a.py").write_text("x = 1\n")
    (folder / "p" / "link").symlink_to("a.py")
    return folder


def test_a_copy_has_the_digest_of_its_original_whatever_its_times_and_caches(tmp_path: Path) -> None:
    one, two = tree(tmp_path / "one"), tree(tmp_path / "two")
    os.utime(two / "p" / "a.py", (1, 1))
    (two / "p" / "a.py").chmod(0o600)
    (two / "p" / "__pycache__").mkdir()
    (two / "p" / "__pycache__" / "a.pyc").write_bytes(b"x")
    assert tree_digest(one) == tree_digest(two)


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "p" / "a.py").write_text("x = 2\n"),
        lambda root: (root / "p" / "a.py").chmod(0o755),
        lambda root: (root / "p" / "a.py").rename(root / "p" / "b.py"),
        lambda root: (root / "p" / "new").write_text(""),
        lambda root: (root / "p" / "link").unlink(),
        lambda root: ((root / "p" / "link").unlink(), (root / "p" / "link").write_text("a.py")),
        lambda root: ((root / "p" / "link").unlink(), (root / "p" / "link").symlink_to("b.py")),
        lambda root: os.mkfifo(root / "p" / "pipe"),
    ],
)
def test_content_name_kind_and_mode_change_the_digest(tmp_path: Path, change: Callable[[Path], object]) -> None:
    before = tree_digest(tree(tmp_path / "one"))
    change(tmp_path / "one")
    assert tree_digest(tmp_path / "one") != before


@pytest.mark.parametrize("change", ["empty folder", "name", "content", "mode", "link", "file to link"])
def test_whatever_can_be_seen_in_a_tree_changes_its_digest(tmp_path: Path, change: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/file").write_text("x")
    (tmp_path / "link").symlink_to("a")
    before = files.tree_digest(tmp_path)
    match change:
        case "empty folder":
            (tmp_path / "a/empty").mkdir()
        case "name":
            (tmp_path / "a/file").rename(tmp_path / "a/other")
        case "content":
            (tmp_path / "a/file").write_text("y")
        case "mode":
            (tmp_path / "a/file").chmod(0o755)
        case "link":
            (tmp_path / "link").unlink()
            (tmp_path / "link").symlink_to("a/file")
        case "file to link":
            (tmp_path / "a/file").unlink()
            (tmp_path / "a/file").symlink_to("x")
    assert files.tree_digest(tmp_path) != before
