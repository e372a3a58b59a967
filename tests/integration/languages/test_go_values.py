"""Go values on the wire: what a Go program says is what our own codec says, both ways."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from environments.interface import Sandbox
from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set, When
from taskpack.wire.same import same
from tests.integration.languages.gosuites import started
from tests.integration.languages.suites import Caller
from tests.unit.wire.test_values import _VALUES as VALUES

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

HEAD = """
package scenarios

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
	_ "time/tzdata"

	"shop"
	"suite/wire"
)

var _ = []any{fmt.Sprint, math.Inf, big.NewInt, strings.Repeat, time.Now, shop.Money(0)}

func Echo(a wire.Args) (any, error) { return a.Any("value"), nil }
"""
SHOP = """
package shop

type Money int64
type Names []string
type Flags map[string]bool
type Row struct {
	Name string
	Next *Row
	Tags []string
	secret int
}
type Pair[T any] struct{ One, Other T }
type Wide struct {
	Row
	Price Money
}
"""
BERLIN = ZoneInfo("Europe/Berlin")
ROW = "shop.Row"

# A Go expression and what the bench sees.
SEEN: dict[str, tuple[str, Any]] = {
    "Nil": ("nil", None),
    "NilPointer": ("(*int)(nil)", None),
    "NilSlice": ("[]int(nil)", None),
    "NilMap": ("map[string]int(nil)", None),
    "NotNil": ("[]any{wire.NotNil([]int(nil)), wire.NotNil(map[int]int(nil)), wire.NotNil(3)}", [[], {}, 3]),
    "Bools": ("[]bool{true, false}", [True, False]),
    "Machine": ("[]any{int8(-128), uint64(math.MaxUint64), uintptr(7), 'x'}", [-128, 2**64 - 1, 7, 120]),
    "Big": ("[]any{big.NewInt(-5), *new(big.Int).Lsh(big.NewInt(1), 100)}", [-5, 2**100]),
    "Limit": ("new(big.Int).Sub(new(big.Int).Exp(big.NewInt(10), big.NewInt(4000), nil), big.NewInt(1))", 10**4000 - 1),
    "Beyond": ("new(big.Int).Neg(new(big.Int).Exp(big.NewInt(10), big.NewInt(4000), nil))", -(10**4000)),
    "Floats": (
        "[]float64{0.1, 1, math.Copysign(0, -1), math.NaN(), math.Inf(-1), 1e16, 1e15, 1e-4, 1e-5, 5e-324, 1e22}",
        [0.1, 1.0, -0.0, float("nan"), float("-inf"), 1e16, 1e15, 1e-4, 1e-5, 5e-324, 1e22],
    ),
    "Float32": ("float32(0.1)", 0.10000000149011612),
    "Complex": ("complex(1, -2.5)", Obj("complex128", (), {"real": 1.0, "imag": -2.5})),
    "Text": ('"a\\x00\\"\\\\\\u2028é"', 'a\x00"\\\u2028é'),
    "LongText": ('strings.Repeat("é", 3000)', "é" * 3000),
    "NoText": ('"\\xff\\xfe"', b"\xff\xfe"),
    "Bytes": ("[]byte{0, 255}", b"\x00\xff"),
    "LongBytes": ("make([]byte, 5000)", bytes(5000)),
    "Array": ("[2]int{1, 2}", [1, 2]),
    "ByteArray": ("[2]byte{1, 2}", [1, 2]),
    "Map": ("map[string]int{`b`: 1, `a`: 2}", {"b": 1, "a": 2}),
    "MixedMap": ("map[any]int{1: 1, `1`: 2, true: 3}", Map([1, "1", True], [1, 2, 3])),
    "StructKeys": ("map[[2]int]string{{1, 2}: `x`}", Map([[1, 2]], ["x"])),
    "Struct": ("shop.Row{Name: `x`}", Obj(ROW)),
    "StructPointer": ("&shop.Row{Name: `x`}", Obj(f"*{ROW}")),
    "Described": ("wire.Describe(shop.Row{Name: `x`}, `Name`, `Tags`)", Obj(ROW, (), {"Name": "x", "Tags": None})),
    "DescribedAll": (
        "wire.Describe([]*shop.Row{{Name: `x`}, nil}, `Name`)",
        [Obj(f"*{ROW}", (), {"Name": "x"}), None],
    ),
    "Promoted": (
        "wire.Describe(shop.Wide{Row: shop.Row{Name: `x`}, Price: 3}, `Name`, `Price`)",
        Obj("shop.Wide", (), {"Name": "x", "Price": Obj("shop.Money", (), {"": 3})}),
    ),
    "Generic": ("shop.Pair[int]{}", Obj("shop.Pair[int]")),
    "Defined": ("shop.Money(3)", Obj("shop.Money", (), {"": 3})),
    "DefinedSlice": ("shop.Names{`x`}", Obj("shop.Names", (), {"": ["x"]})),
    "DefinedMap": ("shop.Flags{`x`: true}", Obj("shop.Flags", (), {"": {"x": True}})),
    "Month": ("time.May", Obj("time.Month", (), {"": 5})),
    "Duration": ("-1500 * time.Millisecond", dt.timedelta(seconds=-1.5)),
    "Nanosecond": ("time.Nanosecond", When("duration", "0.000000001")),
    "Moment": (
        "time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC)",
        dt.datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=dt.UTC),
    ),
    "Offset": (
        "time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone(`x`, -3661))",
        dt.datetime(2024, 1, 1, tzinfo=dt.timezone(-dt.timedelta(seconds=3661))),
    ),
    "FineMoment": (
        "time.Date(2024, 1, 1, 0, 0, 0, 5, time.UTC)",
        When("datetime", "2024-01-01T00:00:00.000000005", "+00:00"),
    ),
    "LateYear": ("time.Date(12024, 1, 1, 0, 0, 0, 0, time.UTC)", When("datetime", "+12024-01-01T00:00:00", "+00:00")),
    "Function": ("fmt.Sprint", Obj("func(...interface {}) string")),
    "Special": ("[]any{wire.Undefined{}, wire.Tuple{1}, wire.Set{2}}", [UNDEFINED, (1,), Set([2])]),
}


@pytest.fixture(scope="module")
def program(sandbox: Sandbox, go_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    functions = [f"func {name}(wire.Args) (any, error) {{ return {text}, nil }}" for name, (text, _) in SEEN.items()]
    scenarios = HEAD + "\n".join(functions) + STATEMENTS
    with started(tmp_path_factory.mktemp("go"), sandbox, go_site, scenarios, {"shop.go": SHOP}) as caller:
        yield caller


STATEMENTS = """
func Zone(wire.Args) (any, error) {
	place, err := time.LoadLocation("Europe/Berlin")
	return []any{
		time.Date(2024, 6, 1, 12, 0, 0, 0, place),
		time.Date(2024, 10, 27, 0, 30, 0, 0, time.UTC).In(place),
		time.Date(2024, 10, 27, 1, 30, 0, 0, time.UTC).In(place),
	}, err
}

