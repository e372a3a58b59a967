"""Workspaces that take the contract's names from a module."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from environments.offered import Offered
from taskpack.rename import Rename
from taskpack.spec import Form, FormKind, Overview, Parameter, Spec
from validation.forwarding import Wanted, forward, wanted_names
from validation.workspaces import write_files

UPSTREAM = """
class Signer:
    def __init__(self, secret_key): self.secret_key = secret_key
    def sign(self, max_age): return (self.secret_key, max_age)

class BadSignature(Exception): ...

def want_bytes(text): return text.encode()
"""


def form(name: str, kind: FormKind, *parameters: str) -> Form:
    given = tuple(Parameter(name=each, type="any", meaning="given") for each in parameters)
    return Form(name=name, kind=kind, role="", signature="", parameters=given)


def spec() -> Spec:
    about = Overview(
        product="brin", terminology=(), constraints=(), substance="", non_goals=(), layout=(), conventions=()
    )
    forms = (
        form("Sealer", FormKind.CLASS, "key"),
        form("Sealer.seal", FormKind.METHOD, "age_limit"),
        form("BrokenSeal", FormKind.EXCEPTION),
        form("tools.as_bytes", FormKind.FUNCTION, "text"),
        form("missing", FormKind.FUNCTION),
    )
    return Spec(product="brin", overview=about, features=(), forms=forms)


RENAMES = [
    Rename(surface=old, replacement=new, kind="identifier")
    for old, new in (
        ("Signer", "Sealer"),
        ("sign", "seal"),
        ("BadSignature", "BrokenSeal"),
        ("want_bytes", "as_bytes"),
        ("max_age", "age_limit"),
        ("secret_key", "key"),
    )
]


@pytest.fixture
def wanted() -> tuple[Wanted, ...]:
    return wanted_names(spec(), RENAMES)


@pytest.fixture
def forwarded(tmp_path: Path, wanted: tuple[Wanted, ...]) -> Iterator[ModuleType]:
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "up_stream_zz.py").write_text(UPSTREAM)
    entry = str(tmp_path / "env")
    offered = Offered(entry=entry, module="up_stream_zz", kind="source", modules=("up_stream_zz",), has=(), members=0)
    write_files(tmp_path / "app", forward(wanted, offered, ["src/brin/__init__.py"]))
    before = set(sys.modules), list(sys.path)
    sys.path.insert(0, str(tmp_path / "app" / "src"))
    yield importlib.import_module("brin")
    for name in set(sys.modules) - before[0]:
        del sys.modules[name]
    sys.path[:] = before[1]


def test_names_of_the_contract_come_with_those_of_the_upstream(wanted: tuple[Wanted, ...]) -> None:
    by_name = {each.name: each for each in wanted}
    assert sorted(by_name) == ["BrokenSeal", "Sealer", "as_bytes", "missing"]
    assert by_name["Sealer"].spellings == ("Sealer", "Signer")
    assert by_name["Sealer"].members == {"seal": ("seal", "sign")}
    assert by_name["Sealer"].parameters == {"": {"key": "secret_key"}, "seal": {"age_limit": "max_age"}}
    assert by_name["as_bytes"].place == "tools"


def test_names_members_and_parameters_are_the_contracts(forwarded: ModuleType) -> None:
    assert forwarded.Sealer(key="k").seal(age_limit=3) == ("k", 3)
    assert importlib.import_module("brin.tools").as_bytes("a") == b"a"


def test_errors_are_called_as_the_contract_calls_them(forwarded: ModuleType) -> None:
    kind = forwarded.BrokenSeal
    assert (kind.__module__, kind.__qualname__) == ("brin", "BrokenSeal")


def test_what_the_module_does_not_have_is_there_and_raises(forwarded: ModuleType) -> None:
    with pytest.raises(NotImplementedError):
        forwarded.missing()


def test_a_hollow_workspace_has_the_names_alone(wanted: tuple[Wanted, ...]) -> None:
    files = forward(wanted, None, ["src/brin/__init__.py"])
    assert sorted(files) == ["src/brin/__init__.py", "src/brin/tools.py"]
    inside: dict[str, object] = {"__name__": "brin"}
    exec(files["src/brin/__init__.py"], inside)
    with pytest.raises(NotImplementedError):
        inside["Sealer"]("k")  # type: ignore[operator]
    assert issubclass(inside["BrokenSeal"], Exception)  # type: ignore[arg-type]
