"""What an audit says. The same input gives the same bytes: neither times nor this machine's paths are in it."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from neutralize.decide import Found
from neutralize.waivers import Fate
from taskpack.record import Part, Record


class Mode(StrEnum):
    """What the audit knew of the source."""

    PIN = "pin"
    """The pinned tree: terms derived from it, and every detector."""
    RECORD = "record"
    """What the case keeps of the pinned tree: every detector, but nothing of people, and no texts to compare with."""
    TERMS = "terms"
    """A term list alone."""
    NOTHING = "nothing"
    """Only what can be recognised without knowing the source. It can never conclude that a thing is neutral."""


class Answer(StrEnum):
    """How an audit ends, in one phrase."""

    NEUTRAL = "neutral"
    NAMES = "names its source"
    INCOMPLETE = "incomplete"
    DECISIONS = "needs decisions"
    UNKNOWN = "nothing known"


class Kind(StrEnum):
    """What was audited."""

    CASE = "case"
    """A folder with an order of ours."""
    BUNDLE = "bundle"
    """One or more cases in zero2repo's layout."""
    FOLDER = "folder"
    ARCHIVE = "archive"
    IMAGE = "image"
    FILE = "file"


class Visibility(StrEnum):
    """Who gets to see a file."""

    SOLVER = "solver"
    ANYONE = "anyone"
    """No layout says who: taken to be seen by solvers."""
    HARNESS = "harness"
    JUDGE = "judge"
    AUTHOR = "author"

    @property
    def open(self) -> bool:
        """Whether a solver may see it."""
        return self in {Visibility.SOLVER, Visibility.ANYONE}


class Form(StrEnum):
    PRIVATE = "private"
    SHAREABLE = "shareable"
    """Names are term ids and keyed hashes; no text of the audited files is in it."""


class Span(Part):
    """Bytes `start` to before `end` of the file as it lies there."""

    start: int
    end: int


class Excerpt(Part):
    """The line of a finding, between its neighbours, made safe to show. In the private form only."""

    before: str
    line: str
    after: str
    start: int
    """Where in `line` the finding begins."""
    length: int


class Place(Part):
    """One finding."""

    number: int
    """From 1, in this report; 0 for a waived one."""
    rule: str
    term_id: str
    found: Found
    view: str
    role: str
    visibility: Visibility
    path: str
    line: int
    """From 1; 0 for a path."""
    column: int
    span: Span | None
    """None where the finding lies in a path, or in what is not bytes of a file."""
    surface: str
    """What stands there; its keyed hash in the shareable form."""
    line_digest: str
    reason: str
    excerpt: Excerpt | None


class WaivedPlace(Part):
    """A review that a person has decided."""

    place: Place
    reason: str
    expires: dt.date


class WaiverState(Part):
    """One waiver and what became of it."""

    rule: str
    term: str
    path: str
    line_digest: str
    expires: dt.date
    fate: Fate


class MetTerm(Part):
    """What findings of this report are about."""

    id: str
    """`T` and its place in the term list; `D` for what a detector recognised."""
    surface: str
    """Its keyed hash in the shareable form."""
    kind: str
    grade: str
    """Empty for what a detector recognised."""


class Rest(Part):
    """Something that was not scanned."""

    path: str
    role: str
    visibility: Visibility
    size: int | None
    """Bytes, where known."""
    problem: str


class LeftOut(Part):
    """Something that holds the names by purpose, known by what it is."""

    path: str
    part: str
    """The field that was left out; empty for the whole file."""
    why: str
    sha256: str


class Coverage(Part):
    """How much was scanned. What is left out by purpose does not count."""

    entries: int
    entries_scanned: int
    bytes: int
    """Of entries whose size is known."""
    bytes_scanned: int
    rest: tuple[Rest, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def complete(self) -> bool:
        return not self.rest and self.entries > 0


class Measured(StrEnum):
    MET = "met"
    NOT_MET = "not met"
    REPORTED = "reported"
    """There is a value, and no threshold."""
    NOT_MEASURED = "not measured"


class Metric(Part):
    """One row of the scorecard."""

    id: str
    name: str
    value: str
    threshold: str
    result: Measured
    why: str = ""
    """Why it was not measured, or what stands behind the value."""
    details: tuple[str, ...] = ()
    """May hold names: private form only."""


class AuditInput(Part):
    """Something that the result depends on."""

    name: str
    digest: str


class AuditReport(Record):
    """The result of one audit."""

    form: Form = Form.PRIVATE
    name: str
    """The case id, or the last part of the path."""
    kind: Kind
    mode: Mode
    answer: Answer
    notes: tuple[str, ...]
    """What a reader must know of how it was made."""
    inputs: tuple[AuditInput, ...]
    terms_searched: int
    rules: tuple[str, ...]
    """Rules that ran."""
    coverage: Coverage
    terms: tuple[MetTerm, ...]
    findings: tuple[Place, ...]
    waived: tuple[WaivedPlace, ...]
    waivers: tuple[WaiverState, ...]
    scorecard: tuple[Metric, ...]
