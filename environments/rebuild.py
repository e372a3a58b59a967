"""A second build of an environment from its lock, from an empty cache, compared entry by entry with the first."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from pathlib import Path

from environments.build import install, note_of
from environments.interface import Sandbox
from taskpack.errors import RecordUnreadable
from taskpack.files import file_digest, space_errors, write_bytes
from taskpack.layout import WorkFolder
from taskpack.recipe import Environment, Rebuilt, Recipe
from taskpack.record import to_json
from taskpack.scratch import temporary_folder


@dataclass(frozen=True, kw_only=True)
class Listing:
    """What an environment holds."""

    entries: dict[str, str]
    """Path -> kind, mode, owner and content."""
    packages: tuple[str, ...]
    """`name==version` of every installed distribution, sorted."""

    @property
    def digest(self) -> str:
        return hashlib.sha256(to_json({"entries": self.entries, "packages": self.packages})).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Differs:
    """Two builds of one recipe are not the same."""

    paths: tuple[str, ...]
    """`path: the first build's facts, the second's`, sorted; `packages: ...` where those differ."""


def take_listing(root: Path) -> Listing:
    """Everything below `root` but bytecode. Times do not count; an owner does unless it is whoever builds."""
    entries: dict[str, str] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in (*folders, *names):
            path = Path(folder, name)
            if not name.endswith(".pyc"):
                entries[path.relative_to(root).as_posix()] = _facts(path)
    return Listing(entries=entries, packages=_packages(root))


def build_again(
    name: str, recipe: Recipe, first: Environment, *, work: WorkFolder, sandbox: Sandbox
) -> Rebuilt | Differs:
    """Build `recipe` once more, elsewhere, and compare it with the environment `first` that was built from it.

    Done once for a recipe on a base: what came out is noted beside the environments. Raises what `build` raises.
    """
    listing = take_listing(work.root / first.folder)
    place = note_of(recipe, work=work, sandbox=sandbox)
    note = place.with_name(f"{place.stem}.again.json")
    known = _known(note)
    if known is not None and known.inventory == listing.digest:
        return known.model_copy(update={"name": name})
    with space_errors(work.environments), temporary_folder(work.environments, prefix=".building-") as scratch:
        install(recipe, scratch / "site", sandbox=sandbox, cache=None, bytecode=False)
        second = take_listing(scratch / "site")
    differences = (*compare(listing, second), *_beside_the_lock(recipe, listing))
    if differences:
        return Differs(paths=differences)
    made = Rebuilt(
        name=name,
        recipe=recipe.digest(),
        inventory=listing.digest,
        entries=len(listing.entries),
        packages=len(listing.packages),
    )
    write_bytes(note, made.to_bytes())
    return made


def compare(first: Listing, second: Listing) -> tuple[str, ...]:
    """Where two listings differ, as a person reads it; empty when they do not."""
    paths = sorted({*first.entries, *second.entries})
    facts = [
        f"{path}: {first.entries.get(path, 'not there')}, then {second.entries.get(path, 'not there')}"
        for path in paths
        if first.entries.get(path) != second.entries.get(path)
    ]
    if first.packages != second.packages:
        only = sorted({*first.packages} ^ {*second.packages})
        facts.append(f"packages: {', '.join(only)} in one of two builds")
    return tuple(facts)


def _beside_the_lock(recipe: Recipe, listing: Listing) -> tuple[str, ...]:
    """Packages that are installed and not locked, or locked and not installed."""
    locked = {f"{_normal(package.name)}=={package.version}" for package in recipe.packages}
    installed = {
        f"{_normal(name)}=={version}" for name, _, version in (one.partition("==") for one in listing.packages)
    }
    return tuple(
        f"packages: {one} is {'installed' if one in installed else 'locked'} alone"
        for one in sorted(locked ^ installed)
    )


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _facts(path: Path) -> str:
    info = path.lstat()
    owner = "" if info.st_uid == os.geteuid() else f" owner {info.st_uid}"
    mode = f"{stat.S_IMODE(info.st_mode):04o}{owner}"
    if stat.S_ISLNK(info.st_mode):
        return f"link to {path.readlink()}{owner}"
    if stat.S_ISDIR(info.st_mode):
        return f"folder {mode}"
    if stat.S_ISREG(info.st_mode):
        return f"file {mode} {file_digest(path)[:32]}"
    return f"special {info.st_mode:o}{owner}"


def _packages(root: Path) -> tuple[str, ...]:
    found = []
    for metadata in root.glob("*.dist-info/METADATA"):
        headers = BytesHeaderParser().parsebytes(metadata.read_bytes())
        found.append(f"{headers['Name']}=={headers['Version']}")
    return tuple(sorted(found))


def _known(note: Path) -> Rebuilt | None:
    if not note.is_file():
        return None
    try:
        return Rebuilt.from_bytes(note.read_bytes(), where=str(note))
    except RecordUnreadable:
        return None
