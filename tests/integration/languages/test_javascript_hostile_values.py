"""Values that a hostile product makes: nothing of it runs while they are written down, and nothing of ours is its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set
from taskpack.wire.same import same
from tests.integration.languages.jssuites import started
from tests.integration.languages.suites import Caller

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SHOP = """
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const rude: any = new Proxy({}, { get() { return () => { throw new Error("rude"); }; } });
const told = fs.writeSync;
export const boom = (): never => { told(2, "ran"); throw new Error("boom"); };
export const proxy = (target: object = {}) => new Proxy(target, rude);
export const revoked = () => { const made = Proxy.revocable({}, {}); made.revoke(); return made.proxy; };
export class Book extends Map {
  get size(): never { return boom(); }
  entries(): never { return boom(); }
  forEach(): never { return boom(); }
  get [Symbol.toStringTag](): never { return boom(); }
  static get [Symbol.species](): never { return boom(); }
}
export class Rows extends Array { [Symbol.iterator](): never { return boom(); } get 5() { return boom(); } }
export class Renamed { static name() { return boom(); } }
export class Numbered { static name = 5; }
export class Rude { get name(): never { return boom(); } toString(): never { return boom(); } toJSON(): never { return boom(); } }
export const noConstructor = Object.create(Object.create(Object.prototype, { constructor: { get: boom } }));
export const liar = Object.create(Object.create(Object.prototype, { constructor: { value: TypeError } }));
export const posing = { constructor: { name: "builtins.Map" } };

