"""Which modules have the names of an interface, found without an import."""

from __future__ import annotations

import json
import os
import py_compile
import zipfile
from pathlib import Path

import pytest

from environments.offered_inside import Search, files, public

NAMES = [["loads"], ["load"], ["tomldecodeerror", "badtext"]]


def found(folder: Path, need: int = 2) -> dict[str, dict[str, object]]:
    search = Search(NAMES, ["seek"], need)
    for place in files([str(folder)]):
        search.look(place)
    return {str(one["module"]): one for one in search.candidates()}


def test_a_module_with_the_names_is_found_by_its_source_and_never_run(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text("import os\nos.abort()\ndef loads(s): ...\nclass Bad_Text(ValueError): ...\n")
    (tmp_path / "other.py").write_text("def f():\n    loads = load = BadText = 1\n# load loads BadText\n")
    one = found(tmp_path)["reader"]
    assert (one["entry"], one["kind"], one["has"]) == (str(tmp_path), "source", [0, 2])
    assert set(found(tmp_path)) == {"reader"}


def test_a_package_is_named_once_and_by_the_place_that_offers_most(tmp_path: Path) -> None:
    package = tmp_path / "pip" / "_vendor" / "tomli"
    package.mkdir(parents=True)
    for folder in (tmp_path / "pip", tmp_path / "pip" / "_vendor"):
        (folder / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from ._parser import load, loads, TOMLDecodeError\n")
    (package / "_parser.py").write_text("def load(f): ...\ndef loads(s): ...\nclass TOMLDecodeError(ValueError): ...\n")
    assert set(found(tmp_path)) == {"pip._vendor.tomli"}
    assert found(tmp_path)["pip._vendor.tomli"]["entry"] == str(tmp_path)


def test_names_that_are_spread_over_a_package_count_together(tmp_path: Path) -> None:
    (tmp_path / "spread").mkdir()
    (tmp_path / "spread" / "__init__.py").write_text("")
    (tmp_path / "spread" / "a.py").write_text("def load(f): f.seek(0)\n")
    (tmp_path / "spread" / "b.py").write_text("def loads(s): ...\n")
    one = found(tmp_path)["spread"]
    assert (one["has"], one["modules"], one["members"]) == ([0, 1], ["spread.a", "spread.b"], 1)


def test_archives_bytecode_and_scripts_are_looked_into(tmp_path: Path) -> None:
    source = "def load(f): ...\ndef loads(s): ...\n"
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as archive:
        archive.writestr("zipped/__init__.py", source)
    (tmp_path / "compiled.py").write_text(source)
    py_compile.compile(str(tmp_path / "compiled.py"), cfile=str(tmp_path / "compiled.pyc"), doraise=True)
    (tmp_path / "compiled.py").unlink()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "reads").write_text("#!/usr/bin/python3\n" + source)
    assert {name: one["kind"] for name, one in found(tmp_path).items()} == {
        "zipped": "source",
        "compiled": "bytecode",
        "": "script",
    }
    assert found(tmp_path)["zipped"]["entry"] == str(tmp_path / "a.whl")


@pytest.mark.parametrize("data", [b"\xff\xfe\0", b"def load(:", b"(" * 5000 + b"load", b"load = " + b"-" * 9000 + b"1"])
def test_what_is_no_source_has_no_names(data: bytes) -> None:
    assert public(data) == set()


def test_hostile_files_are_data(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04broken")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "big.py").write_bytes(b"load = loads = 1\n" * 300_000)
    search = Search(NAMES, [], 1)
    for place in files([str(tmp_path)]):
        search.look(place)
    assert search.candidates() == []
    assert [fact.rpartition(": ")[0] for fact in search.unread] == [f"{tmp_path}: big"]
    assert json.dumps(search.candidates()) == "[]"
