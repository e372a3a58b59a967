"""Places of one text as findings: line, column, what stands there, and the line's own digest."""

from __future__ import annotations

import hashlib

from neutralize.decide import Decision
from neutralize.finding import Finding

_SNIPPET = 40


class Lines:
    """One text, asked for its places."""

    def __init__(self, text: str) -> None:
        self._text = text

    def finding(
        self, path: str, start: int, end: int, decision: Decision, *, term: str, view: str = "raw", rule: str = "term"
    ) -> Finding:
        """What stands at `text[start:end]`, decided so."""
        text = self._text
        low = text.rfind("\n", 0, start) + 1
        high = text.find("\n", start)
        line = text[low : high if high >= 0 else len(text)]
        snippet = text[max(low, start - _SNIPPET) : min(low + len(line), end + _SNIPPET)]
        return Finding(
            rule=rule,
            found=decision.found,
            term=term,
            view=view,
            path=path,
            line=text.count("\n", 0, start) + 1,
            column=start - low + 1,
            length=end - start,
            surface=_printable(text[start:end]),
            snippet=_printable(snippet.strip()),
            line_digest=line_digest(line),
            reason=decision.reason,
        )


def line_digest(line: str) -> str:
    """SHA-256 of a line, white space folded."""
    return hashlib.sha256(" ".join(line.split()).encode("utf-8", "surrogatepass")).hexdigest()


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
