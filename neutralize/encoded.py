"""Identifying terms in base64, hexadecimal, rot13 and backwards, searched for as they look: nothing is decoded."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ahocorasick_rs import BytesAhoCorasick

from neutralize.needles import Needle
from neutralize.spelling import lexemes
from taskpack.rename import Grade

_SHORTEST = 6
_SHORTEST_PLAIN = 8
"""For rot13 and backwards, which read like words: shorter ones meet ordinary names."""


@dataclass(frozen=True, kw_only=True)
class Hit:
    term: str
    encoding: str
    start: int
    end: int


class EncodedNeedles:
    """Ready-made byte strings, and what each of them stands for."""

    def __init__(self, exact: dict[bytes, tuple[str, str]], folded: dict[bytes, tuple[str, str]]) -> None:
        self._exact, self._folded = list(exact.items()), list(folded.items())
        self._searches = [BytesAhoCorasick([needle for needle, _ in table]) for table in (self._exact, self._folded)]

    def hits(self, text: str) -> Iterator[Hit]:
        """Every encoded term; places are indices into `text`."""
        data = text.encode("ascii", "replace")
        for table, search, where in zip((self._exact, self._folded), self._searches, (data, data.lower()), strict=True):
            for index, start, end in search.find_matches_as_indexes(where, overlapping=True):
                term, encoding = table[index][1]
                yield Hit(term=term, encoding=encoding, start=start, end=end)


def encoded_needles(needles: Iterable[Needle]) -> EncodedNeedles:
    """Needles for all identifying names in their plausible spellings."""
    exact: dict[bytes, tuple[str, str]] = {}
    folded: dict[bytes, tuple[str, str]] = {}
    for needle in needles:
        if needle.grade is not Grade.IDENTIFYING:
            continue
        term = needle.term.surface
        for spelling in _spellings(term):
            if len(spelling) < _SHORTEST:
                continue
            for code in _base64(spelling.encode()):
                exact.setdefault(code, (term, "base64"))
            folded.setdefault(spelling.encode().hex().encode(), (term, "hex"))
            if len(spelling) >= _SHORTEST_PLAIN and spelling.isascii():
                folded.setdefault(codecs.encode(spelling.lower(), "rot13").encode(), (term, "rot13"))
                folded.setdefault(spelling.lower()[::-1].encode(), (term, "reversed"))
    return EncodedNeedles(exact, folded)


def _spellings(surface: str) -> tuple[str, ...]:
    words = lexemes(surface)
    glued = "".join(words)
    return tuple(
        dict.fromkeys(
            (
                surface,
                surface.lower(),
                glued,
                glued.upper(),
                "".join(word.capitalize() for word in words),
                "_".join(words),
                "-".join(words),
            )
        )
    )


def _base64(data: bytes) -> Iterator[bytes]:
    """The characters that do not depend on the neighbours, for each of the three alignments and both alphabets."""
    for shift in range(3):
        code = base64.b64encode(bytes(shift) + data).rstrip(b"=")
        head = (0, 2, 3)[shift]
        tail = 1 if (shift + len(data)) % 3 else 0
        core = code[head : len(code) - tail]
        yield core
        yield core.translate(bytes.maketrans(b"+/", b"-_"))
