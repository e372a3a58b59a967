"""What a scan says: a place that names the upstream, or one that could not be read; and who says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from neutralize.decide import Found
from neutralize.traverse import Item
from taskpack.record import Part


class Finding(Part):
    """One place that fails or needs a decision."""

    rule: str = "term"
    """The detector that found it; `term` is the search for the names of the list."""
    found: Found
    term: str
    """The term's surface; for other rules what was recognised, such as a commit id or a literal."""
    view: str
    """Reading in which it was seen; `path` when the file's own name holds it."""
    path: str
    """From the scanned root; what lies in an archive follows a `!`, as in `dist/a.whl!b/c.py`."""
    line: int
    """From 1; 0 for a path."""
    column: int
    length: int = 0
    """Characters of the text that it covers."""
    surface: str
    """What stands there."""
    snippet: str
    line_digest: str
    """SHA-256 of the line, white space folded: what a waiver binds to."""
    reason: str

    def render(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.line else f"{self.path} (path)"
        seen = "" if self.view in {"raw", "path"} else f", {self.view} view"
        return f"{where}: {self.surface!r} is {self.term!r} ({self.found}: {self.reason}{seen}): {self.snippet}"


class Unscanned(Part):
    path: str
    problem: str


class Detector(Protocol):
    """One rule beside the term search. It is made once from what is known of the upstream, or from nothing."""

    rule: str

    def findings(self, item: Item, text: str | None) -> Iterable[Finding]:
        """What it sees in one item; `text` is None for what is no text. The same item gives the same findings."""
