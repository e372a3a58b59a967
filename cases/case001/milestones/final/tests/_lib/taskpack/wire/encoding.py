"""From a value to its one encoding on the wire. No method of a foreign object is ever called."""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable
from decimal import Decimal

from taskpack.wire.depth import CONTAINERS, DEEPEST_VALUE, Depth
from taskpack.wire.frames import BODY_CAP, NODE_CAP, Json, TooLarge
from taskpack.wire.kinds import ClassNames, Described, Map, Obj, Set, Undefined, When
from taskpack.wire.times import encode_time

INLINE_CAP = 4096
"""Bytes of a string or byte string that are still written into the header."""
DECIMAL_DIGITS = 4000
DEEPEST = 90
"""JSON levels that a value may take, so that its frame stays within the nesting cap."""
DECIMAL_BOUND = 10**DECIMAL_DIGITS

PLAIN = (str, int, float, bytes, list, tuple, set, dict, Decimal, dt.datetime, dt.date, dt.time, dt.timedelta)


class Body:
    """The raw bytes that go with a header."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def add(self, data: bytes) -> list[int]:
        """Append and give the range. Raises `TooLarge` over the cap."""
        if self.size + len(data) > BODY_CAP:
            raise TooLarge(f"more than {BODY_CAP} bytes in one frame")
        place = [self.size, len(data)]
        self._parts.append(data)
        self.size += len(data)
        return place

    def to_bytes(self) -> bytes:
        return b"".join(self._parts)


def declared_names(kind: type) -> ClassNames:
    """A class as it calls itself: `module.qualified name`, and the same of its ancestors but `object`."""
    mro = type.__dict__["__mro__"].__get__(kind)
    names = [_declared(one) for one in mro if one is not object]
    return ClassNames(type=names[0] if names else "builtins.object", bases=names[1:])


class Encoder:
    """Several values for one frame. Containers met twice are numbered within one value."""

    def __init__(self, body: Body, names: Callable[[type], ClassNames] = declared_names) -> None:
        self._body = body
        self._names = names
        self._shared: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._depth = Depth()

    def value(self, value: object) -> Json:
        """The wire value of `value`."""
        self._shared = _met_twice(value)
        self._numbers, self._depth = {}, Depth()
        return self._encode(value, 0)

    def _encode(self, value: object, depth: int) -> Json:
        if depth > DEEPEST:
            raise TooLarge("the value nests too deep for a frame")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            return encode_text(value, self._body)  # type: ignore[arg-type]
        if id(value) in self._shared:
            number = self._numbers.get(id(value))
            if number is not None:
                self._depth.refer(number)
                return {"r": number}
            number = self._numbers[id(value)] = len(self._numbers) + 1
            return {"n": [number, self._measured(value, kind, depth + 2, number)]}
        return self._measured(value, kind, depth, None)

    def _measured(self, value: object, kind: type, depth: int, number: int | None) -> Json:
        around = self._depth.enter()
        wire = self._tagged(value, kind, depth)
        if not self._depth.leave(around, number, container=next(iter(wire)) in CONTAINERS):
            raise TooLarge(f"the value has more than {DEEPEST_VALUE} containers in one another")
        return wire

    def _tagged(self, value: object, kind: type, depth: int) -> Json:  # noqa: PLR0911 (one for each tag)
        if kind in _OWN:
            return self._plain(value, kind, depth)
        if kind is Undefined:
            return {"u": None}
        if kind is Map:
            return {"m": self._pairs(list(value.pairs()), depth)}  # type: ignore[attr-defined]
        if kind is Set:
            return {"s": self._all(value.items, depth)}  # type: ignore[attr-defined]
        if kind is When:
            return {"w": [value.kind, value.text, value.zone]}  # type: ignore[attr-defined]
        if kind is Obj:
            return self._object(value, depth)
        return self._foreign(value, depth)

    def _plain(self, value: object, kind: type, depth: int) -> Json:  # noqa: PLR0911 (one for each tag)
        """A value of exactly one of Python's plain types; `o` for the few times that the page cannot say."""
        if kind is int:
            return encode_integer(value)  # type: ignore[arg-type]
        if kind is float:
            return {"f": repr(value)}
        if kind is bytes:
            return encode_bytes(value, self._body)  # type: ignore[arg-type]
        if kind in _SEQUENCES:
            return {_SEQUENCES[kind]: self._all(value, depth)}
        if kind is dict:
            return {"m": self._pairs(list(value.items()), depth)}  # type: ignore[attr-defined]
        if kind is Decimal:
            return {"d": str(value)}
        moment = encode_time(value)
        return self._foreign(value, depth) if moment is None else {"w": list(moment)}

    def _all(self, items: object, depth: int) -> Json:
        return [self._encode(item, depth + 2) for item in items]  # type: ignore[attr-defined]

    def _pairs(self, pairs: list[tuple[object, object]], depth: int) -> Json:
        return [[self._encode(key, depth + 3), self._encode(value, depth + 3)] for key, value in pairs]

    def _object(self, value: object, depth: int) -> Json:
        assert isinstance(value, Obj)  # noqa: S101 (narrowing only)
        attrs = None if value.attrs is None else self._attrs(value.attrs, depth)
        return {"o": {"type": value.type, "bases": list(value.bases), "attrs": attrs}}

    def _attrs(self, attrs: object, depth: int) -> Json:
        return {well_formed(name): self._encode(item, depth + 3) for name, item in dict(attrs).items()}  # type: ignore[call-overload]

    def _foreign(self, value: object, depth: int) -> Json:
        shown: dict[str, object] | None = None
        if type(value) is Described:
            shown, value = dict(value.attrs), value.subject
        kind = type(value)
        names = self._names(kind)
        plain = _plain_part(value, kind)
        if plain is not None:
            shown = {"": plain, **(shown or {})}
        attrs = None if shown is None else self._attrs(shown, depth)
        return {"o": {"type": names.type, "bases": list(names.bases), "attrs": attrs}}


