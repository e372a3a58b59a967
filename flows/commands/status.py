"""`repowright status CASE`: where a case stands, from our own records; nothing is run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from environments.choose import Backend
from flows.commands.author import open_run
from flows.console import Output
from flows.hints import Hints
from flows.holding import Holding, Seen, utc_now
from flows.options import AsJson, BackEnd, Case, Cases, Work
from flows.pipeline import STAGES
from flows.releasing import bundle_folder
from flows.report import gate_sheet
from flows.run import Run
from flows.settings import resolve
from flows.standing import Standing, standing

EVERY_S = 2.0


def register(app: typer.Typer) -> None:
    app.command("status")(status)


def status(
    case: Case,
    watch: Annotated[bool, typer.Option("--watch", help="Show it again until no run holds the case.")] = False,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Show where CASE stands: its stages, what a run is at, requests that wait, gates, task and bundle."""
    settings = resolve(cases=cases, work=work)
    out = Output(as_json=as_json)
    hints = Hints(cases=cases, work=work, backend=backend)

    def once() -> tuple[Run, Standing]:
        run = open_run(settings, case, provider="replay", backend=backend)
        return run, standing(run, STAGES)

    run, found = once()
    while watch and found.run.alive:
        if not as_json:
            _show(out, run, found, hints)
        time.sleep(EVERY_S)
        out.clear()
        run, found = once()
    _show(out, run, found, hints)
    out.result(document(run, found, hints))


def _show(out: Output, run: Run, found: Standing, hints: Hints) -> None:
    out.table(run.case.id, ("stage", "state", "what"), [(row.stage, row.state, row.what) for row in found.rows])
    if found.gates:
        sheet = gate_sheet(found.gates)
        out.table(sheet.title, sheet.columns, sheet.rows)
    for line in _lines(run, found, hints):
        out.show(line)


def _lines(run: Run, found: Standing, hints: Hints) -> Iterator[str]:
    if found.old_receipts:
        yield f"{found.old_receipts} receipts in the case: stale, an input has changed or was never seen here"
    for request in found.drift:
        yield f"drift    {request} has changed since its stored reply was given"
    for request in found.waiting:
        yield f"waiting  {request}"
    for intent in found.unanswered:
        word = "in flight" if found.run.alive else "possibly paid"
        yield f"{word}: {intent.id}, sent to {intent.provider} {intent.sends}x without a stored reply"
    yield from _run_lines(found.run, utc_now())
    if found.released:
        yield f"task    {run.case.root}"
        yield f"bundle  {bundle_folder(run)}"
    yield f"{found.done} of {len(found.rows)} stages are done"
    following = next_command(run, found, hints)
    if following:
        yield f"next    {following}"


def _run_lines(seen: Seen, now: datetime) -> Iterator[str]:
    holding = seen.holding
    if holding is None:
        if seen.alive:
            yield "running  a run holds the case, and has not said what it is at"
        return
    where = f" in {holding.stage}" if holding.stage else ""
    if not seen.alive:
        yield f"killed   the run of {_clock(holding.since)} (pid {holding.pid}) ended without a word{where}"
        return
    yield f"running  pid {holding.pid} since {_clock(holding.since)}, {_span(now - holding.since)}"
    if holding.stage and holding.stage_since:
        yield f"         {holding.stage} for {_span(now - holding.stage_since)}"
    if holding.note:
        yield f"         {holding.note} ({_span(now - holding.note_at)} ago)"
    if holding.page:
        yield f"         {holding.page}"


def next_command(run: Run, found: Standing, hints: Hints) -> str | None:
    """What brings the case further; None while a run is at it, and when nothing is left."""
    if found.run.alive or found.released:
        return None
    if found.rejected:
        return hints.author(run.case.id, "--again", found.rejected.stage)
    if found.waiting:
        return hints.say("inbox")
    return hints.author(run.case.id)


def document(run: Run, found: Standing, hints: Hints) -> dict[str, Any]:
    """The same facts for machines: `docs/status.md` has the shape."""
    holding = _holding(found.run.holding)
    sent = [{"id": intent.id, "provider": intent.provider, "sends": intent.sends} for intent in found.unanswered]
    return {
        "case": run.case.id,
        "stages": [{"stage": row.stage, "state": row.state, "what": row.what} for row in found.rows],
        "done": found.done,
        "running": (holding or {}) if found.run.alive else None,
        "killed": None if found.run.alive else holding,
        "waiting": list(found.waiting),
        "in_flight": sent if found.run.alive else [],
        "possibly_paid": [] if found.run.alive else sent,
        "drift": list(found.drift),
        "gates": [{"code": one.code, "verdict": one.verdict, "message": one.message} for one in found.gates],
        "stale_receipts": found.old_receipts,
        "task": str(run.case.root),
        "bundle": str(bundle_folder(run)) if found.released else None,
        "next": next_command(run, found, hints),
    }


def _holding(holding: Holding | None) -> dict[str, Any] | None:
    return None if holding is None else holding.model_dump(mode="json", exclude={"schema_version"})


def _clock(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def _span(length: timedelta) -> str:
    seconds = max(0, int(length.total_seconds()))
    minutes, rest = divmod(seconds, 60)
    return f"{minutes}m {rest:02}s" if minutes else f"{rest}s"
