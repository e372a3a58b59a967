"""What `repowright judge` hands to the judge, and what it says of the rest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from flows.commands.judge import _check_suite, first_of, handed_over, lost
from judge.submission import pack_workspace
from taskpack.errors import BadInput
from taskpack.layout import CaseFolder
from validation.reading import suite_digest


def test_twenty_causes_are_shown_and_the_rest_is_counted() -> None:
    causes = [f"cause {number}" for number in range(22)]
    assert first_of(causes[:20]) == causes[:20]
    assert first_of(causes) == [*causes[:20], "and 2 more, which --json gives"]
    assert first_of([]) == []


def test_a_suite_that_is_not_the_one_of_the_gates_is_refused(checkout: Path, tmp_path: Path) -> None:
    case = CaseFolder(root=tmp_path / "case001")
    shutil.copytree(checkout / "cases/case001/milestones", case.root / "milestones")
    assert _check_suite(case) == suite_digest(case)
    lost_file = next(case.tests.glob("scenarios/F01.*"))
    lost_file.unlink()
    with pytest.raises(BadInput, match="not the one whose gates have passed"):
        _check_suite(case)
    case.kill_matrix.unlink()
    with pytest.raises(BadInput, match="nothing says that the suite of case001 is whole"):
        _check_suite(case)


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
