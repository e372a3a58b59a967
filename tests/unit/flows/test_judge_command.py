"""What `repowright judge` hands to the judge, and what it says of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.commands.judge import handed_over, lost
from judge.submission import pack_workspace


def test_a_folder_and_its_archive_give_the_same_candidate_and_what_is_lost_is_said(tmp_path: Path) -> None:
    app = tmp_path / "app"
    (app / ".venv").mkdir(parents=True)
    for name in ("one.py", ".venv/pyvenv.cfg"):
        (app / name).write_text("")
    (app / "out\x1b[31m").symlink_to("/etc")
    pack_workspace(app, tmp_path / "app.tar")
    folder = handed_over(app, tmp_path / "first")
    archive = handed_over(tmp_path / "app.tar", tmp_path / "second")
    assert folder.digest == archive.digest
    venv = "a virtual environment, bound to the place and the interpreter that it was made with"
    assert lost(folder) == (
        f"left out of the workspace: .venv: {venv}",
        "left out of the workspace: out\\x1b[31m: a link that leaves the workspace",
    )


def test_a_folder_beyond_a_bound_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app" / "deep").mkdir(parents=True)
    monkeypatch.setattr("judge.workspace._FILES_CAP", 0)
    assert lost(handed_over(tmp_path / "app", tmp_path / "first")) == ("the workspace has more than 0 entries",)
