"""Candidate workspaces made from the reference: what belongs to the product, copies with files replaced."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from taskpack.files import space_errors, walk


def product_files(reference: Path, product_paths: Sequence[str]) -> dict[str, bytes]:
    """Path in the workspace -> source, of every Python file below the product paths, sorted by path."""
    found: dict[str, bytes] = {}
    for product_path in product_paths:
        for path in walk(reference / product_path):
            if path.suffix == ".py" and path.is_file() and not path.is_symlink():
                found[path.relative_to(reference).as_posix()] = path.read_bytes()
    return dict(sorted(found.items()))


def import_roots(files: Mapping[str, bytes], product_paths: Sequence[str]) -> tuple[str, ...]:
    """The files that `import <product>` runs first: `__init__.py` of top-level packages, top-level modules."""
    tops = {PurePosixPath(path) for path in product_paths}
    return tuple(
        path
        for path in files
        if PurePosixPath(path).parent in tops
        or (PurePosixPath(path).name == "__init__.py" and PurePosixPath(path).parent.parent in tops)
    )


def copy_reference(reference: Path, dest: Path, *, replaced: Mapping[str, bytes]) -> None:
    """A copy of the reference with some files replaced or added. `dest` must not exist."""
    with space_errors(dest):
        shutil.copytree(reference, dest, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    write_files(dest, replaced)


def write_files(dest: Path, files: Mapping[str, bytes]) -> None:
    """A workspace of just these files; `dest` is made when it is not there."""
    with space_errors(dest):
        dest.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = dest / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
