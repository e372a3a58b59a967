"""The second build of an environment: really made, compared entry by entry, and any difference named."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from environments import build as build_module
from environments.build import build
from environments.languages.python.lock import minor_version
from environments.rebuild import Differs, build_again, take_listing
from taskpack.layout import WorkFolder
from taskpack.order import Language
from taskpack.recipe import Package, Rebuilt, Recipe

SANDBOX: Any = SimpleNamespace(python=sys.executable, base="preview:test", name="local")
METADATA = "Metadata-Version: 2.1\nName: Tally_Tools\nVersion: 2.0\n\n"
Change = Callable[[Path], None]


class Installer:
    """Installs one small package; from the second time on, `change` is done to it."""

    def __init__(self, change: Change) -> None:
        self.calls: list[object] = []
        self._change = change

    def __call__(
        self, _recipe: Recipe, dest: Path, *, python: str, cache: Path | None = None, bytecode: bool = True
    ) -> None:
        (dest / "tally_tools-2.0.dist-info").mkdir(parents=True)
        (dest / "tally_tools-2.0.dist-info/METADATA").write_text(METADATA)
        (dest / "tally_tools.py").write_text("x = 1\n")
        (dest / "tally_tools.py").chmod(0o644)
        (dest / "__pycache__").mkdir()
        (dest / "__pycache__/tally_tools.pyc").write_bytes(os.urandom(8))
        self.calls.append(cache)
        if len(self.calls) > 1:
            self._change(dest)


def recipe(name: str = "tally-tools", version: str = "2.0") -> Recipe:
    package = Package(name=name, version=version, hashes=("sha256:" + "0" * 64,))
    return Recipe(language=Language.PYTHON, python=minor_version(sys.executable), packages=(package,))


def twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, wanted: Recipe | None = None
) -> tuple[Rebuilt | Differs, Installer, WorkFolder]:
    installer = Installer(change)
    monkeypatch.setattr(build_module, "install_recipe", installer)
    work = WorkFolder(root=tmp_path)
    first = build(wanted or recipe(), work=work, sandbox=SANDBOX)
    return build_again("bench", wanted or recipe(), first, work=work, sandbox=SANDBOX), installer, work


def nothing(_root: Path) -> None:
    return


def test_two_builds_that_are_alike_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, installer, work = twice(tmp_path, monkeypatch, nothing)
    assert isinstance(made, Rebuilt)
    assert (made.name, made.packages, made.entries) == ("bench", 1, 3)
    assert installer.calls[-1] is None  # from no cache: everything came again
    assert len(installer.calls) == 2
    assert not list(work.environments.glob(".building-*"))


def test_what_was_built_twice_is_not_built_a_third_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, installer, work = twice(tmp_path, monkeypatch, nothing)
    first = build(recipe(), work=work, sandbox=SANDBOX)
    assert build_again("bench", recipe(), first, work=work, sandbox=SANDBOX) == made
    assert len(installer.calls) == 2


def other_content(root: Path) -> None:
    (root / "tally_tools.py").write_text("x = 2\n")


def other_mode(root: Path) -> None:
    (root / "tally_tools.py").chmod(0o755)


def other_kind(root: Path) -> None:
    (root / "tally_tools.py").unlink()
    (root / "tally_tools.py").symlink_to("tally_tools-2.0.dist-info/METADATA")


def one_more(root: Path) -> None:
    (root / "stamp.txt").write_text("now")


def one_less(root: Path) -> None:
    (root / "tally_tools.py").unlink()


def empty_folder(root: Path) -> None:
    (root / "empty").mkdir()


def other_owner(root: Path) -> None:
    os.chown(root / "tally_tools.py", 65534, 65534)


def other_package(root: Path) -> None:
    (root / "more-1.dist-info").mkdir()
    (root / "more-1.dist-info/METADATA").write_text(METADATA.replace("Tally_Tools", "more"))


@pytest.mark.parametrize(
    ("change", "paths"),
    [
        (other_content, ["tally_tools.py"]),
        (other_mode, ["tally_tools.py"]),
        (other_kind, ["tally_tools.py"]),
        (one_more, ["stamp.txt"]),
        (one_less, ["tally_tools.py"]),
        (empty_folder, ["empty"]),
        pytest.param(
            other_owner,
            ["tally_tools.py"],
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give away"),
        ),
        (other_package, ["more-1.dist-info", "more-1.dist-info/METADATA", "packages"]),
    ],
)
def test_a_difference_of_any_kind_is_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, paths: list[str]
) -> None:
    made, _, work = twice(tmp_path, monkeypatch, change)
    assert isinstance(made, Differs)
    assert [path.partition(": ")[0] for path in made.paths] == paths
    assert not list((work.environments / "recipes").glob("*.again.json"))


def test_times_and_bytecode_are_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def later(root: Path) -> None:
        os.utime(root / "tally_tools.py", (0, 0))
        (root / "loose.pyc").write_bytes(b"x")

    assert isinstance(twice(tmp_path, monkeypatch, later)[0], Rebuilt)


@pytest.mark.parametrize("wanted", [recipe("other"), recipe(version="2.1")])
def test_packages_beside_the_lock_are_a_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Recipe
) -> None:
    made, _, _ = twice(tmp_path, monkeypatch, nothing, wanted)
    assert isinstance(made, Differs)
    assert "packages: tally-tools==2.0 is installed alone" in made.paths


def test_an_environment_that_changed_after_it_was_noted_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, installer, work = twice(tmp_path, monkeypatch, nothing)
    first = build(recipe(), work=work, sandbox=SANDBOX)
    (work.root / first.folder / "tally_tools.py").write_text("spoiled")
    made = build_again("bench", recipe(), first, work=work, sandbox=SANDBOX)
    assert isinstance(made, Differs)
    assert len(installer.calls) == 3


def test_a_listing_of_nothing_is_a_listing(tmp_path: Path) -> None:
    assert take_listing(tmp_path).entries == {}
