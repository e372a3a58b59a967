"""Observations and verdicts."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from taskpack.record import Part, Record, Sha256


class CallOutcome(StrEnum):
    """What one call came to (`docs/wire.md`)."""

    RETURNED = "returned"
    RAISED = "raised"
    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMEOUT = "timeout"
    LIMIT = "limit"
    MALFORMED = "malformed"


class Observation(Part):
    """What a probe saw. Values are wire values."""

    outcome: CallOutcome
    value: Any = None
    error_types: tuple[str, ...] = ()
    """The error's own type, then its bases."""
    message: str = ""
    seconds: float = 0.0


class NodeResult(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    MISSING = "missing"
    DUPLICATE = "duplicate"
    EXTRA = "extra"


class NodeReport(Part):
    id: str
    result: NodeResult
    cause: str = ""
    """What a person needs to see: the first line of the failed assertion or the call that went wrong."""


class Judged(StrEnum):
    """Whether there is a reward at all."""

    JUDGED = "judged"
    INFRA = "infra"
    """Evidence from outside the product sandbox that the machinery broke. No reward."""
    UNJUDGEABLE = "unjudgeable"
    """`infra` three times in a row, while the reference passed beside it. No reward; counted apart from failures."""


class Verdict(Record):
    """The answer about one candidate."""

    outcome: Judged
    reward: int | None
    """1 if and only if every frozen node was collected once and passed; null when it is not judged."""
    candidate: Sha256
    """Tree digest of the workspace."""
    suite: Sha256
    seed: str
    backend: str
    base: str
    limits_by: str = ""
    """What held the bounds of the sandboxes' process trees, see `Sandbox.limits_by`."""
    nodes: tuple[NodeReport, ...]
    """Sorted by id."""
    causes: tuple[str, ...]
    """Why it is not 1, most telling first; empty for reward 1."""
