"""The survey: public names by parsing, nothing imported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from authoring.survey import survey
from environments.languages.python.surface import Root, import_roots, is_test
from taskpack.outcome import Reason, Rejected
from taskpack.survey import Survey, Symbol, SymbolKind
from tests.unit.authoring.sources import order


def surveyed(tmp_path: Path, files: Mapping[str, str]) -> Survey:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = survey(tmp_path, order=order())
    assert isinstance(found, Survey), found
    return found


def by_name(found: Survey) -> dict[str, Symbol]:
    assert len({symbol.name for symbol in found.symbols}) == len(found.symbols)
    return {symbol.name: symbol for symbol in found.symbols}


LIBRARY = {
    "src/tallybook/__init__.py": (
        "from __future__ import annotations\n"
        "import os\n"
        "from json import dumps\n"
        "from typing import Any as Any\n"
        "from .ledger import Ledger as Ledger\n"
        "from .ledger import total\n"
        "from tallybook.faults import Broken\n"
        "from . import faults as faults\n"
        "_hidden = 1\n"
        "LIMIT = 9\n"
        "working = 3\n"
        "def top(a, /, b, *rest, c=1, **more): ...\n"
        "raise SystemExit('imported')\n"
    ),
    "src/tallybook/ledger.py": (
        "import typing as t\n"
        "from . import faults\n"
        "class Ledger(t.Generic[int]):\n"
        "    '''Doc.'''\n"
        "    rate: float = 1.0\n"
        "    _private = 2\n"
        "    def __init__(self, name: str = 'x') -> None:\n"
        "        self.name, self.other = name, 1\n"
        "        self._secret = 1\n"
        "        if name:\n"
        "            self.late: int = 2\n"
        "    @t.overload\n"
        "    def add(self, n: int) -> int: ...\n"
        "    @t.overload\n"
        "    def add(self, n: str) -> str: ...\n"
        "    def add(self, n):\n"
        "        return n\n"
        "    @property\n"
        "    def size(self): return 1\n"
        "    @size.setter\n"
        "    def size(self, value): ...\n"
        "    @staticmethod\n"
        "    def make(a): ...\n"
        "    async def wait(self): ...\n"
        "    def __len__(self): return 0\n"
        "    def _own(self): ...\n"
        "def total(ledger: Ledger) -> int:\n"
        "    return 1\n"
        "def kept_here(): ...\n"
        "class Late(faults.Broken): ...\n"
        "if t.TYPE_CHECKING:\n"
        "    def only_for_checkers(): ...\n"
        "try:\n"
        "    def chosen(a): ...\n"
        "except ImportError:\n"
        "    def chosen(b): ...\n"
    ),
    "src/tallybook/faults.py": "class Broken(ValueError): ...\nclass Deeper(Broken): ...\nclass Plain: ...\n",
    "src/tallybook/_own.py": "def inner(): ...\n",
    "tests/test_x.py": "def test_x(): ...\n",
}


def test_the_root_offers_its_own_names_and_what_it_takes_from_its_package(tmp_path: Path) -> None:
    found = surveyed(tmp_path, LIBRARY)
    tops = {symbol.name for symbol in found.symbols if symbol.exported and "." not in symbol.name}
    assert tops == {"Ledger", "total", "Broken", "LIMIT", "top"}
    assert found.import_root == "tallybook"


def test_a_symbol_has_kind_signature_and_place(tmp_path: Path) -> None:
    names = by_name(surveyed(tmp_path, LIBRARY))
    assert names["total"] == Symbol(
        name="total",
        kind=SymbolKind.FUNCTION,
        signature="def total(ledger: Ledger) -> int",
        path="src/tallybook/ledger.py",
        line=27,
        exported=True,
    )
    assert names["top"].signature == "def top(a, /, b, *rest, c=1, **more)"
    assert (names["Ledger"].kind, names["Ledger"].bases) == (SymbolKind.CLASS, ("t.Generic[int]",))
    assert names["LIMIT"].kind is SymbolKind.ATTRIBUTE


def test_members_of_a_class_are_methods_properties_and_what_init_sets(tmp_path: Path) -> None:
    names = by_name(surveyed(tmp_path, LIBRARY))
    members = {
        name.removeprefix("Ledger."): symbol.kind.value for name, symbol in names.items() if name.startswith("Ledger.")
    }
    assert members == {
        "rate": "attribute",
        "__init__": "method",
        "name": "attribute",
        "other": "attribute",
        "late": "attribute",
        "add": "method",
        "size": "attribute",
        "make": "method",
        "wait": "method",
        "__len__": "method",
    }
    assert names["Ledger.add"].signature == "def add(self, n)"
    assert names["Ledger.make"].signature == "@staticmethod def make(a)"
    assert names["Ledger.wait"].signature == "async def wait(self)"


def test_an_exception_is_known_by_its_chain_of_bases_through_modules(tmp_path: Path) -> None:
    names = by_name(surveyed(tmp_path, LIBRARY))
    kinds = {name: names[name].kind for name in ("Broken", "faults.Deeper", "faults.Plain", "ledger.Late")}
    assert kinds == {
        "Broken": SymbolKind.EXCEPTION,
        "faults.Deeper": SymbolKind.EXCEPTION,
        "faults.Plain": SymbolKind.CLASS,
        "ledger.Late": SymbolKind.EXCEPTION,
    }


def test_public_names_of_modules_are_listed_under_their_module_once(tmp_path: Path) -> None:
    names = by_name(surveyed(tmp_path, LIBRARY))
    others = {name for name, symbol in names.items() if not symbol.exported}
    assert others == {"ledger.kept_here", "ledger.Late", "ledger.chosen", "faults.Deeper", "faults.Plain"}
    assert names["ledger.chosen"].signature == "def chosen(a)"


def test_all_decides_what_the_root_offers(tmp_path: Path) -> None:
    files = {
        "tallybook/__init__.py": "from .a import *\nfrom .b import four\n__all__ = ['one']\n__all__ += ['_two']\n",
        "tallybook/a.py": "def one(): ...\ndef _two(): ...\ndef skipped(): ...\n",
        "tallybook/b.py": "def three(): ...\ndef four(): ...\n",
    }
    names = by_name(surveyed(tmp_path, files))
    assert {name for name, symbol in names.items() if symbol.exported} == {"one", "_two"}
    assert {"a.skipped", "b.three", "b.four"} <= set(names)


def test_a_star_import_offers_the_public_names(tmp_path: Path) -> None:
    files = {"tallybook/__init__.py": "from .a import *\n", "tallybook/a.py": "def one(): ...\ndef _two(): ...\n"}
    names = by_name(surveyed(tmp_path, files))
    assert set(names) == {"one"}
    assert names["one"].exported


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    files = {
        "tallybook/__init__.py": "from .a import x\nfrom .a import *\ndef y(): ...\n",
        "tallybook/a.py": "from .b import x\nfrom .b import *\nclass A(B): ...\n",
        "tallybook/b.py": "from .a import x\nfrom .a import *\nfrom .a import A\nclass B(A): ...\n",
    }
    assert "y" in by_name(surveyed(tmp_path, files))


def test_a_single_module_is_surveyed_as_well(tmp_path: Path) -> None:
    names = by_name(surveyed(tmp_path, {"tallybook.py": "def one(): ...\n", "test_tallybook.py": "def test(): ...\n"}))
    assert names["one"].exported
    assert set(names) == {"one"}


@pytest.mark.parametrize(
    "text", ["def broken(:\n", "x = '\0'\n", "# coding: nothing\n", "x = " + "(" * 3000, "print 'two'\n"]
)
def test_a_root_that_does_not_parse_is_rejected_with_its_path(tmp_path: Path, text: str) -> None:
    (tmp_path / "tallybook").mkdir()
    (tmp_path / "tallybook" / "__init__.py").write_text(text)
    rejected = survey(tmp_path, order=order())
    assert isinstance(rejected, Rejected)
    assert rejected.reason is Reason.UNSUITABLE
    assert rejected.message == "`tallybook` cannot be read"
    assert rejected.evidence[0].where == "tallybook/__init__.py"


def test_a_module_that_does_not_parse_is_left_out_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    files = {"tallybook/__init__.py": "def one(): ...\n", "tallybook/template.py": "class {{ name }}: ...\n"}
    assert set(by_name(surveyed(tmp_path, files))) == {"one"}
    assert "tallybook/template.py does not parse" in caplog.text


@pytest.mark.parametrize("files", [{}, {"setup.py": ""}, {"docs/conf.py": "", "tests/__init__.py": ""}])
def test_a_source_without_a_package_is_rejected(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    rejected = survey(tmp_path, order=order())
    assert isinstance(rejected, Rejected)
    assert rejected.message == "the source has no public package or module"


def test_a_package_that_shows_nothing_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "tallybook").mkdir()
    (tmp_path / "tallybook" / "__init__.py").write_text("import os\n_x = 1\n")
    rejected = survey(tmp_path, order=order())
    assert isinstance(rejected, Rejected)
    assert rejected.message == "`tallybook` shows no public name"


def test_links_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("def leaked(): ...\n")
    tree = tmp_path / "tree"
    (tree / "tallybook").mkdir(parents=True)
    (tree / "tallybook" / "__init__.py").write_text("def one(): ...\n")
    (tree / "tallybook" / "more.py").symlink_to(outside)
    found = survey(tree, order=order())
    assert isinstance(found, Survey)
    assert [symbol.name for symbol in found.symbols] == ["one"]


@pytest.mark.parametrize("name", ["tallybook", "sumcord"])
def test_the_root_that_is_called_like_the_source_or_the_product_is_taken(tmp_path: Path, name: str) -> None:
    files = {f"{name}/__init__.py": "def one(): ...\n", "bigger/__init__.py": "def two(): ...\n", "bigger/a.py": ""}
    assert surveyed(tmp_path, files).import_root == name


def test_packages_below_src_hide_those_at_the_root() -> None:
    paths = ["src/one/__init__.py", "two/__init__.py", "three.py"]
    assert import_roots(paths) == (Root(name="one", path="src/one", is_package=True),)
    assert [root.name for root in import_roots(paths[1:])] == ["three", "two"]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("tests/a.py", True),
        ("a/test_b.py", True),
        ("b_test.py", True),
        ("test.py", True),
        ("conftest.py", True),
        ("a/contest.py", False),
        ("a/testing.py", False),
        ("a/latest.py", False),
    ],
)
def test_tests_are_known_by_name(path: str, answer: bool) -> None:
    assert is_test(path) is answer
