"""The normal form that terms are compared in: look-alikes as ASCII, the invisible dropped, ASCII never rewritten."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from neutralize.text import Text, edited

OTHER = "\xff"
"""Stands for every character that has no ASCII reading; it separates words."""

# Letters of other scripts that the eye takes for a Latin one, by that letter. Cyrillic, Greek, Armenian, Cherokee.
_ALIKE = {
    "A": "\u0410\u0391\u13aa", "B": "\u0412\u0392\u13f4", "C": "\u0421\u03f9\u13df", "D": "\u13a0",
    "E": "\u0415\u0395\u13ac", "G": "\u13c0", "H": "\u041d\u0397\u13bb", "I": "\u0406\u0399\u04c0",
    "J": "\u0408\u13ab", "K": "\u041a\u039a\u13e6", "L": "\u13de", "M": "\u041c\u039c\u13b7", "N": "\u039d",
    "O": "\u041e\u039f", "P": "\u0420\u03a1\u13e2", "R": "\u13a1", "S": "\u0405\u13da", "T": "\u0422\u03a4\u13a2",
    "V": "\u13d9", "W": "\u13b3", "X": "\u0425\u03a7", "Y": "\u0423\u03a5", "Z": "\u0396\u13c3",
    "a": "\u0430\u03b1\u0251", "b": "\u044c", "c": "\u0441\u03f2", "d": "\u0501", "e": "\u0435\u03b5\u0454",
    "g": "\u0581", "h": "\u04bb\u0570", "i": "\u0456\u03b9", "j": "\u0458\u03f3\u0575", "k": "\u043a\u03ba",
    "l": "\u04cf", "m": "\u043c", "n": "\u043f\u03b7\u0578", "o": "\u043e\u03bf\u0585\u03c3", "p": "\u0440\u03c1",
    "q": "\u051b\u0566", "r": "\u0433", "s": "\u0455", "t": "\u0442\u03c4", "u": "\u03c5\u057d",
    "v": "\u03bd\u0475", "w": "\u051d\u03c9\u0461", "x": "\u0445\u03c7", "y": "\u0443\u03b3",
}  # fmt: skip
_ASCII = {alike: letter for letter, row in _ALIKE.items() for alike in row}
_NAMED = re.compile(
    r"(?:.* )?LATIN (?P<small>SMALL )?(?:CAPITAL )?LETTER (?P<caps>SMALL CAPITAL )?"
    r"(?:DOTLESS |SCRIPT |BARRED )?(?P<letter>[A-Z])(?: WITH .*)?"
)
_INDICATOR = re.compile(r"REGIONAL INDICATOR SYMBOL LETTER ([A-Z])")
_HYPHENS = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u058a\ufe58\ufe63\u02d7")
_IGNORABLE = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0}.union(
        range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000)
    )
)


_ASCII_BYTES = bytes(range(0x80))
_FEW = 12
"""Up to so many characters are replaced one by one in the whole text; more of them run by run."""
_FOREIGN = re.compile(r"([^\x00-\x7f]+)")


def fold(text: Text) -> Text:
    """The folded text: every character is ASCII or `OTHER`, and knows where it came from. Case stays."""
    if text.chars.isascii():
        return text
    others = text.chars.encode("utf-8", "surrogatepass").translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass")
    readings = {char: _plain(char) for char in set(others)}
    odd = "".join(sorted(char for char, plain in readings.items() if len(plain) != 1))
    text = replace(text, chars=_one_by_one(text.chars, {c: c if c in odd else plain for c, plain in readings.items()}))
    # What becomes several characters, or none, comes last: `OTHER` is a letter of its own in the file.
    places = sorted(_all_places(text.chars, odd))
    return edited(text, [(place, place + 1, readings[text.chars[place]]) for place in places])


def _all_places(chars: str, odd: str) -> Iterator[int]:
    """Where any of the characters stands, in no order."""
    if len(odd) > _FEW:
        yield from (match.start() for match in re.finditer(f"[{re.escape(odd)}]", chars))
        return
    for char in odd:
        place = chars.find(char)
        while place >= 0:
            yield place
            place = chars.find(char, place + 1)


def _one_by_one(chars: str, readings: dict[str, str]) -> str:
    if len(readings) > _FEW:
        parts = _FOREIGN.split(chars)
        parts[1::2] = ["".join(map(readings.__getitem__, part)) for part in parts[1::2]]
        return "".join(parts)
    for char, plain in sorted(readings.items(), key=lambda pair: pair[0] != OTHER):
        chars = chars.replace(char, plain)
    return chars


@lru_cache(maxsize=8192)
def folded(surface: str) -> str:
    """A short string in normal form."""
    return fold(Text(chars=surface)).chars


@lru_cache(maxsize=8192)
def _plain(char: str) -> str:
    """What stands for one non-ASCII character: nothing, ASCII, or `OTHER`."""
    if char in _HYPHENS:
        return "-"
    if unicodedata.category(char) == "Cf" or ord(char) in _IGNORABLE:
        return ""
    parts = [part for part in unicodedata.normalize("NFKD", char) if not unicodedata.category(part).startswith("M")]
    return "".join(part if part.isascii() else _letter(part) for part in parts)


def _letter(char: str) -> str:
    if char in _ASCII:
        return _ASCII[char]
    if char in _HYPHENS:
        return "-"
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    name = unicodedata.name(char, "")
    if found := _NAMED.fullmatch(name):
        return found["letter"].lower() if found["small"] or found["caps"] else found["letter"]
    if found := _INDICATOR.fullmatch(name):
        return found[1]
    return OTHER
