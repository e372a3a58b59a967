"""Strings and numbers that tell where they are from: no standard's, and none that unrelated projects write too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from neutralize.known.background import Background
from neutralize.lines import Lines
from neutralize.spelling import lexemes
from neutralize.words import is_word

SHORTEST, LONGEST = 6, 120
_DIGITS = 5
_NUMBER = re.compile(
    r"(?<![\w.#%-])(-?(?:0[xX][0-9A-Fa-f_]{5,40}|\d[\d_]{0,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,4})?))(?![\w.])"
)
_ELSEWHERE = re.compile(r" :: |^\w{2,12}://\S*$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_FIELDS = re.compile(r"%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[a-zA-Z%]|\$?\{[^{}\n]{0,60}\}|\\.")
_ONE_KIND = re.compile(r"(.)\1*", re.DOTALL)


@cache
def standards() -> frozenset[str]:
    """Published test vectors and sample values, lower case."""
    lines = Path(__file__).with_name("standards.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))


def numbers(text: str) -> Iterator[tuple[str, int]]:
    """Numbers of at least five significant digits as they are written, with their lines."""
    lines = Lines(text)
    for match in _NUMBER.finditer(text):
        if _significant(match[1]) >= _DIGITS:
            yield match[1], lines.number(match.start())


def _significant(number: str) -> int:
    digits = number.lstrip("-").replace("_", "")
    if digits[:2] in {"0x", "0X"}:
        return len(digits[2:].strip("0"))
    digits = re.split("[eE]", digits)[0].replace(".", "")
    return len(digits.strip("0"))


def tells_number(number: str, background: Background) -> bool:
    """Whether a number is nobody else's: no power of two or neighbour of one, no digits in order."""
    plain = number.replace("_", "")
    if {plain.lower(), plain.lstrip("-").lower()} & standards() or background.has_text(plain):
        return False
    digits = re.sub(r"\D", "", re.split("[eE]", plain)[0] if "x" not in plain.lower() else plain[2:])
    if len(set(digits)) < 3 and "x" not in plain.lower():
        return False
    if digits in "01234567890123456789" or digits in "98765432109876543210":
        return False
    if re.fullmatch(r"-?\d+|-?0[xX][0-9A-Fa-f]+", plain):
        value = abs(int(plain, 0 if "x" in plain.lower() else 10))
        return not any(near > 0 and near & (near - 1) == 0 for near in (value - 1, value, value + 1))
    return True


def tells_string(value: str, background: Background) -> bool:
    """Whether a string of 6-120 characters is this upstream's own.

    Not so one or two ordinary words, a standard's value, an address, which another rule judges, a classifier of a
    package index, and a format with nothing in it.
    """
    said = value.strip()
    if not SHORTEST <= len(said) <= LONGEST or "\0" in said or not said.isprintable() or _ELSEWHERE.search(said):
        return False
    if said.lower() in standards() or background.has_text(said):
        return False
    rest = _FIELDS.sub(" ", said)
    words = lexemes(rest)
    letters = "".join(words)
    if len(letters) < SHORTEST - 1 or _ONE_KIND.fullmatch(letters):
        return False
    if not re.search(r"[^\W\d_]{3}", rest) and not re.search(r"\d{5}|[0-9A-Za-z+/_=-]{12}", rest):
        return False
    if len(words) > 2 or (len(words) == 2 and " " not in said):
        return True
    return not all(is_word(word) or background.has_word(word) for word in words)


def is_ordinary(value: str) -> bool:
    """Whether a string is two or three common words alone: it may stand elsewhere by chance, so a person decides."""
    words = lexemes(value)
    return len(words) <= 3 and all(is_word(word) for word in words)
