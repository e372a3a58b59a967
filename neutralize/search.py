"""One automaton over lower-case bytes for all needles of a scan, and the check of what it meets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ahocorasick_rs import BytesAhoCorasick, Implementation

from neutralize.encoded import Code
from neutralize.needles import Needle

_CHUNK = 1 << 20
"""The automaton gives all matches of a call at once; so many bytes bound what a hostile text can make of it."""
_PREFIX = 8
"""Of an encoded term only so much is in the automaton: thousands of them stay quick to build. The rest is compared."""


@dataclass(frozen=True, kw_only=True)
class Plain:
    """A term in letters of its own, at `start..end` of the text."""

    needle: Needle
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Encoded:
    code: Code
    start: int
    end: int


class Search:
    """Needles and encoded terms compiled once, for any number of texts."""

    def __init__(self, needles: Iterable[Needle], codes: Iterable[Code] = ()) -> None:
        needles_of: dict[bytes, list[Needle]] = {}
        codes_of: dict[bytes, list[Code]] = {}
        for needle in needles:
            for anchor in needle.anchors:
                needles_of.setdefault(anchor, []).append(needle)
        for code in codes:
            codes_of.setdefault(code.code.lower()[:_PREFIX], []).append(code)
        patterns = sorted(needles_of.keys() | codes_of.keys())
        self._needles = [tuple(needles_of.get(pattern, ())) for pattern in patterns]
        self._codes = [tuple(codes_of.get(pattern, ())) for pattern in patterns]
        self._automaton = BytesAhoCorasick(patterns, implementation=Implementation.DFA)
        self._overlap = max(map(len, patterns), default=1) - 1

    def hits(
        self, chars: str, data: bytes, lowered: bytes, *, there: Callable[[int, int], bool] | None = None
    ) -> Iterator[Plain | Encoded]:
        """What stands in a folded text, given as itself, as Latin-1 and as that in lower case.

        With `there`, only names for whose widest span it says yes.
        """
        low: str | None = None
        for index, start, end in self.candidates(lowered):
            if self._needles[index] and low is None:
                low = lowered.decode("latin-1")
            for needle in self._needles[index]:
                if there is not None and not there(start - needle.reach, end + needle.onward):
                    continue
                place = needle.around(chars if needle.literal else low or "", start, end)
                if place is not None:
                    yield Plain(needle=needle, start=place[0], end=place[1])
            for code in self._codes[index]:
                if there is not None and not there(start, start + len(code.code)):
                    continue
                if (data if code.exact else lowered).startswith(code.code, start):
                    yield Encoded(code=code, start=start, end=start + len(code.code))

    def candidates(self, lowered: bytes) -> Iterator[tuple[int, int, int]]:
        """Pattern, start and end of every match, overlapping ones too."""
        if len(lowered) <= _CHUNK:
            yield from self._automaton.find_matches_as_indexes(lowered, overlapping=True)
            return
        for base in range(0, len(lowered), _CHUNK):
            first = max(0, base - self._overlap)
            part = lowered[first : base + _CHUNK]
            for index, start, end in self._automaton.find_matches_as_indexes(part, overlapping=True):
                if first + end > base:
                    yield index, first + start, first + end
