"""A product with one of everything that can be seen over the wire."""

import collections
import datetime as dt
import enum
from decimal import Decimal
from zoneinfo import ZoneInfo


class Level(enum.IntEnum):
    HIGH = 3


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y


Pair = collections.namedtuple("Pair", "one two")


class BadLine(ValueError):
    """An error with data of its own."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line

    @property
    def where(self) -> str:
        return f"line {self.line}"


def _ring() -> list[object]:
    ring: list[object] = []
    ring.append(ring)
    return ring


def _shared() -> list[object]:
    inner = [1]
    return [inner, [inner], (inner,)]


MAKERS = {
    "null": lambda: None,
    "true": lambda: True,
    "text": lambda: 'quotes " \\ \n \x00 ä 😀',
    "text of 4 KiB": lambda: "ä" * 2048,
    "text over 4 KiB": lambda: "ä" * 2048 + "b",
    "lone surrogate": lambda: "a\ud800b",
    "zero": lambda: 0,
    "negative": lambda: -17,
    "4,000 digits": lambda: -(10**4000) + 1,
    "4,001 digits": lambda: -(10**4000),
    "half": lambda: 0.5,
    "whole float": lambda: 3.0,
    "minus zero": lambda: -0.0,
    "small float": lambda: 5e-324,
    "large float": lambda: 1e22,
    "nan": lambda: -float("nan"),
    "infinity": lambda: float("-inf"),
    "bytes": lambda: b"\x00\xff\xfe",
    "bytes of 4 KiB": lambda: bytes(4096),
    "bytes over 4 KiB": lambda: bytes(4097),
    "list": lambda: [1, [True, None], "a"],
    "tuple": lambda: (1, ()),
    "set": lambda: {"only"},
    "map": lambda: {"b": 1, 1: "int", (1, 2): None, b"b": 2.0},
    "decimal": lambda: Decimal("-1.50E+7"),
    "date": lambda: dt.date(2024, 2, 29),
    "time": lambda: dt.time(1, 2, 3, 40),
    "datetime": lambda: dt.datetime(2024, 2, 29, 23, 59, 59, 999999, tzinfo=dt.timezone(-dt.timedelta(hours=3.5))),
    "zoned": lambda: dt.datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin")),
    "duration": lambda: dt.timedelta(days=-1, microseconds=1),
    "enum": lambda: Level.HIGH,
    "named tuple": lambda: Pair(1, "b"),
    "object": lambda: Point(1, 2),
    "frozen set": lambda: frozenset({1}),
    "ring": _ring,
    "shared": _shared,
}


def make(name: str) -> object:
    """The value of that name."""
    return MAKERS[name]()


def fail(name: str) -> None:
    """Raise the error of that name."""
    if name == "own":
        raise BadLine("line 3 is bad", 3)
    if name == "long":
        raise BadLine("ä" * 5000, 3)
    raise KeyError("missing")
