"""Hostile candidates on a product in any language: files laid over a wrong product, and over the right one."""

from __future__ import annotations

from pathlib import Path

from taskpack.files import walk
from validation.hostile.candidate import HostileCandidate, Side
from validation.workspaces import copy_reference


def make_candidate(candidate: HostileCandidate, side: Side, product: Path, dest: Path) -> None:
    """Write one side's workspace to `dest`, which must not exist.

    `product` is the workspace of a wrong product for an attack, of a right one for a twin. What lies in the side's
    `workspace/` is put over it; what lies in its `appended/` goes to the end of the product's files of those names.
    """
    replaced = {path: source.read_bytes() for path, source in _files(candidate.folder / side / "workspace")}
    for path, source in _files(candidate.folder / side / "appended"):
        start = replaced[path] if path in replaced else (product / path).read_bytes()
        replaced[path] = start + b"\n" + source.read_bytes()
    copy_reference(product, dest, replaced=replaced)
    for path, source in _files(candidate.folder / side / "workspace"):
        (dest / path).chmod(source.stat().st_mode & 0o777)


def _files(folder: Path) -> list[tuple[str, Path]]:
    return [(path.relative_to(folder).as_posix(), path) for path in walk(folder) if path.is_file()]
