"""Text that remembers where each of its characters came from, and the substitutions that keep that memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """What a changed text is made of: for each piece where it starts in it, and what of the parent it stands for."""

    starts: list[int] = field(default_factory=list)
    origins: list[tuple[int, int, int]] = field(default_factory=list)
    """Beginning and end in the parent; and how many characters of the parent each character stands for: 0 where that
    is not even, 1 for a part left as it is."""

    def add(self, start: int, low: int, high: int, stride: int = 1) -> None:
        self.starts.append(start)
        self.origins.append((low, high, stride))

    def span(self, index: int) -> tuple[int, int]:
        """The part of the parent that the character at `index` stands for."""
        piece = bisect_right(self.starts, index) - 1
        low, high, stride = self.origins[piece]
        if not stride:
            return low, high
        low += (index - self.starts[piece]) * stride
        return low, low + stride

    def cuts(self, start: int, end: int) -> list[int]:
        """Where pieces begin inside `start..end`; the start itself when it was replaced."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        inside = self.starts[first + 1 : last + 1]
        return [start, *inside] if self.origins[first][2] != 1 else inside


@dataclass(frozen=True, kw_only=True)
class Text:
    """`chars`, and how they came from another text. Without a parent they are the file's own."""

    chars: str
    parent: Text | None = None
    pieces: Pieces | None = None
    step: str = ""
    """Name of the reading that made it from the parent; none for folding."""
    spots: tuple[int, ...] = ()
    """Where in the parent something was changed."""
    places: tuple[int, ...] = ()
    """The same places in the text itself."""

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

    def changed(self, start: int, end: int) -> bool:
        """Whether a reading changed anything in `chars[start:end]`, which is not empty."""
        if self.parent is None or self.pieces is None:
            return False
        starts = self.pieces.starts
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        if self.step and (first != last or self.pieces.origins[first][2] != 1):
            return True
        return self.parent.changed(self.pieces.span(start)[0], self.pieces.span(end - 1)[1])

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
    return edited(text, ((match.start(), match.end(), become(match)) for match in pattern.finditer(text.chars)), step)


def edited(text: Text, edits: Iterable[tuple[int, int, str | None]], step: str = "") -> Text:
    """Replace `chars[start:end]`, in order; None keeps it. The same text is given back when nothing changes."""
    chars = text.chars
    parts: list[str] = []
    spots: list[int] = []
    places: list[int] = []
    starts: list[int] = []
    origins: list[tuple[int, int, int]] = []
    done = size = 0
    for start, end, new in edits:
        if new is None or new == chars[start:end]:
            continue
        spots.append(start)
        if start > done:
            parts.append(chars[done:start])
            starts.append(size)
            origins.append((done, start, 1))
            size += start - done
        places.append(size)
        if new:
            parts.append(new)
            stride, odd = divmod(end - start, len(new))
            starts.append(size)
            origins.append((start, end, 0 if odd else stride))
            size += len(new)
        done = end
    if not spots:
        return text
    if done < len(chars):
        parts.append(chars[done:])
        starts.append(size)
        origins.append((done, len(chars), 1))
    pieces = Pieces(starts=starts, origins=origins)
    return Text(chars="".join(parts), parent=text, pieces=pieces, step=step, spots=tuple(spots), places=tuple(places))


_CUT = "\n\xff\n"


def around(places: Iterable[int], reach: int, size: int) -> list[tuple[int, int]]:
    """The ranges within `reach` of the places, in a text of `size` characters; what touches is one."""
    ranges: list[tuple[int, int]] = []
    for place in places:
        low, high = max(0, place - reach), min(size, place + reach)
        if ranges and low <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], high)
        else:
            ranges.append((low, high))
    return ranges


def near(text: Text, spots: Iterable[int], reach: int) -> Text:
    """The parts of a text within `reach` characters of the spots, kept apart; or the text, if that is all of it."""
    ranges = around(sorted(spots), reach, len(text.chars))
    if not ranges or ranges == [(0, len(text.chars))]:
        return text
    pieces = Pieces()
    size = 0
    for low, high in ranges:
        pieces.add(size, low, high)
        pieces.add(size + high - low, high - 1, high, 0)
        size += high - low + len(_CUT)
    chars = "".join(text.chars[low:high] + _CUT for low, high in ranges)
    return Text(chars=chars, parent=text, pieces=pieces)
