"""Names planted in real text by a planter that knows nothing of the scan."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest

from benchmarks import planting
from benchmarks.corpus import gather
from benchmarks.neutralize import alarms, recall, terms_of
from neutralize import scan
from neutralize.scan import MAX_PLACES, Scanner
from neutralize.traverse import Item
from taskpack.rename import Grade, Term

LIBRARY = (Path(sysconfig.get_paths()["stdlib"]) / "json", Path(sysconfig.get_paths()["stdlib"]) / "email")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [data.decode() for _, data in gather(300_000, LIBRARY)]


def test_the_planter_imports_nothing_of_what_it_measures() -> None:
    tree = ast.parse(Path(planting.__file__).read_text("utf-8"))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in modules} <= {
        *("__future__", "base64", "codecs", "random", "re", "collections", "dataclasses"),
    }


def test_every_family_is_found_in_real_text(texts: list[str]) -> None:
    result = recall(texts, seed=11, each=4)
    assert len(result) > 60
    low = {family: [cue.planted for cue in row.missed] for family, row in result.items() if row.share < 0.99}
    assert not low


def test_a_scan_for_other_names_finds_none_of_them(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.neutralize.terms_of", lambda known: terms_of(known)[:1])
    assert sum(len(row.missed) for row in recall(texts, seed=11, each=1).values()) > 60


def test_invented_names_are_not_found_where_none_was_planted() -> None:
    files = gather(300_000, LIBRARY)
    term = Term(surface="QuorvexLattice", grade=Grade.IDENTIFYING, kind="project", sources=("order",))
    assert alarms(files, [term]) == {"QuorvexLattice": []}
    name, data = files[0]
    assert alarms([(name, data + b"\nquorvex_lattice\n")], [term])["QuorvexLattice"]


def test_a_file_of_nothing_but_names_is_cut_short_and_never_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MAX_PLACES", 100)
    term = Term(surface="vuq", grade=Grade.DISTINCTIVE, kind="project", sources=("order",))
    report = scan.scan([Item(path="a", data=b"vuq " * 5000)], [term])
    assert MAX_PLACES > 100
    assert len(report.findings) == 100
    assert [item.problem for item in report.unscanned] == ["100 places found, the rest not looked for"]


def test_a_name_across_the_parts_that_a_large_text_is_searched_in_is_found_once() -> None:
    term = Term(surface="QuorvexLattice", grade=Grade.IDENTIFYING, kind="project", sources=("order",))
    scanner = Scanner([term])
    for shift in range(16):
        text = "x" * ((1 << 20) - shift) + " quorvexlattice\n"
        assert len(scanner.findings(text, "a")) == 1, shift


def test_what_is_read_anew_around_changes_shows_all_that_the_whole_reading_does(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(5)
    known = planting.names(rng, 6)
    planted, _ = planting.plant(texts, known, rng, each=3)
    scanner = Scanner(terms_of(known))
    parts = [scanner.findings(text, "t") for text in planted]
    assert sum(map(len, parts)) > 200
    monkeypatch.setattr(Scanner, "_part", lambda _, view: view.text)
    monkeypatch.setattr("neutralize.scan._is_changed", lambda *_: True)
    assert parts == [scanner.findings(text, "t") for text in planted]
