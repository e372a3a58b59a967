"""Candidates around the reference whose reward is known beforehand: controls, rewrites, vacuous workspaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from environments.languages.python.hollow import hollow_workspaces
from environments.languages.python.rewrite import (
    commented,
    relaid,
    renamed,
    reordered,
    run_by_import,
    with_bodies,
)
from validation.workspaces import copy_reference, import_roots, product_files, write_files

ALWAYS_RAISES = 'raise RuntimeError("always raises")'


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A workspace that can be made and the reward that a right suite gives it."""

    name: str
    expected: int
    make: Callable[[Path], None]
    """Writes the workspace to a folder that does not exist yet."""


def controls(reference: Path, product_paths: Sequence[str]) -> tuple[Variant, ...]:
    """The always-raising mutant (0) and the comment-only change (1)."""
    files = product_files(reference, product_paths)
    raising = broken(files, ALWAYS_RAISES, dunders=True)
    comment = {path: commented(source) for path, source in files.items()}
    return (
        _variant("always-raising", 0, reference, raising),
        _variant("comment-only", 1, reference, comment),
    )


def preserving(reference: Path, product_paths: Sequence[str]) -> tuple[Variant, ...]:
    """Rewrites that behave as the reference does: other private names, another order, another layout."""
    files = product_files(reference, product_paths)
    rewrites = {
        "renamed-privates": renamed(files),
        "reordered-definitions": {path: reordered(source) for path, source in files.items()},
        "other-layout": {path: relaid(source) for path, source in files.items()},
    }
    return tuple(_variant(name, 1, reference, changed) for name, changed in rewrites.items())


def vacuous(reference: Path, product_paths: Sequence[str]) -> tuple[Variant, ...]:
    """Workspaces that hold nothing, empty files, or stubs with the reference's public names."""
    files = product_files(reference, product_paths)
    hollow = hollow_workspaces(files, import_roots(files, product_paths))
    return tuple(Variant(name=each.name, expected=0, make=partial(write_files, files=each.files)) for each in hollow)


def broken(files: Mapping[str, bytes], statement: str, *, dunders: bool) -> dict[str, bytes]:
    """The product with `statement` first in every public function; importing it still works."""
    keep = run_by_import(files)
    return {path: with_bodies(source, statement, keep=keep, dunders=dunders) for path, source in files.items()}


def _variant(name: str, expected: int, reference: Path, replaced: Mapping[str, bytes]) -> Variant:
    return Variant(name=name, expected=expected, make=partial(copy_reference, reference, replaced=replaced))
