"""Requirements to a recipe: every package by version and hash, without an index or an address."""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from environments.languages.python.uv import run_uv
from taskpack.order import Language
from taskpack.recipe import Package, Recipe

_LOCKS = Path(__file__).with_name("locks")
_ENTRY = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")
_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")


def lock(requirements: Sequence[str], *, python: str) -> Recipe:
    """Resolve `requirements` for the interpreter at `python` to wheels, as the registry has them now.

    Raises `EnvironmentFailed` when they cannot be met, `FetchFailed` when the registry is silent.
    """
    if not requirements:
        return Recipe(language=Language.PYTHON, python=minor_version(python), packages=())
    arguments = ["pip", "compile", "-", "--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url"]
    arguments += ["--no-emit-find-links", "--only-binary", ":all:", "--python", python]
    return read_lock(run_uv(arguments, stdin="\n".join(requirements) + "\n"), python=python)


def committed_lock(name: str, *, python: str) -> Recipe:
    """A lock that belongs to us: `bench` (what hidden suites run on) or `pip`."""
    return read_lock((_LOCKS / f"{name}.txt").read_text("utf-8"), python=python)


def read_lock(text: str, *, python: str) -> Recipe:
    """A requirements file with hashes as a recipe."""
    packages = []
    for entry in text.replace("\\\n", " ").splitlines():
        if match := _ENTRY.match(entry.strip()):
            hashes = tuple(sorted(_HASH.findall(entry)))
            packages.append(Package(name=match["name"], version=match["version"], hashes=hashes))
    packages.sort(key=lambda package: package.name)
    return Recipe(language=Language.PYTHON, python=minor_version(python), packages=tuple(packages))


def refit(recipe: Recipe, *, python: str) -> Recipe:
    """The same packages and hashes for the interpreter at `python`, such as for a base with another minor version.

    A recipe does not say which interpreters its files are for. Pure wheels fit any; where one does not fit, installing
    raises `EnvironmentFailed`, as it does where a hash differs.
    """
    return recipe.model_copy(update={"python": minor_version(python)})


def write_lock(recipe: Recipe) -> str:
    """A recipe as a requirements file with hashes, for uv and pip."""
    return "".join(
        " ".join([f"{package.name}=={package.version}", *(f"--hash={value}" for value in package.hashes)]) + "\n"
        for package in recipe.packages
    )


@functools.lru_cache
def minor_version(python: str) -> str:
    """`3.11`, as the interpreter at `python` says it."""
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()
