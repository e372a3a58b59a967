"""Fingerprints of values: equal for equal values and for no others, whatever an adversary builds."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
import struct
from decimal import Decimal
from typing import Any

from taskpack.wire.encoding import declared_names
from taskpack.wire.kinds import Map, Obj, Set, Undefined, When
from taskpack.wire.times import encode_time

_TAGS: dict[type, str] = {
    type(None): "null",
    bool: "bool",
    str: "str",
    int: "i",
    float: "f",
    bytes: "b",
    list: "l",
    tuple: "t",
    set: "s",
    Set: "s",
    dict: "m",
    Map: "m",
    Decimal: "d",
    Undefined: "u",
    Obj: "o",
    When: "w",
    dt.date: "w",
    dt.time: "w",
    dt.datetime: "w",
    dt.timedelta: "w",
}


class TooMuch(Exception):
    """The comparison needs more steps than any honest value."""


def tag_of(value: object) -> str:
    """What the value is on the wire. Raises `TypeError` for what a suite cannot expect as it stands."""
    tag = _TAGS.get(type(value))
    if tag is None:
        raise TypeError(
            f"{declared_names(type(value)).type} is no wire value: write Obj(...), set, dict or a plain value"
        )
    return tag


class Printer:
    """Digests under one set of rules, each container once."""

    def __init__(self, *, ordered_keys: bool, order: bool, steps: int) -> None:
        self._ordered_keys = ordered_keys
        self._order = order
        self._left = steps
        self._done: dict[int, tuple[object, bytes]] = {}
        self._open: dict[int, int] = {}
        self._entered: set[int] = set()
        self._again = _AGAIN

    def step(self) -> None:
        """Count one step. Raises `TooMuch` at the end of the budget."""
        self._left -= 1
        if self._left < 0:
            raise TooMuch

    def digest(self, value: Any) -> bytes:
        """Equal exactly for values that are the same. Raises `TooMuch`, also for what nests too deep to be walked."""
        try:
            return self._digest(value)[0]
        except RecursionError:
            raise TooMuch from None

    def leaf(self, value: Any) -> bytes:
        """The content of a value that holds no others."""
        kind = type(value)
        if kind is int:
            size = value.bit_length() // 8 + 1
            return value.to_bytes(size, "big", signed=True)  # type: ignore[no-any-return]
        if kind is float:
            return b"nan" if math.isnan(value) else struct.pack(">d", value)
        if kind is bytes:
            return value  # type: ignore[no-any-return]
        if kind is str:
            return value.encode("utf-8", "surrogatepass")  # type: ignore[no-any-return]
        if kind is When:
            return repr((value.kind, value.text, value.zone)).encode()
        moment = encode_time(value)
        return repr(value if moment is None else moment).encode()

    def _digest(self, value: Any) -> tuple[bytes, int]:
        """The digest, and the outermost open container that it leans on (a large number for none)."""
        self.step()
        tag = tag_of(value)
        if tag not in {"l", "t", "s", "m", "o"}:
            return _hash(tag, [self.leaf(value)]), _NONE
        done = self._done.get(id(value))
        if done is not None:
            return done[1], _NONE
        level = self._open.get(id(value))
        if level is not None:
            return _hash("cycle", [str(len(self._open) - level).encode()]), level
        self._enter(value)
        level = self._open[id(value)] = len(self._open)
        try:
            found, outermost = self._container(tag, value)
        finally:
            del self._open[id(value)]
        if outermost < level:
            return found, outermost
        # The value is kept, so that its id stays its own.
        self._done[id(value)] = (value, found)
        return found, _NONE

    def _enter(self, value: Any) -> None:
        """Containers on a cycle are read again from each of its ends; in a hostile tangle that would never stop."""
        if id(value) in self._entered:
            self._again -= 1 if isinstance(value, Obj) else len(value) + 1
            if self._again < 0:
                raise TooMuch
        self._entered.add(id(value))

    def _container(self, tag: str, value: Any) -> tuple[bytes, int]:
        parts: list[bytes] = []
        outermost = _NONE
        if tag == "m":
            for key, item in value.pairs() if isinstance(value, Map) else value.items():
                (one, low), (two, lower) = self._digest(key), self._digest(item)
                parts.append(one + two)
                outermost = min(outermost, low, lower)
        elif tag == "o":
            parts += [value.type.encode(), repr(value.bases).encode(), repr(value.attrs is None).encode()]
            for name, item in sorted((value.attrs or {}).items()):
                one, low = self._digest(item)
                parts.append(_hash(name, [one]))
                outermost = min(outermost, low)
        else:
            for item in value.items if isinstance(value, Set) else value:
                one, low = self._digest(item)
                parts.append(one)
                outermost = min(outermost, low)
        if tag == "s" or (tag == "m" and not self._ordered_keys) or (tag == "l" and not self._order):
            parts.sort()
        return _hash(tag, parts), outermost


_NONE = 1 << 60
_AGAIN = 200_000


def _hash(tag: str, parts: list[bytes]) -> bytes:
    total = hashlib.blake2b(tag.encode("utf-8", "surrogatepass"), digest_size=16)
    for part in parts:
        total.update(struct.pack(">Q", len(part)))
        total.update(part)
    return total.digest()
