"""Cases that are nearly the same: documents and suites that share more runs than two tasks of their own would."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from neutralize.known.compare import CODE_LONG, SHORT
from neutralize.known.lexing import is_code
from neutralize.known.tokens import Ids, hashed, sequence
from taskpack.record import Part


class NearLimits(Part):
    """From which share on two cases are near duplicates."""

    prose_percent: float = 5.0
    """Of the smaller case's word 8-grams of prose."""
    code_percent: float = 30.0
    """Of the smaller case's 32-grams of code tokens in which all names are alike."""
    common_cases: int = 4
    """A run that stands in at least so many cases, and in more than half of them, is their common frame."""


class Near(Part):
    """Two cases, by name in order."""

    one: str
    other: str
    prose_percent: float
    code_percent: float


def near_duplicates(cases: Mapping[str, Mapping[str, str]], *, limits: NearLimits | None = None) -> tuple[Near, ...]:
    """Pairs of cases above a limit; each case is its texts by path. Work grows with the texts, not with their pairs."""
    limits = limits or NearLimits()
    names = sorted(cases)
    prose = _shares([_of(cases[name], code=False) for name in names], SHORT, limits, code=False)
    code = _shares([_of(cases[name], code=True) for name in names], CODE_LONG, limits, code=True)
    found = []
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            shares = float(prose[first, second]), float(code[first, second])
            if shares[0] > limits.prose_percent or shares[1] > limits.code_percent:
                found.append(
                    Near(
                        one=names[first],
                        other=names[second],
                        prose_percent=round(shares[0], 2),
                        code_percent=round(shares[1], 2),
                    )
                )
    return tuple(found)


def _of(files: Mapping[str, str], *, code: bool) -> dict[str, str]:
    return {path: text for path, text in files.items() if is_code(path) is code}


def _shares(texts: list[dict[str, str]], size: int, limits: NearLimits, *, code: bool) -> NDArray[np.float64]:
    """For each pair, per cent of the smaller one's runs that both hold."""
    ids = Ids()
    each = [np.unique(_inside(files, ids, size, code=code)) for files in texts]
    count = len(each)
    both = np.zeros((count, count))
    if not count:
        return both
    values = np.concatenate(each)
    owners = np.repeat(np.arange(count), [len(own) for own in each])
    order = np.argsort(values, kind="stable")
    _, starts, sizes = np.unique(values[order], return_index=True, return_counts=True)
    owned = owners[order]
    kept = np.zeros(count)
    for width in np.unique(sizes):
        groups = owned[starts[sizes == width][:, None] + np.arange(width)]
        if width >= limits.common_cases and width > count / 2:
            continue
        np.add.at(kept, groups.ravel(), 1)
        for first in range(width):
            for second in range(first + 1, width):
                np.add.at(both, (groups[:, first], groups[:, second]), 1)
    smaller = np.maximum(np.minimum(kept[:, None], kept[None, :]), 1)
    return np.asarray(100 * both / smaller)


def _inside(files: Mapping[str, str], ids: Ids, size: int, *, code: bool) -> NDArray[np.uint64]:
    """Hashes of the runs that lie in one file."""
    found = sequence(files, ids, code=code)
    return np.asarray(hashed(found.numbers, size)[found.inside(size)])
