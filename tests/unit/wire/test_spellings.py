"""Every value of the page has one spelling, is safe to handle on the bench, and comes back to the same bytes."""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable
from typing import Any

import pytest
from _pytest._io.saferepr import saferepr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taskpack.wire.depth import DEEPEST_VALUE
from taskpack.wire.frames import Frame, Malformed, TooLarge, check_ranges_apart, pack
from taskpack.wire.kinds import Described, Map, Obj, Set
from taskpack.wire.pipes import unpack
from taskpack.wire.same import same
from taskpack.wire.show import show
from taskpack.wire.values import Body, Decoder, decode, encode
from tests.unit.wire.other_spellings import other_spellings
from tests.unit.wire.page import Spelling, nodes, spellings

thorough = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


@thorough
@given(spellings())
def test_what_the_page_allows_is_read_and_written_back_to_the_same_bytes(one: Spelling) -> None:
    sent = pack(Frame(header={"value": one.wire}, body=one.body))
    frame = unpack(sent)
    decoder = Decoder(frame.body)
    value = decoder.value(frame.header["value"])
    check_ranges_apart(decoder.ranges)
    body = Body()
    wire = encode(value, body)
    assert pack(Frame(header={"value": wire}, body=body.to_bytes())) == sent


@thorough
@given(other_spellings())
def test_another_spelling_of_the_same_is_refused(pair: tuple[Spelling, Spelling]) -> None:
    one, other = pair
    decode(one.wire, one.body)
    with pytest.raises(Malformed):
        decode(other.wire, other.body)


@thorough
@given(spellings())
def test_whatever_is_read_can_be_compared_shown_copied_and_hashed(one: Spelling) -> None:
    value, again = decode(one.wire, one.body), decode(one.wire, one.body)
    assert same(value, again)
    assert same(value, again, identity=True)
    assert same(value, again, keys="ordered")
    assert same(copy.deepcopy(value), value, identity=True)
    assert len(show(value)) < 100_000
    assert saferepr(value)
    with contextlib.suppress(TypeError):  # lists are not hashable
        assert hash(value) == hash(value)


def _tags(wire: Any) -> set[str]:
    return {next(iter(node)) for node in nodes(wire) if type(node) is dict}


@thorough
@given(spellings())
def test_a_program_gets_the_value_or_a_refusal(one: Spelling) -> None:
    value: Any = None
    with contextlib.suppress(Malformed):
        value = decode(one.wire, one.body, native=True)
    if value is None:
        assert one.wire is None or _tags(one.wire) & {"s", "m"}  # only sets and keys are refused
        return
    again = encode(value, Body())
    if "s" not in _tags(one.wire):  # a set has an order of its own
        assert again == one.wire


def chain(wrap: Callable[[Any], Any], levels: int) -> Any:
    """A list of containers, each of which holds the one before by reference; the last is `levels` deep."""
    links: list[Any] = [wrap(None)]
    for _ in range(levels - 1):
        links.append(wrap(links[-1]))
    return links


WRAPS: dict[str, Callable[[Any], Any]] = {
    "list": lambda inner: [inner],
    "tuple": lambda inner: (inner,),
    "set": lambda inner: Set([inner]),
    "map": lambda inner: Map([1], [inner]),
    "key": lambda inner: Map([inner], [1]),
    "object": lambda inner: Obj("a.B", (), {"next": inner}),
}


@pytest.mark.parametrize("name", WRAPS)
def test_a_chain_of_references_is_read_up_to_a_bound_and_then_compared(name: str) -> None:
    longest = chain(WRAPS[name], DEEPEST_VALUE - 1)
    body = Body()
    wire = encode(longest, body)
    one, other = decode(wire), decode(wire)
    assert same(one, other)
    assert same(one, longest)
    assert not same(one, chain(WRAPS[name], DEEPEST_VALUE - 2))
    assert copy.deepcopy(one)
    assert hash(tuple(map(id, one)))
    assert saferepr(one)


@pytest.mark.parametrize("name", WRAPS)
def test_a_chain_of_references_beyond_the_bound_is_neither_written_nor_read(name: str) -> None:
    with pytest.raises(TooLarge):
        encode(chain(WRAPS[name], DEEPEST_VALUE), Body())
    tags = {"list": "l", "tuple": "t", "set": "s"}
    if name in tags:
        tag = tags[name]
        links = [{"n": [1, {tag: [None]}]}]
        links += [{"n": [number, {tag: [{"r": number - 1}]}]} for number in range(2, DEEPEST_VALUE)]
        decode({"l": [*links, {"r": DEEPEST_VALUE - 1}]})
        with pytest.raises(Malformed, match="in one another"):
            decode({"l": [*links, {tag: [{"r": DEEPEST_VALUE - 1}]}]})