/** Makes everything of the language that anybody could look up another thing. */
export function pollute(): void {
  const holders = [
    Array, Array.prototype, Map.prototype, Set.prototype, WeakMap.prototype, String, String.prototype, Number, Number.prototype,
    BigInt.prototype, Boolean.prototype, Date, Date.prototype, RegExp.prototype, Uint8Array, Uint8Array.prototype, Object.getPrototypeOf(Uint8Array),
    Object.getPrototypeOf(Uint8Array.prototype), ArrayBuffer.prototype, JSON, Math, Buffer, Buffer.prototype, TextEncoder.prototype,
    TextDecoder.prototype, Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(function* () {}).prototype,
  ];
  const define = Object.defineProperty;
  const keysOf = Reflect.ownKeys;
  const all = holders.concat([Reflect, Object, Function.prototype, Promise, Promise.prototype, process] as any[]);
  const kept = new Set<unknown>(["prototype", "constructor", "stderr", "stdout", "env", "emit", "nextTick"]);
  const has = kept.has.bind(kept);
  const trap = { __proto__: null, get: boom, set: boom, configurable: true } as PropertyDescriptor;
  const spoil = (holder: any, keys: any[]) => {
    for (let place = 0; place < keys.length; place++) {
      if (has(keys[place])) continue;
      try { define(holder, keys[place], trap); } catch { /* it cannot be changed */ }
    }
  };
  const names = ["0", "1", "value", "get", "tag", "items", "met", "then", "enumerable", "name", "count", "number", "keys", "height", "done", "modules"];
  const globals = ["Array", "Map", "Set", "Object", "Reflect", "JSON", "Symbol", "Uint8Array", "String", "Buffer", "TextEncoder"];
  for (const key of keysOf(fs)) {
    try { define(fs, key, { value: boom, configurable: true, writable: true }); } catch { /* it cannot be changed */ }
  }
  syncBuiltinESMExports();
  for (let place = 0; place < all.length; place++) spoil(all[place], keysOf(all[place]));
  spoil(Object.prototype, names);
  spoil(globalThis, globals);
}
export class Failed extends RangeError { code = "E"; get place() { return 7; } }
"""

# An expression and what the bench sees of it.
SEEN: dict[str, tuple[str, Any]] = {
    "Getter": ("({ get a() { return shop.boom(); }, b: 1 })", {"a": Obj("accessor"), "b": 1.0}),
    "Setter": ("({ set a(v) {} })", {"a": Obj("accessor")}),
    "IndexGetter": ("Object.defineProperty([1, 2], 0, { get: shop.boom })", [Obj("accessor"), 2.0]),
    "Proxy": ("[shop.proxy(), shop.proxy([]), shop.proxy(() => 1)]", [Obj("builtins.Proxy")] * 3),
    "Revoked": ("[shop.revoked()]", [Obj("builtins.Proxy")]),
    "ProxyBehind": (
        "[Object.create(shop.proxy()), new (class extends shop.Book {})()]",
        [Obj("builtins.Object"), Obj("?", ("shop.Book", "builtins.Map"), {"": {}})],
    ),
    "ProxyInChain": ("Object.setPrototypeOf([1], shop.proxy())", Obj("builtins.Object", (), {"": [1.0]})),
    "Overridden": (
        "[new shop.Book([[1, 2]]), shop.Rows.of(1)]",
        [
            Obj("shop.Book", ("builtins.Map",), {"": Map([1.0], [2.0])}),
            Obj("shop.Rows", ("builtins.Array",), {"": [1.0]}),
        ],
    ),
    "Names": (
        "[new shop.Renamed(), new shop.Numbered(), new shop.Rude()]",
        [Obj("shop.Renamed"), Obj("shop.Numbered"), Obj("shop.Rude")],
    ),
    "UnnamedClass": (
        "[new (class { static name() {} })(), new (class { static get name() { return shop.boom(); } })()]",
        [Obj("?"), Obj("?")],
    ),
    "Constructors": ("[shop.noConstructor, shop.liar]", [Obj("builtins.Object"), Obj("builtins.Object")]),
    "Posing": ("new (class TypeError extends Error {})('x')", Obj("?TypeError", ("builtins.Error",))),
    "PosingObject": ("shop.posing", {"constructor": {"name": "builtins.Map"}}),
    "Thenable": ("({ then(done) { shop.boom(); } })", {"then": Obj("builtins.Function")}),
    "Methods": (
        "({ toString: shop.boom, toJSON: shop.boom, valueOf: shop.boom })",
        {name: Obj("builtins.Function") for name in ("toString", "toJSON", "valueOf")},
    ),
    "WrongLength": ("Object.defineProperty(new Uint8Array([1, 2]), 'length', { value: 1e9 })", b"\x01\x02"),
    "Detached": (
        "(() => { const gone = new ArrayBuffer(8); const view = new Uint8Array(gone); structuredClone(gone, { transfer: [gone] }); return [gone, view]; })()",
        [b"", b""],
    ),
    "Arguments": ("(function (...args) { return arguments; })(1)", {"0": 1.0}),
    "OtherRealm": ("(await import('node:vm')).runInNewContext('[1]')", Obj("?Array", ("?Object",), {"": [1.0]})),
    "LongKey": ("({ ['\\ud800']: 1 })", Map(["\ud800"], [1.0])),
    "Global": ("typeof globalThis && [globalThis].length", 1.0),
}
STATEMENTS = """
export function Polluted() {
  const mixed = [1.5, -0, "x".repeat(5000), "\\ud800", 2n ** 70n, undefined, new Date(0), new Uint8Array([1, 2, 3]), new Uint8Array(5000),
    new Map([["k", { a: [] }]]), new Set([1]), { b: null }, new shop.Failed("x")];
  const shown = describe(new shop.Failed("y"), "code");
  const rows = [mixed, shown, [[7]]];
  const inner = { __proto__: null, rows };
  shop.pollute();
  return inner;
}
export async function PollutedAsync() { await null; const made = { __proto__: null, a: "b" }; shop.pollute(); return made; }
export function* PollutedItems() { yield 1; shop.pollute(); yield 2; }
export function PollutedThrow() { const error = new shop.Failed("no"); shop.pollute(); throw error; }
export function Then() { return { then(done: unknown) { shop.boom(); } }; }
export function Global() { return globalThis; }
"""


@pytest.fixture(scope="module")
def program(sandbox: Sandbox, node_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    head = 'import * as shop from "shop";\ndeclare function describe(value: unknown, ...names: string[]): unknown;\n'
    functions = [f"export async function see{name}() {{ return [{text}]; }}" for name, (text, _) in SEEN.items()]
    files = {"shop.ts": SHOP, "package.json": '{"type": "module", "exports": "./shop.ts"}'}
    folder = tmp_path_factory.mktemp("js")
    with started(folder, sandbox, node_site, head + "\n".join(functions) + STATEMENTS, files) as caller:
        yield caller


@pytest.mark.parametrize("name", SEEN)
def test_a_hostile_value_is_told_and_runs_nothing(program: Caller, name: str) -> None:
    seen = program.call(f"see{name}")
    assert same(seen.value, [SEEN[name][1]])
    assert seen.stderr == b""


def test_a_language_that_is_another_one_changes_no_value(program: Caller) -> None:
    seen = program.call("Polluted")
    mixed, shown, rows = seen.value["rows"]
    assert same(mixed[:4], [1.5, -0.0, "x" * 5000, "\ud800"])
    assert same(mixed[4:6], [2**70, UNDEFINED])
    assert same(mixed[7:12], [b"\x01\x02\x03", bytes(5000), {"k": {"a": []}}, Set([1.0]), {"b": None}])
    assert same(mixed[12], Obj("shop.Failed", ("builtins.RangeError", "builtins.Error")))
    assert same([shown, rows], [Obj("shop.Failed", ("builtins.RangeError", "builtins.Error"), {"code": "E"}), [[7.0]]])
    assert seen.stderr == b""


def test_nor_the_way_a_call_ends(program: Caller) -> None:
    assert same(program.call("PollutedAsync").value, {"a": "b"})
    assert same(program.call("PollutedItems").value, [1.0, 2.0])
    error = program.call("PollutedThrow").error
    assert (error.names, error.message) == (("shop.Failed", "builtins.RangeError", "builtins.Error"), "no")
    assert same(error.attrs, {"code": "E", "place": 7.0})


def test_a_value_with_a_method_called_then_is_a_value(program: Caller) -> None:
    assert same(program.call("Then").value, {"then": Obj("builtins.Function")})


def test_everything_there_is_comes_to_an_end(program: Caller) -> None:
    assert program.call("Global").outcome in {"returned", "limit"}
