"""Made-up names for products: they can be spoken and hold no word. Whether one can be used, `names` decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count

from neutralize.words import WORDS, listed

_ONSETS = sorted(listed("b br c cl d dr f fl g gl gr h j k l m n p pl pr qu r s sl st t tr v w z"))
_VOWELS = sorted(listed("a e i o u"))
_MIDDLES = sorted(listed("b d l lm ld m mb n nd nt r rd rl rm rn s st t v"))
_ENDS = sorted(listed("l ld m n nd r rn sk st t x"))
_WORD = 4
"""Words of fewer letters are in everything."""


def coined(seed: str) -> Iterator[str]:
    """Names without end; one seed gives the same ones anywhere. Nothing of the seed can be read from them."""
    for number in count():
        digits = hashlib.sha256(f"{seed}\n{number}".encode()).digest()
        parts = (_ONSETS, _VOWELS, _MIDDLES, _VOWELS, _ENDS)
        name = "".join(part[digit % len(part)] for part, digit in zip(parts, digits, strict=False))
        if not any(_holds_word(name[start:]) for start in range(len(name))):
            yield name


def _holds_word(text: str) -> bool:
    return any(text[:end] in WORDS for end in range(_WORD, len(text) + 1))
