"""One upstream made ready once, and bundles compared with it: by words, by tokens of code, by characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from neutralize.known.runs import Longest, longest_run
from neutralize.known.tokens import Ids, Sequence, common, distinct, hashed, members, sequence, token_spans, word_spans
from neutralize.lines import Lines
from taskpack.record import Part

SHORT, LONG = 8, 13
"""Words in a run."""
CODE_SHORT, CODE_LONG = 13, 32
"""Tokens in a run. With all names alike unrelated projects share 16 % of their 8-grams, 2 % of their 13-grams and none
of their 32-grams (medians of 240 pairs of installed packages), so a shorter run says nothing."""
_FEWEST = 3
_SNIPPET = 200
_BYTE_SEEDS = (256, 32, 8, 1)
_TOKEN_SEEDS = (64, 8, 1)


class Share(Part):
    """Runs of words or tokens that the upstream has too, without those of the background."""

    windows: int
    """Short runs in the bundle: of 8 words, of 13 tokens."""
    short: int
    """Of these, shared."""
    short_percent: float
    long: int
    """Long runs that are shared: of 13 words, of 32 tokens."""
    long_percent: float


class Copied(Part):
    """One stretch that both have."""

    length: int
    unit: str
    """characters, words or tokens"""
    path: str
    line: int
    upstream_path: str
    upstream_line: int
    text: str
    """Its beginning, as the bundle has it."""


@dataclass(frozen=True, kw_only=True)
class Backdrop:
    """Texts whose runs are nobody's own."""

    texts: tuple[str, ...] = ()
    """A run counts as common when three of them hold it."""
    cited: tuple[str, ...] = ()
    """A run counts as common when one of them holds it."""


@dataclass(frozen=True, kw_only=True)
class Shared:
    """What one bundle has in common with the upstream."""

    share: Share
    sequence: Sequence
    long: NDArray[np.bool_]
    """At which tokens a shared long run begins."""


class Comparison:
    """An upstream's sequence of words or of code tokens."""

    def __init__(self, upstream: Mapping[str, str], backdrop: Backdrop, *, code: bool) -> None:
        self._code = code
        self._short, self._long = (CODE_SHORT, CODE_LONG) if code else (SHORT, LONG)
        self._ids = Ids()
        self._files = upstream
        self._upstream = sequence(upstream, self._ids, code=code)
        self._common = {
            size: np.union1d(
                common(backdrop.texts, self._ids, size, fewest=_FEWEST, code=code),
                common(backdrop.cited, self._ids, size, fewest=1, code=code),
            )
            for size in (self._short, self._long)
        }

    def shared(self, files: Mapping[str, str]) -> Shared:
        """Shares of the files' runs that the upstream holds too."""
        own = sequence(files, self._ids, code=self._code)
        short, long = self._marks(own, self._short), self._marks(own, self._long)
        windows = int(own.inside(self._short).sum())
        share = Share(
            windows=windows,
            short=int(short.sum()),
            short_percent=_percent(int(short.sum()), windows),
            long=int(long.sum()),
            long_percent=_percent(int(long.sum()), int(own.inside(self._long).sum())),
        )
        return Shared(share=share, sequence=own, long=long)

    def _marks(self, own: Sequence, size: int) -> NDArray[np.bool_]:
        values = hashed(own.numbers, size)
        wanted = distinct(values)
        wanted = wanted[~members(wanted, self._common[size])]
        found = hashed(self._upstream.numbers, size)
        shared = distinct(found[members(found, wanted)])
        return members(values, shared)

    def stretches(self, files: Mapping[str, str], shared: Shared, *, most: int) -> tuple[tuple[Copied, ...], int]:
        """Long shared runs and what they grow to, the `most` longest of them first; and how many there are in all."""
        places = np.flatnonzero(shared.long)
        if not len(places):
            return (), 0
        cuts = np.flatnonzero(np.diff(places) > 1) + 1
        found = hashed(self._upstream.numbers, self._long)
        wanted = hashed(shared.sequence.numbers, self._long)
        order = np.argsort(found, kind="stable")
        spots = []
        for group in np.split(places, cuts):
            begin, length = int(group[0]), len(group) + self._long - 1
            there = int(order[np.searchsorted(found, wanted[begin], sorter=order)])
            spots.append((length, begin, there))
        spots.sort(key=lambda spot: (-spot[0], spot[1]))
        return tuple(self._copied(files, shared.sequence, *spot) for spot in spots[:most]), len(spots)

    def longest(self, files: Mapping[str, str], shared: Shared) -> Copied | None:
        """The longest run of both, the background's not left out."""
        run = longest_run(shared.sequence.numbers + 2, self._upstream.numbers + 2, seeds=_TOKEN_SEEDS)
        return self._copied(files, shared.sequence, run.length, run.left, run.right) if run.length else None

    def _copied(self, files: Mapping[str, str], own: Sequence, length: int, left: int, right: int) -> Copied:
        path, first = own.file_of(left)
        other, second = self._upstream.file_of(right)
        spans = self._spans(files[path])
        begin = spans[first][0] if first < len(spans) else 0
        end = spans[min(first + length, len(spans)) - 1][1] if spans else 0
        theirs = self._spans(self._files[other])
        return Copied(
            length=length,
            unit="tokens" if self._code else "words",
            path=path,
            line=Lines(files[path]).number(begin),
            upstream_path=other,
            upstream_line=Lines(self._files[other]).number(theirs[second][0] if second < len(theirs) else 0),
            text=_beginning(files[path][begin:end]),
        )

    def _spans(self, text: str) -> list[tuple[int, int]]:
        return token_spans(text) if self._code else word_spans(text)


