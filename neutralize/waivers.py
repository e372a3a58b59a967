"""Decisions of a person on places that only might name the upstream."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from neutralize.decide import Found
from neutralize.finding import Finding
from taskpack.record import Part, Record


class Waiver(Part):
    """One decision. It holds for a term on lines of one wording in one file, not for a line number."""

    term: str
    path: str
    line_digest: str
    """As the scan prints it."""
    reason: str
    expires: dt.date
    """Last day on which it holds."""


class Waivers(Record):
    """`provenance/waivers.json`."""

    waivers: tuple[Waiver, ...]


def read_waivers(path: Path) -> Waivers:
    """The stored decisions; none when there is no file. Raises `RecordUnreadable`."""
    return Waivers.from_bytes(path.read_bytes(), where=str(path)) if path.is_file() else Waivers(waivers=())


def unwaived(findings: Iterable[Finding], waivers: Waivers, *, today: dt.date) -> tuple[Finding, ...]:
    """What still stands. A hit is never waived, and a decision that ran out counts no more."""
    held = {(w.term, w.path, w.line_digest) for w in waivers.waivers if today <= w.expires and w.reason.strip()}
    return tuple(
        finding
        for finding in findings
        if finding.found is Found.HIT or (finding.term, finding.path, finding.line_digest) not in held
    )
