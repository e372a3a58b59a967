"""Hostile candidates on any reference in Python: an attack that breaks the product and lies, and its harmless twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from taskpack.files import walk
from validation.hostile.candidate import HostileCandidate, Side
from validation.hostile.made import make_files
from validation.variants import broken
from validation.workspaces import copy_reference, import_roots, product_files, write_files

_KEPT = "kept"


def make_attack(candidate: HostileCandidate, reference: Path, product_paths: Sequence[str], dest: Path) -> None:
    """Write the attack's workspace to `dest`, which must not exist."""
    files = product_files(reference, product_paths)
    raises = not candidate.statement.startswith("return")
    wrong = broken(files, candidate.statement, dunders=raises) if candidate.statement else files
    copy_reference(reference, dest, replaced=_overlaid(candidate, Side.ATTACK, wrong, product_paths))
    if candidate.links:
        _link(dest, {path: reference.resolve() / path for path in files})
    if candidate.made:
        make_files(candidate.made, dest, files, product_paths, harmless=False)


def make_twin(candidate: HostileCandidate, reference: Path, product_paths: Sequence[str], dest: Path) -> None:
    """Write the twin's workspace to `dest`: the reference with files that look alike and do no harm."""
    files = product_files(reference, product_paths)
    copy_reference(reference, dest, replaced=_overlaid(candidate, Side.TWIN, files, product_paths))
    if candidate.links:
        write_files(dest / _KEPT, files)
        _link(dest, {path: Path(*[".."] * path.count("/"), _KEPT, path) for path in files})
    if candidate.made:
        make_files(candidate.made, dest, files, product_paths, harmless=True)


def _link(dest: Path, targets: Mapping[str, Path]) -> None:
    for path, target in targets.items():
        (dest / path).unlink()
        (dest / path).symlink_to(target)


def _overlaid(
    candidate: HostileCandidate, side: Side, files: dict[str, bytes], product_paths: Sequence[str]
) -> dict[str, bytes]:
    folder, replaced = candidate.folder / side, dict(files)
    payload = folder / "at_import.py"
    if payload.is_file():
        for root in import_roots(files, product_paths):
            replaced[root] = files[root] + b"\n\n" + payload.read_bytes()
    for path in walk(folder / "workspace"):
        replaced[path.relative_to(folder / "workspace").as_posix()] = path.read_bytes()
    for path in walk(folder / "product"):
        replaced[f"{product_paths[0]}/{path.relative_to(folder / 'product').as_posix()}"] = path.read_bytes()
    return replaced
