"""A receipt: the record of one gate. It goes stale when an input or the gate's version changes."""

from __future__ import annotations

from enum import StrEnum

from taskpack.record import Part, Record


class GateVerdict(StrEnum):
    PASS = "pass"  # noqa: S105 (a verdict, no password)
    FAIL = "fail"
    SKIP = "skip"


class Input(Part):
    name: str
    digest: str


class Receipt(Record):
    code: str
    gate_version: int
    verdict: GateVerdict
    message: str
    evidence: tuple[str, ...]
    inputs: tuple[Input, ...]
    """Sorted by name: files, helpers, seeds, environment."""
    command: str
    """Makes the same check again."""
    backend: str
    """Sandbox that it ran in."""
    base: str
    """Root file system of that sandbox."""
    limits_by: str = ""
    """What held the bounds of its process trees: `cgroup-v1`, `cgroup-v2`, `watcher`."""
    engine: str
    """Version of Repowright; informational, not an input."""
