"""`same` is strict in type and value, says what differs, and cannot be hurt."""

from __future__ import annotations

import datetime as dt
import time
from decimal import Decimal
from typing import Any

import pytest

from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set, When
from taskpack.wire.same import same
from taskpack.wire.values import decode

NAN = float("nan")
DIFFERENT: list[tuple[Any, Any]] = [
    (1, True),
    (0, False),
    (1, 1.0),
    (1, "1"),
    (1, Decimal(1)),
    (0.0, -0.0),
    (NAN, 0.0),
    ("a", b"a"),
    ("a", "A"),
    ([1], (1,)),
    ([1], {1}),
    ([1, 2], [2, 1]),
    ([1], [1, 1]),
    ([1, 2], [1]),
    (None, UNDEFINED),
    (None, False),
    ({}, set()),
    ({1: "a"}, {True: "a"}),
    ({1: "a"}, {1.0: "a"}),
    ({"a": 1}, {"a": True}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({1}, {True}),
    ({1, 2}, {1, 3}),
    (Decimal("1.0"), Decimal("1.00")),
    (dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)),  # noqa: DTZ001 (a zone is what this is about)
    (dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)),  # noqa: DTZ001
    (dt.datetime(2020, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))), dt.datetime(2020, 1, 1, tzinfo=dt.UTC)),
    (Obj("a.B", (), {"": 1}), 1),
    (Obj("a.B"), Obj("a.C")),
    (Obj("a.B"), Obj("a.B", ("x",))),
    (Obj("a.B"), Obj("a.B", (), {})),
    (Obj("a.B", (), {"x": 1}), Obj("a.B", (), {"x": 1.0})),
    (Obj("a.B", (), {"x": 1}), Obj("a.B", (), {"y": 1})),
    (Map([1, 1], ["a", "a"]), {1: "a"}),
    (Set([1, 1]), {1}),
    (When("date", "2020-01-01"), When("date", "2020-01-02")),
]


@pytest.mark.parametrize(("seen", "expected"), DIFFERENT)
def test_different_types_or_values_are_not_the_same(seen: Any, expected: Any) -> None:
    for one, other in ((seen, expected), (expected, seen)):
        found = same(one, other)
        assert not found
        assert "differs" in str(found)


EQUAL: list[tuple[Any, Any]] = [
    (NAN, float("nan")),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (Map([1, True, 1.0, "1"], [1, 2, 3, 4]), Map(["1", 1.0, True, 1], [4, 3, 2, 1])),
    (Map(["a"], [{1: 2}]), {"a": {1: 2}}),
    (Set([True, 1, (1, 2)]), Set([(1, 2), 1, True])),
    (Set([1, 2]), {2, 1}),
    ([(1, "a"), None], [(1, "a"), None]),
    (Obj("a.B", ("c",), {"x": [1]}), Obj("a.B", ("c",), {"x": [1]})),
]


@pytest.mark.parametrize(("seen", "expected"), EQUAL)
def test_equal_values_are_the_same(seen: Any, expected: Any) -> None:
    assert same(seen, expected)
    assert same(expected, seen)


def test_a_map_of_values_that_blur_in_python_does_not_blur() -> None:
    assert not same(Map([1, True], ["a", "b"]), Map([1, True], ["b", "a"]))


def test_key_order_counts_only_when_asked_for() -> None:
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1}, keys="ordered")
    assert same({"a": 1, "b": 2}, {"a": 1, "b": 2}, keys="ordered")


def test_order_false_loosens_lists_and_nothing_else() -> None:
    assert same([3, [2, 1]], [[1, 2], 3], order=False)
    assert not same([1, 1, 2], [1, 2, 2], order=False)
    assert not same([1], [True], order=False)
    assert not same((1, 2), (2, 1), order=False)
    assert not same([(1, 2)], [(2, 1)], order=False)


def test_tolerance_is_for_floats_alone() -> None:
    assert same([1.0, {"a": 2.0}], [1.05, {"a": 1.95}], tolerance=0.1)
    assert not same(1.0, 1.2, tolerance=0.1)
    assert not same(1, 1.0, tolerance=0.1)
    assert not same(NAN, 1.0, tolerance=0.1)
    assert not same(float("inf"), 1.0, tolerance=0.1)
    with pytest.raises(TypeError):
        same([1.0], [1.0], tolerance=0.1, order=False)


def test_sharing_counts_only_when_asked_for_and_cycles_always() -> None:
    shared = [1]
    assert same([shared, shared], [[1], [1]])
    assert not same([shared, shared], [[1], [1]], identity=True)
    assert not same([[1], [1]], [shared, shared], identity=True)
    assert same([shared, shared], [shared, shared], identity=True)
    ring: list[Any] = []
    ring.append(ring)
    other: list[Any] = []
    other.append(other)
    assert same(ring, other)
    assert not same(ring, [[]])
    longer: list[Any] = [[]]
    longer[0].append(longer)
    assert not same(ring, longer)


def test_what_differs_is_named_with_its_place() -> None:
    found = same({"rows": [("a", 1)]}, {"rows": [("a", 2)]})
    assert str(found) == "differs at ['rows'][0][1]: seen int 1, expected int 2"
    assert "missing: ['b']" in str(same({"a": 1}, {"a": 1, "b": 2}))
    assert "expected float 1.0" in str(same(1, 1.0))


def test_a_value_that_no_wire_carries_cannot_be_expected() -> None:
    with pytest.raises(TypeError):
        same(1, frozenset())


def _tower(leaf: Any) -> Any:
    tower = leaf
    for _ in range(40):
        tower = [tower, tower]
    return tower


def test_no_value_can_hurt_the_comparison() -> None:
    started = time.monotonic()
    assert same(_tower([1]), _tower([1]))
    assert not same(_tower([1]), _tower([2]))
    assert same(Set([_tower([1])]), Set([_tower([1])]))
    assert not same(10**1_000_000, 1)
    assert "bits" in str(same(10**1_000_000, 1))
    assert not same(decode({"x": "0x1" + "0" * 100_000}), 5)
    assert same(Set(list(range(100_000))), set(range(100_000)))
    rings: list[Any] = [[] for _ in range(24)]
    for ring in rings:
        ring.extend(rings)
    assert not same(Set([tuple(rings)]), {1})
    assert str(same(Set([tuple(rings)]), Set([tuple(rings)])))
    assert time.monotonic() - started < 60