class Characters:
    """An upstream's text in lower case with single spaces, as bytes."""

    def __init__(self, upstream: Mapping[str, str]) -> None:
        self._files = upstream
        self._joined = _Joined(upstream, separator=1)

    def longest(self, files: Mapping[str, str]) -> Copied | None:
        """The longest run of both; None when nothing is in common."""
        own = _Joined(files, separator=0)
        run: Longest = longest_run(own.data, self._joined.data, seeds=_BYTE_SEEDS)
        taken = bytes(own.data[run.left : run.left + run.length])
        said = taken.decode("utf-8", "ignore").strip()
        if not said:
            return None
        spaces = len(taken) - len(taken.lstrip())
        path, first = own.place(run.left + spaces)
        other, second = self._joined.place(run.right + spaces)
        return Copied(
            length=len(said),
            unit="characters",
            path=path,
            line=_line(files[path], first),
            upstream_path=other,
            upstream_line=_line(self._files[other], second),
            text=_beginning(said),
        )


class _Joined:
    """Normalised files in one array, a separator behind each."""

    def __init__(self, files: Mapping[str, str], *, separator: int) -> None:
        self.paths = sorted(files)
        pieces = [normal(files[path]).encode("utf-8", "replace") + bytes([separator]) for path in self.paths]
        self.starts = np.cumsum([0, *map(len, pieces)])
        self.data = np.frombuffer(b"".join(pieces), np.uint8)

    def place(self, index: int) -> tuple[str, int]:
        """Path, and how many bytes of the normalised file come before."""
        number = int(np.searchsorted(self.starts, index, side="right")) - 1
        return self.paths[number], index - int(self.starts[number])


def normal(text: str) -> str:
    """Lower case, single spaces, nothing that a separator is."""
    return " ".join(text.lower().replace("\0", " ").replace("\1", " ").split())


def _line(text: str, before: int) -> int:
    """The line of `text` at which its normalised form has given `before` bytes."""
    given = 0
    for number, line in enumerate(text.split("\n"), start=1):
        size = len(normal(line).encode("utf-8", "replace"))
        given += size + bool(size)
        if given > before:
            return number
    return text.count("\n") + 1


def _beginning(text: str) -> str:
    return " ".join(text.split())[:_SNIPPET]


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 4) if whole else 0.0
