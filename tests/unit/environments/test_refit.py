"""A recipe for another minor version: the same files, refused by the install where one does not fit."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from pathlib import Path

import pytest

from environments.languages.python.install import install_recipe
from environments.languages.python.lock import committed_lock, minor_version, refit
from environments.runtime import VARIABLE
from taskpack.errors import EnvironmentFailed
from taskpack.order import Language
from taskpack.recipe import Package, Recipe


def wheel(folder: Path, tag: str) -> Recipe:
    """A recipe for Python 3.9 with one package, whose only wheel has this tag."""
    path = folder / f"tinywheel-1.0-{tag}.whl"
    info = "tinywheel-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tinywheel.py", "value = 1\n")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tinywheel\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        archive.writestr(f"{info}/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    package = Package(name="tinywheel", version="1.0", hashes=(f"sha256:{digest}",))
    return Recipe(language=Language.PYTHON, python="3.9", packages=(package,))


@pytest.fixture
def local_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "area"))
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("UV_OFFLINE", "1")
    return tmp_path


def test_only_the_version_of_python_changes() -> None:
    recipe = committed_lock("bench", python=sys.executable)
    other = recipe.model_copy(update={"python": "3.9"})
    assert refit(other, python=sys.executable) == recipe
    assert refit(other, python=sys.executable).python == minor_version(sys.executable)
    assert other.digest() != recipe.digest()


def test_a_pure_wheel_is_installed_whatever_the_recipe_was_made_for(local_index: Path) -> None:
    recipe = refit(wheel(local_index, "py3-none-any"), python=sys.executable)
    install_recipe(recipe, local_index / "site", python=sys.executable)
    assert (local_index / "site" / "tinywheel.py").is_file()


def test_a_wheel_for_another_python_is_still_refused(local_index: Path) -> None:
    recipe = refit(wheel(local_index, "cp39-cp39-manylinux_2_17_x86_64"), python=sys.executable)
    with pytest.raises(EnvironmentFailed):
        install_recipe(recipe, local_index / "site", python=sys.executable)
