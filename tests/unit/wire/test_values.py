"""Values: every tag both ways, one encoding for each value, no other spelling."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import json
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taskpack.wire.frames import Malformed, TooLarge, check_ranges_apart
from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set, When
from taskpack.wire.same import same
from taskpack.wire.values import Body, Decoder, decode, encode

_OFFSETS = st.timedeltas(dt.timedelta(hours=-23, minutes=-59), dt.timedelta(hours=23, minutes=59)).map(dt.timezone)
_ZONES = st.none() | _OFFSETS | st.sampled_from([ZoneInfo("Europe/Berlin"), ZoneInfo("UTC"), ZoneInfo("Etc/GMT+5")])
_SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(10**3999, 10**4001),
    st.floats(),
    st.text(st.characters(exclude_categories=())),
    st.binary(),
    st.binary(min_size=4000, max_size=5000),
    st.text(min_size=1000, max_size=5000),
    st.decimals(),
    st.dates(),
    st.times(timezones=_ZONES).filter(lambda value: value.fold == 0),
    st.datetimes(timezones=_ZONES).filter(lambda value: value.fold == 0),
    st.timedeltas(),
    st.just(UNDEFINED),
)
_HASHABLE = st.one_of(st.none(), st.integers(), st.text(max_size=5), st.binary(max_size=5), st.booleans())


def _grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(_HASHABLE, inner, max_size=4),
        st.sets(_HASHABLE, max_size=4),
        st.builds(Obj, st.text(max_size=8), st.just(("a.B",)), st.none() | st.dictionaries(st.text(max_size=3), inner)),
    )


_VALUES = st.recursive(_SCALARS, _grow, max_leaves=8)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(_VALUES)
def test_every_value_comes_back_the_same_and_encodes_the_same_again(value: Any) -> None:
    body = Body()
    wire = json.loads(json.dumps(encode(value, body)))
    decoder = Decoder(body.to_bytes())
    back = decoder.value(wire)
    assert same(back, value)
    check_ranges_apart(decoder.ranges)
    again = Body()
    assert encode(back, again) == wire
    assert again.to_bytes() == body.to_bytes()


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(_VALUES)
def test_a_program_is_called_with_the_very_types(value: Any) -> None:
    body = Body()
    wire = encode(value, body)
    native = decode(wire, body.to_bytes(), native=True)
    assert type(native) is type(value)
    assert same(native, value)


EXACT = [
    ("text", "text"),
    ("\ud800a", {"c": [0xD800, 97]}),
    (0, {"i": "0"}),
    (-(10**4000) + 1, {"i": "-" + "9" * 4000}),
    (10**4000, {"x": hex(10**4000)}),
    (1.0, {"f": "1.0"}),
    (-0.0, {"f": "-0.0"}),
    (float("nan"), {"f": "nan"}),
    (float("-inf"), {"f": "-inf"}),
    (b"ab", {"b": "YWI="}),
    ([1], {"l": [{"i": "1"}]}),
    ((True, None), {"t": [True, None]}),
    ({1}, {"s": [{"i": "1"}]}),
    ({1: "a"}, {"m": [[{"i": "1"}, "a"]]}),
    (Decimal("1.50"), {"d": "1.50"}),
    (dt.date(2020, 1, 2), {"w": ["date", "2020-01-02", None]}),
    (dt.timedelta(days=-1, microseconds=1), {"w": ["duration", "-86399.999999", None]}),
    (dt.datetime(2020, 1, 2, tzinfo=dt.UTC), {"w": ["datetime", "2020-01-02T00:00:00", "+00:00"]}),
    (dt.time(1, 2, 3, 4, tzinfo=ZoneInfo("Asia/Tokyo")), {"w": ["time", "01:02:03.000004", "Asia/Tokyo"]}),
    (UNDEFINED, {"u": None}),
]


@pytest.mark.parametrize(("value", "wire"), EXACT)
def test_each_tag_is_written_as_the_page_says(value: object, wire: object) -> None:
    assert encode(value, Body()) == wire


def test_strings_and_bytes_over_4_kib_go_to_the_body() -> None:
    body = Body()
    assert encode(["x" * 4096, "x" * 4097, b"y" * 4096, b"y" * 4097], body)["l"][1::2] == [
        {"S": [0, 4097]},
        {"b": [4097, 4097]},
    ]
    assert body.size == 2 * 4097


class Level(enum.IntEnum):
    HIGH = 3


class Twisted(dict[str, int]):
    """Lies in every method that a careless reader would call."""

    def items(self) -> Any:
        raise AssertionError("called")

    def __iter__(self) -> Any:
        raise AssertionError("called")

    def __len__(self) -> int:
        raise AssertionError("called")

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def test_a_subclass_keeps_its_plain_value_under_the_empty_key_and_is_not_asked() -> None:
    wire = encode(Twisted(a=1), Body())
    assert wire["o"]["type"].endswith("Twisted")
    assert wire["o"]["bases"] == ["builtins.dict"]
    assert wire["o"]["attrs"] == {"": {"m": [["a", {"i": "1"}]]}}
    assert encode(Level.HIGH, Body())["o"]["attrs"] == {"": {"i": "3"}}
    assert encode(collections.Counter("aa"), Body())["o"]["attrs"] == {"": {"m": [["a", {"i": "2"}]]}}


def test_any_other_object_is_named_and_nothing_else() -> None:
    assert encode(object(), Body()) == {"o": {"type": "builtins.object", "bases": [], "attrs": None}}
    assert encode(frozenset({1}), Body())["o"]["attrs"] is None
    assert encode(dt.datetime(2020, 1, 1, fold=1, tzinfo=dt.UTC), Body())["o"]["type"] == "datetime.datetime"


def test_cycles_and_sharing_are_numbered() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert encode(ring, Body()) == {"n": [1, {"l": [{"r": 1}]}]}
    back = decode(encode(ring, Body()))
    assert back[0] is back
    inner: list[Any] = []
    pair = (inner,)
    inner.append(pair)
    back = decode(encode(pair, Body()))
    assert back[0][0] is back
    shared = [1]
    back = decode(encode([shared, shared], Body()))
    assert back[0] is back[1]


def test_a_tower_of_shared_lists_stays_small() -> None:
    tower: Any = []
    for _ in range(20):
        tower = [tower, tower]
    assert len(json.dumps(encode(tower, Body()))) < 1000
    assert same(decode(encode(tower, Body())), tower)


def test_a_value_that_nests_too_deep_is_too_large() -> None:
    deep: Any = []
    for _ in range(60):
        deep = [deep]
    with pytest.raises(TooLarge):
        encode(deep, Body())


def test_map_keys_of_one_hash_stay_apart_and_duplicates_show() -> None:
    seen = decode({"m": [[{"i": "1"}, "int"], [True, "bool"], [{"f": "1.0"}, "float"], [{"i": "1"}, "again"]]})
    assert len(seen) == 4
    assert seen[True] == "bool"
    with pytest.raises(KeyError):
        seen[1]


REFUSED: list[Any] = [
    1,
    1.5,
    [],
    {},
    {"i": "1", "f": "1.0"},
    {"q": 1},
    "\ud800",
    "x" * 4097,
    "ä" * 2049,
    {"S": [0, 5]},
    {"S": "text"},
    {"i": 1},
    {"i": "01"},
    {"i": "-0"},
    {"i": "+1"},
    {"i": " 1"},
    {"i": "1_0"},
    {"i": "\N{ARABIC-INDIC DIGIT ONE}"},
    {"i": "9" * 4001},
    {"x": "0x1f"},
    {"x": "0X" + "f" * 4000},
    {"f": "1e999"},
    {"f": "NaN"},
    {"f": "infinity"},
    {"f": 1.0},
    {"f": "0x1p3"},
    {"b": "YWI"},
    {"b": "YW I="},
    {"b": "YWJ="},
    {"b": [0, 2]},
    {"b": "A" * 6000},
    {"l": {}},
    {"s": None},
    {"m": [["a"]]},
    {"m": {"a": 1}},
    {"d": "1_0"},
    {"d": "\N{ARABIC-INDIC DIGIT ONE}"},
    {"d": "+1"},
    {"d": "1e5"},
    {"w": ["date", "2020-1-2", None]},
    {"w": ["date", "2020-01-02", "UTC"]},
    {"w": ["moment", "2020-01-02", None]},
    {"w": ["time", "10:00:00", "../../etc/passwd"]},
    {"w": ["duration", "1.50", None]},
    {"u": 0},
    {"c": [97]},
    {"c": [0xD800, 0x110000]},
    {"c": [0xD800, True]},
    {"o": {"type": "a", "bases": []}},
    {"o": {"type": "a", "bases": [], "attrs": None, "more": 1}},
    {"o": {"type": 1, "bases": [], "attrs": None}},
    {"o": {"type": "a", "bases": [], "attrs": []}},
    {"n": [1, "text"]},
    {"n": [2, {"l": []}]},
    {"n": [1, {"n": [2, {"l": []}]}]},
    {"n": [True, {"l": []}]},
    {"r": 1},
    {"l": [{"n": [1, {"l": []}]}, {"r": 2}]},
    {"l": [{"n": [1, {"l": []}]}, {"n": [1, {"l": []}]}]},
    {"n": [1, {"t": [{"r": 1}]}]},
]


@pytest.mark.parametrize("wire", REFUSED, ids=lambda wire: json.dumps(wire)[:40])
def test_every_other_spelling_is_refused(wire: Any) -> None:
    with pytest.raises(Malformed):
        decode(wire, b"xx")


_ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 5) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(lambda tag, value: {tag: value}, st.sampled_from("Scixfbltsmdwuonr"), inner)
    ),
    max_leaves=8,
)


@given(_ANY_JSON)
def test_whatever_json_comes_it_is_a_value_or_refused(wire: Any) -> None:
    try:
        value = decode(wire, b"0123456789")
    except Malformed:
        return
    assert encode(value, Body()) == wire


def test_a_moment_that_python_cannot_hold_is_kept_as_text() -> None:
    wire = {"w": ["datetime", "2020-01-02T03:04:05.123456789", "Europe/Berlin"]}
    seen = decode(wire)
    assert seen == When("datetime", "2020-01-02T03:04:05.123456789", "Europe/Berlin")
    assert encode(seen, Body()) == wire


def test_native_refuses_what_cannot_be_a_key() -> None:
    with pytest.raises(Malformed):
        decode({"m": [[{"l": []}, None]]}, native=True)
    with pytest.raises(Malformed):
        decode({"s": [{"l": []}]}, native=True)
    assert isinstance(decode({"s": [{"l": []}]}), Set)
    assert isinstance(decode({"m": [[{"l": []}, None]]}), Map)
