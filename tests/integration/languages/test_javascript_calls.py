"""JavaScript calls: what each way to end comes to, and what is told of errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.clock import clock_site
from environments.interface import Sandbox
from taskpack.layout import WorkFolder
from taskpack.wire.kinds import UNDEFINED, Obj
from taskpack.wire.requests import Clock
from taskpack.wire.same import same
from tests.integration.languages.jssuites import started
from tests.integration.languages.suites import Caller

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SHOP = """
import fs from "node:fs";
import { execFileSync, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export class ShopError extends Error {
  static kind = "static";
  place = 3;
  _inner = 1;
  #secret = 1;
  constructor(message: string, options?: object) { super(message, options); this.name = "ShopError"; }
  get line() { return this.place + 1; }
  get rude(): never { throw new Error("rude"); }
  explain() { return "no data"; }
}
export class ItemError extends ShopError {}
class Inner extends RangeError {}
export const inner = () => new Inner("deep");
export class Mute extends Error { get message(): never { throw new Error("mute"); } }
export class Loud extends Error { message = 5 as any; }
export class TypeError extends Error {}

let count = 0;
export const counted = () => ++count;
export const say = (text: string) => { process.stdout.write(text); console.error(`${text}!`); };
export const forge = (data: Uint8Array) => { fs.writeSync(3, data); process.exit(0); };
export const later = (ms: number) => sleep(ms);
export const daemon = () => {
  setInterval(() => {}, 1);
  spawn("/bin/sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
};
export const folder = () => [
  process.cwd() === process.env.HOME, fs.readFileSync("/dev/stdin", "utf8"), process.argv.length, process.execArgv.includes("--inspect"),
];
export const versions = () => [process.version, execFileSync("node", ["--version"], { encoding: "utf8" }).trim()];
export const descriptors = () => { try { fs.readSync(4, new Uint8Array(1)); return true; } catch { return false; } };
export const overwrite = () => ["/run/scenarios/F01.mjs", "/run/scenarios/x", "/env/site/x", "/app/x", "/opt/lib/x"].map((path) => {
  try { fs.writeFileSync(path, "x"); return true; } catch { return false; }
}).concat([["/run/scenarios", "/run/away"], ["/run/scenarios/node_modules/shop", "/run/x"]].map(([from, to]) => {
  try { fs.renameSync(from, to); return true; } catch { return false; }
}));
export const threads = async (count: number) => {
  const all = Array.from({ length: count }, () => new Worker("require('node:worker_threads').parentPort.postMessage(1)", { eval: true }));
  const said = await Promise.all(all.map((each) => new Promise<number>((done, fail) => each.on("message", done).on("error", fail))));
  return said.reduce((sum, one) => sum + one, 0);
};
export const memories = (count: number) => Array.from({ length: count }, () => new WebAssembly.Memory({ initial: 1 })).length;
export const now = () => [Date.now(), new Date().getUTCFullYear()];
"""

SCENARIOS = """
import * as shop from "shop";
declare function describe(value: unknown, ...names: string[]): unknown;

export function Raised() { throw new shop.ItemError("no item", { cause: new shop.ShopError("why") }); }
export async function Rejected() { await null; throw new shop.ItemError("later"); }
export function Inner() { throw shop.inner(); }
export function Mute() { throw new shop.Mute(); }
export function Loud() { throw new shop.Loud("x"); }
export function Posing() { throw new shop.TypeError("x"); }
export function Own() { return (null as any).x; }
export function Frozen() { throw Object.freeze(new Error("frozen")); }
export function Together() { throw new AggregateError([new Error("a"), 1], "both"); }
export function Coded() { return new URL("no url"); }
export async function File() { const { readFileSync } = await import("node:fs"); return readFileSync("nowhere"); }
export function Syntax() { return JSON.parse("{"); }
export function Chain() { const error: any = new Error("x"); error.self = error; error.big = new Array(600000).fill(0); throw error; }
export function LongText() { throw new Error("\\ud800" + "x".repeat(20000)); }
export function ThrowText() { throw "text"; }
export function ThrowNothing() { throw undefined; }
export function ThrowNull() { throw null; }
export function ThrowSymbol() { throw Symbol("x"); }
export function ThrowObject() { throw { message: "m", code: 5 }; }
export function ThrowProxy() { throw new Proxy({}, { get() { throw new Error("trap"); } }); }

export function Count() { return shop.counted(); }
export function Say({ text }: { text: string }) { shop.say(text); }
export function Forge({ data }: { data: Uint8Array }) { shop.forge(data); }
export function Folder() { return shop.folder(); }
export function Versions() { return shop.versions(); }
export function Descriptors() { return shop.descriptors(); }
export function Overwrite() { return shop.overwrite(); }
export function Daemon() { shop.daemon(); }
export async function Threads({ count }: { count: number }) { return await shop.threads(count); }
export function Memories({ count }: { count: number }) { return shop.memories(count); }
export function Now() { return shop.now(); }
export async function Slept() { await shop.later(50); return "slept"; }

export function Exit({ code }: { code: number }) { process.exit(code); }
export function ExitCode() { process.exitCode = 5; return 1; }
export async function ExitLater() { setTimeout(() => process.exit(4), 1); await new Promise(() => {}); }
export function Abort() { process.abort(); }
export function Kill() { process.kill(process.pid, "SIGTERM"); for (;;) {} }
export function Spin() { for (;;) {} }
export async function Waits() { await new Promise(() => setInterval(() => {}, 1000)); }
export async function Unsettled() { await new Promise(() => {}); }
export async function Elsewhere() { setTimeout(() => { throw new Error("elsewhere"); }, 1); await new Promise((done) => setTimeout(done, 1000)); }
export async function Unhandled() { Promise.reject(new Error("nobody")); await new Promise((done) => setTimeout(done, 1000)); }
export function AfterReturn() { setTimeout(() => { throw new Error("late"); }, 0); Promise.reject(new Error("late")); return "done"; }
export function Overflow(): number { return Overflow() + 1; }
export function Hungry() { const all: unknown[] = []; for (;;) all.push(new Array(100000).fill(Math.random())); }
export function HungryBytes() { const all: unknown[] = []; for (;;) all.push(Buffer.alloc(1 << 24, 1)); }

export function* Items({ count }: { count: number }) { for (let n = 0; n < count; n++) yield n; }
export async function* ItemsLater({ count }: { count: number }) { for (let n = 0; n < count; n++) yield n; }
export async function ItemsInside() { return Items({ count: 2 }); }
export function* Broken() { yield 1; throw new shop.ShopError("broken"); }
export async function* Endless() { for (;;) yield 1; }

export const arrow = () => 1;
function hidden() { return 1; }
export function _private() { return 1; }
export class Method { Bound() {} }
export { hidden as renamed };
"""


@pytest.fixture(scope="module")
def program(sandbox: Sandbox, node_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with started(tmp_path_factory.mktemp("js"), sandbox, node_site, SCENARIOS, {"shop.ts": SHOP}) as caller:
        yield caller


def test_an_error_has_its_classes_and_the_data_that_a_caller_can_read(program: Caller) -> None:
    for name, message in [("Raised", "no item"), ("Rejected", "later")]:
        error = program.call(name).error
        assert error.names == ("shop.ItemError", "shop.ShopError", "builtins.Error")
        assert (error.builtin, error.message) == ("Error", message)
        cause = {"cause": Obj("shop.ShopError", ("builtins.Error",))} if name == "Raised" else {}
        assert same(error.attrs, {"place": 3.0, "name": "ShopError", "line": 4.0, **cause})
        assert error.is_a("ShopError")


def test_a_class_that_is_not_exported_can_only_be_caught_by_its_ancestors(program: Caller) -> None:
    error = program.call("Inner").error
    assert (error.names, error.builtin) == (("?Inner", "builtins.RangeError", "builtins.Error"), "RangeError")
    assert error.is_a("RangeError")
    assert not error.is_a("Inner")


def test_a_class_called_like_one_of_the_languages_is_none(program: Caller) -> None:
    assert program.call("Own").error.is_a("TypeError")
    assert not program.call("Posing").error.is_a("TypeError")
    assert program.call("Posing").error.names == ("shop.TypeError", "builtins.Error")


@pytest.mark.parametrize(
    ("name", "names", "message", "attrs"),
    [
        ("Mute", ("shop.Mute", "builtins.Error"), "", {}),
        ("Loud", ("shop.Loud", "builtins.Error"), "", {}),
        ("Frozen", ("builtins.Error",), "frozen", {}),
        ("Together", ("builtins.AggregateError", "builtins.Error"), "both", {"errors": [Obj("builtins.Error"), 1.0]}),
        (
            "Coded",
            ("builtins.TypeError", "builtins.Error"),
            "Invalid URL",
            {"code": "ERR_INVALID_URL", "input": "no url"},
        ),
        (
            "File",
            ("builtins.Error",),
            "ENOENT: no such file or directory, open 'nowhere'",
            {"code": "ENOENT", "errno": -2.0, "path": "nowhere", "syscall": "open"},
        ),
        ("Chain", ("builtins.Error",), "x", {}),
        ("LongText", ("builtins.Error",), "\ud800" + "x" * 9999, {}),
        ("ThrowText", ("builtins.String",), "text", {"value": "text"}),
        ("ThrowNothing", ("undefined",), "undefined", {"value": UNDEFINED}),
        ("ThrowNull", ("null",), "null", {"value": None}),
        ("ThrowSymbol", ("builtins.Symbol",), "", {"value": Obj("builtins.Symbol")}),
        ("ThrowObject", ("builtins.Object",), "m", {"value": {"message": "m", "code": 5.0}}),
        ("ThrowProxy", ("builtins.Proxy",), "", {}),
    ],
)
def test_whatever_is_thrown_is_told(
    program: Caller, name: str, names: tuple[str, ...], message: str, attrs: dict[str, Any]
) -> None:
    error = program.call(name).error
    assert (error.names, error.message) == (names, message) or error.names == (names[0], "?Error", *names[1:])
    assert same(error.attrs, attrs)


def test_what_the_language_raises_is_its_own(program: Caller) -> None:
    assert program.call("Syntax").error.names == ("builtins.SyntaxError", "builtins.Error")
    assert program.call("Overflow").error.names == ("builtins.RangeError", "builtins.Error")


@pytest.mark.parametrize(
    ("name", "outcome", "code"),
    [
        ("ExitLater", "exited", 4),
        ("Unsettled", "exited", 13),
        ("Elsewhere", "exited", 1),
        ("Unhandled", "exited", 1),
        ("Abort", "signalled", 6),
        ("Kill", "signalled", 15),
    ],
)
def test_every_other_end_is_told(program: Caller, name: str, outcome: str, code: int) -> None:
    seen = program.call(name)
    assert (seen.outcome, seen.exit if outcome == "exited" else seen.signal) == (outcome, code), seen


@pytest.mark.parametrize("code", [0, 3])
def test_an_exit_is_no_value_whatever_its_code(program: Caller, code: int) -> None:
    seen = program.call("Exit", code=code)
    assert (seen.outcome, seen.exit) == ("exited", code)


def test_an_exit_code_that_is_only_set_is_no_exit(program: Caller) -> None:
    assert same(program.call("ExitCode").value, 1.0)


def test_memory_has_an_end_that_is_the_calls_own(program: Caller) -> None:
    """The heap has a bound of its own; what lies outside it is bounded by the sandbox, which is another one then."""
    assert program.call("Hungry").outcome == "signalled"
    assert program.call("HungryBytes").outcome in {"raised", "signalled", "limit"}
    assert same(program.call("Count").value, 1.0)


def test_a_product_may_have_interpreters_in_threads_and_memories_of_webassembly(program: Caller) -> None:
    """Each reserves far more than it uses."""
    assert same(program.call("Threads", count=16).value, 16.0)
    assert same(program.call("Memories", count=16).value, 16.0)


@pytest.mark.parametrize("name", ["Spin", "Waits"])
def test_what_does_not_end_is_a_timeout(program: Caller, name: str) -> None:
    assert program.call(name, limit_s=1.5).outcome == "timeout"


def test_a_call_ends_when_its_value_is_there(program: Caller) -> None:
    seen = program.call("AfterReturn")
    assert same(seen.value, "done")
    assert seen.stderr == b""
    assert same(program.call("Slept").value, "slept")


def test_generators_are_drained_up_to_a_cap(program: Caller) -> None:
    for name in ("Items", "ItemsLater"):
        assert same(program.call(name, count=2).value, [0.0, 1.0])
        assert len(program.call(name, count=10_000).value) == 10_000
        seen = program.call(name, count=10_001)
        assert (seen.outcome, seen.limit) == ("limit", "items")
    assert same(program.call("ItemsInside").value, [0.0, 1.0])
    assert program.call("Broken").error.is_a("shop.ShopError")
    assert program.call("Endless").limit == "items"


def test_streams_are_captured_and_nothing_comes_in(program: Caller) -> None:
    seen = program.call("Say", text="é" * 40_000)
    assert (seen.stdout, seen.stderr) == (("é" * 40_000).encode(), ("é" * 40_000 + "!\n").encode())
    assert same(seen.value, UNDEFINED)
    assert same(program.call("Folder").value, [True, "", 2.0, False])
    assert same(program.call("Descriptors").value, False)


def test_a_product_finds_the_same_node(program: Caller) -> None:
    assert same(program.call("Versions").value, ["v24.19.0", "v24.19.0"])


def test_calls_share_nothing(program: Caller) -> None:
    assert [program.call("Count").value for _ in range(2)] == [1.0, 1.0]
    assert program.call("Daemon").outcome == "returned"
    assert program.call("Count").outcome == "returned"


def test_a_call_cannot_change_what_other_calls_run(program: Caller) -> None:
    assert same(program.call("Overwrite").value, [False] * 7)
    assert same(program.call("Count").value, 1.0)


@pytest.mark.parametrize("data", [b"", b"x", b"\0\0\0\2\0\0\0\0{}", b"\xff" * 100])
def test_what_is_no_statement_is_no_answer(program: Caller, data: bytes) -> None:
    assert program.call("Forge", data=data).outcome in {"malformed", "exited"}


@pytest.mark.parametrize(
    "name", ["arrow", "hidden", "_private", "Method", "Bound", "renamed", "F02.Count", "describe", "default", ""]
)
def test_only_scenarios_can_be_called(program: Caller, name: str) -> None:
    seen = program.call(name)
    assert seen.outcome == "malformed"
    assert seen.failure is not None
    assert seen.failure.type == "wire.Refused"


def test_a_scenario_is_found_by_its_file_too(program: Caller) -> None:
    assert same(program.call("F01.Count").value, 1.0)


def test_a_call_is_told_the_time(sandbox: Sandbox, node_site: Path, work: WorkFolder, tmp_path: Path) -> None:
    clock = clock_site(work=work, sandbox=sandbox)
    with started(tmp_path, sandbox, node_site, SCENARIOS, {"shop.ts": SHOP}, clock=clock) as caller:
        assert "clock" in caller.product.features
        assert same(caller.call("Now", now=Clock(epoch=1e9)).value, [1e12, 2001.0])
        assert same(caller.call("Now", now=Clock(epoch=2.2e9 + 0.25)).value, [2.2e12 + 250, 2039.0])
        moment, year = caller.call("Now", now=Clock(epoch=1e9, running=True)).value
        assert 1e12 <= moment < 1e12 + 60_000
        assert year == 2001.0
        assert caller.call("Slept", now=Clock(epoch=1e9, running=True)).value == "slept"
        assert abs(caller.call("Now").value[0] - 1e12) > 1e11


def test_no_machine_offers_more_processors_than_a_call_may_have_workers(
    sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    scenario = """
    import { availableParallelism } from "node:os";
    import { execFileSync } from "node:child_process";
    export function offered() {
      const asked = "process.stdout.write(String(require('os').availableParallelism()))";
      return [availableParallelism(), execFileSync("node", ["-e", asked], { encoding: "utf8" })];
    }
    """
    with started(tmp_path / "one", sandbox, node_site, scenario, without={"_CPUS = 16": "_CPUS = 1"}) as caller:
        assert same(caller.call("offered").value, [1.0, "1"])
    with started(tmp_path / "all", sandbox, node_site, scenario) as caller:
        offered = min(16, len(os.sched_getaffinity(0)))
        assert same(caller.call("offered").value, [float(offered), str(offered)])
