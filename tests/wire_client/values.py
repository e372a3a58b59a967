"""Python values as the page spells them."""

import base64
import datetime as dt
import decimal
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

INLINE_BYTES = 4096
DIGITS = 4000


class Undefined:
    """The one value that Python has no word for."""


UNDEFINED = Undefined()


@dataclass
class Writer:
    """Writes Python values as the page spells them; what is long goes to `body`."""

    body: bytearray = field(default_factory=bytearray)
    _seen: dict[int, int] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)
    _opened: set[int] = field(default_factory=set)

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The `args` of a call. Sharing is told within one argument."""
        return {name: self.value(value) for name, value in arguments.items()}

    def value(self, value: Any) -> Any:
        """One value, whole: its containers are numbered from 1."""
        self._seen, self._numbers, self._opened = {}, {}, set()
        self._meet(value)
        return self._write(value)

    def range(self, content: bytes) -> list[int]:
        """Bytes of the body, as `[offset, length]`."""
        self.body += content
        return [len(self.body) - len(content), len(content)]

    def _meet(self, value: Any) -> None:
        if type(value) in (list, tuple, set, dict) and value != ():
            self._seen[id(value)] = self._seen.get(id(value), 0) + 1
            if self._seen[id(value)] == 1:
                parts = [part for pair in value.items() for part in pair] if type(value) is dict else value
                for part in parts:
                    self._meet(part)

    def _write(self, value: Any) -> Any:
        if value is None or type(value) is bool:
            return value
        if self._seen.get(id(value), 0) > 1:
            if id(value) in self._opened:
                return {"r": self._numbers[id(value)]}
            self._opened.add(id(value))
            self._numbers[id(value)] = len(self._numbers) + 1
            return {"n": [self._numbers[id(value)], self._plain(value)]}
        return self._plain(value)

    def _plain(self, value: Any) -> Any:
        return _WRITERS[type(value)](self, value)

    def text(self, value: str) -> Any:
        if any("\ud800" <= character <= "\udfff" for character in value):
            return {"c": [ord(character) for character in value]}
        content = value.encode()
        return value if len(content) <= INLINE_BYTES else {"S": self.range(content)}

    def bytes(self, value: bytes) -> Any:
        return {"b": base64.b64encode(value).decode() if len(value) <= INLINE_BYTES else self.range(value)}

    def integer(self, value: int) -> Any:
        if abs(value) < 10**DIGITS:
            return {"i": str(value)}
        return {"x": hex(value)}

    def items(self, tag: str, value: Any) -> Any:
        return {tag: [self._write(item) for item in value]}

    def map(self, value: dict[Any, Any]) -> Any:
        return {"m": [[self._write(key), self._write(item)] for key, item in value.items()]}


def _moment(value: Any) -> Any:
    zone = value.strftime("%z")
    text = value.replace(tzinfo=None).isoformat()
    return {"w": [type(value).__name__, text, f"{zone[:3]}:{zone[3:]}" if zone else None]}


def _duration(value: dt.timedelta) -> Any:
    microseconds = value // dt.timedelta(microseconds=1)
    whole, part = divmod(abs(microseconds), 1_000_000)
    text = f"{whole}.{part:06}".rstrip("0").rstrip(".")
    return {"w": ["duration", ("-" if microseconds < 0 else "") + text, None]}


_WRITERS: dict[type, Callable[[Writer, Any], Any]] = {
    str: Writer.text,
    bytes: Writer.bytes,
    int: Writer.integer,
    float: lambda _, value: {"f": repr(value)},
    list: lambda writer, value: writer.items("l", value),
    tuple: lambda writer, value: writer.items("t", value),
    set: lambda writer, value: writer.items("s", value),
    dict: Writer.map,
    decimal.Decimal: lambda _, value: {"d": str(value)},
    dt.date: lambda _, value: {"w": ["date", value.isoformat(), None]},
    dt.time: lambda _, value: _moment(value),
    dt.datetime: lambda _, value: _moment(value),
    dt.timedelta: lambda _, value: _duration(value),
    Undefined: lambda _, value: {"u": None},
}
