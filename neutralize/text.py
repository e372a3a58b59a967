"""Text that remembers where each of its characters came from, and the substitutions that keep that memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """What a changed text is made of: for each piece where it starts in it, and what of the parent it stands for."""

    starts: list[int] = field(default_factory=list)
    lows: list[int] = field(default_factory=list)
    highs: list[int] = field(default_factory=list)
    strides: list[int] = field(default_factory=list)
    """How many characters of the parent each one stands for; 0 where that is not even. 1 is a part left as it is."""

    def add(self, start: int, low: int, high: int, stride: int = 1) -> None:
        self.starts.append(start)
        self.lows.append(low)
        self.highs.append(high)
        self.strides.append(stride)

    def span(self, index: int) -> tuple[int, int]:
        """The part of the parent that the character at `index` stands for."""
        piece = bisect_right(self.starts, index) - 1
        stride = self.strides[piece]
        if not stride:
            return self.lows[piece], self.highs[piece]
        low = self.lows[piece] + (index - self.starts[piece]) * stride
        return low, low + stride

    def cuts(self, start: int, end: int) -> list[int]:
        """Where pieces begin inside `start..end`; the start itself when it was replaced."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        inside = self.starts[first + 1 : last + 1]
        return [start, *inside] if self.strides[first] != 1 else inside


@dataclass(frozen=True, kw_only=True)
class Text:
    """`chars`, and how they came from another text. Without a parent they are the file's own."""

    chars: str
    parent: Text | None = None
    pieces: Pieces | None = None
    step: str = ""
    """Name of the reading that made it from the parent; none for folding."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The part of the file's text that `chars[start:end]`, which is not empty, stands for."""
        if self.parent is None or self.pieces is None:
            return start, end
        return self.parent.span(self.pieces.span(start)[0], self.pieces.span(end - 1)[1])

    def at(self, index: int) -> int:
        """Where the character at `index` lies in the file's text; `len(chars)` gives the place after the last."""
        if index < len(self.chars):
            return self.span(index, index + 1)[0]
        return self.span(index - 1, index)[1] if index else 0

    def steps(self, start: int, end: int) -> Iterator[str]:
        """The readings that had to change something for `chars[start:end]` to stand there, the first one first."""
        if self.parent is None or self.pieces is None:
            return
        yield from self.parent.steps(self.pieces.span(start)[0], self.pieces.span(end - 1)[1])
        if self.step and self.pieces.cuts(start, end):
            yield self.step


def substitute(
    text: Text, pattern: re.Pattern[str], become: Callable[[re.Match[str]], str | None], step: str = ""
) -> Text:
    """Replace matches of `pattern`; None keeps a match as it is. The same text is given back when nothing changes."""
    chars = text.chars
    parts: list[str] = []
    pieces = Pieces()
    done = size = 0
    for match in pattern.finditer(chars):
        new = become(match)
        start, end = match.span()
        if new is None or new == chars[start:end]:
            continue
        if start > done:
            parts.append(chars[done:start])
            pieces.add(size, done, start)
            size += start - done
        if new:
            parts.append(new)
            stride, odd = divmod(end - start, len(new))
            pieces.add(size, start, end, 0 if odd else stride)
            size += len(new)
        done = end
    if not done:
        return text
    if done < len(chars):
        parts.append(chars[done:])
        pieces.add(size, done, len(chars))
    return Text(chars="".join(parts), parent=text, pieces=pieces, step=step)
