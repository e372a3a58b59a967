"""Names of folders and files in a workspace that say where a copy of the upstream lies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from neutralize.submitted.report import Hit
from taskpack.denylist import Denylist
from taskpack.requested import VENDORED, folded

_IMPORTABLE = frozenset({"", "src", "lib", "python"})
"""Folders whose children can be imported by their name."""
_METADATA = (".dist-info", ".egg-info", ".egg", ".data")
_MODULE = re.compile(r"\.(?:py|pyi|pyx|pyc|pyo|so|pyd|abi3\.so|cpython-[\w-]+\.so|js|mjs|cjs|ts)$")
_VERSION = re.compile(r"[-_.@]v?\d.*$")


def place_hits(paths: Iterable[str], bans: Denylist) -> Iterator[Hit]:
    """Folders and files that carry a banned name where that says that they are the banned thing: below a folder for
    others' code, as the metadata of an installed distribution, as a Python package anywhere, or as a module where a
    product's own lie."""
    all_paths = tuple(paths)
    packages = {path.rpartition("/")[0] for path in all_paths if path.endswith(("/__init__.py", "/__init__.pyc"))}
    told: set[tuple[str, str]] = set()
    for path in all_paths:
        for token, place in _named(PurePosixPath(path).parts, bans, packages):
            if (token, place) not in told:
                told.add((token, place))
                yield Hit(path=place, line=0, token=token, text="a copy under its own name")


def _named(parts: tuple[str, ...], bans: Denylist, packages: set[str]) -> Iterator[tuple[str, str]]:
    vendored = False
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        names = {folded(part), folded(_VERSION.sub("", part))}
        if part.lower().endswith(_METADATA):
            names = {folded(part.partition("-")[0]), folded(part.rpartition(".")[0])}
        elif vendored:
            names |= {folded(_MODULE.sub("", part))} if last else set()
            names |= {folded("/".join(parts[start : number + 1])) for start in range(max(0, number - 2), number)}
        elif _is_module(parts, number, last=last) or "/".join(parts[: number + 1]) in packages:
            names = {folded(_MODULE.sub("", part)) if last else folded(part)}
        else:
            names = set()
        token = next((bans.names[name] for name in sorted(names) if name in bans.names), "")
        if token:
            yield token, "/".join(parts[: number + 1])
        vendored = vendored or part.lower() in VENDORED


def _is_module(parts: tuple[str, ...], number: int, *, last: bool) -> bool:
    """Whether a part of a path is a module or package that a product could import by this name."""
    importable = number == 0 or (number == 1 and parts[0] in _IMPORTABLE)
    return importable and bool(_MODULE.search(parts[-1])) and (last or number < len(parts) - 1)
