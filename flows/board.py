"""The stages of a run on a terminal, redrawn in place. Where there is none, `flows.progress.Lines` writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from flows.console import debugged
from flows.progress import Progress, how, state

COLOURS = {"done": "green", "rejected": "red", "waiting": "yellow"}


def fits_here() -> bool:
    """Whether stderr is a terminal that a board can be drawn on, and nobody asked for plain lines."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("CI") or os.environ.get("TERM", "dumb") in {"dumb", "unknown"}
    # With --debug logs are written between the lines.
    return sys.stderr.isatty() and not plain and not debugged()


class Board:
    """Each stage with its state; beside the one that is being made, what it is at and for how long."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __rich__(self) -> RenderableType:
        table = Table.grid(padding=(0, 2), expand=True)
        for column in (12, 9, 9):
            table.add_column(no_wrap=True, min_width=column)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        for row in self._rows():
            table.add_row(*row)
        return table

    def _rows(self) -> Iterator[tuple[Text, Text, Text, Text]]:
        progress = self._progress
        for step in progress.steps:
            word = state(step)
            yield _row(step.stage, word, how(step), "", COLOURS[word])
        rest = progress.stages[len(progress.steps) :]
        for stage in rest:
            if stage == progress.stage:
                yield _row(stage, "running", f"{progress.clock() - progress.stage_begun:.0f}s", progress.last, "cyan")
            else:
                yield _row(stage, "to do", "", "", "dim")
        between = "" if progress.stage else progress.last
        yield _row("", f"{len(progress.steps)} of {len(progress.stages)}", f"{progress.elapsed:.0f}s", between, "bold")


def _row(stage: str, word: str, seconds: str, note: str, colour: str) -> tuple[Text, Text, Text, Text]:
    return Text(stage), Text(word, style=colour), Text(seconds, justify="right"), Text(note)


@contextmanager
def shown(progress: Progress, console: Console | None = None) -> Iterator[None]:
    """Draw the board while the body runs. It is gone after a run that ended, and stays where one broke off."""
    console = console or Console(stderr=True, highlight=False)
    live = Live(Board(progress), console=console, refresh_per_second=4, redirect_stdout=False)
    with live:
        # Never hidden, so that a run that is killed leaves nothing to put right.
        console.show_cursor(True)
        yield
        live.transient = True
