"""Gates on neutrality."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from judge.subject import Subject
from neutralize.audit.report import AuditReport, Kind, Mode, Place
from neutralize.audit.run import Source, search
from neutralize.audit.run import Subject as Audited
from neutralize.audit.seen import safe
from neutralize.authored import FILE as TERMS_FILE
from neutralize.authored import read_authored
from neutralize.copies.gate import GATE as COPIES
from neutralize.decide import Found
from neutralize.known.facts import Known
from neutralize.known.stored import gaps
from neutralize.waivers import FILE as WAIVERS_FILE
from neutralize.waivers import read_waivers
from taskpack.files import file_digest
from taskpack.gate import Gate, GateResult, failed, passed
from taskpack.layout import CaseFolder
from taskpack.receipt import Input
from taskpack.rename import Names, Term

LEAVES = ("public", "source", "milestones", "controls")
"""The parts of a case that somebody else than its author sees."""
_MAX_LINES = 30


def source_of(case: CaseFolder, names: Names, *, record: Path | None = None) -> Source:
    """What is known of the source of `case`: `names`, the author's word, and the record of the pinned tree.

    `record` is the whole record, where it is at hand; else what the case keeps of it counts.
    Raises `RecordUnreadable`, and `BadInput` for the author's file.
    """
    place = record or case.known
    facts = Known.from_bytes(place.read_bytes(), where=str(place)) if place.is_file() else None
    found: dict[tuple[str, str], Term] = {}
    for term in (*names.terms, *(facts.terms if facts else ())):
        found.setdefault((term.kind, term.surface), term)
    authored = read_authored(case.provenance / TERMS_FILE)
    return Source(
        mode=Mode.TERMS if facts is None else Mode.RECORD if facts.left_out else Mode.PIN,
        terms=authored.applied(found.values()) if authored else tuple(found[place] for place in sorted(found)),
        facts=facts,
        names=names,
        kept=authored.keep if authored else (),
    )


def scan_case(case: CaseFolder, source: Source, *, today: dt.date) -> AuditReport:
    """Everything that leaves `case`, opened and looked through as `repowright audit` does.

    What holds the names by purpose is left out as there: the denylist, and the manifest's term list.
    """
    waivers = read_waivers(case.provenance / WAIVERS_FILE)
    audited = Audited(path=case.root, name=case.id, kind=Kind.CASE, case=case, waivers=waivers)
    return search(audited, source, tops=LEAVES, today=today)


def _check_scan(subject: Subject) -> GateResult:
    case = subject.case
    if not case.names.is_file():
        return failed("there is no term list", evidence=("provenance/names.json is missing",))
    names = Names.from_bytes(case.names.read_bytes(), where=str(case.names))
    source = source_of(case, names, record=subject.known)
    report = scan_case(case, source, today=dt.datetime.now(tz=dt.UTC).date())
    inputs = tuple(_inputs(case, subject.known or case.known, report))
    hits = [place for place in report.findings if place.found is Found.HIT]
    reviews = [place for place in report.findings if place.found is not Found.HIT]
    evidence = [_said(place) for place in hits]
    evidence += [f"{safe(one.path)}: not scanned: {one.problem}" for one in report.coverage.rest]
    evidence += _missing(case, source, report)
    evidence += [_said(place) for place in reviews]
    if evidence:
        more = len(evidence) - _MAX_LINES
        return failed(
            f"{len(hits)} places name the source, {len(reviews)} want a decision,"
            f" {len(report.coverage.rest)} entries could not be read",
            evidence=(*evidence[:_MAX_LINES], *([f"and {more} more"] if more > 0 else [])),
            inputs=inputs,
        )
    waived = f"{len(report.waived)} places held by waivers"
    kept = f"{len(source.kept)} literals of the source kept by the author"
    return passed(
        f"{report.coverage.entries} entries name nothing: {report.terms_searched} names, {len(report.rules)} rules",
        evidence=(
            *((waived,) if report.waived else ()),
            *((kept,) if source.kept else ()),
            *(gaps(source.facts) if source.facts else ()),
        ),
        inputs=inputs,
    )


def _said(place: Place) -> str:
    where = f"{safe(place.path)}:{place.line}:{place.column}" if place.line else f"{safe(place.path)} (path)"
    seen = "" if place.view in {"raw", "path"} else f", {place.view} view"
    line = f": {place.excerpt.line.strip()}" if place.excerpt else ""
    return f"{where}: {place.surface!r} ({place.rule}, {place.found}: {place.reason}{seen}){line}"


def _missing(case: CaseFolder, source: Source, report: AuditReport) -> Iterator[str]:
    """An empty scan is no clean scan."""
    if not source.names or not source.names.terms:
        yield "provenance/names.json holds no term"
    if source.facts is None:
        yield "provenance/known.json is missing: commits, people and texts of the source were not looked for"
    told = {one.path for one in report.coverage.rest}
    for path in (case.prd, case.contract):
        name = path.relative_to(case.root).as_posix()
        if not path.is_file() and name not in told:
            yield f"{name} is missing"


def _inputs(case: CaseFolder, record: Path, report: AuditReport) -> Iterator[Input]:
    yield Input(name="names", digest=file_digest(case.names))
    yield from (Input(name="released", digest=one.digest) for one in report.inputs if one.name == "audited")
    for name, file in (
        ("known", record),
        ("waivers", case.provenance / WAIVERS_FILE),
        ("terms", case.provenance / TERMS_FILE),
    ):
        if file.is_file():
            yield Input(name=name, digest=file_digest(file))


GATES: tuple[Gate[Subject], ...] = (
    COPIES,
    Gate(
        code="NEU-SCAN",
        holds="All that leaves the case was opened and read, and tells its source neither by name nor by other traces.",
        version=2,
        cost=3,
        remedy="Reword the place; a REVIEW may be decided in provenance/waivers.json or, for a literal, in terms.toml.",
        check=_check_scan,
        # The kill matrix leaves the case as well, and stands in it from then on.
        requires=("STR-MUTANTS",),
    ),
)
