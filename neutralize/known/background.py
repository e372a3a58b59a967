"""What unrelated projects write too: words, names and short strings, kept as a small filter of hashes.

The file beside this module is made by `python -m benchmarks.known_background`, from the standard library and the
packages of the lock file, and says so in its head. An answer "yes" is wrong for a few strings in ten thousand, which
then are not counted as distinctive; an answer "no" is never wrong about what the filter was made from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from neutralize.bloom import filled, holds
from taskpack.errors import RecordUnreadable

FILE = Path(__file__).with_name("background.filter")
_HASHES = 6


@dataclass(frozen=True, kw_only=True)
class Background:
    """A Bloom filter, and a `note` that says when it was made and from what."""

    data: bytes
    note: str

    def has_word(self, word: str) -> bool:
        """Whether unrelated projects use this word, in any case, inside names or in prose."""
        return self._has(f"w:{word.lower()}")

    def has_text(self, text: str) -> bool:
        """Whether unrelated projects hold this very string, name or number."""
        return self._has(f"t:{text}")

    def _has(self, key: str) -> bool:
        return holds(self.data, key, hashes=_HASHES)


NOTHING = Background(data=b"\0", note="nothing is known")


def make(words: Iterable[str], texts: Iterable[str], *, size: int, note: str) -> Background:
    """A filter of `size` bytes."""
    keys = [*(f"w:{word.lower()}" for word in words), *(f"t:{text}" for text in texts)]
    return Background(data=filled(keys, size=size, hashes=_HASHES), note=note)


def written(background: Background) -> bytes:
    """One line of JSON, then the bits."""
    return json.dumps({"note": background.note, "size": len(background.data)}).encode() + b"\n" + background.data


@cache
def shipped() -> Background:
    """The filter that comes with the code. Raises `RecordUnreadable` when it is not whole."""
    head, _, data = FILE.read_bytes().partition(b"\n")
    about = json.loads(head)
    if len(data) != about["size"]:
        raise RecordUnreadable(
            "the background of words and strings is not whole",
            details={"file": FILE.name, "bytes": str(len(data)), "expected": str(about["size"])},
            remedy="make it again with python -m benchmarks.known_background",
        )
    return Background(data=data, note=about["note"])