func Cycle(wire.Args) (any, error) {
	list := []any{1, nil}
	list[1] = list
	return list, nil
}

func MapCycle(wire.Args) (any, error) {
	all := map[string]any{}
	all["self"] = &all
	return all, nil
}

func Shared(wire.Args) (any, error) {
	one := []int{1}
	return []any{one, one, []int{1}}, nil
}

func Endless(wire.Args) (any, error) {
	type loop *loop
	var one loop
	one = &one
	return one, nil
}

func Nested(a wire.Args) (any, error) {
	var value any
	for range a.Int("depth") {
		value = []any{value}
	}
	return value, nil
}

func Many(a wire.Args) (any, error) { return make([]int, a.Int("count")), nil }

func Heavy(a wire.Args) (any, error) { return make([]byte, a.Int("size")), nil }

func Getters(a wire.Args) (any, error) {
	return []any{
		a.Int("i"), a.Big("i"), a.Big("big"), a.Float("f"), a.Bool("b"), a.Str("s"), a.Bytes("raw"), a.List("l"),
		a.Strs("strs"), a.Ints("ints"), a.Map("m")["k"], a.Duration("span"), a.Time("moment"), a.Has("none"),
	}, nil
}
"""


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(value=VALUES)
def test_every_value_of_ours_comes_back_the_same(program: Caller, value: Any) -> None:
    seen = program.call("Echo", value=value)
    assert same(seen.value, value, identity=True)


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(value=st.lists(st.floats() | st.integers(), min_size=20))
def test_every_number_comes_back_the_same(program: Caller, value: list[float]) -> None:
    assert same(program.call("Echo", value=value).value, value)


@pytest.mark.parametrize("name", SEEN)
def test_a_go_value_is_seen_as_the_page_says(program: Caller, name: str) -> None:
    assert same(program.call(name).value, SEEN[name][1])


def test_a_moment_keeps_its_zone_where_the_zone_alone_tells_it(program: Caller) -> None:
    summer, first, second = program.call("Zone").value
    assert same(summer, dt.datetime(2024, 6, 1, 12, tzinfo=BERLIN))
    assert same(first, dt.datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)), "half past two, before the clock is set back"
    assert same(second, dt.datetime(2024, 10, 27, 2, 30, tzinfo=dt.timezone(dt.timedelta(hours=1)))), "and after"


def test_cycles_and_sharing_are_told(program: Caller) -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    around: dict[str, Any] = {}
    around["self"] = around
    one = [1]
    assert same(program.call("Cycle").value, loop)
    assert same(program.call("MapCycle").value, around)
    assert same(program.call("Shared").value, [one, one, [1]], identity=True)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("Endless", {}),
        ("Nested", {"depth": 60}),
        ("Nested", {"depth": 100_000}),
        ("Many", {"count": 600_000}),
        ("Many", {"count": 20_000_000}),
        ("Heavy", {"size": 63 << 20}),
    ],
)
def test_what_fits_no_frame_is_the_limit_of_a_value(program: Caller, name: str, args: dict[str, Any]) -> None:
    seen = program.call(name, **args)
    assert (seen.outcome, seen.limit) == ("limit", "value")


def test_what_just_fits_is_a_value(program: Caller) -> None:
    assert len(program.call("Many", count=400_000).value) == 400_000
    assert len(program.call("Heavy", size=60 << 20).value) == 60 << 20
    assert program.call("Nested", depth=40).outcome == "returned"


def test_arguments_are_read_by_type(program: Caller) -> None:
    moment = dt.datetime(2024, 6, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    given_args: dict[str, Any] = {
        "i": 5,
        "big": 2**70,
        "f": 0.5,
        "b": True,
        "s": "é",
        "raw": b"\x00",
        "l": [1, None],
        "strs": ["a"],
        "ints": [1],
        "m": {"k": "v"},
        "span": dt.timedelta(seconds=1.5),
        "moment": moment,
    }
    expected = [5, 5, 2**70, 0.5, True, "é", b"\x00", [1, None], ["a"], [1], "v", dt.timedelta(seconds=1.5), moment]
    assert same(program.call("Getters", **given_args).value, [*expected, False])


@pytest.mark.parametrize("value", ["5", 5.0, True, None, 2**70])
def test_an_argument_of_another_type_is_the_suites_fault(program: Caller, value: Any) -> None:
    assert program.call("Nested", depth=value).error.is_a("wire.BadArgument")
    assert program.call("Nested").error.is_a("wire.BadArgument")
