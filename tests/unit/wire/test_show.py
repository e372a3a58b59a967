"""Whatever prints a value that was seen prints little, in little time, however often its parts are shared."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from _pytest._io.saferepr import saferepr

from judge.harness.seen import Error, Seen
from taskpack.wire.kinds import Described, Map, Obj, Set, When
from taskpack.wire.same import same
from taskpack.wire.show import show

WRAPS: dict[str, Callable[[Any], Any]] = {
    "Map": lambda inner: Map(["a", inner, 1], [inner, inner, inner]),
    "Set": lambda inner: Set([inner] * 9),
    "Obj": lambda inner: Obj("m.C", ("m.B",), {f"n{number}": inner for number in range(9)}),
    "list": lambda inner: [inner] * 9,
    "tuple": lambda inner: (inner,) * 9,
    "dict": lambda inner: {f"n{number}": inner for number in range(9)},
    "described": lambda inner: Described(inner, {"a": inner, "b": inner}),
    "mixed": lambda inner: Map([Set([inner, [inner]])], [Obj("m.C", (), {"a": inner, "b": (inner, {1: inner})})]),
}
LEAVES = [
    "x" * 100_000,
    b"\xff" * 100_000,
    1 << 8_000_000,
    When("datetime", "9" * 3000, "A" * 3000),
    Obj("T" * 100_000),
]


def nested(wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(60):
        leaf = wrap(leaf)
    return leaf


@pytest.mark.parametrize("name", WRAPS)
@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: type(leaf).__name__)
def test_every_text_of_a_value_is_bounded(name: str, leaf: Any) -> None:
    value = nested(WRAPS[name], leaf)
    error = Error(type="m.E" * 9999, bases=(), builtin=None, attrs={"a": value}, message="y" * 100_000)
    seen = Seen(outcome="returned", stdout=b"o" * 99_999, stderr=b"e" * 99_999, seconds=1.0, returned=value)
    failed = Seen(outcome="raised", stdout=b"", stderr=b"", seconds=1.0, failure=error)
    exited = Seen(outcome="exited", stdout=b"", stderr=b"e" * 99_999, seconds=1.0, exit=1)
    started = time.monotonic()
    texts = [show(value), str(seen), repr(seen), repr(failed), str(error), repr(error), repr(exited)]
    if type(value).__module__ != "builtins":
        texts.append(repr(value))
    texts += [saferepr(seen), saferepr(value)]
    if name != "described":  # such a one never arrives on the bench
        texts += [str(same(value, [])), str(same([value], [[1]]))]
    assert time.monotonic() - started < 5
    assert max(map(len, texts)) < 200_000
    assert "seen" in repr(seen)


def test_a_chain_of_references_is_compared_or_refused_and_never_breaks_the_test() -> None:
    links: list[Any] = [Map([], [])]
    for _ in range(5000):
        links.append(Map(["next"], [links[-1]]))
    assert "too large to compare" in str(same([links[-1]], [links[-1]]))


def test_the_way_to_a_difference_costs_nothing_until_there_is_one() -> None:
    def tree(last: int) -> Map:
        value: Any = [*range(200_000), last]
        for number in range(40):
            value = {("k" * 3000) + str(number): value}
        return value

    started = time.process_time()
    found = str(same(tree(1), tree(2)))
    assert time.process_time() - started < 10
    assert found.startswith("differs at ['kkk")
    assert "[200000]: seen int 1, expected int 2" in found
