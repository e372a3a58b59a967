"""Results of stages that are not a noun: a rejection, or a wait for a model. Both are answers, not faults."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from taskpack.record import Part, Record


class Stage(StrEnum):
    """Stages of authoring, in order."""

    PIN = "pin"
    ENVIRONMENT = "environment"
    SURVEY = "survey"
    NAMES = "names"
    REFERENCE = "reference"
    SPEC = "spec"
    TESTS = "tests"
    GATES = "gates"
    RELEASE = "release"


class Reason(StrEnum):
    LICENCE = "licence-not-accepted"
    UNSUITABLE = "unsuitable"
    TESTS_FAIL = "upstream-tests-fail"
    NAME_TAKEN = "name-taken"
    MAP_NOT_INVERTIBLE = "map-not-invertible"
    DRAFT_REFUSED = "draft-refused"
    GATE_FAILED = "gate-failed"


class Fact(Part):
    """One piece of evidence."""

    what: str
    where: str = ""


class Rejected(Record):
    """The stage's answer is no."""

    kind: Literal["rejected"] = "rejected"
    stage: Stage
    reason: Reason
    message: str
    evidence: tuple[Fact, ...]
    command: str
    """Reproduces the rejection."""


class Waiting(Record):
    """The stage needs replies that nobody has given yet."""

    kind: Literal["waiting"] = "waiting"
    stage: Stage
    requests: tuple[str, ...]
    """Ids, as `repowright inbox` lists them."""
