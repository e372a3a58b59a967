"""Many exact strings looked for in one pass over a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ahocorasick_rs import AhoCorasick

PER_NEEDLE = 50
"""Places of one string in one text that are given: more of the same say no more."""
_CHUNK = 16 * 1024


class NeedleSet:
    """Strings with what each of them stands for. Overlapping places are all found."""

    def __init__(self, needles: Iterable[tuple[str, str]]) -> None:
        """`needles` are pairs of a string and its fact."""
        found: dict[str, str] = {}
        for needle, fact in sorted(set(needles)):
            if needle:
                found.setdefault(needle, fact)
        self._needles = tuple(found)
        self._facts = tuple(found.values())
        self._longest = max(map(len, self._needles), default=0)
        self._search = AhoCorasick(self._needles) if found else None

    def anywhere(self, text: str) -> bool:
        """Whether any of the strings is in the text at all."""
        return self._search is not None and any(True for _ in self.places(text))

    def places(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Fact, start and end, in the order of ends. The text is taken in pieces, which bounds what is held."""
        if self._search is None:
            return
        counts: Counter[int] = Counter()
        for begin in range(0, len(text), _CHUNK):
            low = max(0, begin - self._longest + 1)
            piece = text[low : begin + _CHUNK]
            if not piece.isascii():
                piece = piece.encode("utf-8", "replace").decode("utf-8")  # half a character becomes `?`
            for index, start, end in self._search.find_matches_as_indexes(piece, overlapping=True):
                if low + end > begin and counts[index] < PER_NEEDLE:
                    counts[index] += 1
                    yield self._facts[index], low + start, low + end


def longest_word(needle: str) -> str:
    """A part of the needle that no white space can cut."""
    return max(needle.split(), key=len, default="")


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether what is at `text[start:end]` is not continued by letters, digits or `_` on either side."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    return not (_joins(before) and _joins(text[start])) and not (_joins(after) and _joins(text[end - 1]))


def _joins(char: str) -> bool:
    return char.isalnum() or char == "_"
