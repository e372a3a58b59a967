"""Hostile candidates on any reference: an attack that breaks the product and lies, and its harmless twin."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from taskpack.errors import BadInput
from taskpack.files import walk
from taskpack.record import Part
from validation.hostile.made import Made, make_files
from validation.variants import broken
from validation.workspaces import copy_reference, import_roots, product_files, write_files

PYTHON = Path(__file__).parent / "python"
_KEPT = "kept"


class Side(StrEnum):
    """The folders of a candidate."""

    ATTACK = "attack"
    TWIN = "twin"


class Aim(StrEnum):
    """What an attack is after."""

    PROFIT = "profit"
    DAMAGE = "damage"


class Naive(StrEnum):
    """Who falls for an attack: graders that read one thing alone, or that only stand in the same place."""

    REPORT = "report"
    EXIT_CODE = "exit code"
    OUTPUT = "output"
    BESIDE = "beside"


class HostileCandidate(Part):
    """`candidate.toml`. Beside it lie `attack/` and `twin/` with `at_import.py`, `product/`, `workspace/` at will.

    `at_import.py` is put at the end of what an import of the product runs, `product/` on the import path,
    `workspace/` at the workspace's root.
    """

    name: str
    family: str
    """What is attacked. `runner`, `comparison` and `shadow` are tried on every case by the SEC gates; `report`, `wire`,
    `process`, `value` and `machine` on the tiny case of the tests."""
    aim: Aim
    attack: str
    """What it does, in a sentence."""
    defence: str
    """What stops it."""
    cause: str
    """A part of one of the causes of its 0, where each call has a uid of its own."""
    naive: Naive
    aimed_at: str = ""
    """Nodes that a naive grader is given, as an expression of pytest's -k, where the attack is not made for all."""
    statement: str = ""
    """Put first in every public function of the attack, so that the product is wrong for certain. Without it
    `at_import.py` or `links` sees to that."""
    never: str = ""
    """A part that no cause may have: what the attack says when it has got what it was after."""
    links: bool = False
    """Links take the place of the product's files: to the reference where it lies, in the twin to copies inside."""
    made: Made | None = None
    """What is put into the workspace beside files that can be kept here."""
    reward: int = 0
    twin_reward: int = 1


def candidates() -> tuple[HostileCandidate, ...]:
    """All of them, sorted by name."""
    return tuple(_read(path) for path in sorted(PYTHON.glob("*/candidate.toml")))


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
    folder, replaced = PYTHON / candidate.name / side, dict(files)
    payload = folder / "at_import.py"
    if payload.is_file():
        for root in import_roots(files, product_paths):
            replaced[root] = files[root] + b"\n\n" + payload.read_bytes()
    for path in walk(folder / "workspace"):
        replaced[path.relative_to(folder / "workspace").as_posix()] = path.read_bytes()
    for path in walk(folder / "product"):
        replaced[f"{product_paths[0]}/{path.relative_to(folder / 'product').as_posix()}"] = path.read_bytes()
    return replaced


def _read(path: Path) -> HostileCandidate:
    try:
        candidate = HostileCandidate.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise BadInput(f"{path} is not a candidate", details={"fact": str(error)}, remedy="correct it") from error
    if candidate.name != path.parent.name:
        raise BadInput(f"{path} names another candidate", details={"name": candidate.name}, remedy="correct the name")
    return candidate
