"""JavaScript values on the wire: what a program says is what our own codec says, both ways."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from environments.interface import Sandbox
from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set, When
from taskpack.wire.same import same
from taskpack.wire.values import Body, decode, encode
from tests.integration.languages.jssuites import started
from tests.integration.languages.suites import Caller
from tests.unit.wire.test_values import _VALUES as VALUES

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SHOP = """
export class Rows extends Array {}
export class Wide extends Rows {}
export class Book extends Map {}
export class Bag extends Set {}
export class Day extends Date {}
export class Raw extends Uint8Array {}
export class Row { name = "x"; #secret = 1; get size() { return 3; } }
export namespace_placeholder;
class Hidden extends Row {}
export const hidden = new Hidden();
export class Failure extends RangeError {}
export const parts = { Inner: class Inner {} };
export class Alias {}
export { Alias as Other };
const made = Object.create({ a: 1 });
export { made };
""".replace("export namespace_placeholder;\n", "")

# An expression and what the bench sees.
SEEN: dict[str, tuple[str, Any]] = {
    "Null": ("null", None),
    "Undefined": ("undefined", UNDEFINED),
    "Booleans": ("[true, false]", [True, False]),
    "Whole": ("[3, -0, 1e21, 2 ** 53]", [3.0, -0.0, 1e21, 2.0**53]),
    "Fractions": (
        "[0.1, NaN, Infinity, -Infinity, 1e16, 1e15, 123456789012345680, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308, 1 / 3]",
        [
            0.1,
            math.nan,
            math.inf,
            -math.inf,
            1e16,
            1e15,
            123456789012345680.0,
            1e-4,
            1e-5,
            5e-324,
            1.7976931348623157e308,
            1 / 3,
        ],
    ),
    "BigInts": ("[0n, -5n, 2n ** 100n]", [0, -5, 2**100]),
    "LargestDecimal": ("1n - 10n ** 4000n", 1 - 10**4000),
    "Hexadecimal": ("[10n ** 4000n, -(10n ** 4000n)]", [10**4000, -(10**4000)]),
    "Text": ('"a\\x00\\"\\\\\\u2028\\u00e9\\u{1f600}"', 'a\x00"\\\u2028é\U0001f600'),
    "InlineText": ('"\\u00e9".repeat(2048)', "é" * 2048),
    "LongText": ('"\\u00e9".repeat(2049)', "é" * 2049),
    "LoneSurrogates": ('"\\ud800a\\u{1f600}\\udc00"', "\ud800a\U0001f600\udc00"),
    "Array": ("[1, [2]]", [1.0, [2.0]]),
    "Holes": ("[, 1, ,]", [UNDEFINED, 1.0, UNDEFINED]),
    "Object": ('{ b: 1, "": 2, __proto__: null, ["__proto__"]: 3 }', {"b": 1.0, "": 2.0, "__proto__": 3.0}),
    "ObjectOrder": ("Object.keys({ b: 1, 2: 1, 1: 1 })", ["1", "2", "b"]),
    "HiddenKeys": ("Object.defineProperty({ [Symbol('x')]: 1, a: 1 }, 'b', { value: 1 })", {"a": 1.0}),
    "Map": ("new Map([[1, 1], ['1', 2], [true, 3], [1n, 4]])", Map([1.0, "1", True, 1], [1.0, 2.0, 3.0, 4.0])),
    "Set": ("new Set([1, '1', undefined])", Set([1.0, "1", UNDEFINED])),
    "Bytes": ("new Uint8Array([0, 255])", b"\x00\xff"),
    "Buffer": ("Buffer.from('ab')", b"ab"),
    "PartOfBuffer": ("Buffer.from('abcd').subarray(1, 3)", b"bc"),
    "ArrayBuffer": ("[new Uint8Array([1]).buffer, new ArrayBuffer(0)]", [b"\x01", b""]),
    "InlineBytes": ("new Uint8Array(4096)", bytes(4096)),
    "LongBytes": ("new Uint8Array(4097)", bytes(4097)),
    "Base64": (
        "[0, 1, 2, 3, 4].map((n) => Uint8Array.from({ length: n }, (_, i) => 250 + i))",
        [bytes(range(250, 250 + n)) for n in range(5)],
    ),
    "Date": ("new Date(Date.UTC(2024, 1, 29, 1, 2, 3, 4))", dt.datetime(2024, 2, 29, 1, 2, 3, 4000, tzinfo=dt.UTC)),
    "WholeSeconds": ("new Date(0)", dt.datetime(1970, 1, 1, tzinfo=dt.UTC)),
    "LateDate": ("new Date(8.64e15)", When("datetime", "+275760-09-13T00:00:00", "+00:00")),
    "EarlyDate": ("new Date(-62198755200000)", When("datetime", "-0001-01-01T00:00:00", "+00:00")),
    "NoDate": ("new Date(NaN)", Obj("builtins.Date")),
    "Numbers": ("new Float32Array([0.5, 1])", Obj("builtins.Float32Array", ("builtins.TypedArray",), {"": [0.5, 1.0]})),
    "BigNumbers": ("new BigInt64Array([-1n])", Obj("builtins.BigInt64Array", ("builtins.TypedArray",), {"": [-1]})),
    "Boxed": (
        "[new Number(1), new String('x'), new Boolean(false), Object(1n)]",
        [
            Obj(f"builtins.{name}", (), {"": value})
            for name, value in [("Number", 1.0), ("String", "x"), ("Boolean", False), ("BigInt", 1)]
        ],
    ),
    "Symbol": ("[Symbol('x'), Object(Symbol('x'))]", [Obj("builtins.Symbol"), Obj("builtins.Symbol")]),
    "Functions": (
        "[() => 1, async () => 1, function* () {}, shop.Row, Math.max]",
        [
            Obj("builtins.Function"),
            Obj("builtins.AsyncFunction", ("builtins.Function",)),
            Obj("builtins.GeneratorFunction", ("builtins.Function",)),
            Obj("builtins.Function"),
            Obj("builtins.Function"),
        ],
    ),
    "RegExp": (
        "[/x/, new WeakMap(), new URL('file:///')]",
        [Obj("builtins.RegExp"), Obj("builtins.WeakMap"), Obj("builtins.URL")],
    ),
    "Iterator": (
        "[[1].values(), new Map().keys()]",
        [Obj("builtins.ArrayIterator", ("builtins.Iterator",)), Obj("builtins.MapIterator", ("builtins.Iterator",))],
    ),
    "Subclasses": (
        "[shop.Rows.of(1), new shop.Book([[1, 2]]), new shop.Bag([1]), new shop.Day(0), new shop.Raw([1])]",
        [
            Obj("shop.Rows", ("builtins.Array",), {"": [1.0]}),
            Obj("shop.Book", ("builtins.Map",), {"": Map([1.0], [2.0])}),
            Obj("shop.Bag", ("builtins.Set",), {"": Set([1.0])}),
            Obj("shop.Day", ("builtins.Date",), {"": dt.datetime(1970, 1, 1, tzinfo=dt.UTC)}),
            Obj("shop.Raw", ("builtins.Uint8Array", "builtins.TypedArray"), {"": b"\x01"}),
        ],
    ),
    "SubSubclass": ("shop.Wide.of()", Obj("shop.Wide", ("shop.Rows", "builtins.Array"), {"": []})),
    "Instance": ("new shop.Row()", Obj("shop.Row")),
    "Unexported": ("shop.hidden", Obj("?Hidden", ("shop.Row",))),
    "InnerClass": ("new shop.parts.Inner()", Obj("shop.parts.Inner")),
    "TwoNames": ("new shop.Alias()", Obj("shop.Alias", ("shop.Other",))),
    "ReturnedError": ("new shop.Failure('x')", Obj("shop.Failure", ("builtins.RangeError", "builtins.Error"))),
    "OtherPrototype": ("shop.made", Obj("builtins.Object")),
    "Described": (
        "describe(new shop.Row(), 'name', 'size', 'none')",
        Obj("shop.Row", (), {"name": "x", "size": 3.0, "none": UNDEFINED}),
    ),
    "DescribedPlain": ("describe({ a: 1, b: 2 }, 'a')", Obj("builtins.Object", (), {"a": 1.0})),
    "DescribedSubclass": (
        "describe(shop.Rows.of(1), 'length')",
        Obj("shop.Rows", ("builtins.Array",), {"": [1.0], "length": 1.0}),
    ),
    "DescribedInside": ("[describe(new shop.Row(), 'name')]", [Obj("shop.Row", (), {"name": "x"})]),
    "Module": ("shop.parts && Object.assign(Object.create(null), { a: 1 })", {"a": 1.0}),
}
STATEMENTS = """
export function Echo({ value }: { value: unknown }) { return value; }
export function Kind({ value }: { value: any }) {
  return [typeof value, value === null ? "null" : Object.getPrototypeOf(value ?? 0)?.constructor?.name ?? "none"];
}
export function Proto({ value }: { value: any }) {
  return [Object.keys(value), Object.getPrototypeOf(value) === Object.prototype, value.polluted];
}
export function Names(args: object) { return [Object.keys(args), args instanceof Object, Object.getPrototypeOf(args) === Object.prototype]; }
export function Cycle() { const all: unknown[] = [1]; all.push(all); return all; }
export function MapCycle() { const all: any = {}; all.self = new Map([["all", all]]); return all; }
export function Shared() { const one = [1]; return [one, one, [1], describeTwice(one)]; }
function describeTwice(one: unknown) { const seen = describe({ one }, "one"); return [seen, seen]; }
export function Nested({ depth }: { depth: number }) { let value: unknown = 1; for (let n = 0; n < depth; n++) value = [value]; return value; }
export function Woven({ depth }: { depth: number }) {
  // Each list stands in the one before and beside all others: shallow on the page, deep when references are followed.
  const all: unknown[][] = Array.from({ length: depth }, () => []);
  for (let n = 1; n < depth; n++) all[n].push(all[n - 1]);
  return all;
}
export function Many({ count }: { count: number }) { return new Array(count).fill(0); }
export function Sparse({ count }: { count: number }) { return new Array(count); }
export function Wide({ count }: { count: number }) { return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])); }
export function Heavy({ size }: { size: number }) { return new Uint8Array(size); }
export function Long({ size }: { size: number }) { return "x".repeat(size); }
export function Letters({ letter, count }: { letter: string; count: number }) { return new Array(count).fill(letter.repeat(1365)); }
export function Huge() { return 1n << 40_000_000n; }
"""


@pytest.fixture(scope="module")
def program(sandbox: Sandbox, node_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    head = 'import * as shop from "shop";\ndeclare function describe(value: unknown, ...names: string[]): unknown;\n'
    functions = [f"export function see{name}() {{ return ({text}); }}" for name, (text, _) in SEEN.items()]
    scenarios = head + "\n".join(functions) + STATEMENTS
    folder = tmp_path_factory.mktemp("js")
    with started(folder, sandbox, node_site, scenarios, {"shop.ts": SHOP}) as caller:
        yield caller


@pytest.mark.parametrize("name", SEEN)
def test_a_value_is_seen_as_the_page_says(program: Caller, name: str) -> None:
    assert same(program.call(f"see{name}").value, SEEN[name][1])


def as_javascript(value: Any) -> Any:  # noqa: PLR0911 (one for each kind)
    """What comes back of a value: JavaScript has one kind of number, and no tuples."""
    if type(value) is int:
        return float(value) if abs(value) < 2**53 else value
    if type(value) is str:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if type(value) in {list, tuple}:
        return [as_javascript(item) for item in value]
    if type(value) is set:
        return Set([as_javascript(item) for item in value])
    if type(value) is dict:
        return Map([as_javascript(key) for key in value], [as_javascript(item) for item in value.values()])
    if type(value) is Obj and value.attrs is not None:
        return Obj(value.type, value.bases, {name: as_javascript(item) for name, item in value.attrs.items()})
    fine = type(value) is dt.datetime and type(value.tzinfo) is dt.timezone and value.microsecond % 1000 == 0
    if fine and value.utcoffset().seconds % 60 == 0:
        return value.astimezone(dt.UTC)
    return value


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(values=st.lists(VALUES, min_size=5, max_size=10))
def test_every_value_of_ours_comes_back_as_what_javascript_makes_of_it(program: Caller, values: list[Any]) -> None:
    try:
        expected = as_javascript(values)
    except OverflowError:
        return  # a moment whose day in UTC Python cannot hold
    assert same(program.call("Echo", value=values).value, expected)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(value=st.lists(st.floats() | st.integers(), min_size=50))
def test_every_number_comes_back_the_same(program: Caller, value: list[float]) -> None:
    assert same(program.call("Echo", value=value).value, as_javascript(value))


KINDS: list[tuple[Any, list[str]]] = [
    (3, ["number", "Number"]),
    (2**53 - 1, ["number", "Number"]),
    (2**53, ["bigint", "BigInt"]),
    (-(10**4000), ["bigint", "BigInt"]),
    (0.5, ["number", "Number"]),
    (None, ["object", "null"]),
    (UNDEFINED, ["undefined", "Number"]),
    ("x" * 5000, ["string", "String"]),
    (b"x", ["object", "Uint8Array"]),
    (b"x" * 5000, ["object", "Uint8Array"]),
    ((1,), ["object", "Array"]),
    ({1}, ["object", "Set"]),
    ({"a": 1}, ["object", "Object"]),
    ({}, ["object", "Object"]),
    ({"a": 1, 2: 1}, ["object", "Map"]),
    (dt.datetime(2024, 1, 1, tzinfo=dt.UTC), ["object", "Date"]),
    (dt.datetime(2024, 1, 1), ["object", "Object"]),  # noqa: DTZ001 (a moment without a zone)
    (Decimal("1.50"), ["object", "Object"]),
]


@pytest.mark.parametrize(("value", "kind"), KINDS, ids=lambda value: str(value)[:20])
def test_an_argument_arrives_as_what_a_caller_would_pass(program: Caller, value: Any, kind: list[str]) -> None:
    assert same(program.call("Kind", value=value).value, kind)


def test_no_name_of_an_argument_or_key_is_special(program: Caller) -> None:
    value = {"__proto__": {"polluted": 1}, "constructor": 1, "a": 1}
    assert same(program.call("Proto", value=value).value, [["__proto__", "constructor", "a"], True, UNDEFINED])
    seen = program.call("Names", __proto__={"x": 1}, a=1)
    assert same(seen.value, [["__proto__", "a"], True, True])


def test_cycles_and_sharing_are_told(program: Caller) -> None:
    loop: list[Any] = [1.0]
    loop.append(loop)
    around: dict[str, Any] = {}
    around["self"] = {"all": around}
    one = [1.0]
    seen = Obj("builtins.Object", (), {"one": one})
    assert same(program.call("Cycle").value, loop)
    assert same(program.call("MapCycle").value, around)
    assert same(program.call("Shared").value, [one, one, [1.0], [seen, seen]], identity=True)
    assert same(program.call("Echo", value=[one, one, loop]).value, [one, one, loop], identity=True)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("Nested", {"depth": 46}),
        ("Nested", {"depth": 100_000}),
        ("Woven", {"depth": 200}),
        ("Many", {"count": 600_000}),
        ("Many", {"count": 20_000_000}),
        ("Sparse", {"count": 4_294_967_295}),
        ("Wide", {"count": 400_000}),
        ("Heavy", {"size": 63 << 20}),
        ("Long", {"size": 63 << 20}),
        ("Letters", {"letter": "\u8a9e", "count": 2100}),
        ("Letters", {"letter": "\x00", "count": 2100}),
        ("Huge", {}),
    ],
)
def test_what_fits_no_frame_is_the_limit_of_a_value(program: Caller, name: str, args: dict[str, Any]) -> None:
    seen = program.call(name, **args)
    assert (seen.outcome, seen.limit) == ("limit", "value")


def test_what_just_fits_is_a_value(program: Caller) -> None:
    assert len(program.call("Many", count=400_000).value) == 400_000
    assert len(program.call("Heavy", size=60 << 20).value) == 60 << 20
    assert len(program.call("Long", size=60 << 20).value) == 60 << 20
    assert len(program.call("Letters", letter="\u8a9e", count=2000).value) == 2000
    assert program.call("Nested", depth=45).outcome == "returned"
    assert program.call("Woven", depth=140).outcome == "returned"


def test_our_own_codec_writes_the_same_bytes(program: Caller) -> None:
    """One value, one encoding: what JavaScript writes, read and written by ours, is what came."""
    loop: list[Any] = ["é" * 3000, 0.1, 2**70, b"ab", {"k": UNDEFINED}, Set([1.5]), Map([1.5], ["\ud800"])]
    loop.append(loop)
    reply, data = program.ask("Echo", value=loop)
    body = Body()
    assert encode(decode(reply.value, data), body) == reply.value
    assert body.to_bytes() == data
