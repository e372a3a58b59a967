"""Source text of any language as a row of numbers, names and values left out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

GRAM = 24
"""Tokens in one gram: four or five lines of code."""
_LEAST_KINDS = 7
"""Different tokens that a gram must have: rows of names and tables of numbers are alike everywhere."""
_MASK = (1 << 61) - 1
_BASE = 1_000_003
_OUT = pow(_BASE, GRAM, 1 << 61)

HASH, SLASH = "hash", "slash"
"""How comments are written: from `#`, or from `//` and in `/* */`."""
_HASHED = """py pyi pyx pxd sh bash rb pl pm r jl nim coffee"""
_SLASHED = """
    c cc cpp cxx h hh hpp hxx m mm js mjs cjs jsx ts mts cts tsx go rs java kt scala swift cs php dart zig
"""
_BY_SUFFIX = {**dict.fromkeys(_HASHED.split(), HASH), **dict.fromkeys(_SLASHED.split(), SLASH)}
_KEPT = """
    and as assert async await break case catch class const continue def default del do elif else enum except export
    extends false False finally fn for from func function global if impl import in interface is lambda let loop match
    mod module mut namespace new nil None nonlocal not null or package pass private pub public raise return self Self
    static struct super switch this throw trait true True try type typeof use var void while with yield
"""
_STRINGS = r"""
    (?P<s>[rRbBuUfF]{0,2}(?:\"\"\"(?:.*?\"\"\"|.*)|'''(?:.*?'''|.*)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?))
    |(?P<n>\.?\d[\w.]*)
    |(?P<i>[^\W\d]\w*)
    |(?P<o>[^\w\s])
"""
_PATTERNS = {
    HASH: re.compile(r"(?P<c>\#[^\n]*)|" + _STRINGS, re.VERBOSE | re.DOTALL),
    SLASH: re.compile(r"(?P<c>//[^\n]*|/\*(?:.*?\*/|.*))|" + _STRINGS, re.VERBOSE | re.DOTALL),
}
_NUMBERS = {word: zlib.crc32(word.encode()) for word in _KEPT.split()}
_CLASSES = {"s": 11, "n": 13, "i": 17}


def family(name: str) -> str:
    """How comments are written in a file of this name; empty for one that is not known."""
    return _BY_SUFFIX.get(name.rpartition(".")[2].lower(), "") if "." in name else ""


def tokens(text: str, kind: str) -> list[int]:
    """One number a token. Comments are nothing; a string, a number, a name is one whatever it says."""
    row: list[int] = []
    add = row.append
    for match in _PATTERNS[kind].finditer(text):
        group = match.lastgroup
        if group == "o":
            add(ord(match[0]) + 1000)
        elif group == "i":
            add(_NUMBERS.get(match[0], 17))
        elif group != "c" and group is not None:
            add(_CLASSES[group])
    return row


def grams(row: list[int]) -> Iterator[int]:
    """The hash of every run of `GRAM` tokens, in order; nothing for a shorter row."""
    value = 0
    for place, token in enumerate(row):
        value = (value * _BASE + token) & _MASK
        if place >= GRAM:
            value = (value - row[place - GRAM] * _OUT) & _MASK
        if place >= GRAM - 1:
            yield value


def winnowed(row: list[int], window: int = 8) -> frozenset[int]:
    """The least hash of every `window` neighbours among the grams that are not monotonous (winnowing)."""
    telling = [value for place, value in enumerate(grams(row)) if len(set(row[place : place + GRAM])) >= _LEAST_KINDS]
    return frozenset(
        min(telling[place : place + window]) for place in range(max(1, len(telling) - window + 1)) if telling
    )


def literals(text: str, kind: str) -> Iterator[str]:
    """The texts of strings that stand on one line, as written."""
    for match in _PATTERNS[kind].finditer(text):
        if match.lastgroup == "s":
            value = match[0].lstrip("rRbBuUfF")
            if not value.startswith(('"""', "'''")) and "\n" not in value:
                yield value[1:-1]
