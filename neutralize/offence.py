"""Whether a name holds a word that offends. The words are kept as digests, so that nobody has to read them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from neutralize.words import listed

FILE = Path(__file__).parent / "lists" / "refused.txt"
_SHORTEST, _LONGEST = 4, 12
_LEET = str.maketrans("013457", "oieast")
_INNOCENT = listed(
    """
    cocoon raccoon tycoon grape grapes drape scrape scraper trapeze peacock cocktail hancock cockpit spice
    spicy spiced spices dickens grapevine parse sparse coarse hoarse arsenal
    """
)
"""Words that hold a refused one by chance."""


def digest(word: str) -> str:
    """What stands in the file for a word."""
    return hashlib.blake2b(f"refused {word.lower()}".encode(), digest_size=8).hexdigest()


def offends(name: str) -> bool:
    """Whether a stretch of 4 to 12 letters of `name` is a refused word, digits read as the letters they look like."""
    return any(_offends(text) for text in {name.lower(), name.lower().translate(_LEET)})


def refused_count() -> int:
    """How many words are refused."""
    return len(_refused())


def _offends(text: str) -> bool:
    innocent = [
        (start, start + len(word)) for word in _INNOCENT for start in range(len(text)) if text.startswith(word, start)
    ]
    return any(
        digest(text[start:end]) in _refused()
        for start in range(len(text))
        for end in range(start + _SHORTEST, min(len(text), start + _LONGEST) + 1)
        if not any(first <= start and end <= last for first, last in innocent)
    )


@cache
def _refused() -> frozenset[str]:
    return frozenset(FILE.read_text("ascii").split())
