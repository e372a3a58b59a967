"""Names of other projects that a tree's manifests and lock files show, as far as a rename would reach into them."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from environments.languages.writing import Layout, Manifest
from environments.languages.writings import manifests_of
from neutralize.replace import Replacer
from neutralize.spelling import key, lexemes
from taskpack.files import walk

_MAX_BYTES = 16 * 1024 * 1024
_NAME = re.compile(r"\s*(@?[A-Za-z0-9][\w.+-]*(?:/[\w.+-]+)*)")
_SKIPPED = frozenset({"node_modules", ".git"})


@dataclass(frozen=True, kw_only=True)
class Needed:
    """Another project's name."""

    name: str
    where: str
    """The manifest that shows it."""
    runs: bool
    """Whether the product itself needs it, not its development alone."""


@dataclass(frozen=True, kw_only=True)
class ThirdParty:
    """What a rename must not reach into."""

    needed: tuple[Needed, ...]

    def spans(self, text: str) -> Iterator[tuple[int, int, Needed]]:
        """Where one of the names stands, in any spelling of its words."""
        for needed in self.needed:
            for match in _spelled(needed.name).finditer(text):
                yield match.start(), match.end(), needed


def third_party(tree: Path, replacer: Replacer) -> ThirdParty:
    """Dependencies whose names hold a surface of the map. The project's own names, as its manifests give them, are
    none; broken manifests say nothing.
    """
    own: set[str] = set()
    found: dict[str, Needed] = {}
    for path in walk(tree):
        name = path.relative_to(tree).as_posix()
        for manifest in manifests_of(name) if not _SKIPPED & set(PurePosixPath(name).parts) else ():
            data = _read(path, manifest)
            own |= {key(said) for said in _said(data, manifest, manifest.own)}
            for runs, places in ((True, manifest.needs), (False, manifest.tools)):
                for said in _said(data, manifest, places):
                    known = found.get(said)
                    if known is None or (runs and not known.runs):
                        found[said] = Needed(name=said, where=name, runs=runs)
    kept = [needed for said, needed in sorted(found.items()) if key(said) not in own and replacer.spans(said)]
    return ThirdParty(needed=tuple(kept))


def _spelled(name: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in lexemes(name)]
    return re.compile(rf"(?<![^\W_]){r'[-_./]?'.join(words)}(?![^\W_])", re.IGNORECASE)


def _read(path: Path, manifest: Manifest) -> Any:
    """What a manifest holds, or its text; nothing for what cannot be read."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_BYTES:
        return None
    text = path.read_text("utf-8", "replace")
    try:
        match manifest.layout:
            case Layout.TOML:
                return tomllib.loads(text)
            case Layout.JSON:
                return json.loads(text)
            case Layout.INI:
                parser = configparser.RawConfigParser(strict=False)
                parser.read_string(text)
                return {section: dict(parser.items(section)) for section in parser.sections()}
            case Layout.LINES:
                return text
    except (ValueError, RecursionError, configparser.Error):
        return None


def _said(data: Any, manifest: Manifest, places: Iterable[str]) -> Iterator[str]:
    """The names at some places of a manifest."""
    if isinstance(data, str):
        yield from (match[1] for place in places for match in re.finditer(place, data))
    elif isinstance(data, dict):
        for place in places:
            for value in _at(data, place.split(".")):
                yield from _names(value, own=place in manifest.own)


def _at(value: Any, steps: list[str]) -> Iterator[Any]:
    if not steps:
        yield value
    elif isinstance(value, dict):
        # A key may hold dots itself: `options.extras_require` is one section of an INI file.
        for take in range(1, len(steps) + 1):
            wanted = ".".join(steps[:take])
            for name in value if "*" in wanted else (wanted,) if wanted in value else ():
                if fnmatchcase(str(name), wanted):
                    yield from _at(value[name], steps[take:])


def _names(value: Any, *, own: bool) -> Iterator[str]:
    if isinstance(value, str):
        for line in value.splitlines():
            if found := _NAME.match(line):
                yield found[1]
    elif isinstance(value, dict) and not own:
        # A lock file of npm gives folders.
        yield from (name.rpartition("node_modules/")[2] for name in value if name)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item.get("name") if isinstance(item, dict) else item, own=own)
