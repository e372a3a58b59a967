"""Decisions of a person on places that only might name the upstream."""

from __future__ import annotations

import datetime as dt
import fcntl
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from neutralize.decide import Found
from neutralize.finding import Finding
from taskpack.files import make_folder, write_bytes
from taskpack.record import Part, Record

FILE = "waivers.json"


class Waiver(Part):
    """One decision. It holds for a term on lines of one wording in one file, not for a line number."""

    rule: str = "term"
    """The rule whose finding it is about."""
    term: str
    path: str
    line_digest: str
    """As the scan prints it."""
    reason: str
    expires: dt.date
    """Last day on which it holds."""

    @property
    def place(self) -> tuple[str, str, str, str]:
        return self.rule, self.term, self.path, self.line_digest


class Waivers(Record):
    """`provenance/waivers.json`."""

    waivers: tuple[Waiver, ...]


class Fate(StrEnum):
    """What became of a waiver in one scan."""

    HOLDS = "holds"
    EXPIRED = "expired"
    UNUSED = "unused"
    """Nothing is found there any more, or the line reads otherwise."""
    NO_REASON = "no reason"
    REFUSED = "refused"
    """It is about a hit, which no waiver lets through."""


@dataclass(frozen=True, kw_only=True)
class Waived:
    """A review that a person has decided."""

    finding: Finding
    waiver: Waiver


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """Findings, split by what the waivers say of them."""

    standing: tuple[Finding, ...]
    waived: tuple[Waived, ...]
    fates: tuple[tuple[Waiver, Fate], ...]
    """Every waiver of the file, in its order."""


def read_waivers(path: Path) -> Waivers:
    """The stored decisions; none when there is no file. Raises `RecordUnreadable`."""
    return Waivers.from_bytes(path.read_bytes(), where=str(path)) if path.is_file() else Waivers(waivers=())


def weigh(findings: Iterable[Finding], waivers: Waivers, *, today: dt.date) -> Weighed:
    """What still stands. A hit is never waived, and a decision that ran out or gives no reason counts no more."""
    good = {w.place: w for w in waivers.waivers if today <= w.expires and w.reason.strip()}
    standing: list[Finding] = []
    waived: list[Waived] = []
    met: dict[tuple[str, str, str, str], bool] = {}
    for finding in findings:
        place = (finding.rule, finding.term, finding.path, finding.line_digest)
        hit = finding.found is Found.HIT
        met[place] = met.get(place, False) or not hit
        if hit or place not in good:
            standing.append(finding)
        else:
            waived.append(Waived(finding=finding, waiver=good[place]))
    fates = tuple((waiver, _fate(waiver, met, today)) for waiver in waivers.waivers)
    return Weighed(standing=tuple(standing), waived=tuple(waived), fates=fates)


def _fate(waiver: Waiver, met: dict[tuple[str, str, str, str], bool], today: dt.date) -> Fate:
    if not waiver.reason.strip():
        return Fate.NO_REASON
    if today > waiver.expires:
        return Fate.EXPIRED
    if waiver.place not in met:
        return Fate.UNUSED
    return Fate.HOLDS if met[waiver.place] else Fate.REFUSED


def add_waiver(path: Path, waiver: Waiver) -> Waivers:
    """Write one decision into the file at `path`, in place of an older one about the same place.

    Others that write at this moment wait, and a reader sees the old file or the new. Raises `RecordUnreadable`, and
    then nothing is changed.
    """
    make_folder(path.parent)
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        kept = [one for one in read_waivers(path).waivers if one.place != waiver.place]
        made = Waivers(waivers=tuple(sorted([*kept, waiver], key=lambda one: (one.path, *one.place))))
        write_bytes(path, made.to_bytes())
        return made
    finally:
        os.close(descriptor)
