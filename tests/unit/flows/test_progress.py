"""A run as people see it: lines, and a board."""

from __future__ import annotations

import io
import logging
from types import SimpleNamespace

import pytest
from rich.console import Console

from flows import board
from flows.board import Board
from flows.progress import Lines, Progress
from flows.run import Step
from taskpack.order import Language
from taskpack.outcome import Reason, Rejected, Stage
from taskpack.recipe import Recipe

RESULT = Recipe(language=Language.PYTHON, python="3.11", packages=())
REJECTED = Rejected(stage=Stage.NAMES, reason=Reason.NAME_TAKEN, message="no", evidence=(), command="x")


def a_run(*, now: list[float]) -> Progress:
    return Progress(stages=[Stage.PIN, Stage.SURVEY, Stage.NAMES], clock=lambda: now[0])


def go(progress: Progress, now: list[float]) -> None:
    progress.started(Stage.PIN)
    progress.finished(Step(stage=Stage.PIN, result=RESULT, reused=True, seconds=0))
    progress.started(Stage.SURVEY)
    now[0] += 7
    progress.note("    reading [red]file[/red] 3")
    now[0] += 2


def drawn(progress: Progress, width: int = 100) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, highlight=False)
    console.print(Board(progress))
    assert isinstance(console.file, io.StringIO)
    return [" ".join(line.split()) for line in console.file.getvalue().splitlines()]


def test_lines_say_when_which_stage_and_what_came_of_it() -> None:
    now, said = [10.0], []
    progress = a_run(now=now)
    progress.watchers.append(Lines(progress, said.append))
    go(progress, now)
    progress.finished(Step(stage=Stage.SURVEY, result=RESULT, reused=False, seconds=9))
    progress.finished(Step(stage=Stage.NAMES, result=REJECTED, reused=False, seconds=0.5))
    assert said == [
        "[   0.0s] 1/3 pin ...",
        "[   0.0s] 1/3 pin: done (reused)",
        "[   0.0s] 2/3 survey ...",
        "[   7.0s]     reading [red]file[/red] 3",
        "[   9.0s] 2/3 survey: done (9.0s)",
        "[   9.0s] 3/3 names: rejected (0.5s)",
    ]


def test_the_board_has_each_stage_with_state_time_and_note() -> None:
    now = [0.0]
    progress = a_run(now=now)
    go(progress, now)
    assert drawn(progress) == [
        "pin done reused",
        "survey running 9s reading [red]file[/red] 3",
        "names to do",
        "1 of 3 9s",
    ]


def test_what_is_done_before_the_first_stage_is_on_the_board() -> None:
    progress = a_run(now=[0.0])
    progress.note("starting Prefect")
    assert drawn(progress)[-1] == "0 of 3 0s starting Prefect"


def test_a_long_note_is_cut_and_no_line_is_added() -> None:
    now = [0.0]
    progress = a_run(now=now)
    go(progress, now)
    progress.note("x" * 500)
    assert len(drawn(progress, width=60)) == 4


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(board, "sys", SimpleNamespace(stderr=Terminal()))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(logging.getLogger(), "level", logging.ERROR)
    return monkeypatch


def test_a_terminal_gets_the_board(terminal: pytest.MonkeyPatch) -> None:
    assert board.fits_here()


@pytest.mark.parametrize(
    ("name", "value"), [("TERM", "dumb"), ("TERM", None), ("NO_COLOR", "1"), ("CI", "true")], ids=str
)
def test_lines_are_for_where_a_board_is_not_wanted(terminal: pytest.MonkeyPatch, name: str, value: str | None) -> None:
    terminal.delenv(name, raising=False) if value is None else terminal.setenv(name, value)
    assert not board.fits_here()


def test_a_pipe_and_a_debugged_run_get_lines(terminal: pytest.MonkeyPatch) -> None:
    terminal.setattr(logging.getLogger(), "level", logging.INFO)
    assert not board.fits_here()
    terminal.setattr(logging.getLogger(), "level", logging.ERROR)
    terminal.setenv("FORCE_COLOR", "1")
    terminal.setattr(board, "sys", SimpleNamespace(stderr=io.StringIO()))
    assert not board.fits_here()
