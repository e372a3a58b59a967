"""Files and folders that a command line sends its program to: what they ask for, read and never run.

Uses the standard library alone: a solver's image carries it.
"""

from __future__ import annotations

import ast
import re
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from environments.shims.commands import Manifests, Pattern, Wish
from environments.shims.manifests import (
    Asked,
    Included,
    cfg_file,
    go_mod,
    json_file,
    metadata_name,
    requirement_lines,
    setup_call,
    toml_file,
    yaml_lists,
    yarn_lock,
)
from taskpack.requested import of_crate

_BYTES = 8 * 1024 * 1024
_FILES = 200
_METADATA = re.compile(
    r"(?:^|/)(?:METADATA|PKG-INFO|package\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|go\.mod|control)$"
)
_DEEP = 3
_FAULTS = (OSError, ValueError, RecursionError, MemoryError, SyntaxError, RuntimeError, NotImplementedError, EOFError,
           zlib.error, zipfile.BadZipFile, tarfile.TarError)  # fmt: skip


def _setup(text: str) -> Iterator[Asked]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from setup_call(ast.parse(text))


READERS: dict[str, Callable[[str], Iterable[Asked | Included]]] = {
    "pyproject.toml": toml_file,
    "uv.lock": toml_file,
    "setup.cfg": cfg_file,
    "setup.py": _setup,
    "package.json": json_file,
    "package-lock.json": json_file,
    "npm-shrinkwrap.json": json_file,
    "yarn.lock": yarn_lock,
    "pnpm-lock.yaml": yaml_lists,
    "go.mod": go_mod,
    "go.work": go_mod,
    "Cargo.toml": lambda text: toml_file(text, reader=of_crate),
    "Cargo.lock": lambda text: toml_file(text, reader=of_crate),
    "METADATA": metadata_name,
    "PKG-INFO": metadata_name,
    "environment.yml": yaml_lists,
    "environment.yaml": yaml_lists,
}


@dataclass
class Followed:
    """Everything asked for behind some wishes. Files that cannot be read are `unread`: their program will say so."""

    folder: Path
    patterns: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)

    def all(self, wishes: Iterable[Wish], folder: Path | None = None) -> Iterator[Asked]:
        """Wishes themselves, then what their files and folders hold, files that these include as well."""
        folder = folder or self.folder
        for wish in wishes:
            if isinstance(wish, Asked):
                yield wish
            elif isinstance(wish, Pattern):
                self.patterns.append(wish.text)
            elif isinstance(wish, Manifests):
                yield from self._upwards(folder, wish.names)
            else:
                yield from self._included(folder, wish)

    def _included(self, folder: Path, wish: Included) -> Iterator[Asked]:
        try:
            yield from self._place(folder / Path(wish.place).expanduser(), project=wish.project)
        except _FAULTS:  # a name that is too long, of nobody's home, with a zero in it
            self.unread.append(wish.place)

    def _upwards(self, folder: Path, names: tuple[str, ...]) -> Iterator[Asked]:
        """The nearest folder with one of the manifests, as the programs look for it."""
        for place in (folder, *folder.parents):
            if any((place / name).is_file() for name in names):
                for name in names:
                    yield from self._file(place / name)
                return

    def _place(self, path: Path, *, project: bool) -> Iterator[Asked]:
        if path.is_dir():
            for name in ("pyproject.toml", "setup.cfg", "setup.py", "package.json", "go.mod", "Cargo.toml"):
                yield from self._file(path / name)
        elif project and path.is_file():
            yield from self._archive(path)
        elif not project:
            yield from self._file(path, READERS.get(path.name, requirement_lines))

    def _file(self, path: Path, reader: Callable[[str], Iterable[Asked | Included]] | None = None) -> Iterator[Asked]:
        reader = reader or READERS.get(path.name)
        if reader is None or path in self._seen or len(self._seen) >= _FILES or not path.is_file():
            return
        self._seen.add(path)
        try:
            with path.open("rb") as file:
                text = file.read(_BYTES).decode("utf-8-sig", "replace")
            yield from self.all(reader(text), path.parent)
        except _FAULTS:
            self.unread.append(str(path))

    def _archive(self, path: Path) -> Iterator[Asked]:
        """Metadata in a wheel, a source archive or an npm tarball: a file's name can be any."""
        try:
            for name, data in _members(path):
                base = name.rpartition("/")[2]
                reader = READERS.get(base, metadata_name)
                yield from (one for one in reader(data.decode("utf-8", "replace")) if isinstance(one, Asked))
        except _FAULTS:
            self.unread.append(str(path))


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if _wanted(info.filename):
                    with archive.open(info) as file:
                        yield info.filename, file.read(_BYTES)
    elif tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            for member in archive:
                opened = archive.extractfile(member) if member.isfile() and _wanted(member.name) else None
                if opened is not None:
                    yield member.name, opened.read(_BYTES)


def _wanted(name: str) -> bool:
    return name.count("/") < _DEEP and bool(_METADATA.search(name))
