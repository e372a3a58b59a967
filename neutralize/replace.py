"""Applying a rename map to text: spans are found and replaced where they stand, nothing is parsed and written anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick

from neutralize.boundaries import in_opaque_run, is_boundary, is_left_boundary
from taskpack.rename import Rename, RenameMap


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

    def __init__(self, map_: RenameMap) -> None:
        self._renames = map_.renames
        self._search = AhoCorasick([rename.surface for rename in map_.renames])

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where the map applies, from left to right: of several at one place the longest, and none inside another."""
        longest: dict[int, Span] = {}
        for span in self._candidates(text):
            known = longest.get(span.start)
            if known is None or span.end > known.end:
                longest[span.start] = span
        chosen: list[Span] = []
        for start in sorted(longest):
            if not chosen or start >= chosen[-1].end:
                chosen.append(longest[start])
        return tuple(chosen)

    def apply(self, text: str) -> str:
        """The text with every span replaced, in one pass."""
        parts: list[str] = []
        done = 0
        for span in self.spans(text):
            parts += [text[done : span.start], span.rename.replacement]
            done = span.end
        return "".join([*parts, text[done:]])

    def _candidates(self, text: str) -> Iterator[Span]:
        for index, start, end in self._search.find_matches_as_indexes(text, overlapping=True):
            rename = self._renames[index]
            if _applies(rename.kind, text, start, end):
                opaque = rename.kind in {"name", "word"} and in_opaque_run(text, start, end)
                yield Span(start=start, end=end, rename=rename, opaque=opaque)


def _applies(kind: str, text: str, start: int, end: int) -> bool:
    if kind == "identifier":
        return not _in_identifier(text[start - 1 : start]) and not _in_identifier(text[end : end + 1])
    if kind == "word":
        return is_left_boundary(text, start) and is_boundary(text, end)
    return True


def _in_identifier(char: str) -> bool:
    return char == "_" or char.isalnum()
