"""A product's types are taken away once a sandbox: calls load the same code as ever, and cannot change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.interface import Sandbox
from taskpack.wire.same import same
from tests.integration.judge.sandboxes import WithoutUids
from tests.integration.languages.jssuites import started
from tests.integration.languages.suites import Caller

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SCENARIOS = """
import * as shop from "shop";

const STRIPS = "NativeModule internal/deps/amaro/dist/index";
export function answer() { return shop.answer(); }
export function stripped_here() { return [shop.answer(), process.moduleLoadList.includes(STRIPS)]; }
export function told() {
  try { shop.answer(); } catch (error) { return error.stack.replace(/ +at .*/gs, ""); }
}
export function arguments_of_the_process() { return process.argv.length; }
"""
TYPED = "interface T { n: number }\nexport function answer(): number { const t: T = { n: 42 }; return t.n; }\n"
COMMON = "const t: { n: number } = require('./part.cts');\nexports.answer = (): number => t.n;\n"
PART = "module.exports = { n: 42 as number };\n"

LOADED: dict[str, dict[str, str]] = {
    "imported": {"shop.ts": TYPED},
    "imported from another file": {
        "shop.ts": 'import { answer as inner } from "./inner.mts";\nexport const answer = (): number => inner();\n',
        "inner.mts": TYPED,
    },
    "without a type in the manifest": {"package.json": '{"exports": "./shop.ts"}', "shop.ts": TYPED},
    "required": {
        "shop.ts": 'import { createRequire } from "node:module";\nconst load = createRequire(import.meta.url);\n'
        'export const answer = (): number => load("./inner.ts").answer();\n',
        "inner.ts": TYPED,
    },
}
"""Each way in which Node comes to a file with types."""


@pytest.mark.parametrize("how", LOADED)
def test_no_call_takes_types_away_that_were_taken_before(
    how: str, sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    with started(tmp_path / "once", sandbox, node_site, SCENARIOS, LOADED[how]) as caller:
        for _ in range(3):
            assert same(caller.call("stripped_here").value, [42.0, False])
    with started(tmp_path / "each", WithoutUids(sandbox), node_site, SCENARIOS, LOADED[how]) as caller:
        assert same(caller.call("stripped_here").value, [42.0, True])


def test_commonjs_that_is_imported_runs_the_same(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    """Node takes its types away twice, from what is left the second time, and keeps one of the two: calls pay."""
    files = {"package.json": '{"main": "shop.cts"}', "shop.cts": COMMON, "part.cts": PART}
    with started(tmp_path, sandbox, node_site, SCENARIOS, files) as caller:
        assert same(caller.call("stripped_here").value, [42.0, True])


FAILING: dict[str, dict[str, str]] = {
    "text that is no TypeScript": {"shop.ts": "export function answer(: number { return 42; }\n"},
    "types that cannot be taken away": {"shop.ts": "export enum E { a }\nexport const answer = () => E.a;\n"},
    "an error at its place": {
        "shop.ts": "type T = number;\n\nexport function answer(): T { throw new Error('no'); }\n"
    },
    "what is broken beside what is not": {
        "shop.ts": 'import "./inner.ts";\nexport const answer = (): number => 42;\n',
        "inner.ts": "const a: = 3;\n",
    },
}


def failures(caller: Caller) -> list[object]:
    """What two calls come to, with all that an error tells of itself."""
    found: list[object] = []
    for name in ("answer", "told", "answer"):
        seen = caller.call(name)
        told = seen.failure
        found.append((told.names, told.message, dict(told.attrs)) if told else (seen.outcome, seen.returned))
    return found


@pytest.mark.parametrize("how", FAILING)
def test_what_fails_fails_as_it_does_when_calls_strip(
    how: str, sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    with started(tmp_path / "once", sandbox, node_site, SCENARIOS, FAILING[how]) as caller:
        once = failures(caller)
    with started(tmp_path / "each", WithoutUids(sandbox), node_site, SCENARIOS, FAILING[how]) as caller:
        each = failures(caller)
    assert once == each
    assert once[0] == once[2]
    assert "returned" not in str(once[0])


def test_a_product_sees_the_arguments_of_old(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    with started(tmp_path, sandbox, node_site, SCENARIOS, {"shop.ts": TYPED}) as caller:
        assert same(caller.call("arguments_of_the_process").value, 2.0)


FORGER = r"""
import { crc32 } from "node:zlib";
import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";

export function answer(): number { return 42; }
export function forge(): number {
  let forged = 0;
  const folder: string = getCompileCacheDir()!;
  for (const name of readdirSync(folder)) {
    const data = readFileSync(`${folder}/${name}`);
    const place = data.indexOf("return 42");
    if (place < 0) continue;
    data.write("return 43", place);
    data.writeUInt32LE(crc32(data.subarray(20)), 16);
    try {
      writeFileSync(`${folder}/forged`, data);
      renameSync(`${folder}/forged`, `${folder}/${name}`);
      forged++;
    } catch {}
  }
  return forged;
}
"""
FORGING = {"F01.ts": SCENARIOS + "export function forge() { return shop.forge(); }\n"}
OPEN = {"os.umask(0o022)": "os.umask(0)"}


def test_no_call_can_change_what_the_next_one_loads(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    with started(tmp_path, sandbox, node_site, FORGING, {"shop.ts": FORGER}) as caller:
        assert same(caller.call("forge").value, 0.0)
        assert same(caller.call("answer").value, 42.0)


def test_where_everybody_may_write_the_attack_succeeds(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    with started(tmp_path, sandbox, node_site, FORGING, {"shop.ts": FORGER}, without=OPEN) as caller:
        assert same(caller.call("forge").value, 2.0)
        assert same(caller.call("answer").value, 43.0)


def test_text_that_ends_what_strips_it_costs_the_gain_alone(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    deep = "export const deep: number = " + "(" * 200_000 + "1" + ")" * 200_000 + ";\n"
    files = {"a.ts": deep, "shop.ts": TYPED}
    with started(tmp_path, sandbox, node_site, SCENARIOS, files) as caller:
        assert same(caller.call("answer").value, 42.0)
