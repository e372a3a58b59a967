"""Which packages own the text of this machine, and which of them have to do with a name: by rule, not by hits.

A package has to do with a name when its metadata (but for the long description; with the system's statement of its
licences) or the path of one of its files holds the name as a word. Packages are installed distributions, packages of
the system, and else the first folder or module of a place. What lies in a folder of vendored copies is another
project's, whose metadata is not there: it counts as having to do with every name. So does the package that a name's
project extends: `git` for `git-lfs`.
"""

from __future__ import annotations

import re
import sysconfig
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.corpus import places, read

_SYSTEM = Path("/var/lib/dpkg")
_VENDORED = frozenset({"_vendor", "vendor", "vendored", "third_party", "node_modules"})


@dataclass(frozen=True, kw_only=True)
class Package:
    name: str
    metadata: str
    """What it says of itself, without the long description."""
    files: tuple[Path, ...]
    root: Path
    """Below which its files have their own names."""


@cache
def packages() -> tuple[Package, ...]:
    """Every package with files in the places where text is taken from; each file is in one of them at least."""
    roots = tuple(f"{root}/" for root in places())
    known = [*_distributions(), *_system()]
    owned = {path for package in known for path in package.files}
    here = [package for package in known if any(str(path).startswith(roots) for path in package.files)]
    return (*here, *_others(owned))


def related(names: Iterable[str]) -> set[Path]:
    """Every file of every package that has to do with one of the names, or is called as a word of one is."""
    names = list(names)
    words = {word for name in names for word in name.lower().split("-")}
    word = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, names))})(?![^\W\d_])", re.IGNORECASE)
    found: set[Path] = set()
    for package in packages():
        if (
            package.name.lower() in words
            or word.search(package.metadata)
            or any(word.search(str(path.relative_to(package.root))) for path in package.files)
        ):
            found.update(package.files)
        found.update(path for path in package.files if _VENDORED.intersection(path.parts))
    return found


def _distributions() -> Iterator[Package]:
    root = Path(sysconfig.get_path("purelib"))
    for package in distributions(path=[str(root)]):
        headers = "\n".join(f"{key}: {value}" for key, value in package.metadata.items() if key != "Description")
        files = tuple(root / file for file in package.files or () if ".." not in file.parts)
        yield Package(name=package.metadata["Name"], metadata=headers, files=files, root=root)


def _system() -> Iterator[Package]:
    status = _SYSTEM / "status"
    for paragraph in status.read_text("utf-8", "replace").split("\n\n") if status.is_file() else ():
        name = paragraph.partition("\n")[0].removeprefix("Package: ")
        for listing in (_SYSTEM / "info" / f"{name}.list", *(_SYSTEM / "info").glob(f"{name}:*.list")):
            if listing.is_file():
                files = tuple(Path(line) for line in listing.read_text("utf-8").splitlines() if line != "/.")
                stated = read(Path("/usr/share/doc", name, "copyright")) or b""
                yield Package(name=name, metadata=f"{paragraph}\n{stated.decode()}", files=files, root=Path("/"))


def _others(owned: set[Path]) -> Iterator[Package]:
    """What no package lists, by the first part of its path in its place."""
    for root in places():
        groups: dict[str, list[Path]] = defaultdict(list)
        for path in sorted(root.rglob("*")):
            if path not in owned:
                groups[path.relative_to(root).parts[0].removesuffix(".py")].append(path)
        yield from (Package(name=name, metadata="", files=tuple(files), root=root) for name, files in groups.items())
