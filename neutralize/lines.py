"""Places of one text as findings: line, column, what stands there, and the line's own digest."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from neutralize.decide import Decision
from neutralize.finding import Finding

_SNIPPET = 40


class Lines:
    """One text, asked for its places. Many findings in one text, or in one long line, cost no more than a few."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._digest: tuple[int, str] = (-1, "")
        self._last = (0, 1)
        self._line = (1, 0)

    @cached_property
    def _starts(self) -> list[int]:
        """Where lines begin."""
        return [0, *accumulate(len(line) + 1 for line in self._text.split("\n"))][:-1]

    def number(self, place: int) -> int:
        """The line, from 1, that holds the character at `place`."""
        before, number = self._last
        if place < before:
            return bisect_right(self._starts, place)
        # Places are mostly asked for in their order: only what lies between two of them is counted.
        number += self._text.count("\n", before, place)
        self._last = (place, number)
        return number

    def place(self, line: int, column: int) -> int:
        """The character at a line and a column, both from 1."""
        return self._starts[line - 1] + column - 1

    def finding(
        self, path: str, start: int, end: int, decision: Decision, *, term: str, view: str = "raw", rule: str = "term"
    ) -> Finding:
        """What stands at `text[start:end]`, decided so."""
        text = self._text
        number = self.number(start)
        low, high = self._line_of(start)
        snippet = text[max(low, start - _SNIPPET) : min(high, end + _SNIPPET)]
        return Finding(
            rule=rule,
            found=decision.found,
            term=term,
            view=view,
            path=path,
            line=number,
            column=start - low + 1,
            length=end - start,
            surface=_printable(text[start:end]),
            snippet=_printable(snippet.strip()),
            line_digest=self._digest_of(low, high),
            reason=decision.reason,
        )

    def _line_of(self, place: int) -> tuple[int, int]:
        """Where the line of a place begins and ends. The last one is kept, as its digest is."""
        low, high = self._line
        if not low <= place <= high:
            low = self._text.rfind("\n", 0, place) + 1
            high = self._text.find("\n", place)
            self._line = (low, high if high >= 0 else len(self._text))
        return self._line

    def _digest_of(self, low: int, high: int) -> str:
        """The line's digest. The last one is kept: a file may be one line with many places."""
        if self._digest[0] != low:
            self._digest = (low, line_digest(self._text[low:high]))
        return self._digest[1]


def line_digest(line: str) -> str:
    """SHA-256 of a line, white space folded."""
    return hashlib.sha256(" ".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
