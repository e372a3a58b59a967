"""Values as they come in: a tree of tagged tuples, spelt as the page spells it, that compares by type and value."""

import base64
import decimal
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.wire_client.frames import BadFrame, Frame
from tests.wire_client.values import DIGITS, INLINE_BYTES

Tree = tuple[Any, ...]
"""`(kind, ...)`: ("int", 5), ("list", (tree, ...)), ("map", ((key, value), ...)), ("shared", 1, tree), ("again", 1)."""


DEEPEST = 150
CONTAINERS = frozenset({"list", "tuple", "set", "map", "object"})
_DATE = r"([0-9]{4}|-(?!0000)[0-9]{4}|[+-][1-9][0-9]{4,8})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.(?!000000$)[0-9]{6}|\.[0-9]{6}(?!000)[0-9]{3})?"
MOMENTS = {
    "date": re.compile(_DATE),
    "time": re.compile(_TIME),
    "datetime": re.compile(f"{_DATE}T{_TIME}"),
    "duration": re.compile(r"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{0,11}[1-9])?(?<!^-0)"),
}
OFFSET = re.compile(r"[+-]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{6})?)?")


@dataclass
class Reader:
    """Reads one value of a frame into a tree; refuses every spelling but the page's own."""

    frame: Frame
    _deep: dict[int, int] = field(default_factory=dict)
    """How deep each numbered container is; 0 while it is open."""
    _named: set[int] = field(default_factory=set)
    _below: int = 0

    def value(self, wire: Any) -> Tree:
        """The tree of one value. Raises `BadFrame`."""
        self._deep, self._named, self._below = {}, set(), 0
        tree = self._read(wire)
        need(len(self._named) == len(self._deep), "a number for a container that is met once")
        need(not _tuple_in_itself(tree), "a tuple holds itself")
        return tree

    def _read(self, wire: Any) -> Tree:
        around, self._below = self._below, 0
        tree = self._spelt(wire)
        self._below += tree[0] in CONTAINERS
        need(self._below <= DEEPEST, "too many containers in one another, references followed")
        if tree[0] == "shared":
            self._deep[tree[1]] = self._below
        self._below = max(around, self._below)
        return tree

    def _spelt(self, wire: Any) -> Tree:
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
        number, inner = content
        need(number == len(self._deep) + 1, "containers are numbered from 1 in the order met")
        need(type(inner) is dict and set(inner) <= {"l", "t", "s", "m", "o"}, "a number for what is no container")
        need(inner != {"t": []}, "a number for the empty tuple")
        self._deep[number] = 0
        return ("shared", number, self._read(inner))

    def again(self, content: Any) -> Tree:
        need(type(content) is int and content in self._deep, "a reference to a container not met yet")
        self._named.add(content)
        self._below = self._deep[content]
        return ("again", content)


def _tuple_in_itself(tree: Tree) -> bool:
    """Whether some tuple could only be made after itself: tuples alone lead from it back to it."""
    inside: dict[int, list[int]] = {}
    numbers: dict[int, int] = {}
    tuples: list[tuple[int, Tree]] = []
    todo: list[tuple[Any, int]] = [(tree, 0)]
    while todo:
        node, number = todo.pop()
        if node[0] == "shared":
            todo.append((node[2], node[1]))
        elif node[0] == "tuple":
            tuples.append((id(node), node))
            numbers |= {number: id(node)} if number else {}
        if node[0] in CONTAINERS:
            todo += [(part, 0) for part in _parts(node)]
    for name, node in tuples:
        direct = [part[2] if part[0] == "shared" else part for part in node[1]]
        inside[name] = [id(part) for part in direct if part[0] == "tuple"]
        inside[name] += [numbers[part[1]] for part in direct if part[0] == "again" and part[1] in numbers]
    while leaves := [name for name, parts in inside.items() if not any(part in inside for part in parts)]:
        for name in leaves:
            del inside[name]
    return bool(inside)


def _parts(node: Tree) -> list[Tree]:
    if node[0] == "map":
        return [part for pair in node[1] for part in pair]
    return [part for _, part in node[3] or ()] if node[0] == "object" else list(node[1])


def _is_zone(text: str) -> bool:
    if text[:1] in {"+", "-"}:
        plain = text != "-00:00" and not text.endswith((":00.000000", ".000000"))
        return plain and OFFSET.fullmatch(text) is not None and not (len(text) == 9 and text.endswith(":00"))
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", text) is not None


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
    need(MOMENTS[kind].fullmatch(text) is not None, f"no {kind} in its one spelling")
    need(zone is None or _is_zone(zone), "no zone in its one spelling")
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
