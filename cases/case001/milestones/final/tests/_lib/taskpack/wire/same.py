"""`same`: whether a value that was seen is the expected one, strictly in type and value."""

from __future__ import annotations

import math
import struct
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from taskpack.wire.fingerprint import Printer, TooMuch, tag_of
from taskpack.wire.kinds import Map, Obj, Set
from taskpack.wire.show import show

_STEPS = 2_000_000
_NAME = 160
"""Of an attribute's name, in the way to a difference."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Sameness:
    """True or false, and where and how the two differ. Its text is what a failed `assert same(...)` shows."""

    difference: str = ""

    def __bool__(self) -> bool:
        return not self.difference

    def __repr__(self) -> str:
        return self.difference or "the same"


def same(
    seen: object,
    expected: object,
    *,
    keys: Literal["any", "ordered"] = "any",
    order: bool = True,
    identity: bool = False,
    tolerance: float | None = None,
) -> Sameness:
    """Compare by exact type and value: True is not 1, 1 is not 1.0, a subclass of a plain type is another type.

    Floats are equal by bits and nan equals nan; `tolerance` allows that absolute difference instead, between floats.
    Maps compare without key order unless `keys="ordered"`; duplicates count. `order=False` ignores the order of lists,
    and of nothing else. That the same object stands in two places is ignored, but a cycle must be the same cycle;
    `identity=True` compares all sharing of containers.
    """
    if tolerance is not None and not order:
        raise TypeError("tolerance needs ordered lists: say which one the clause is about")
    walk = _Walk(ordered_keys=keys == "ordered", order=order, identity=identity, tolerance=tolerance)
    try:
        found = walk.compare(seen, expected)
    except (TooMuch, RecursionError):
        return Sameness(difference=f"too large to compare: seen {show(seen)}")
    return Sameness(difference=str(found) if found else "")


@dataclass(kw_only=True)
class _Difference:
    """The first difference. The way to it is only told on the way back: until there is one it costs nothing."""

    fact: str
    more: str
    way: list[str] = field(default_factory=list)
    """Innermost step first."""

    def inside(self, step: str) -> _Difference:
        self.way.append(step)
        return self

    def __str__(self) -> str:
        return f"{self.fact}{' at ' if self.way else ''}{''.join(reversed(self.way))}: {self.more}"


def _bits(number: float) -> bytes:
    return b"nan" if math.isnan(number) else struct.pack(">d", number)


class _Walk:
    """One comparison. `compare` gives the first difference."""

    def __init__(self, *, ordered_keys: bool, order: bool, identity: bool, tolerance: float | None) -> None:
        self._order = order
        self._ordered_keys = ordered_keys
        self._identity = identity
        self._tolerance = tolerance
        self._printer = Printer(ordered_keys=ordered_keys, order=order, steps=_STEPS)
        self._open_seen: dict[int, int] = {}
        self._open_expected: dict[int, int] = {}
        self._equal: set[tuple[int, int]] = set()
        self._partners: dict[int, int] = {}
        self._partners_back: dict[int, int] = {}

    def compare(self, seen: Any, expected: Any) -> _Difference | None:
        self._printer.step()
        tag = tag_of(seen)
        if tag != tag_of(expected):
            return _differs(seen, expected)
        if tag not in _CONTAINERS:
            return None if self._leaves_equal(tag, seen, expected) else _differs(seen, expected)
        if self._identity and tag_size(seen) and not self._paired(seen, expected):
            return _Difference(fact="shares its containers otherwise", more=f"seen {show(seen)}")
        if self._open_seen.get(id(seen)) != self._open_expected.get(id(expected)):
            return _Difference(fact="has another cycle", more=f"seen {show(seen)}, expected {show(expected)}")
        return self._once(tag, seen, expected)

    def _paired(self, seen: Any, expected: Any) -> bool:
        forth = self._partners.setdefault(id(seen), id(expected)) == id(expected)
        return forth and self._partners_back.setdefault(id(expected), id(seen)) == id(seen)

    def _once(self, tag: str, seen: Any, expected: Any) -> _Difference | None:
        pair = (id(seen), id(expected))
        if id(seen) in self._open_seen or pair in self._equal:
            return None
        self._open_seen[id(seen)] = self._open_expected[id(expected)] = len(self._open_seen)
        try:
            difference = self._inside(tag, seen, expected)
        finally:
            del self._open_seen[id(seen)], self._open_expected[id(expected)]
        if difference is None:
            self._equal.add(pair)
        return difference

    def _inside(self, tag: str, seen: Any, expected: Any) -> _Difference | None:
        if tag == "m":
            return self._maps(seen, expected)
        if tag == "o":
            return self._objects(seen, expected)
        if tag == "s" or (tag == "l" and not self._order):
            return self._unordered(seen, expected)
        for index, (one, other) in enumerate(zip(seen, expected, strict=False)):
            difference = self.compare(one, other)
            if difference:
                return difference.inside(f"[{index}]")
        if len(seen) != len(expected):
            return _differs(seen, expected, f"length {len(seen)}, expected {len(expected)}")
        return None

    def _unordered(self, seen: Any, expected: Any) -> _Difference | None:
        mine, theirs = _items(seen), _items(expected)
        counted = Counter(self._printer.digest(item) for item in mine)
        counted.subtract(Counter(self._printer.digest(item) for item in theirs))
        if not any(counted.values()):
            return None
        extra = [item for item in mine if counted[self._printer.digest(item)] > 0]
        missing = [item for item in theirs if counted[self._printer.digest(item)] < 0]
        return _differs(seen, expected, f"too many: {show(extra)}, missing: {show(missing)}")

    def _maps(self, seen: Any, expected: Any) -> _Difference | None:
        mine, theirs = _pairs(seen), _pairs(expected)
        mine_by = [(self._printer.digest(key), key, value) for key, value in mine]
        theirs_by = [(self._printer.digest(key), key, value) for key, value in theirs]
        counted = Counter(row[0] for row in mine_by)
        counted.subtract(Counter(row[0] for row in theirs_by))
        if any(counted.values()):
            extra = [row[1] for row in mine_by if counted[row[0]] > 0]
            missing = [row[1] for row in theirs_by if counted[row[0]] < 0]
            return _differs(seen, expected, f"keys too many: {show(extra)}, missing: {show(missing)}")
        if not self._ordered_keys:
            mine_by.sort(key=lambda row: row[0])
            theirs_by.sort(key=lambda row: row[0])
        for (mark, key, value), (other_mark, _, other) in zip(mine_by, theirs_by, strict=True):
            if mark != other_mark:
                return _differs(seen, expected, "keys in another order")
            difference = self.compare(value, other)
            if difference:
                return difference.inside(f"[{show(key)}]")
        return None

    def _objects(self, seen: Obj, expected: Obj) -> _Difference | None:
        if seen.type != expected.type or seen.bases != expected.bases:
            return _differs(seen, expected)
        if seen.attrs is None or expected.attrs is None:
            return None if seen.attrs is expected.attrs else _differs(seen, expected)
        if set(seen.attrs) != set(expected.attrs):
            return _differs(seen, expected, "other attributes")
        for name in sorted(seen.attrs):
            difference = self.compare(seen.attrs[name], expected.attrs[name])
            if difference:
                return difference.inside(f".{name[:_NAME]}")
        return None

    def _leaves_equal(self, tag: str, seen: Any, expected: Any) -> bool:
        if tag == "f":
            close = self._tolerance is not None and abs(seen - expected) <= self._tolerance
            return close or _bits(seen) == _bits(expected)
        return self._printer.leaf(seen) == self._printer.leaf(expected)


_CONTAINERS = frozenset({"l", "t", "s", "m", "o"})


def tag_size(value: Any) -> int:
    """How many parts a container has; an empty one cannot be shared in a way that shows."""
    return 1 if isinstance(value, Obj) else len(value)


def _items(value: Any) -> list[Any]:
    return value.items if isinstance(value, Set) else list(value)


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    return list(value.pairs() if isinstance(value, Map) else value.items())


def _differs(seen: object, expected: object, note: str = "") -> _Difference:
    more = f"seen {_typed(seen)}, expected {_typed(expected)}"
    return _Difference(fact="differs", more=f"{more} ({note})" if note else more)


def _typed(value: object) -> str:
    """Lists and strings speak for themselves; what could be taken for another type says its own."""
    return f"{type(value).__name__} {show(value)}" if type(value) in (int, float, bool, set) else show(value)
