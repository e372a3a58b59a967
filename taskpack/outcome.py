"""Results of stages that are not a noun: a rejection, or a wait for a model. Both are answers, not faults."""

from __future__ import annotations

from dataclasses import dataclass
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
    ENVIRONMENT_DIFFERS = "environment-differs"
    NAME_TAKEN = "name-taken"
    MAP_NOT_INVERTIBLE = "map-not-invertible"
    IDENTITY_LEFT = "identity-left"
    DRAFT_REFUSED = "draft-refused"
    GATE_FAILED = "gate-failed"


@dataclass(frozen=True, kw_only=True)
class ReasonText:
    """A reason for people."""

    means: str
    remedy: str


REASONS = {
    Reason.LICENCE: ReasonText(
        means="licence texts and metadata do not agree on a licence that the order accepts",
        remedy="read the evidence; choose another upstream, or add the SPDX id to `licences` in order.toml",
    ),
    Reason.UNSUITABLE: ReasonText(
        means="the source cannot become a task: hostile archive, no tests, no public interface, or too large",
        remedy="choose another upstream or version",
    ),
    Reason.TESTS_FAIL: ReasonText(
        means="the upstream's own tests do not pass in the environment, or not as many as the order expects",
        remedy="the evidence names failed tests, each with its error, and ends with the log: correct `testing` in"
        " order.toml; on the reference, take back the rename that reaches too far,"
        " or give `rename.literals` more of the text",
    ),
    Reason.ENVIRONMENT_DIFFERS: ReasonText(
        means="two builds of an environment from one lock do not hold the same files",
        remedy="read the paths in the evidence; leave out the requirement that they belong to, or take another version",
    ),
    Reason.NAME_TAKEN: ReasonText(
        means="the neutral name is not free or not neutral",
        remedy="choose another `product.name` in order.toml; repowright names CASE proposes some",
    ),
    Reason.MAP_NOT_INVERTIBLE: ReasonText(
        means="two names would become one, a new name is in the source already, or a rename reaches into"
        " a hash, an escape or another project's name",
        remedy="read the places in the evidence; change the replacement in `rename` of order.toml,"
        " or name what must stay in `rename.kept`",
    ),
    Reason.IDENTITY_LEFT: ReasonText(
        means="the renamed source still holds a trace of the upstream that renaming cannot reach",
        remedy="add the string to `rename.literals` in order.toml, or choose another upstream",
    ),
    Reason.DRAFT_REFUSED: ReasonText(
        means="a model's draft still has findings after the allowed attempts",
        remedy="read the findings; raise `attempts` in order.toml and answer again",
    ),
    Reason.GATE_FAILED: ReasonText(
        means="a gate stops release", remedy="`repowright explain CODE` for each gate in the evidence"
    ),
}


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
