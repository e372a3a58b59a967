"""Names written with digits and signs for letters, as in `br4ssm0n0cle`: long identifying terms alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from neutralize.boundaries import in_opaque_run
from neutralize.needles import Needle, needle_of
from neutralize.search import Plain, Search
from neutralize.spelling import key
from taskpack.rename import Grade

_LEAST = 6
_STANDS_FOR = {"0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "il"}
_ONE_OF_EACH = {"i": "l"} | {sign: letters[-1] for sign, letters in _STANDS_FOR.items()}
"""`1` is read as both i and l: the search takes these two for one letter, and the check tells them apart."""
_TABLE = bytes.maketrans("".join(_ONE_OF_EACH).encode(), "".join(_ONE_OF_EACH.values()).encode())
_JOINERS = frozenset("_-./:\\ \t\r\n")
_KINDS = ("email", "host", "url", "api-identifier")


class LeetSearch:
    def __init__(self, needles: Iterable[Needle]) -> None:
        long = [
            needle
            for needle in needles
            if needle.grade is Grade.IDENTIFYING
            and needle.term.kind not in _KINDS
            and len(key(needle.term.surface)) >= _LEAST
        ]
        self._search = Search(_translated(needle) for needle in long) if long else None

    def hits(self, chars: str, lowered: bytes) -> Iterator[Plain]:
        """Places where a term stands with at least one sign in place of a letter, in no hash and no base64."""
        if self._search is None:
            return
        read = lowered.translate(_TABLE)
        if read == lowered:
            return
        text = read.decode("latin-1")
        for hit in self._search.hits(text, read, read):
            if isinstance(hit, Plain) and _substituted(hit, lowered) and not in_opaque_run(chars, hit.start, hit.end):
                yield hit


def _translated(needle: Needle) -> Needle:
    words = tuple(word.encode("latin-1").translate(_TABLE).decode("latin-1") for word in needle.words)
    return replace(needle_of(needle.term, needle.grade, words), words=needle.words)


def _substituted(hit: Plain, lowered: bytes) -> bool:
    """Whether every sign stands for the term's own letter at its place, and one of them is no such letter itself."""
    there = [char for char in lowered[hit.start : hit.end].decode("latin-1") if char not in _JOINERS]
    letters = "".join(hit.needle.words)
    if len(there) != len(letters):
        return False
    pairs = [(sign, letter) for sign, letter in zip(there, letters, strict=True) if sign != letter]
    return bool(pairs) and all(letter in _STANDS_FOR.get(sign, "") for sign, letter in pairs)
