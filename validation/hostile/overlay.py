"""Hostile candidates on a product in any language: files laid over a wrong product, and over the right one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from taskpack.files import walk
from validation.hostile.candidate import HostileCandidate, Side
from validation.workspaces import copy_reference, write_files

_KEPT = "kept"


def make_candidate(
    candidate: HostileCandidate, side: Side, product: Path, dest: Path, *, right: Path | None = None
) -> None:
    """Write one side's workspace to `dest`, which must not exist.

    `product` is the workspace of a wrong product for an attack, of a right one for a twin. What lies in the side's
    `workspace/` is put over it; what lies in its `appended/` goes to the end of the product's files of those names.
    Where the candidate has `links`, all files of an attack are links to those of `right`, the right product where it
    lies; of a twin, to copies inside.
    """
    replaced = {path: source.read_bytes() for path, source in _files(candidate.folder / side / "workspace")}
    for path, source in _files(candidate.folder / side / "appended"):
        start = replaced[path] if path in replaced else (product / path).read_bytes()
        replaced[path] = start + b"\n" + source.read_bytes()
    copy_reference(product, dest, replaced=replaced)
    for path, source in _files(candidate.folder / side / "workspace"):
        (dest / path).chmod(source.stat().st_mode & 0o777)
    if candidate.links and side is Side.ATTACK:
        assert right is not None  # noqa: S101 (a caller's mistake)
        _link(dest, {path: source.resolve() for path, source in _files(right)})
    elif candidate.links:
        files = dict(_files(product))
        write_files(dest / _KEPT, {path: source.read_bytes() for path, source in files.items()})
        _link(dest, {path: Path(*[".."] * path.count("/"), _KEPT, path) for path in files})


def _files(folder: Path) -> list[tuple[str, Path]]:
    return [(path.relative_to(folder).as_posix(), path) for path in walk(folder) if path.is_file()]


def _link(dest: Path, targets: Mapping[str, Path]) -> None:
    for path, target in targets.items():
        (dest / path).unlink(missing_ok=True)
        (dest / path).symlink_to(target)
