"""What people and machines see. Results go to stdout, everything else to stderr; plain where there is no terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from taskpack.record import to_json


def debugged() -> bool:
    """Whether logs go to the terminal, too."""
    return logging.getLogger().getEffectiveLevel() <= logging.INFO


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where a command writes."""

    as_json: bool = False
    people: Console = field(default_factory=lambda: Console(stderr=True, highlight=False, soft_wrap=True))
    results: Console = field(default_factory=lambda: Console(highlight=False, soft_wrap=True))

    def say(self, text: str) -> None:
        """A line of progress, for people."""
        self.people.print(text, markup=False)

    def show(self, text: str) -> None:
        """A line of the result. Nothing with `--json`."""
        if not self.as_json:
            self.results.print(text, markup=False)

    def draw(self, parts: Iterable[tuple[str, str]]) -> None:
        """A line of the result in pieces, each with a style of Rich's. Nothing with `--json`."""
        if not self.as_json:
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
            sys.stdout.buffer.write(to_json(value))
            sys.stdout.buffer.flush()
