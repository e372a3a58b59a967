"""What a run is at, seen from outside: while it lives, after its end, and after it was killed."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.holding import Notebook, hold, look, run_folder
from flows.run import Step
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import Language
from taskpack.outcome import Stage
from taskpack.recipe import Recipe

RESULT = Recipe(language=Language.PYTHON, python="3.11", packages=())
HOLDER = """
import sys, time
from pathlib import Path
from flows.holding import hold
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.outcome import Stage
with hold(WorkFolder(root=Path(sys.argv[1])), CaseFolder(root=Path(sys.argv[2]))) as notebook:
    notebook.started(Stage.SPEC)
    notebook.note("    drafting FP-01")
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def case(tmp_path: Path) -> CaseFolder:
    folder = tmp_path / "cases" / "case001"
    folder.mkdir(parents=True)
    return CaseFolder(root=folder)


@pytest.fixture
def work(tmp_path: Path) -> WorkFolder:
    return WorkFolder(root=tmp_path / "work")


def test_looking_at_a_case_that_was_never_run_makes_nothing(work: WorkFolder, case: CaseFolder) -> None:
    seen = look(work, case)
    assert (seen.holding, seen.alive) == (None, False)
    assert not work.root.exists()


def test_a_run_is_seen_with_stage_and_note_and_a_killed_one_is_told_from_it(
    work: WorkFolder, case: CaseFolder, checkout: Path
) -> None:
    command = [sys.executable, "-c", HOLDER, str(work.root), str(case.root)]
    with subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "held\n"
            seen = look(work, case)
            assert seen.alive
            assert seen.holding
            assert (seen.holding.pid, seen.holding.stage, seen.holding.note) == (
                process.pid,
                Stage.SPEC,
                "drafting FP-01",
            )
        finally:
            process.kill()
    after = look(work, case)
    assert not after.alive
    assert after.holding == seen.holding


def test_a_run_that_ends_leaves_nothing(work: WorkFolder, case: CaseFolder) -> None:
    def stopped() -> None:
        with hold(work, case) as notebook:
            notebook.note("working")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert list(work.runs.iterdir()) == []


def test_looking_does_not_keep_a_run_from_starting(work: WorkFolder, case: CaseFolder) -> None:
    run_folder(work, case).mkdir(parents=True)
    for _ in range(50):
        assert not look(work, case).alive
        with hold(work, case):
            assert look(work, case).alive


def test_cases_of_one_name_in_two_folders_are_two_runs(work: WorkFolder, case: CaseFolder, tmp_path: Path) -> None:
    with hold(work, case):
        assert not look(work, CaseFolder(root=tmp_path / "private" / "case001")).alive


def test_a_record_that_cannot_be_read_is_no_reason_to_fail(work: WorkFolder, case: CaseFolder) -> None:
    with hold(work, case):
        (run_folder(work, case) / "now.json").write_text("{")
        seen = look(work, case)
    assert (seen.holding, seen.alive) == (None, True)


def test_a_disk_that_takes_no_note_does_not_stop_the_run(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "none")
    notebook.note("working")
    notebook.started(Stage.PIN)


def test_the_times_are_of_the_last_change(tmp_path: Path) -> None:
    moments = iter(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=count) for count in range(9))
    work, case = WorkFolder(root=tmp_path), CaseFolder(root=tmp_path / "case001")
    folder = run_folder(work, case)
    folder.mkdir(parents=True)
    notebook = Notebook(folder, now=lambda: next(moments))
    notebook.started(Stage.PIN)
    notebook.note("fetching")
    held = look(work, case).holding
    assert held
    assert (held.since.second, held.stage_since and held.stage_since.second, held.note_at.second) == (0, 1, 3)
    notebook.finished(Step(stage=Stage.PIN, result=RESULT, reused=False, seconds=1))
    held = look(work, case).holding
    assert held
    assert (held.stage, held.stage_since, held.note) == (None, None, "pin is done")
