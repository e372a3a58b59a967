"""Recipe to environment: built once, found again by its recipe, named by the digest of its files."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from environments.denied import check_clean
from environments.interface import Sandbox
from environments.languages.go.toolchain import warm
from environments.languages.javascript.toolchain import trim
from environments.languages.python.install import install_recipe
from environments.languages.python.lock import minor_version
from environments.languages.python.strip import strip
from taskpack.denylist import Denylist
from taskpack.errors import EnvironmentFailed, RecordUnreadable
from taskpack.files import publish_folder, space_errors, tree_digest, write_bytes
from taskpack.layout import WorkFolder
from taskpack.recipe import Environment, Recipe
from taskpack.scratch import temporary_folder


def build(recipe: Recipe, *, work: WorkFolder, sandbox: Sandbox, without: Denylist | None = None) -> Environment:
    """The environment of `recipe` on the sandbox's base, in `<environments>/<tree digest>`.

    What is there and still has its digest is reused; a half-built one is never seen. What `without` bans is taken out
    after the installation, and looked for once more: an environment that still holds it is not made. Raises
    `EnvironmentFailed` when it cannot be built from the recipe, `FetchFailed` when the registry is silent, `NoSpace` on
    a full disk.
    """
    minor = minor_version(sandbox.python)
    if recipe.python != minor:
        raise EnvironmentFailed(
            f"the recipe is for Python {recipe.python}, the base has {minor}",
            details={"base": sandbox.base},
            remedy=f"use a base with Python {recipe.python}, or make the recipe again",
        )
    note = note_of(recipe, work=work, sandbox=sandbox, without=without)
    known = _found(note, work)
    if known is not None:
        return known
    with space_errors(work.environments), temporary_folder(work.environments, prefix=".building-") as scratch:
        install(recipe, scratch / "site", sandbox=sandbox, cache=work.downloads / "uv", bytecode=True)
        if without is not None:
            strip(scratch / "site", without)
            check_clean(without, sandbox=sandbox, site=scratch / "site")
        digest = tree_digest(scratch / "site")
        place = work.environments / digest
        if place.is_dir() and tree_digest(place) != digest:
            # Someone wrote into it: out of the way, so that the whole one takes its name.
            place.rename(scratch / "spoiled")
        publish_folder(scratch / "site", place)
    folder = os.path.relpath(place, work.root)
    made = Environment(recipe=recipe.digest(), tree=digest, base=sandbox.base, folder=folder)
    write_bytes(note, made.to_bytes())
    return made


def install(recipe: Recipe, site: Path, *, sandbox: Sandbox, cache: Path | None, bytecode: bool) -> None:
    """Everything that makes an environment out of a recipe, in the new folder `site`. Raises as `build` does."""
    install_recipe(recipe, site, python=sandbox.python, cache=cache, bytecode=bytecode)
    warm(site, sandbox=sandbox)
    trim(site)


def note_of(recipe: Recipe, *, work: WorkFolder, sandbox: Sandbox, without: Denylist | None = None) -> Path:
    """Where it is written which environment a recipe gave on a base, without what was banned."""
    bans = f"\n{without.digest}" if without else ""
    key = hashlib.sha256(f"{recipe.digest()}\n{sandbox.base}{bans}".encode()).hexdigest()
    return work.environments / "recipes" / f"{key}.json"


def _found(note: Path, work: WorkFolder) -> Environment | None:
    if not note.is_file():
        return None
    try:
        known = Environment.from_bytes(note.read_bytes(), where=str(note))
    except RecordUnreadable:
        return None
    place = work.root / known.folder
    return known if place.is_dir() and tree_digest(place) == known.tree else None
