"""A candidate's workspace is copied, and what is digested is what is judged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.workspace import copy_workspace
from taskpack.errors import BadInput


def test_links_that_leave_and_specials_are_left_out_and_told(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "a/__pycache__").mkdir(parents=True)
    (source / "a/run").write_text("x")
    (source / "a/run").chmod(0o700)
    (source / "a/data").write_text("y")
    (source / "a/__pycache__/run.pyc").write_text("z")
    (source / "good").symlink_to("a/run")
    (source / "a/good").symlink_to("../a/data")
    (source / "absolute").symlink_to("/etc/passwd")
    (source / "a/up").symlink_to("../../outside")
    os.mkfifo(source / "pipe")
    copied = copy_workspace(source, tmp_path / "dest")
    assert copied.absent == (
        "a/up: a link that leaves the workspace",
        "absolute: a link that leaves the workspace",
        "pipe: neither file, folder nor link",
    )
    found = sorted(str(path.relative_to(copied.root)) for path in copied.root.rglob("*"))
    assert found == ["a", "a/data", "a/good", "a/run", "good"]
    assert (copied.root / "a/run").stat().st_mode & 0o777 == 0o755
    assert (copied.root / "a/data").stat().st_mode & 0o777 == 0o644


def test_a_link_in_the_place_of_a_folder_is_not_walked(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("s")
    (tmp_path / "source").mkdir()
    (tmp_path / "source/folder").symlink_to(tmp_path / "outside")
    copied = copy_workspace(tmp_path / "source", tmp_path / "dest")
    assert list(copied.root.iterdir()) == []


def test_a_copy_of_a_copy_has_the_same_digest(tmp_path: Path) -> None:
    (tmp_path / "source/a").mkdir(parents=True)
    (tmp_path / "source/a/b").write_text("b")
    (tmp_path / "source/link").symlink_to("a/b")
    one = copy_workspace(tmp_path / "source", tmp_path / "one")
    two = copy_workspace(one.root, tmp_path / "two")
    assert one.digest == two.digest


def test_what_is_no_folder_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput):
        copy_workspace(tmp_path / "nothing", tmp_path / "one")
    monkeypatch.setattr("judge.workspace._FILES_CAP", 3)
    (tmp_path / "many").mkdir()
    for number in range(4):
        (tmp_path / "many" / str(number)).touch()
    with pytest.raises(BadInput):
        copy_workspace(tmp_path / "many", tmp_path / "two")
