"""What people and machines see. Results go to stdout, everything else to stderr; plain where there is no terminal."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from taskpack.errors import NoSpace, OutputLost
from taskpack.files import FULL
from taskpack.record import to_json


def debugged() -> bool:
    """Whether logs go to the terminal, too."""
    return logging.getLogger().getEffectiveLevel() <= logging.INFO


@contextlib.contextmanager
def arriving() -> Iterator[None]:
    """What is written to stdout arrives there, or `NoSpace` or `OutputLost` is raised: a result is not lost unsaid."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        let_go(sys.stdout)
        if error.errno in FULL:
            raise NoSpace(
                "the result could not be written: no space left on the disk",
                details={"file": "standard output"},
                remedy="free some space and run the same command again",
            ) from error
        raise OutputLost(
            "the result could not be written",
            details={"file": "standard output", "fact": error.strerror or str(error)},
            remedy="run the same command again, with somebody who reads it to its end",
        ) from error


def let_go(stream: IO[str]) -> None:
    """Nothing is written there from now on. What is held back would be tried at the end and change the exit code."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def complain(text: str) -> None:
    """Lines for people, on stderr; where nobody can get them, nothing."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        let_go(sys.stderr)


class _Console(Console):
    """Raises where nobody reads any more. Rich would end the program with 1, which is an answer."""

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704 (it is called where a BrokenPipeError was caught)


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where a command writes. Raises `NoSpace` or `OutputLost` when a result does not arrive."""

    as_json: bool = False
    people: Console = field(default_factory=lambda: _Console(stderr=True, highlight=False, soft_wrap=True))
    results: Console = field(default_factory=lambda: _Console(highlight=False, soft_wrap=True))

    def say(self, text: str) -> None:
        """A line of progress, for people. One that cannot be written stops nothing."""
        try:
            self.people.print(text, markup=False)
        except OSError:
            let_go(sys.stderr)

    def show(self, text: str) -> None:
        """A line of the result. Nothing with `--json`."""
        if not self.as_json:
            with arriving():
                self.results.print(text, markup=False)

    def draw(self, parts: Iterable[tuple[str, str]]) -> None:
        """A line of the result in pieces, each with a style of Rich's. Nothing with `--json`."""
        if not self.as_json:
            with arriving():
                self.results.print(Text.assemble(*parts))

    @property
    def width(self) -> int:
        """Columns of the terminal, 80 where there is none."""
        return self.results.width if self.results.is_terminal else 80

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """A table on a terminal, tab-free aligned lines elsewhere. Nothing with `--json`."""
        if self.as_json:
            return
        listed = [[str(cell) for cell in row] for row in rows]
        if self.results.is_terminal:
            table = Table(title=title, title_justify="left", box=None, pad_edge=False)
            for column in columns:
                table.add_column(column, overflow="fold")
            for row in listed:
                table.add_row(*row)
            with arriving():
                self.results.print(table)
            return
        widths = [max(len(row[place]) for row in [list(columns), *listed]) for place in range(len(columns))]
        self.show(title)
        for row in [list(columns), *listed]:
            self.show("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

    def clear(self) -> None:
        """Take what was shown off the screen, where there is one."""
        if self.results.is_terminal and not self.as_json:
            self.results.clear()

    def result(self, value: Any) -> None:
        """The whole result as JSON, only with `--json`."""
        if self.as_json:
            with arriving():
                sys.stdout.buffer.write(to_json(value))
                sys.stdout.buffer.flush()
