"""Under plain pytest: where the product lies, and how it is kept out of what the tests import.

It travels with each suite, outside the harness: until the product's folders are gone, every import could run its code.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

WORKSPACE = "CODING_BENCH_WORKSPACE"
_MANIFEST = "test_manifest.json"


@cache
def product_folders(tests: Path) -> tuple[Path, ...]:
    """The product's import path: `product_paths` of the manifest beside `tests`, in the workspace.

    The workspace is `CODING_BENCH_WORKSPACE`, or the manifest's `workdir` in the working directory. Where no manifest
    is at hand, PYTHONPATH tells the paths. Raises `ValueError` for a manifest that cannot be read.
    """
    said = _manifest(tests)
    if said is None:
        return _named() or (_workspace("."),)
    return tuple((_workspace(said.workdir) / part).resolve() for part in said.product_paths)


def product_language(tests: Path) -> str:
    """The language of the suite's scenarios. Raises as `product_folders`."""
    said = _manifest(tests)
    return said.language if said else "python"


def workspace_folder(tests: Path) -> Path:
    """The candidate's folder. Raises as `product_folders`."""
    said = _manifest(tests)
    return _workspace(said.workdir if said else ".")


class _Said:
    """What the manifest says of the product."""

    def __init__(self, said: Any) -> None:
        self.workdir: str = said.get("workdir", ".")
        self.product_paths: list[str] = list(said["product_paths"])
        self.language: str = said.get("language", "python")


@cache
def _manifest(tests: Path) -> _Said | None:
    manifest = tests.parent / _MANIFEST
    if not manifest.is_file():
        return None
    import json  # noqa: PLC0415 (`leave_product` has made sure that it is not the product's)

    try:
        return _Said(json.loads(manifest.read_bytes()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{manifest} does not tell product_paths ({error!r}): copy the suite again, its manifest beside tests/"
        ) from error


def leave_product(tests: Path) -> None:
    """Take every folder of the product off `sys.path`, and every module that came from one out of `sys.modules`.

    The workspace itself, the working directory and what PYTHONPATH names in them go as well. Folders with installed
    packages stay, and so does `tests`.
    """
    always = {_workspace("."), Path.cwd().resolve(), *_named()}
    _leave(always, tests)
    _leave({*always, *product_folders(tests)}, tests)


def _leave(folders: set[Path], tests: Path) -> None:
    places = {part: Path(part).resolve() for part in sys.path}
    gone = set(places.values()) & folders - {tests}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name != "__main__" and isinstance(file, str) and not Path(file).is_relative_to(tests):
            holders = [place for place in places.values() if Path(file).resolve().is_relative_to(place)]
            if max(holders, key=lambda place: len(place.parts), default=None) in gone:
                del sys.modules[name]
    sys.path[:] = [part for part, place in places.items() if place not in gone]
    sys.path_importer_cache.clear()


def _workspace(workdir: str) -> Path:
    named = os.environ.get(WORKSPACE)
    return (Path(named) if named else Path.cwd() / workdir).resolve()


def _named() -> tuple[Path, ...]:
    """What PYTHONPATH names, as far as it can be the product's: parts in the workspace or the working directory."""
    parts = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    found: list[Path] = []
    for base in dict.fromkeys((_workspace("."), Path.cwd().resolve())):
        found += [path for path in ((base / part).resolve() for part in parts) if path.is_relative_to(base)]
    return tuple(dict.fromkeys(path for path in found if path.is_dir()))
