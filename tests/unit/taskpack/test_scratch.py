"""Temporary files and folders: gone at their end, swept after a kill, and safe while somebody works in them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from taskpack.files import write_bytes
from taskpack.scratch import PART, SCRATCH, sweep, temporary_file, temporary_folder


def killed(action: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def die(*_args: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_folder_and_a_file_go_with_their_block(tmp_path: Path) -> None:
    with temporary_folder(tmp_path / "new", prefix=SCRATCH) as folder:
        (folder / "x").write_text("x")
        with temporary_file(tmp_path, prefix=".x.", suffix=PART) as made:
            made.file.write(b"x")
    assert [path.name for path in tmp_path.rglob("*")] == ["new"]


def test_what_was_renamed_stays(tmp_path: Path) -> None:
    with temporary_folder(tmp_path, prefix=SCRATCH) as folder:
        folder.rename(tmp_path / "kept")
    with temporary_file(tmp_path, prefix=".x.") as made:
        made.path.rename(tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "kept"]


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    def work() -> None:
        with temporary_folder(tmp_path, prefix=SCRATCH) as folder:
            (folder / "half").write_text("half")
            os.fsync = die  # type: ignore[assignment]
            write_bytes(tmp_path / "x.json", b"x")

    killed(work)
    assert len(list(tmp_path.iterdir())) == 2
    sweep(tmp_path, f"{SCRATCH}*")
    sweep(tmp_path, f".*{PART}")
    assert list(tmp_path.iterdir()) == []


def test_what_is_being_worked_in_stays(tmp_path: Path) -> None:
    with (
        temporary_folder(tmp_path, prefix=SCRATCH) as folder,
        temporary_file(tmp_path, prefix=".x.", suffix=PART) as made,
    ):
        sweep(tmp_path, ".*")
        assert folder.is_dir()
        assert made.path.is_file()


def test_a_sweep_between_making_and_locking_costs_nothing_but_another_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    lock, swept = fcntl.flock, []

    def late(handle: int, how: int) -> None:
        if how == fcntl.LOCK_EX and not swept:
            swept.append(handle)
            sweep(tmp_path, ".*")
        lock(handle, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with temporary_folder(tmp_path, prefix=SCRATCH) as folder:
        assert folder.is_dir()
    swept.clear()
    with temporary_file(tmp_path, prefix=".x.") as made:
        assert made.path.is_file()
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_no_temporary_thing(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").write_text("x")
    (tmp_path / f"{SCRATCH}link").symlink_to("other")
    sweep(tmp_path, f"{SCRATCH}*")
    assert (tmp_path / "other" / "x").is_file()
    assert (tmp_path / f"{SCRATCH}link").is_symlink()
