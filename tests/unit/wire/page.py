"""Wire values as the page alone describes them: any value, in its one spelling."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

KIB_4 = 4096
_SURROGATES = st.integers(0xD800, 0xDFFF)
_LONG = st.sampled_from([10**3999, 10**4000 - 1, 10**4000, 10**4001 + 7])


@dataclass
class Spelling:
    """A wire value and the body that goes with it."""

    wire: Any
    body: bytes


@dataclass
class _Draft:
    draw: Callable[..., Any]
    body: bytearray = field(default_factory=bytearray)
    count: int = 0
    open: list[tuple[int, str]] = field(default_factory=list)
    """Containers around the place that is written: (number, tag)."""
    closed: list[int] = field(default_factory=list)
    left: int = 40

    def range(self, data: bytes) -> list[int]:
        self.body += data
        return [len(self.body) - len(data), len(data)]

    def value(self, depth: int = 0) -> Any:
        self.left -= 1
        kinds = [*LEAVES, "r"] if depth > 12 or self.left < 0 else [*LEAVES, "r", *"ltsmo" * 3]
        kind = self.draw(st.sampled_from(kinds))
        if kind == "r":
            choices = self.closed + self._around()
            return {"r": self.draw(st.sampled_from(choices))} if choices else None
        return self._container(kind, depth) if kind in "ltsmo" else LEAVES[kind](self)

    def _around(self) -> list[int]:
        """Open containers that may be named here: a tuple only from inside something that is no tuple."""
        found, through = [], False
        for number, tag in reversed(self.open):
            through = through or tag != "t"
            found += [number] if through else []
        return found

    def _container(self, tag: str, depth: int) -> Any:
        self.count += 1
        number = self.count
        self.open.append((number, tag))
        content: Any = None
        if tag == "m":
            content = [[self.value(depth + 1), self.value(depth + 1)] for _ in range(self._size())]
        elif tag == "o":
            content = self._object(depth)
        else:
            content = [self.value(depth + 1) for _ in range(self._size())]
        self.open.pop()
        if not (tag == "t" and (content == [] or self._leans(content, number))):
            self.closed.append(number)
        return {"n": [number, {tag: content}]}

    @staticmethod
    def _leans(content: list[Any], number: int) -> bool:
        """Whether a tuple waits for one around it, which may therefore not hold it."""
        return any(
            set(node) == {"r"} and node["r"] < number for item in content for node in nodes(item) if type(node) is dict
        )

    def _object(self, depth: int) -> Any:
        names = self.draw(st.none() | st.lists(st.text(max_size=3), unique=True, max_size=3))
        attrs = None if names is None else {name: self.value(depth + 1) for name in names}
        bases = self.draw(st.lists(st.sampled_from(["builtins.int", "a.B", "?c"]), max_size=2))
        return {"type": self.draw(st.text(max_size=5)), "bases": bases, "attrs": attrs}

    def _size(self) -> int:
        return int(self.draw(st.integers(0, 3)))


def _text(draft: _Draft) -> Any:
    draw = draft.draw
    text = draw(st.text(max_size=4) | st.sampled_from(["x" * KIB_4, "ä" * 2048, "x" * 4097, "😀" * 1025]))
    return text if len(text.encode()) <= KIB_4 else {"S": draft.range(text.encode())}


def _points(draft: _Draft) -> Any:
    points = draft.draw(st.lists(st.integers(0, 0x10FFFF), max_size=3))
    points.insert(draft.draw(st.integers(0, len(points))), draft.draw(_SURROGATES))
    return {"c": points}


def _integer(draft: _Draft) -> Any:
    number = abs(draft.draw(st.integers() | _LONG))
    number = -number if draft.draw(st.booleans()) else number
    return {"i": str(number)} if abs(number) < 10**4000 else {"x": hex(number)}


def _bytes(draft: _Draft) -> Any:
    data = draft.draw(st.binary(max_size=5) | st.sampled_from([b"\xff" * KIB_4, b"\xfe" * 4097, bytes(5000)]))
    return {"b": base64.b64encode(data).decode() if len(data) <= KIB_4 else draft.range(data)}


_TWO = "{:02}".format
_YEARS = st.integers(0, 9999).map("{:04}".format) | st.integers(1, 9999).map("-{:04}".format)
_FAR = st.integers(10_000, 999_999_999).map("+{}".format) | st.integers(10_000, 999_999_999).map("-{}".format)
_DATES = st.builds(
    "{}-{}-{}".format, _YEARS | _FAR, st.integers(1, 12).map(_TWO), st.sampled_from(["01", "09", "28", "31"])
)
_FRACTIONS = st.sampled_from(["", ".000001", ".100000", ".999999", ".000000001", ".100000900", ".123456789"])
_CLOCKS = st.builds(
    "{}:{}:{}{}".format,
    st.integers(0, 23).map(_TWO),
    st.integers(0, 59).map(_TWO),
    st.integers(0, 60).map(_TWO),
    _FRACTIONS,
)
_ZONES = st.sampled_from(
    [
        None,
        "+00:00",
        "-03:30",
        "+23:59",
        "-23:59:59.999999",
        "+01:02:03",
        "UTC",
        "Europe/Berlin",
        "Etc/GMT+5",
        "No/Such",
    ]
)
_DURATIONS = st.sampled_from(["0", "1", "-1", "0.5", "-0.000001", "86399.999999", "1.000000000001", "9" * 30])
_MOMENTS = st.one_of(
    st.tuples(st.just("date"), _DATES, st.none()),
    st.tuples(st.just("time"), _CLOCKS, _ZONES),
    st.tuples(st.just("datetime"), st.builds("{}T{}".format, _DATES, _CLOCKS), _ZONES),
    st.tuples(st.just("duration"), _DURATIONS, st.none()),
)
LEAVES: dict[str, Callable[[_Draft], Any]] = {
    "null": lambda _: None,
    "true": lambda _: True,
    "text": _text,
    "c": _points,
    "i": _integer,
    "f": lambda draft: {"f": repr(draft.draw(st.floats()))},
    "b": _bytes,
    "d": lambda draft: {
        "d": str(draft.draw(st.decimals() | st.sampled_from(["-0E+7", "sNaN5", "1E-400", "-Infinity"])))
    },
    "w": lambda draft: {"w": list(draft.draw(_MOMENTS))},
    "u": lambda _: {"u": None},
}


@st.composite
def spellings(draw: Callable[..., Any]) -> Spelling:
    """Any value of the page, in its one spelling."""
    draft = _Draft(draw)
    wire = draft.value()
    used = {node["r"] for node in nodes(wire) if type(node) is dict and set(node) == {"r"}}
    return Spelling(wire=_renumbered(wire, used, {}), body=bytes(draft.body))


def nodes(wire: Any) -> Iterator[Any]:
    """Every value in a wire value, and the value itself. Names and content that is no value are left out."""
    yield wire
    if type(wire) is not dict:
        return
    [(tag, content)] = wire.items()
    for part in parts(tag, content):
        yield from nodes(part)


def parts(tag: str, content: Any) -> list[Any]:
    """The values that stand directly in a value."""
    if tag in "lts":
        return list(content)
    if tag == "m":
        return [part for pair in content for part in pair]
    if tag == "o":
        return list((content["attrs"] or {}).values())
    return [content[1]] if tag == "n" else []


def _renumbered(wire: Any, used: set[int], numbers: dict[int, int]) -> Any:  # noqa: PLR0911 (one for each tag)
    """Numbers only for what is met twice, from 1 in the order met."""
    if type(wire) is not dict:
        return wire
    [(tag, content)] = wire.items()

    def again(part: Any) -> Any:
        return _renumbered(part, used, numbers)

    if tag == "n":
        if content[0] not in used:
            return again(content[1])
        numbers[content[0]] = len(numbers) + 1
        return {"n": [numbers[content[0]], again(content[1])]}
    if tag == "r":
        return {"r": numbers[content]}
    if tag in "lts":
        return {tag: [again(item) for item in content]}
    if tag == "m":
        return {tag: [[again(key), again(item)] for key, item in content]}
    if tag == "o" and content["attrs"] is not None:
        return {tag: content | {"attrs": {name: again(item) for name, item in content["attrs"].items()}}}
    return wire
