"""Text as a reader takes it in: folded, lower case, white space single, comment leaders gone; with its places kept."""

from __future__ import annotations

import re
from bisect import bisect_right

from neutralize.fold import fold, folded
from neutralize.text import Text

_GAP = re.compile(r"[ \t]*\r?\n[ \t]*(?:(?:#+|//+|\*|>|;+|--)[ \t]+)?(?:\s*)|\s+")


class Flat:
    """One text, flattened. Places are those of the text as it was given."""

    def __init__(self, text: str) -> None:
        view = fold(Text(chars=text))
        pieces: list[str] = []
        self._flat: list[int] = []
        self._whole: list[int] = []
        self._view = view
        done = length = 0
        for gap in _GAP.finditer(view.chars):
            if gap.end() - gap.start() == 1:
                continue
            piece = view.chars[done : gap.start()]
            self._mark(length, done)
            pieces += [piece, " "]
            length += len(piece)
            self._mark(length, gap.start())
            length += 1
            done = gap.end()
        self._mark(length, done)
        pieces.append(view.chars[done:])
        self.text = re.sub(r"\s", " ", "".join(pieces))
        """In its own case."""
        self.chars = lowered(self.text)

    def _mark(self, flat: int, whole: int) -> None:
        self._flat.append(flat)
        self._whole.append(whole)

    def at(self, index: int) -> int:
        """Where the flat character at `index` lies in the text."""
        step = bisect_right(self._flat, index) - 1
        return self._view.at(self._whole[step] + index - self._flat[step])

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.at(start), self.at(end - 1) + 1


def flattened(value: str) -> str:
    """A needle for `Flat.chars`."""
    return lowered(" ".join(folded(value).split()))


def lowered(text: str) -> str:
    """Lower case, one character for each: what would become two stays."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
