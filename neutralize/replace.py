"""Applying a rename map to text: spans are found and replaced where they stand, nothing is parsed and written anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick

from neutralize.boundaries import in_opaque_run, is_boundary, is_left_boundary
from taskpack.rename import KEPT, Rename, RenameMap


@dataclass(frozen=True, kw_only=True)
class Span:
    """One place that a rename applies to."""

    start: int
    end: int
    rename: Rename
    opaque: bool
    """Whether it lies inside a hash, a key or base64, where a replacement would break the value."""


class Replacer:
    """A rename map compiled once, for any number of texts."""

    def __init__(self, map_: RenameMap, *, glued: Iterable[str] = ()) -> None:
        """`glued`: what may hang in front of a common or short name without being part of it, as `lib` in C."""
        self._renames = map_.renames
        self._search = AhoCorasick([rename.surface for rename in map_.renames])
        self._glued = tuple(glued)

    def spans(self, text: str, *, letters: str = "") -> tuple[Span, ...]:
        """Where the map applies, from left to right: of several at one place the longest, and none inside another.

        `letters` belong to identifiers besides letters, digits and `_`, as `$` does in JavaScript.
        """
        longest: dict[int, Span] = {}
        for span in self._candidates(text, letters):
            known = longest.get(span.start)
            if known is None or span.end > known.end:
                longest[span.start] = span
        chosen: list[Span] = []
        for start in sorted(longest):
            if not chosen or start >= chosen[-1].end:
                chosen.append(longest[start])
        return tuple(chosen)

    def apply(self, text: str, *, letters: str = "") -> str:
        """The text with every span replaced, in one pass."""
        parts: list[str] = []
        done = 0
        for span in self.spans(text, letters=letters):
            parts += [text[done : span.start], span.rename.replacement]
            done = span.end
        return "".join([*parts, text[done:]])

    def _candidates(self, text: str, letters: str) -> Iterator[Span]:
        for index, start, end in self._search.find_matches_as_indexes(text, overlapping=True):
            rename = self._renames[index]
            if self._applies(rename.kind, text, start, end, letters):
                opaque = rename.kind in {"name", "word"} and in_opaque_run(text, start, end)
                yield Span(start=start, end=end, rename=rename, opaque=opaque)

    def _applies(self, kind: str, text: str, start: int, end: int, letters: str) -> bool:
        if kind in {"identifier", KEPT}:
            letters += "-" if kind == KEPT else ""
            return not _belongs(text[start - 1 : start], letters) and not _belongs(text[end : end + 1], letters)
        if kind == "word":
            return (is_left_boundary(text, start) or self._hangs(text, start)) and is_boundary(text, end)
        return True

    def _hangs(self, text: str, start: int) -> bool:
        return any(text.endswith(sign, 0, start) and is_boundary(text, start - len(sign)) for sign in self._glued)


def _belongs(char: str, letters: str) -> bool:
    return bool(char) and (char == "_" or char.isalnum() or char in letters)
