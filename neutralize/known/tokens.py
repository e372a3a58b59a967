"""Texts as sequences of numbers: words of prose, and tokens of code in which every name is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from neutralize.words import listed

Numbers = NDArray[np.uint32]
_PIECE = 1 << 20
_NO_TOKEN = 0xFFFFFFFF
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_TOKEN = re.compile(
    r"""(?:(?<![$\w])\#[^\n]*|//[^\n]*|(?s:/\*.*?(?:\*/|\Z)))
      | (?:(?s:\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z))
          |"(?:[^"\\\n]|\\.){0,2000}+"?|'(?:[^'\\\n]|\\.){0,2000}+'?)
      | (?:[^\W\d]\w*) | (?:\d[\w.]*) | [^\w\s]""",
    re.VERBOSE,
)
KEYWORDS = listed(
    """
    if else elif for while do switch case break continue return yield def class function func fn let var const import
    from as with try except catch finally raise throw throws new delete lambda async await pass global nonlocal in is
    not and or match struct enum interface trait impl type package use pub static void int float bool true false null
    nil none True False None self this public private protected go defer chan select assert goto namespace template
    """
)


class Ids(dict[str, int]):
    """A number for each token, the next one for a new token."""

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number

    def fresh(self) -> int:
        """A number that no token has or will have."""
        return self[f"\0{len(self)}"]


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """Files one after another, a mark that stands nowhere else behind each."""

    numbers: Numbers
    paths: tuple[str, ...]
    starts: tuple[int, ...]
    """Where each file begins among the numbers."""

    def inside(self, size: int) -> NDArray[np.bool_]:
        """For each run of `size` tokens whether it lies inside one file."""
        marks = np.zeros(len(self.numbers) + 1, np.int64)
        marks[np.array([*self.starts, len(self.numbers)][1:], np.int64)] = 1
        before = np.cumsum(marks)
        count = max(0, len(self.numbers) - size + 1)
        return np.asarray(before[size : size + count] == before[:count])

    def file_of(self, index: int) -> tuple[str, int]:
        """The file that holds the token at `index`, and the token's own index in it."""
        number = int(np.searchsorted(np.array(self.starts), index, side="right")) - 1
        return self.paths[number], index - self.starts[number]


def words_of(text: str) -> list[str]:
    """Words in lower case, without punctuation."""
    return _WORD.findall(text.lower())


def tokens_of(text: str) -> list[str]:
    """Keywords and punctuation as they are; a name, a number, a string as its kind; no comments."""
    return [kind for token in _TOKEN.findall(text) if (kind := _kind(token))]


def _kind(token: str) -> str:
    """`N`, `0` or `S`; the token itself when it is a keyword or a sign; empty for a comment."""
    first = token[0]
    if first == "#" or token[:2] in {"//", "/*"}:
        return ""
    if first.isalpha() or first == "_":
        return token if token in KEYWORDS else "N"
    return "0" if first.isdigit() else "S" if first in "\"'" else token


class _CodeIds(dict[str, int]):
    """The number of each token's kind, asked once for each token that is written in one way."""

    def __init__(self, ids: Ids) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, token: str) -> int:
        kind = _kind(token)
        self[token] = number = self._ids[kind] if kind else _NO_TOKEN
        return number


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word of `words_of` stands, as long as lower case keeps the length of the text."""
    lowered = text.lower()
    return [match.span() for match in _WORD.finditer(lowered if len(lowered) == len(text) else text)]


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where each token of `tokens_of` stands."""
    return [match.span() for match in _TOKEN.finditer(text) if _kind(match[0])]


def sequence(files: Mapping[str, str], ids: Ids, *, code: bool) -> Sequence:
    """The files in the order of their paths."""
    pieces: list[Numbers] = []
    starts: list[int] = []
    length = 0
    paths = tuple(sorted(files))
    numbers_of = _CodeIds(ids) if code else ids
    for path in paths:
        starts.append(length)
        for tokens in [_TOKEN.findall(files[path])] if code else _in_pieces(files[path]):
            found = np.fromiter(map(numbers_of.__getitem__, tokens), np.uint32, len(tokens))
            pieces.append(found[found != _NO_TOKEN])
            length += len(pieces[-1])
        pieces.append(np.array([ids.fresh()], np.uint32))
        length += 1
    numbers = np.concatenate(pieces) if pieces else np.empty(0, np.uint32)
    return Sequence(numbers=numbers, paths=paths, starts=tuple(starts))


def _in_pieces(text: str) -> Iterator[list[str]]:
    """Words of a long text, cut where white space is, so that they need not be held all at once."""
    begin = 0
    while begin < len(text):
        end = begin + _PIECE
        while end < len(text) and not text[end].isspace():
            end += 1
        yield words_of(text[begin:end])
        begin = end


def hashed(numbers: NDArray[np.unsignedinteger], size: int) -> NDArray[np.uint64]:
    """A 64-bit hash of each run of `size` numbers."""
    if len(numbers) < size:
        return np.empty(0, np.uint64)
    values = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    values ^= values >> np.uint64(29)
    total = np.zeros(len(numbers) - size + 1, np.uint64)
    for step in range(size):
        total *= np.uint64(0xBF58476D1CE4E5B9)
        total += values[step : step + len(total)]
    total ^= total >> np.uint64(32)
    return total


def distinct(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every value once, sorted. `np.unique` looks hashes up in a table of its own, which takes ten times as long."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return np.asarray(ordered[first])


def members(values: NDArray[np.uint64], table: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """For each value, a hash, whether it is in the sorted `table`. Its first bits tell most that are not."""
    found = np.zeros(len(values), np.bool_)
    if not len(table):
        return found
    bits = min(24, max(16, len(table).bit_length() + 4))
    shift = np.uint64(64 - bits)
    quick = np.zeros(1 << bits, np.bool_)
    quick[(table >> shift).astype(np.int64)] = True
    for begin in range(0, len(values), _PIECE):
        piece = values[begin : begin + _PIECE]
        maybe = np.flatnonzero(quick[(piece >> shift).astype(np.int64)])
        likely = np.sort(piece[maybe])  # neighbours are looked for in one place of the table
        places = np.searchsorted(table, likely)
        places[places == len(table)] = 0
        sure = distinct(likely[table[places] == likely])
        if len(sure):
            where = np.searchsorted(sure, piece[maybe])
            where[where == len(sure)] = 0
            found[begin + maybe[sure[where] == piece[maybe]]] = True
    return found


def common(texts: Iterable[str], ids: Ids, size: int, *, fewest: int, code: bool) -> NDArray[np.uint64]:
    """Sorted hashes of runs that stand in at least `fewest` of the texts."""
    each = [distinct(hashed(sequence({"": text}, ids, code=code).numbers, size)) for text in texts]
    if not each:
        return np.empty(0, np.uint64)
    values, counts = np.unique(np.concatenate(each), return_counts=True)
    return np.asarray(values[counts >= fewest])
