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

    @cached_property
    def _starts(self) -> list[int]:
        """Where lines begin."""
        return [0, *accumulate(len(line) + 1 for line in self._text.split("\n"))][:-1]

    def number(self, place: int) -> int:
        """The line, from 1, that holds the character at `place`."""
        return bisect_right(self._starts, place)

    def finding(
        self, path: str, start: int, end: int, decision: Decision, *, term: str, view: str = "raw", rule: str = "term"
    ) -> Finding:
        """What stands at `text[start:end]`, decided so."""
        text = self._text
        number = self.number(start)
        low = self._starts[number - 1]
        high = self._starts[number] - 1 if number < len(self._starts) else len(text)
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

    def _digest_of(self, low: int, high: int) -> str:
        """The line's digest. The last one is kept: a file may be one line with many places."""
        if self._digest[0] != low:
            self._digest = (low, line_digest(self._text[low:high]))
        return self._digest[1]


def line_digest(line: str) -> str:
    """SHA-256 of a line, white space folded."""
    return hashlib.sha256(" ".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
