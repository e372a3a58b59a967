"""From the wire to a value. Every spelling but the one encoding is `Malformed`; no value can exhaust the reader."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from taskpack.wire.depth import CONTAINERS, DEEPEST_VALUE, Depth
from taskpack.wire.encoding import DECIMAL_BOUND, DECIMAL_DIGITS, INLINE_CAP
from taskpack.wire.frames import Json, Malformed, check_range
from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set
from taskpack.wire.pending import Pending, refuse_pending
from taskpack.wire.times import decode_time

_INTEGER = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_HEXADECIMAL = re.compile(r"-?0x[1-9a-f][0-9a-f]*", re.ASCII)
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?", re.ASCII)
_DECIMAL = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?(?:E[+-][0-9]{1,19})?|Infinity|s?NaN[0-9]*)", re.ASCII)
_SPECIAL_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_FLOAT_TEXT = 40


class Decoder:
    """Several values of one frame. `ranges` are the parts of the body that they took.

    `native` gives dicts and sets as a program is called with; else `Map` and `Set`, in which types never blur.
    """

    def __init__(self, body: bytes, *, native: bool = False) -> None:
        self._body = body
        self._native = native
        self._numbered: dict[int, Any] = {}
        self._referred: set[int] = set()
        self._waiting: list[Pending] = []
        self._depth = Depth()
        self.ranges: list[tuple[int, int]] = []

    def value(self, value: Json) -> Any:
        """The decoded value. Raises `Malformed`."""
        self._numbered, self._referred, self._waiting, self._depth = {}, set(), [], Depth()
        found = self._decode(value)
        if len(self._referred) != len(self._numbered):
            raise Malformed("n is for a container that is met twice")
        if any(one.made is None for one in self._waiting):
            raise Malformed("a tuple cannot hold itself")
        return found

    def _decode(self, value: Json, number: int | None = None) -> Any:
        if value is None or value is True or value is False:
            return value
        if type(value) is str:
            return _inline_text(value)
        if type(value) is not dict or len(value) != 1:
            raise Malformed(f"a value is null, true, false, a string or a one-key object, not {_sketch(value)}")
        ((tag, content),) = value.items()
        if tag in _LEAVES:
            return _LEAVES[tag](content)
        reader = _READERS.get(tag)
        if reader is None:
            raise Malformed(f"{tag[:20]!r} is no tag")
        around = self._depth.enter()
        found = reader(self, content, number)
        if not self._depth.leave(around, number, container=tag in CONTAINERS):
            raise Malformed(f"a value of more than {DEEPEST_VALUE} containers in one another")
        return found

    def _range(self, content: Json) -> bytes:
        offset, length = check_range(content, len(self._body))
        if length <= INLINE_CAP:
            raise Malformed("a range of 4 KiB or less belongs into the header")
        self.ranges.append((offset, length))
        return self._body[offset : offset + length]

    def _text(self, content: Json, _number: int | None) -> str:
        try:
            return self._range(content).decode("utf-8", "strict")
        except UnicodeDecodeError:
            raise Malformed("S is not UTF-8") from None

    def _bytes(self, content: Json, _number: int | None) -> bytes:
        return self._range(content) if type(content) is list else _inline_bytes(content)

    def _list(self, content: Json, number: int | None) -> Any:
        return self._fill(_array(content, "l"), self._keep(number, []))

    def _tuple(self, content: Json, number: int | None) -> Any:
        pending = self._keep(number, Pending())
        made = pending.close([self._decode(item) for item in _array(content, "t")])
        if made is pending:
            self._waiting.append(pending)
        return self._keep(number, made)

    def _set(self, content: Json, number: int | None) -> Any:
        shell = self._keep(number, set() if self._native else Set([]))
        items = self._fill(_array(content, "s"), [] if self._native else shell.items)
        if not self._native:
            return shell
        try:
            refuse_pending(items)
            shell.update(items)
        except TypeError:
            raise Malformed("a set holds a value that cannot be in a set") from None
        if len(shell) != len(items):
            raise Malformed("a set holds two values that are one here")
        return shell

    def _map(self, content: Json, number: int | None) -> Any:
        pairs = _array(content, "m")
        if any(type(pair) is not list or len(pair) != 2 for pair in pairs):
            raise Malformed("m is a list of [key, value]")
        if not self._native:
            shell = self._keep(number, Map([], []))
            for pair in pairs:
                self._fill([pair[0]], shell.keys)
                self._fill([pair[1]], shell.values)
            return shell
        made: dict[Any, Any] = self._keep(number, {})
        for pair in pairs:
            key = self._decode(pair[0])
            item = self._decode(pair[1])
            try:
                refuse_pending([key])
                if key in made:
                    raise Malformed("a map has two keys that are one here")
                self._put(made, key, item)
            except TypeError:
                raise Malformed("a map has a key that cannot be a key") from None
        return made

    def _object(self, content: Json, number: int | None) -> Any:
        if type(content) is not dict or set(content) != {"type", "bases", "attrs"}:
            raise Malformed("o is {type, bases, attrs}")
        kind, bases, attrs = content["type"], content["bases"], content["attrs"]
        if type(kind) is not str or type(bases) is not list or any(type(base) is not str for base in bases):
            raise Malformed("o: type is a string, bases a list of strings")
        if attrs is not None and type(attrs) is not dict:
            raise Malformed("o: attrs is null or an object")
        shell = self._keep(number, Obj(kind, tuple(bases), None))
        if attrs is not None:
            shell.attrs = {}
            for name, item in attrs.items():
                self._put(shell.attrs, name, self._decode(item))
        return shell

    def _define(self, content: Json, number: int | None) -> Any:
        if not (type(content) is list and len(content) == 2 and type(content[0]) is int):
            raise Malformed("n is [number, value]")
        inner = content[1]
        if number is not None or content[0] != len(self._numbered) + 1:
            raise Malformed("n counts from 1 in the order met")
        if type(inner) is not dict or not set(inner) <= CONTAINERS:
            raise Malformed("n is for containers")
        if inner == {"t": []}:
            raise Malformed("n is not for the empty tuple: there is only one")
        return self._decode(inner, content[0])

    def _refer(self, content: Json, _number: int | None) -> Any:
        if type(content) is not int or content not in self._numbered:
            raise Malformed("r refers to a number that is not there")
        self._referred.add(content)
        self._depth.refer(content)
        found = self._numbered[content]
        return found if type(found) is not Pending or found.made is None else found.made

    def _keep(self, number: int | None, shell: Any) -> Any:
        if number is not None:
            self._numbered[number] = shell
        return shell

    def _fill(self, items: list[Json], holder: list[Any]) -> list[Any]:
        for item in items:
            holder.append(None)
            self._put(holder, len(holder) - 1, self._decode(item))
        return holder

    @staticmethod
    def _put(holder: Any, place: Any, value: Any) -> None:
        holder[place] = value
        if type(value) is Pending:
            value.holes.append((holder, place))


_READERS: dict[str, Callable[[Decoder, Json, int | None], Any]] = {
    "S": Decoder._text,  # noqa: SLF001
    "b": Decoder._bytes,  # noqa: SLF001
    "l": Decoder._list,  # noqa: SLF001
    "t": Decoder._tuple,  # noqa: SLF001
    "s": Decoder._set,  # noqa: SLF001
    "m": Decoder._map,  # noqa: SLF001
    "o": Decoder._object,  # noqa: SLF001
    "n": Decoder._define,  # noqa: SLF001
    "r": Decoder._refer,  # noqa: SLF001
}


def _inline_text(text: str) -> str:
    try:
        size = len(text.encode("utf-8", "strict"))
    except UnicodeEncodeError:
        raise Malformed("a string with a lone surrogate is written as c") from None
    if size > INLINE_CAP:
        raise Malformed("a string over 4 KiB belongs into the body")
    return text


def _array(content: Json, tag: str) -> list[Json]:
    if type(content) is not list:
        raise Malformed(f"{tag} is an array")
    return content


def _matched(content: Json, pattern: re.Pattern[str], cap: int, tag: str) -> str:
    if type(content) is not str or len(content) > cap or not pattern.fullmatch(content):
        raise Malformed(f"{tag} is not written as the page says: {_sketch(content)}")
    return content


def _integer(content: Json) -> int:
    text = _matched(content, _INTEGER, DECIMAL_DIGITS + 1, "i")
    if len(text.removeprefix("-")) > DECIMAL_DIGITS:
        raise Malformed("i is for integers of up to 4,000 digits")
    return int(text)


def _hexadecimal(content: Json) -> int:
    number = int(_matched(content, _HEXADECIMAL, 1 << 24, "x"), 16)
    if -DECIMAL_BOUND < number < DECIMAL_BOUND:
        raise Malformed("x is for integers of more than 4,000 digits")
    return number


def _float(content: Json) -> float:
    if type(content) is str and content in _SPECIAL_FLOATS:
        return _SPECIAL_FLOATS[content]
    number = float(_matched(content, _FLOAT, _FLOAT_TEXT, "f"))
    if repr(number) != content:
        raise Malformed(f"f is not the shortest text of a float: {_sketch(content)}")
    return number


def _decimal(content: Json) -> Decimal:
    try:
        number = Decimal(_matched(content, _DECIMAL, 1 << 22, "d"))
    except InvalidOperation:
        raise Malformed("d beyond the range of decimals") from None
    if str(number) != content:
        raise Malformed("d is not in its exact text")
    return number


def _code_points(content: Json) -> str:
    points = _array(content, "c")
    if not all(type(point) is int and 0 <= point <= 0x10FFFF for point in points):
        raise Malformed("c is a list of code points")
    if not any(0xD800 <= point <= 0xDFFF for point in points):
        raise Malformed("c is for text with lone surrogates")
    return "".join(map(chr, points))


def _inline_bytes(content: Json) -> bytes:
    if type(content) is not str or len(content) > INLINE_CAP * 2:
        raise Malformed("b is base64, or a range over 4 KiB")
    try:
        data = base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("b is not base64") from None
    if len(data) > INLINE_CAP or base64.b64encode(data).decode("ascii") != content:
        raise Malformed("b is not in its one base64 form")
    return data


def _undefined(content: Json) -> object:
    if content is not None:
        raise Malformed("u is null")
    return UNDEFINED


_LEAVES: dict[str, Callable[[Json], Any]] = {
    "i": _integer,
    "x": _hexadecimal,
    "f": _float,
    "d": _decimal,
    "c": _code_points,
    "w": decode_time,
    "u": _undefined,
}


def _sketch(value: object) -> str:
    return f"{type(value).__name__} {repr(value)[:60] if type(value) is not int else '...'}"
