"""Places of one text as findings: line, column, what stands there, and the line's own digest."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from functools import cached_property

from neutralize.decide import Decision
from neutralize.finding import Finding

_SNIPPET = 40


class Lines:
    """One text, asked for its places. Many findings in one text, or in one long line, cost no more than a few."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._digests: dict[int, str] = {}

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self._text))]

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
        if low not in self._digests:
            self._digests[low] = line_digest(text[low:high])
        snippet = text[max(low, start - _SNIPPET) : min(high, end + _SNIPPET)]
        return Finding(
            rule=rule,
            found=decision.found,
            term=term,
            view=view,
            path=path,
            line=number,
            column=start - low + 1,
            surface=_printable(text[start:end]),
            snippet=_printable(snippet.strip()),
            line_digest=self._digests[low],
            reason=decision.reason,
        )


def line_digest(line: str) -> str:
    """SHA-256 of a line, white space folded."""
    return hashlib.sha256(" ".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
