"""Hostile candidates as they lie in their folders: what each attacks, what stops it, what its harmless twin scores."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from taskpack.errors import BadInput
from taskpack.record import Part
from validation.hostile.made import Made

HOME = Path(__file__).parent


class Language(StrEnum):
    """What the product is written in that a candidate attacks: the name of its folder's folder."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    GO = "go"
    COMMAND = "command"


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
    """`<language>/<name>/candidate.toml`. Beside it lie `attack/` and `twin/`.

    Python: `at_import.py` is put at the end of what an import of the product runs, `product/` on the import path,
    `workspace/` at the workspace's root. Other languages: see `validation.hostile.overlay`.
    """

    language: Language
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

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return HOME / self.language / self.name


def candidates(language: Language = Language.PYTHON) -> tuple[HostileCandidate, ...]:
    """All of one language, sorted by name."""
    return tuple(_read(path, language) for path in sorted((HOME / language).glob("*/candidate.toml")))


def _read(path: Path, language: Language) -> HostileCandidate:
    try:
        candidate = HostileCandidate.model_validate({**tomllib.loads(path.read_text("utf-8")), "language": language})
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise BadInput(f"{path} is not a candidate", details={"fact": str(error)}, remedy="correct it") from error
    if candidate.name != path.parent.name:
        raise BadInput(f"{path} names another candidate", details={"name": candidate.name}, remedy="correct the name")
    return candidate
