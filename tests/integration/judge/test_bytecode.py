"""The product's bytecode is made once, by nobody, and cannot be written by a call."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import Seen, read_seen
from judge.product import Product
from taskpack.wire.same import same

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="a plain user gets a sandbox per call: nothing is shared"),
]

SCENARIOS = """
import importlib
import pathlib
import sys

def cached():
    import made
    return [sys.pycache_prefix, pathlib.Path(made.__cached__).is_file(), made.ANSWER]

def unloaded():
    found = {}
    for name in ("csv", "xml.dom.minidom", "made"):
        assert name not in sys.modules, name
        found[name] = pathlib.Path(importlib.import_module(name).__cached__).is_file()
    return found

def spoil():
    import made
    pathlib.Path(made.__cached__).write_bytes(b"spoilt")

def add_beside():
    import made
    pathlib.Path(made.__cached__).with_name("other.pyc").write_bytes(b"x")
"""


@pytest.fixture
def product(tmp_path: Path, sandbox: Sandbox) -> Product:
    for name, text in {
        "app/src/made.py": "ANSWER = 42\n",
        "app/src/broken.py": "def (:\n",
        "scenarios/F01.py": SCENARIOS,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    copy_lib(tmp_path / "tests")
    return Product(
        sandbox=sandbox,
        workspace=tmp_path / "app",
        lib=tmp_path / "tests/_lib",
        scenarios=tmp_path / "scenarios",
        product_paths=("src",),
        site=None,
    )


def call(product: Product, name: str, *, fresh: bool = False) -> Seen:
    answer = product.call(name, {}, fresh=fresh)
    return read_seen(answer.reply, answer.body)


def test_a_call_imports_compiled_sources_and_a_broken_file_hurts_nobody(product: Product) -> None:
    with product:
        assert call(product, "cached").value == ["/run/bytecode", True, 42]
        assert call(product, "cached", fresh=True).value == ["/run/bytecode", True, 42]


@pytest.mark.parametrize("fresh", [False, True])
def test_what_is_compiled_elsewhere_is_found_here(product: Product, fresh: bool) -> None:
    with product:
        found = {"csv": True, "xml.dom.minidom": True, "made": True}
        assert same(call(product, "unloaded", fresh=fresh).value, found)


@pytest.mark.parametrize("name", ["spoil", "add_beside"])
def test_a_call_cannot_write_what_the_next_one_imports(product: Product, name: str) -> None:
    with product:
        assert call(product, name).error.is_a("PermissionError")
        assert call(product, "cached").value == ["/run/bytecode", True, 42]
