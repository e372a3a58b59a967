"""Rewrites of Python source and hollow workspaces, tried by running what comes out."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from environments.languages.python.hollow import hollow_workspaces
from environments.languages.python.rewrite import commented, relaid, renamed, reordered, run_by_import, with_bodies
from validation.workspaces import import_roots, product_files, write_files

REFERENCE = Path(__file__).parents[2] / "gates" / "_base" / "reference"
ROOT = "src/tally/__init__.py"
SHOW = 'import tally; print(tally.total(["1.5", "-0.25"]), tally.split(10, 3), tally.tag("a", b"k")[:8])'
SHOWN = "1.25 [4, 3, 3] 78da9151"


@pytest.fixture
def files() -> dict[str, bytes]:
    return product_files(REFERENCE, ("src",))


def run(folder: Path, files: Mapping[str, bytes], code: str) -> subprocess.CompletedProcess[str]:
    write_files(folder, files)
    command = [sys.executable, "-I", "-B", "-c", f"import sys; sys.path.insert(0, {str(folder / 'src')!r}); {code}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def test_the_reference_shows_what_rewrites_must_show(tmp_path: Path, files: dict[str, bytes]) -> None:
    assert run(tmp_path, files, SHOW).stdout.strip() == SHOWN


@pytest.mark.parametrize("rewrite", [commented, relaid, reordered])
def test_a_rewrite_of_each_file_changes_text_and_not_behaviour(tmp_path, files, rewrite) -> None:
    changed = {path: rewrite(source) for path, source in files.items()}
    assert any(changed[path] != files[path] for path in files)
    assert run(tmp_path, changed, SHOW).stdout.strip() == SHOWN


def test_renaming_reaches_private_functions_and_locals_and_keeps_behaviour(tmp_path, files) -> None:
    changed = renamed(files)
    text = changed["src/tally/amounts.py"].decode()
    assert "_cents_again" in text
    assert "share_here" in text
    assert "def _cents(" not in text
    assert run(tmp_path, changed, SHOW).stdout.strip() == SHOWN


def test_a_comment_changes_no_statement() -> None:
    before = b"x = 1"
    assert commented(before) != before
    assert ast.dump(ast.parse(commented(before))) == ast.dump(ast.parse(before))


def test_definitions_that_others_need_at_import_keep_their_order() -> None:
    text = b"def a(): return 1\ndef b(x=a()): return x\n"
    assert ast.unparse(ast.parse(reordered(text))).index("def a") < ast.unparse(ast.parse(reordered(text))).index(
        "def b"
    )


@pytest.mark.parametrize(
    "text",
    [
        "def _f(): return 1\ng = {'_f': 2}",
        "def _f(): return 1\nx = m._f",
        "def _f(): return 1\ndef g(_f): return _f",
        "def f(a):\n    b = a\n    return locals()",
        "def f(a):\n    global b\n    b = a",
    ],
)
def test_a_name_that_can_be_seen_from_outside_is_not_renamed(text: str) -> None:
    assert renamed({"m.py": text.encode()})["m.py"] == (ast.unparse(ast.parse(text)) + "\n").encode()


def test_every_public_function_raises_and_the_import_still_works(tmp_path: Path, files: dict[str, bytes]) -> None:
    keep = run_by_import(files)
    raising = {path: with_bodies(text, "raise RuntimeError", keep=keep, dunders=True) for path, text in files.items()}
    code = (
        "import tally\n"
        "for name in ('total', 'split', 'tag'):\n"
        "    try: getattr(tally, name)(1, 2)\n"
        "    except RuntimeError: print(name)\n"
        "    except TypeError:\n"
        "        try: getattr(tally, name)(1)\n"
        "        except RuntimeError: print(name)"
    )
    write_files(tmp_path, raising)
    (tmp_path / "try.py").write_text(code)
    done = run(tmp_path, raising, f"exec(open({str(tmp_path / 'try.py')!r}).read())")
    assert done.stdout.split() == ["total", "split", "tag"]


def test_one_line_bodies_and_wrapped_signatures_get_the_statement_too() -> None:
    text = b"def f(): return 1\ndef g(\n    a,\n): return a\nclass C:\n    def h(self):\n        return 1\n"
    changed = with_bodies(text, "raise KeyError", keep=frozenset(), dunders=True)
    space: dict[str, object] = {}
    exec(compile(changed, "m.py", "exec"), space)
    for call in ("f()", "g(1)", "C().h()"):
        with pytest.raises(KeyError):
            eval(call, space)


def test_what_an_import_calls_is_kept_whole() -> None:
    text = b"def make(): return 3\nX = make()\nclass D:\n    def __call__(self, f): return f\n@D()\ndef g(): return 1\n"
    assert run_by_import({"m.py": text}) == {"make", "D"}


def test_hollow_workspaces_offer_the_names_and_do_nothing(tmp_path: Path, files: dict[str, bytes]) -> None:
    found = {each.name: each.files for each in hollow_workspaces(files, import_roots(files, ("src",)))}
    names = "import tally; print(tally.BadAmount.__mro__[1].__name__, tally.total(['1']))"
    assert found["empty-folder"] == {}
    assert run(tmp_path / "none", found["stubs-return-none"], names).stdout.strip() == "ValueError None"
    refused = run(tmp_path / "ni", found["stubs-not-implemented"], names)
    assert refused.stderr.strip().endswith("NotImplementedError")
    assert run(tmp_path / "empty", found["empty-files"], "import tally; print(tally.total)").returncode == 1
    for name in ("exits-at-import", "dies-at-import"):
        done = run(tmp_path / name, found[name], "import tally; print('after')")
        assert (done.returncode, done.stdout) == (0, "")


def test_import_roots_are_packages_and_modules_at_the_top() -> None:
    files = {"src/a/__init__.py": b"", "src/a/b/__init__.py": b"", "src/c.py": b"", "src/a/d.py": b""}
    assert import_roots(files, ("src",)) == ("src/a/__init__.py", "src/c.py")
