"""What an error is called on the wire is what a caller could write to catch it, not what its class says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import Seen, read_seen
from judge.product import Product

pytestmark = pytest.mark.sandbox

PRODUCT = """
import json

class Refused(Exception):
    class Inner(ValueError):
        pass

def lie(module, name, base):
    bases = {"Exception": Exception, "Refused": Refused, "ValueError": ValueError}
    raise type(name.rpartition(".")[2], (bases[base],), {"__module__": module, "__qualname__": name})

def honest(name):
    if name == "json":
        json.loads("{")
    if name == "inner":
        raise Refused.Inner("x")
    if name == "os":
        open("/nowhere/at/all")
    if name == "local":
        class Hidden(Refused):
            pass
        raise Hidden("x")
    raise Refused("x")
"""
SCENARIOS = """
import made

def lie(module, name, base):
    return made.lie(module, name, base)

def honest(name):
    return made.honest(name)
"""


@pytest.fixture
def product(tmp_path: Path, sandbox: Sandbox) -> Product:
    for name, text in {"app/src/made.py": PRODUCT, "scenarios/F01.py": SCENARIOS}.items():
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


def call(product: Product, function: str, **args: str) -> Seen:
    answer = product.call(function, args)
    return read_seen(answer.reply, answer.body)


@pytest.mark.parametrize(
    ("module", "name", "base", "not_caught_as"),
    [
        ("builtins", "TypeError", "Exception", "TypeError"),
        ("builtins", "ValueError", "Refused", "builtins.ValueError"),
        ("made", "Refused", "Exception", "made.Refused"),
        ("made", "Refused", "Exception", "Refused"),
        ("made", "Refused.Inner", "Exception", "made.Refused.Inner"),
        ("json.decoder", "JSONDecodeError", "ValueError", "json.decoder.JSONDecodeError"),
        ("json", "JSONDecodeError", "ValueError", "json.JSONDecodeError"),
        ("nowhere", "Refused", "Exception", "nowhere.Refused"),
    ],
)
def test_a_class_that_calls_itself_like_another_is_not_taken_for_it(
    product: Product, module: str, name: str, base: str, not_caught_as: str
) -> None:
    with product:
        error = call(product, "lie", module=module, name=name, base=base).error
    assert not error.is_a(not_caught_as), error.names
    assert error.is_a("made.Refused" if base == "Refused" else base)


@pytest.mark.parametrize(
    ("name", "caught_as"),
    [
        ("json", ("json.JSONDecodeError", "json.decoder.JSONDecodeError", "ValueError")),
        ("inner", ("made.Refused.Inner", "ValueError")),
        ("os", ("OSError", "FileNotFoundError")),
        ("local", ("made.Refused", "Refused")),
        ("plain", ("made.Refused", "Refused", "Exception")),
    ],
)
def test_an_honest_error_is_caught_under_each_of_its_names(
    product: Product, name: str, caught_as: tuple[str, ...]
) -> None:
    with product:
        error = call(product, "honest", name=name).error
    assert all(error.is_a(one) for one in caught_as), error.names
