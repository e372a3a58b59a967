"""Text that remembers where each of its characters came from, and the substitutions that keep that memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Text:
    """`chars`, and for each of them its index in the file's text (None: the same index)."""

    chars: str
    origin: Sequence[int] | None = None

    def at(self, index: int) -> int:
        """Where the character at `index` lies in the file's text; `len(chars)` gives the place after the last."""
        if self.origin is None:
            return index
        if index < len(self.chars):
            return self.origin[index]
        return self.origin[-1] + 1 if self.origin else 0


def substitute(text: Text, pattern: re.Pattern[str], become: Callable[[re.Match[str]], str | None]) -> Text:
    """Replace matches of `pattern`; None keeps a match as it is. Every new character points to the match's start."""
    chars: list[str] = []
    origin: list[int] = []
    done = 0
    for match in pattern.finditer(text.chars):
        new = become(match)
        if new is None:
            continue
        chars.append(text.chars[done : match.start()])
        origin.extend(text.at(index) for index in range(done, match.start()))
        chars.append(new)
        origin.extend([text.at(match.start())] * len(new))
        done = match.end()
    if not chars:
        return text
    chars.append(text.chars[done:])
    origin.extend(text.at(index) for index in range(done, len(text.chars)))
    return Text(chars="".join(chars), origin=origin)