def test_a_chain_long_enough_to_break_the_interpreter_is_refused() -> None:
    links = [{"n": [1, {"t": [None]}]}] + [{"n": [one, {"t": [{"r": one - 1}]}]} for one in range(2, 200_000)]
    with pytest.raises(Malformed):
        decode({"l": [*links, {"r": 199_999}]})


def test_a_cycle_may_be_as_long_as_a_frame_allows() -> None:
    """A list of items that each know their owner, as trees with parents do."""
    owner: list[Any] = []
    owner.extend([owner, [owner]] for _ in range(5000))
    wire = encode(owner, Body())
    assert same(decode(wire), owner)


def test_a_tangle_of_cycles_is_compared_or_refused() -> None:
    """Every way through it is long, though no part of it is deep."""
    before: Any = None
    tangle: list[Any] = []
    for _ in range(3000):
        inner: list[Any] = []
        outer: list[Any] = [inner, before]
        inner.append(outer)
        tangle.append(outer)
        before = inner
    value = decode(encode(tangle, Body()))
    started = time.monotonic()
    for one in (value, Set(value), Map(value, value)):
        found = same(one, one)
        assert found or "too large to compare" in str(found)
    assert time.monotonic() - started < 60
    assert saferepr(value)


def test_tuples_on_a_cycle_are_put_together_whatever_the_order() -> None:
    inner: list[Any] = []
    one: Any = (inner, 1)
    two: Any = (one, (one,), 2)
    inner += [two, Set([two]), {"k": two}, Obj("a.B", (), {"x": (two,)})]
    for value in (one, two, inner):
        back = decode(encode(value, Body()))
        assert same(back, value)
        assert same(back, value, identity=True)


@pytest.mark.parametrize(
    "wire",
    [
        {"n": [1, {"t": [{"r": 1}]}]},
        {"n": [1, {"t": [{"t": [{"r": 1}]}]}]},
        {"l": [{"n": [1, {"t": [{"n": [2, {"t": [{"r": 1}]}]}, {"l": [{"r": 2}]}]}]}]},
    ],
)
def test_a_tuple_that_holds_itself_is_refused(wire: Any) -> None:
    with pytest.raises(Malformed):
        decode(wire)


@pytest.mark.parametrize("inner", [{"s": [{"r": 1}]}, {"m": [[{"r": 1}, None]]}, {"s": [{"t": [{"r": 1}]}]}])
def test_a_program_is_not_given_a_tuple_that_is_in_a_set_that_it_holds(inner: Any) -> None:
    wire = {"n": [1, {"t": [inner]}]}
    assert same(decode(wire), decode(wire), identity=True)
    with pytest.raises(Malformed, match="cannot be"):
        decode(wire, native=True)


class Sub(dict[str, Any]):
    """A subclass of a plain type."""


def test_numbers_are_for_what_is_written_twice_and_for_nothing_else() -> None:
    shared = [1]
    sub = Sub(a=[1])
    for value in (
        [Sub(a=1), Described(Sub(a=shared), {"x": 1})],
        [sub, Described(sub, {"x": 2})],
        [shared, Described([shared], {"x": 1})],
        [(), (), [()], ((),)],
    ):
        wire = encode(value, Body())
        numbers = [node for node in nodes(wire) if type(node) is dict and set(node) <= {"n", "r"}]
        decode(wire)
        assert sum("n" in node for node in numbers) <= sum("r" in node for node in numbers)


@given(st.integers(0, 0xFFFF_FFFF), st.sampled_from(["America/X", "X", "Etc/GMT+"]))
def test_a_zone_that_nobody_knows_is_kept_as_it_is(number: int, prefix: str) -> None:
    wire = {"w": ["time", "10:00:00", f"{prefix}{number}x"]}
    assert encode(decode(wire), Body()) == wire


def test_as_many_zones_as_fit_a_frame_are_read_in_time() -> None:
    wire = {"l": [{"w": ["time", "10:00:00", f"A{number:06}"]} for number in range(50_000)]}
    started = time.process_time()
    decode(wire)
    assert time.process_time() - started < 20