_SEQUENCES: dict[type, str] = {list: "l", tuple: "t", set: "s"}
_OWN = frozenset({int, float, bytes, list, tuple, set, dict, Decimal, dt.datetime, dt.date, dt.time, dt.timedelta})


def encode_text(text: str, body: Body) -> Json:
    """A string as itself, as `S` over 4 KiB, or as `c` when it holds lone surrogates."""
    try:
        data = text.encode("utf-8", "strict")
    except UnicodeEncodeError:
        return {"c": [ord(letter) for letter in text]}
    return text if len(data) <= INLINE_CAP else {"S": body.add(data)}


def encode_bytes(data: bytes, body: Body) -> Json:
    return {"b": base64.b64encode(data).decode("ascii") if len(data) <= INLINE_CAP else body.add(data)}


def encode_integer(number: int) -> Json:
    if -DECIMAL_BOUND < number < DECIMAL_BOUND:
        return {"i": str(number)}
    return {"x": hex(number)}


def well_formed(text: str) -> str:
    """`text` with lone surrogates written out, for names and prose that are no values."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _declared(kind: type) -> str:
    module = type.__dict__["__module__"].__get__(kind) if "__module__" in type.__dict__ else None
    name = type.__dict__["__qualname__"].__get__(kind)
    return well_formed(f"{module if type(module) is str else '?'}.{name}")[:500]


def _mro(kind: type) -> tuple[type, ...]:
    found: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return found


def _plain_part(value: object, kind: type) -> object:
    """The plain value inside a subclass of a plain type, read by the plain type's own methods; else None."""
    mro = _mro(kind)
    plain = next((one for one in PLAIN if one in mro), None)
    if plain is None or plain is kind:
        return None
    return _READ[plain](value)


def _moment(value: object) -> When | None:
    found = encode_time(value)
    return None if found is None else When(*found)


# By the plain type's own methods: a subclass may have overridden every one of them.
_READ: dict[type, Callable[..., object]] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    list: lambda value: list(list.__iter__(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    set: lambda value: set(set.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    Decimal: lambda value: Decimal(Decimal.__str__(value)),
    dt.datetime: _moment,
    dt.date: _moment,
    dt.time: _moment,
    dt.timedelta: _moment,
}


def _met_twice(root: object) -> set[int]:
    """Ids of containers that are reached more than once. Walks without recursion."""
    seen: set[int] = set()
    twice: set[int] = set()
    todo: list[object] = [root]
    while todo:
        value = todo.pop()
        children = _children(value)
        if children is None:
            continue
        if id(value) in seen:
            twice.add(id(value))
            continue
        seen.add(id(value))
        if len(seen) > NODE_CAP:
            raise TooLarge(f"more than {NODE_CAP} nodes")
        todo += children
    return twice


def _children(value: object) -> list[object] | None:  # noqa: PLR0911 (one for each kind)
    kind = type(value)
    if kind is Map:
        return [*value.keys, *value.values]  # type: ignore[attr-defined]
    if kind is Set:
        return list(value.items)  # type: ignore[attr-defined]
    if kind is Obj:
        return list((value.attrs or {}).values())  # type: ignore[attr-defined]
    if kind is Described:
        return _described_parts(value)  # type: ignore[arg-type]
    mro = _mro(kind)
    if dict in mro:
        return [*dict.keys(value), *dict.values(value)]  # type: ignore[arg-type]
    for plain in (list, tuple, set):
        if plain in mro:
            # There is one empty tuple: whether it stands in two places says nothing.
            return list(plain.__iter__(value)) if kind is not tuple or value else None  # type: ignore[arg-type]
    return None


def _described_parts(value: Described) -> list[object]:
    """What `_foreign` writes of it: the subject's own items only where it is a subclass of a plain type."""
    mine = type(value.subject)
    items = None if mine in _OWN or mine in {Map, Set, Obj, Described} else _children(value.subject)
    return [*(items or []), *value.attrs.values()]
