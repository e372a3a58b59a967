"""Values both ways. What comes in is kept as it was spelt: a tree of tagged tuples that compares by type and value."""

import base64
import datetime as dt
import decimal
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.wire_client.frames import BadFrame, Frame

INLINE_BYTES = 4096
DIGITS = 4000

Tree = tuple[Any, ...]
"""`(kind, ...)`: ("int", 5), ("list", (tree, ...)), ("map", ((key, value), ...)), ("shared", 1, tree), ("again", 1)."""


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


@dataclass
class Reader:
    """Reads one value of a frame into a tree; refuses every spelling but the page's own."""

    frame: Frame
    _opened: int = 0

    def value(self, wire: Any) -> Tree:
        """The tree of one value. Raises `BadFrame`."""
        self._opened = 0
        return self._read(wire)

    def _read(self, wire: Any) -> Tree:
        if wire is None or type(wire) is bool:
            return ("null",) if wire is None else ("bool", wire)
        if type(wire) is str:
            need(len(wire.encode()) <= INLINE_BYTES, "a string over 4 KiB in the header")
            return ("str", wire)
        need(type(wire) is dict and len(wire) == 1, f"no value: {str(wire)[:80]}")
        tag, content = next(iter(wire.items()))
        need(tag in _READERS, f"no tag of the page: {tag!r}")
        return _READERS[tag](self, content)

    def long_text(self, content: Any) -> Tree:
        raw = self.frame.range(content)
        need(len(raw) > INLINE_BYTES, "a short string in the body")
        try:
            return ("str", raw.decode())
        except UnicodeDecodeError as error:
            raise BadFrame("a string of the body is no UTF-8") from error

    def code_points(self, content: Any) -> Tree:
        need(type(content) is list and all(type(one) is int and 0 <= one < 0x110000 for one in content), "code points")
        need(any(0xD800 <= one < 0xE000 for one in content), "code points of well-formed text")
        return ("str", "".join(map(chr, content)))

    def bytes(self, content: Any) -> Tree:
        if type(content) is list:
            raw = self.frame.range(content)
            need(len(raw) > INLINE_BYTES, "short bytes in the body")
            return ("bytes", raw)
        need(type(content) is str, "bytes are base64 or a range")
        try:
            raw = base64.b64decode(content, validate=True)
        except ValueError as error:
            raise BadFrame("no base64") from error
        need(len(raw) <= INLINE_BYTES and base64.b64encode(raw).decode() == content, "base64 in another spelling")
        return ("bytes", raw)

    def items(self, kind: str, content: Any) -> Tree:
        need(type(content) is list, f"a {kind} is a list of values")
        return (kind, tuple(self._read(item) for item in content))

    def map(self, content: Any) -> Tree:
        need(type(content) is list and all(type(pair) is list and len(pair) == 2 for pair in content), "pairs")
        return ("map", tuple((self._read(key), self._read(item)) for key, item in content))

    def object(self, content: Any) -> Tree:
        need(type(content) is dict and set(content) == {"type", "bases", "attrs"}, "keys of an object")
        need(type(content["type"]) is str, "an object's type is a name")
        bases = content["bases"]
        need(type(bases) is list and all(type(base) is str for base in bases), "an object's bases are names")
        return ("object", content["type"], tuple(bases), self.attributes(content["attrs"]))

    def attributes(self, content: Any) -> tuple[tuple[str, Tree], ...] | None:
        if content is None:
            return None
        need(type(content) is dict, "attributes have names")
        return tuple((name, self._read(item)) for name, item in content.items())

    def shared(self, content: Any) -> Tree:
        need(type(content) is list and len(content) == 2 and type(content[0]) is int, "a numbered container")
        self._opened += 1
        need(content[0] == self._opened, "containers are numbered from 1 in the order met")
        return ("shared", content[0], self._read(content[1]))

    def again(self, content: Any) -> Tree:
        need(type(content) is int and 1 <= content <= self._opened, "a reference to a container not met yet")
        return ("again", content)


def need(holds: bool, rule: str) -> None:
    """Raises `BadFrame` with the rule when it does not hold."""
    if not holds:
        raise BadFrame(rule)


def _integer(content: Any) -> Tree:
    need(type(content) is str and re.fullmatch(r"0|-?[1-9][0-9]*", content) is not None, "decimal digits")
    need(len(content.lstrip("-")) <= DIGITS, "more than 4,000 digits")
    return ("int", int(content))


def _hexadecimal(content: Any) -> Tree:
    need(type(content) is str and re.fullmatch(r"-?0x[1-9a-f][0-9a-f]*", content) is not None, "hexadecimal digits")
    value = int(content, 16)
    need(abs(value) >= 10**DIGITS, "up to 4,000 digits are decimal")
    return ("int", value)


def _float(content: Any) -> Tree:
    need(type(content) is str, "a float is text")
    try:
        need(repr(float(content)) == content, "not the shortest text")
    except ValueError as error:
        raise BadFrame("no float") from error
    return ("float", content)


def _decimal(content: Any) -> Tree:
    need(type(content) is str, "a decimal is text")
    try:
        need(str(decimal.Decimal(content)) == content, "a decimal in another spelling")
    except decimal.InvalidOperation as error:
        raise BadFrame("no decimal") from error
    return ("decimal", content)


def _when(content: Any) -> Tree:
    need(type(content) is list and len(content) == 3, "kind, text, zone")
    kind, text, zone = content
    need(kind in ("date", "time", "datetime", "duration"), "no kind of moment")
    need(type(text) is str and (zone is None or type(zone) is str), "a moment is text with a zone or none")
    need(zone is None or kind in ("time", "datetime"), "dates and durations have no zone")
    return ("when", kind, text, zone)


def _undefined(content: Any) -> Tree:
    need(content is None, "undefined has no content")
    return ("undefined",)


_READERS: dict[str, Callable[[Reader, Any], Tree]] = {
    "S": Reader.long_text,
    "c": Reader.code_points,
    "b": Reader.bytes,
    "i": lambda _, content: _integer(content),
    "x": lambda _, content: _hexadecimal(content),
    "f": lambda _, content: _float(content),
    "d": lambda _, content: _decimal(content),
    "w": lambda _, content: _when(content),
    "u": lambda _, content: _undefined(content),
    "l": lambda reader, content: reader.items("list", content),
    "t": lambda reader, content: reader.items("tuple", content),
    "s": lambda reader, content: reader.items("set", content),
    "m": Reader.map,
    "o": Reader.object,
    "n": Reader.shared,
    "r": Reader.again,
}
