"""The longest run that two texts share, exactly, without sorting all of both.

Runs of a seed's length that both hold are found by hashes; only the stretches that such runs make up are kept, and a
suffix array over them gives the longest. What is not kept cannot be part of a run as long as the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydivsufsort import divsufsort, kasai

from neutralize.known.tokens import distinct, members

Symbols = NDArray[np.unsignedinteger]
_PIECE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Longest:
    """`length` symbols, from `left` in the first text and from `right` in the second."""

    length: int
    left: int
    right: int


def longest_run(left: Symbols, right: Symbols, *, seeds: tuple[int, ...]) -> Longest:
    """The longest run of both. Symbols are from 2 upwards; 0 and 1 end files of the first and of the second text.

    `seeds` are powers of two, falling, the last being 1: the first at which both texts share anything decides.
    """
    for seed in seeds:
        keep_left, keep_right = _shared(left, right, seed)
        if keep_left.any():
            return _exact(left, right, _spread(keep_left, seed, len(left)), _spread(keep_right, seed, len(right)))
    return Longest(length=0, left=0, right=0)


def _shared(left: Symbols, right: Symbols, seed: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where runs of `seed` symbols begin that the other text holds too."""
    own = _rolled(left, seed)
    table = distinct(own)
    keep_right = np.zeros(max(0, len(right) - seed + 1), np.bool_)
    both: list[NDArray[np.uint64]] = []
    for begin in range(0, len(keep_right), _PIECE):
        values = _rolled(right[begin : begin + _PIECE + seed - 1], seed)
        there = members(values, table)
        keep_right[begin : begin + len(there)] = there
        both.append(distinct(values[there]))
    seen = distinct(np.concatenate(both)) if both else np.empty(0, np.uint64)
    return members(own, seen), keep_right


def _rolled(symbols: Symbols, size: int) -> NDArray[np.uint64]:
    """Hashes of all runs of `size` symbols, `size` being a power of two."""
    if len(symbols) < size:
        return np.empty(0, np.uint64)
    values = (symbols.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    values ^= values >> np.uint64(29)
    width, factor = 1, 0xBF58476D1CE4E5B9
    while width < size:
        values = values[:-width] * np.uint64(factor) + values[width:]
        width, factor = width * 2, factor * factor % (1 << 64)
    values *= np.uint64(0x94D049BB133111EB)
    return values


def _spread(begins: NDArray[np.bool_], seed: int, length: int) -> NDArray[np.bool_]:
    """All symbols that lie in a run that begins at a marked place."""
    change = np.zeros(length + 1, np.int32)
    places = np.flatnonzero(begins)
    change[places] += 1
    np.subtract.at(change, places + seed, 1)
    return np.asarray(np.cumsum(change[:-1]) > 0)


def _exact(left: Symbols, right: Symbols, keep_left: NDArray[np.bool_], keep_right: NDArray[np.bool_]) -> Longest:
    first, from_left = _kept(left, keep_left, 0)
    second, from_right = _kept(right, keep_right, 1)
    joined = np.concatenate([first, second])
    if joined.dtype != np.uint8:
        joined = _dense(joined)
    order = divsufsort(joined)
    alike = kasai(joined, order)
    side = order < len(first)
    mixed = np.flatnonzero(side[:-1] != side[1:])
    if not len(mixed):
        return Longest(length=0, left=0, right=0)
    best = mixed[int(np.argmax(alike[mixed]))]
    one, other = sorted((int(order[best]), int(order[best + 1])))
    return Longest(length=int(alike[best]), left=int(from_left[one]), right=int(from_right[other - len(first)]))


def _kept(symbols: Symbols, keep: NDArray[np.bool_], separator: int) -> tuple[Symbols, NDArray[np.int64]]:
    """The kept stretches with a separator behind each, and where each symbol was."""
    places = np.flatnonzero(keep)
    cuts = np.flatnonzero(np.diff(places) > 1) + 1
    kept = np.insert(symbols[places], [*cuts, len(places)], separator)
    return kept, np.insert(places, [*cuts, len(places)], -1)


def _dense(symbols: Symbols) -> Symbols:
    """The same order with the smallest numbers; separators stay 0 and 1, for they are always there."""
    _, dense = np.unique(symbols, return_inverse=True)
    return np.asarray(dense, np.uint32)
