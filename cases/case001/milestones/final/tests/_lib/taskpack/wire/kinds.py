"""Values that Python has no exact type for, or whose Python type would blur what was seen.

Their `repr` is the short text of `show`: what a container met many times would take in full has no bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class _Shown:
    """Whatever prints such a value prints little."""

    __slots__ = ()

    def __repr__(self) -> str:
        from taskpack.wire.show import show  # noqa: PLC0415 (it knows these kinds)

        return show(self)


class Undefined:
    """The type of `UNDEFINED`."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = Undefined()


@dataclass(eq=False, slots=True, repr=False)
class Map(_Shown):
    """A map with any values as keys, in the order seen; 1, 1.0, "1" and True are four keys, and duplicates stay.

    There is no `==`: `same` compares.
    """

    keys: list[Any]
    values: list[Any]

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        return zip(self.keys, self.values, strict=True)

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, key: str | int | bytes) -> Any:
        """The value under a plain key of exactly that type. Raises `KeyError`, also when it is there twice."""
        found = [value for seen, value in self.pairs() if type(seen) is type(key) and seen == key]
        if len(found) != 1:
            raise KeyError(key)
        return found[0]


@dataclass(eq=False, slots=True, repr=False)
class Set(_Shown):
    """A set with any values as members, in the order seen. There is no `==`: `same` compares."""

    items: list[Any]

    def __len__(self) -> int:
        return len(self.items)


@dataclass(eq=False, slots=True, repr=False)
class Obj(_Shown):
    """Any other object, as the far side described it. There is no `==`: `same` compares."""

    type: str
    bases: tuple[str, ...] = ()
    attrs: dict[str, Any] | None = None
    """None when nothing was described. A subclass of a plain type has its plain value under the empty key."""


@dataclass(frozen=True, slots=True, repr=False)
class When(_Shown):
    """A date, time, datetime or duration that Python's own types cannot hold."""

    kind: str
    text: str
    zone: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Described(_Shown):
    """An object and the attributes that a scenario chose to show of it."""

    subject: object
    attrs: Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class ClassNames:
    """How a class is called on the wire."""

    type: str
    bases: Sequence[str] = ()
