"""Identifying terms in base64, hexadecimal, rot13 and backwards, searched for as they look: nothing is decoded."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neutralize.needles import Needle
from neutralize.spelling import lexemes
from taskpack.rename import Grade

_SHORTEST = 6
_SHORTEST_PLAIN = 8
"""For rot13 and backwards, which read like words: shorter ones meet ordinary names."""


@dataclass(frozen=True, kw_only=True)
class Code:
    """One term in one encoding, as it stands in a text."""

    term: str
    encoding: str
    code: bytes
    exact: bool
    """Whether case counts; else `code` is lower case."""


def codes(needles: Iterable[Needle]) -> Iterator[Code]:
    """All identifying names in their plausible spellings, each code once."""
    known: set[tuple[bytes, bool]] = set()
    for needle in needles:
        if needle.grade is not Grade.IDENTIFYING:
            continue
        for code in _codes(needle.term.surface):
            if (code.code, code.exact) not in known:
                known.add((code.code, code.exact))
                yield code


def _codes(term: str) -> Iterator[Code]:
    for spelling in _spellings(term):
        if len(spelling) < _SHORTEST:
            continue
        for code in _base64(spelling.encode()):
            yield Code(term=term, encoding="base64", code=code, exact=True)
        yield Code(term=term, encoding="hex", code=spelling.encode().hex().encode(), exact=False)
        if len(spelling) >= _SHORTEST_PLAIN and spelling.isascii():
            low = spelling.lower()
            yield Code(term=term, encoding="rot13", code=codecs.encode(low, "rot13").encode(), exact=False)
            yield Code(term=term, encoding="reversed", code=low[::-1].encode(), exact=False)


def _spellings(surface: str) -> tuple[str, ...]:
    words = lexemes(surface)
    glued = "".join(words)
    return tuple(
        dict.fromkeys(
            (
                surface,
                surface.lower(),
                surface.upper(),
                glued,
                glued.upper(),
                "".join(word.capitalize() for word in words),
                words[0] + "".join(word.capitalize() for word in words[1:]),
                "_".join(words),
                "_".join(words).upper(),
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
