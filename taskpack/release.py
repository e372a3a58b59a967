"""What the last two stages give: the gates' report and the release."""

from __future__ import annotations

from taskpack.layout import Audience
from taskpack.order import CaseId
from taskpack.receipt import Receipt
from taskpack.record import Part, Record, Sha256


class GateReport(Record):
    """All gates of one case passed; these are their receipts, sorted by code."""

    receipts: tuple[Receipt, ...]
    backend: str
    base: str
    case_tree: Sha256
    """Digest of the assembled case that they looked at, receipts left out."""
    killed: int
    survived: int
    """Mutants left open, each with place and reason in `kill_matrix.json`."""


class ReleasedFile(Part):
    path: str
    audience: Audience
    sha256: Sha256
    size: int


class Archive(Part):
    """One audience's files as a deterministic archive."""

    audience: Audience
    file: str
    sha256: Sha256


class Release(Record):
    """`release.json` at the top of a bundle."""

    case_id: CaseId
    engine: str
    backend: str
    base: str
    files: tuple[ReleasedFile, ...]
    archives: tuple[Archive, ...]
    gates: tuple[str, ...]
    """Codes of the gates that passed."""
    not_checked: tuple[str, ...]
    """What this release does not claim, in words."""
