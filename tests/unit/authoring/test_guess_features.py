"""Feature points are proposed from the modules that define what the product's root offers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from authoring.guesses.features import propose, read_modules, reading, shown
from authoring.survey import survey
from neutralize.coin import coined
from neutralize.words import WORDS
from taskpack.survey import Survey
from tests.unit.authoring.sources import order

LIBRARY = {
    "src/tallybook/__init__.py": "from .total import add\nfrom .ledger import Ledger\n",
    "src/tallybook/total.py": "def add(a, b):\n    return a + b\n",
    "src/tallybook/ledger.py": "from tallybook import total\nfrom ._store import keep\n\n\nclass Ledger:\n    pass\n",
    "src/tallybook/_store.py": "def keep():\n" + "    pass\n" * 50,
    "src/tallybook/extra.py": "def more():\n" + "    pass\n" * 90,
    "src/tallybook/tests/test_total.py": "def test_add(): ...\n",
}


def plant(tmp_path: Path, files: Mapping[str, str]) -> Survey:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = survey(tmp_path, order=order())
    assert isinstance(found, Survey)
    return found


def test_modules_that_define_what_the_root_offers_are_proposed_largest_first(tmp_path: Path) -> None:
    modules = read_modules(tmp_path, plant(tmp_path, LIBRARY))
    assert [each.path for each in modules] == [
        f"src/tallybook/{name}.py" for name in ("__init__", "_store", "extra", "ledger", "total")
    ]
    assert [(each.path, each.lines, each.names) for each in propose(modules)] == [
        ("src/tallybook/ledger.py", 6, ("Ledger",)),
        ("src/tallybook/total.py", 2, ("add",)),
    ]


def test_a_drafting_model_reads_the_module_and_what_it_imports(tmp_path: Path) -> None:
    modules = read_modules(tmp_path, plant(tmp_path, LIBRARY))
    ledger = next(each for each in modules if each.path.endswith("ledger.py"))
    assert reading(ledger, modules)[0] == "src/tallybook/ledger.py"
    others = {f"src/tallybook/{name}.py" for name in ("__init__", "_store", "total")}
    assert set(reading(ledger, modules)) == {"src/tallybook/ledger.py"} | others


def test_where_the_root_offers_nothing_every_public_module_counts(tmp_path: Path) -> None:
    modules = read_modules(tmp_path, plant(tmp_path, LIBRARY | {"src/tallybook/__init__.py": ""}))
    assert next(each.path for each in propose(modules)) == "src/tallybook/extra.py"


def test_one_module_is_a_product_too(tmp_path: Path) -> None:
    modules = read_modules(tmp_path, plant(tmp_path, {"tallybook.py": "def add(): ...\n", "test_a.py": ""}))
    assert [each.path for each in propose(modules)] == ["tallybook.py"]


def test_long_lists_of_names_are_cut_and_say_so() -> None:
    assert shown([f"n{number}" for number in range(15)]).endswith("n11 and 3 more")


def test_coined_names_are_the_same_anywhere_and_hold_no_word() -> None:
    names = list(islice(coined("seed"), 200))
    assert names == list(islice(coined("seed"), 200))
    assert names[0] != next(coined("other"))
    assert all(name.isascii() and name.isalpha() and name.islower() and len(name) >= 5 for name in names)
    inside = {name[a:b] for name in names for a in range(len(name)) for b in range(a + 4, len(name) + 1)}
    assert not inside & WORDS
