"""What a guess is: a value with the place in the source that it came from. What has none, the author decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from taskpack.outcome import Fact

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Guess(Generic[Value]):
    """A value and its evidence. Without evidence it is a stand-in that the author has to decide."""

    value: Value
    evidence: tuple[Fact, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Stated:
    """One entry of a manifest or a list, as it is written there."""

    text: str
    where: str
    """`path:line`."""


def fact(stated: Stated) -> Fact:
    """The entry as evidence."""
    return Fact(what=stated.text, where=stated.where)


def line_of(text: str, value: str, start: int = 0) -> int:
    """The first line from offset `start` on that holds `value`; else the line of `start`."""
    place = text.find(value, start)
    return text.count("\n", 0, place if place >= 0 else start) + 1


def stated_in(path: str, text: str, values: object, *, after: str = "") -> Iterator[Stated]:
    """The strings among `values` (a list, a tuple or one string) with the lines on which `path` has them.

    Lines are looked for behind the first `after`, such as the name of the table that holds them.
    """
    start = max(text.find(after), 0) if after else 0
    listed = values if isinstance(values, (list, tuple)) else [values]
    for value in listed:
        if isinstance(value, str) and value.strip():
            yield Stated(text=value.strip(), where=f"{path}:{line_of(text, value, start)}")
