"""The lists that come with the code, each a filter of hashes or a file of names.

`python -m benchmarks.name_lists` makes them. A filter holds names of one shape only: 5 to 14 letters after folding,
which is what a neutral name looks like; about any other name it answers `unknown`. "Taken" is wrong for a few names in
a thousand (`wrong` in the file's head), "free" never about what the filter was made from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from neutralize.answer import Answer, Check
from neutralize.bloom import filled, holds
from taskpack.errors import RecordUnreadable

FOLDER = Path(__file__).parent
HASHES = 7
BITS_PER_NAME = 11
_SHAPE = re.compile(r"[a-z]{5,14}")
_JOINERS = re.compile(r"[-_.]+")
_ALIKE = str.maketrans({"1": "i", "l": "i", "0": "o"})


def strict_key(name: str) -> str:
    """A name as registries compare it against look-alikes: lower case, no `-_.`, `l I 1` one sign, `o 0` another.

    Two names of one normal form (PEP 503) have one key.
    """
    return _JOINERS.sub("", name.lower()).translate(_ALIKE)


def fits(key: str) -> bool:
    """Whether a key has the shape that filters hold."""
    return _SHAPE.fullmatch(key) is not None


@dataclass(frozen=True, kw_only=True)
class Head:
    """What a list says about itself."""

    title: str
    """What it is a list of."""
    date: str
    """The day or month that it is of, ISO 8601; not the day the filter was made."""
    count: int
    """Names in the list before anything was left out."""
    whole: bool
    """Whether it has everything of its kind. One that has not cannot say that a name is free."""
    note: str
    """Why it counts as whole or partial."""
    kept: int = 0
    """Names of the shape, after folding."""
    wrong: float = 0.0
    """Share of names not in the list that are called taken, measured when it was made."""

    @property
    def said(self) -> str:
        return f"{self.count:,} names of {self.title}, {self.date}, {'whole' if self.whole else 'partial'}"


@dataclass(frozen=True, kw_only=True)
class NameFilter:
    """A list as a filter."""

    head: Head
    data: bytes

    def answer(self, name: str) -> Answer:
        """TAKEN when the list has the name or a look-alike of it."""
        key = strict_key(name)
        if not fits(key):
            return Answer.UNKNOWN
        if holds(self.data, key, hashes=HASHES):
            return Answer.TAKEN
        return Answer.FREE if self.head.whole else Answer.UNKNOWN

    def check(self, rule: str, name: str) -> Check:
        """The answer with what it is from."""
        answer = self.answer(name)
        told = {
            Answer.TAKEN: "it or a look-alike is among",
            Answer.FREE: "not among",
            Answer.UNKNOWN: "not among" if fits(strict_key(name)) else "only names of 5 to 14 letters are kept of",
        }
        return Check(rule=rule, answer=answer, about=f"{told[answer]} {self.head.said}")


@dataclass(frozen=True, kw_only=True)
class MostUsed:
    """Names of the most used packages, to be compared letter by letter."""

    head: Head
    names: Mapping[str, str]
    """Name by strict key."""

    def near(self, name: str) -> str | None:
        """A name that is the same but for one letter more, less or other; None when there is none."""
        key = strict_key(name)
        return next((self.names[other] for other in _beside(key, self._signs) if other in self.names), None)

    @cached_property
    def _signs(self) -> str:
        return "".join(sorted({sign for name in self.names for sign in name}))

    def check(self, rule: str, name: str) -> Check:
        near = self.near(name)
        if near is not None:
            return Check(rule=rule, answer=Answer.TAKEN, about=f"one letter or less from {near}, of {self.head.said}")
        answer = Answer.FREE if self.head.whole else Answer.UNKNOWN
        return Check(rule=rule, answer=answer, about=f"more than one letter from {self.head.said}")


def _beside(key: str, signs: str) -> Iterator[str]:
    """The key, and all that are one letter of `signs` more, less or other."""
    yield key
    for at in range(len(key) + 1):
        head, tail = key[:at], key[at:]
        yield head + tail[1:]
        yield from (head + sign + tail for sign in signs)
        yield from (head + sign + tail[1:] for sign in signs)


def make_filter(names: Iterable[str], head: Mapping[str, Any], *, tries: Iterable[str]) -> NameFilter:
    """A filter of `names`; `tries` are names that are not in it, to measure how often it is wrong."""
    keys = sorted({key for key in map(strict_key, names) if fits(key)})
    data = filled(keys, size=max(1, len(keys) * BITS_PER_NAME // 8), hashes=HASHES)
    known = set(keys)
    asked = [key for key in map(strict_key, tries) if key not in known]
    wrong = sum(holds(data, key, hashes=HASHES) for key in asked) / max(1, len(asked))
    return NameFilter(head=Head(**head, kept=len(keys), wrong=round(wrong, 5)), data=data)


def written(made: NameFilter) -> bytes:
    """One line of JSON, then the bits."""
    return json.dumps({**asdict(made.head), "size": len(made.data)}).encode() + b"\n" + made.data


def read_filter(path: Path) -> NameFilter:
    """The filter in a file; one that knows nothing when there is no file. Raises `RecordUnreadable`."""
    if not path.is_file():
        return NameFilter(head=_nothing(path), data=b"\0")
    first, _, data = path.read_bytes().partition(b"\n")
    return NameFilter(head=_head(first, path, size=len(data)), data=data)


def read_most_used(path: Path) -> MostUsed:
    """The names in a file: the head, then one name a line. None of them when there is no file."""
    if not path.is_file():
        return MostUsed(head=_nothing(path), names={})
    first, _, rest = path.read_bytes().partition(b"\n")
    head = _head(first, path, size=len(rest))
    return MostUsed(head=head, names={strict_key(name): name for name in reversed(rest.decode().split())})


def _nothing(path: Path) -> Head:
    return Head(title=path.stem, date="no date", count=0, whole=False, note="there is no such list here")


def _head(first: bytes, path: Path, *, size: int) -> Head:
    try:
        about = json.loads(first)
        whole = about.pop("size") == size
        head = Head(**about)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unreadable(path, str(error)) from error
    if not whole:
        raise _unreadable(path, "it is not whole")
    return head


def _unreadable(path: Path, fact: str) -> RecordUnreadable:
    return RecordUnreadable(
        f"the list of names {path.name} cannot be read",
        details={"fact": fact[:200]},
        remedy="take it from the repository again, or make it with python -m benchmarks.name_lists",
    )


@dataclass(frozen=True, kw_only=True)
class Lists:
    """All lists, by the rule that asks them."""

    filters: Mapping[str, NameFilter]
    most_used: MostUsed


FILTERS = {
    "pypi": "pypi.filter",
    "npm": "npm.filter",
    "npm scope": "npm_scope.filter",
    "debian": "debian.filter",
    "command": "command.filter",
    "word": "word.filter",
}
"""Rule -> file."""
MOST_USED = "most_used.txt"


@cache
def shipped() -> Lists:
    """The lists that come with the code. Raises `RecordUnreadable` when one is not whole."""
    return read_lists(FOLDER)


def read_lists(folder: Path) -> Lists:
    """The lists in a folder; those that are not there know nothing."""
    filters = {rule: read_filter(folder / file) for rule, file in FILTERS.items()}
    return Lists(filters=filters, most_used=read_most_used(folder / MOST_USED))
