"""Audits of all cases: one after the other, kept as one file a run, and compared from run to run."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

from flows.auditing import Asked, prepared, today
from flows.exits import Exit
from flows.settings import Settings, engine_version
from neutralize.audit.changes import Changes, changes
from neutralize.audit.report import Answer, AuditReport
from taskpack.errors import BadInput, RepowrightError
from taskpack.files import write_bytes
from taskpack.record import Part, Record

EXITS = {
    Answer.NEUTRAL: Exit.DONE,
    Answer.NAMES: Exit.NO,
    Answer.INCOMPLETE: Exit.UNREAD,
    Answer.DECISIONS: Exit.UNDECIDED,
    Answer.UNKNOWN: Exit.UNKNOWING,
}
_WORST = (Answer.NAMES, Answer.INCOMPLETE, Answer.DECISIONS, Answer.UNKNOWN, Answer.NEUTRAL)


class CaseAudit(Part):
    """One case in a run."""

    case: str
    report: AuditReport | None
    """In the private form; None when the case could not be audited."""
    fault: str = ""
    exit_code: int = 0
    """Of the fault."""


class AuditRun(Record):
    """One audit of all cases."""

    started: dt.datetime
    engine: str
    cases: tuple[CaseAudit, ...]


def all_cases(settings: Settings) -> tuple[str, ...]:
    """Ids of the cases, sorted. Raises `BadInput` when there is none."""
    found = tuple(sorted(order.parent.name for order in settings.cases.glob("*/order.toml")))
    if not found:
        raise BadInput(
            "there is no case to audit", details={"folder": str(settings.cases)}, remedy="name the folder with --cases"
        )
    return found


def audit_one(settings: Settings, case: str) -> CaseAudit:
    """Audit one case. What is wrong with it alone is told in its row, so that the others are audited too."""
    try:
        with prepared(settings, Asked(what=case)) as ready:
            return CaseAudit(case=case, report=ready.report(today=today()))
    except RepowrightError as error:
        return CaseAudit(case=case, report=None, fault=error.render(), exit_code=error.exit_code)


def keep(settings: Settings, rows: tuple[CaseAudit, ...], *, started: dt.datetime) -> Path:
    """Write a finished run into the history."""
    run = AuditRun(started=started, engine=engine_version(), cases=rows)
    path = settings.work.audits / f"{started:%Y%m%dT%H%M%S.%fZ}.json"
    write_bytes(path, run.to_bytes(), mode=0o600)
    return path


def run_all(
    settings: Settings, note: Callable[[str], None], audit: Callable[[str], CaseAudit]
) -> tuple[Path, AuditRun]:
    """Audit every case with `audit`, keep the run, and say where."""
    started = dt.datetime.now(tz=dt.UTC)
    rows = []
    for case in all_cases(settings):
        row = audit(case)
        note(f"{case}: {row.report.answer if row.report else row.fault.splitlines()[0]}")
        rows.append(row)
    path = keep(settings, tuple(rows), started=started)
    return path, AuditRun.from_bytes(path.read_bytes(), where=str(path))


def exit_of(run: AuditRun) -> int:
    """A case that names its source counts most, then one that could not be audited, then the others' answers."""
    answers = {row.report.answer for row in run.cases if row.report}
    faults = [row.exit_code for row in run.cases if row.report is None]
    if faults and Answer.NAMES not in answers:
        return faults[0]
    return EXITS[next(answer for answer in _WORST if answer in answers)]


def history(settings: Settings, case: str) -> tuple[tuple[dt.datetime, CaseAudit], ...]:
    """All audits of a case that were kept, the oldest first. Raises `RecordUnreadable`."""
    files = sorted(settings.work.audits.glob("*.json")) if settings.work.audits.is_dir() else []
    runs = [AuditRun.from_bytes(path.read_bytes(), where=str(path)) for path in files]
    return tuple((run.started, row) for run in runs for row in run.cases if row.case == case)


def last_change(settings: Settings, case: str) -> Changes | None:
    """Between the last two audits of a case that gave a report; None when there is only one.

    Raises `BadInput` when there is none.
    """
    reports = [row.report for _, row in history(settings, case) if row.report]
    if not reports:
        raise BadInput(
            f"no audit of {case} was kept",
            details={"folder": str(settings.work.audits)},
            remedy="repowright audit --all",
        )
    return changes(reports[-2], reports[-1]) if len(reports) > 1 else None
