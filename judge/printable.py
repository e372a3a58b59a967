"""What a candidate brought about, as text that a terminal shows and does not obey."""

from __future__ import annotations

_CAP = 2000


def printable(text: str) -> str:
    """`text` as one line of at most 2,000 characters. Line ends, escapes, marks that turn the direction of writing and
    all else that is not seen as itself are written out."""
    shown = "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text[:_CAP])
    return shown[:_CAP]
