"""`repowright status CASE`: where a case stands, from our own records; nothing is run."""

from __future__ import annotations

import typer

from flows.commands.author import open_run, possibly_paid
from flows.console import Output
from flows.options import AsJson, Case, Cases, Work
from flows.pipeline import STAGES
from flows.run import Run, recall
from flows.settings import resolve
from providers.mailbox import listing
from taskpack.outcome import Rejected, Stage


def register(app: typer.Typer) -> None:
    app.command("status")(status)


def status(case: Case, as_json: AsJson = False, cases: Cases = None, work: Work = None) -> None:
    """Show each stage of CASE: done, rejected, or to do, and the requests that wait for a reply."""
    settings = resolve(cases=cases, work=work)
    run = open_run(settings, case, provider="replay")
    rows = _rows(run)
    waiting = [
        row.id for row in listing(settings.work.inbox) if row.id.startswith(f"{case}.") and row.state == "waiting"
    ]
    out = Output(as_json=as_json)
    out.table(f"{case}", ("stage", "state", "what"), rows)
    for request in waiting:
        out.show(f"waiting: {request}")
    unsure = [(intent.id, intent.provider, intent.sends) for intent in possibly_paid(run)]
    for request, vendor, sends in unsure:
        out.show(f"possibly paid: {request}, sent to {vendor} {sends}x without a stored reply")
    receipts = _receipts(run)
    if receipts:
        out.show(receipts)
    done = sum(state == "done" for _, state, _ in rows)
    out.show(f"{done} of {len(rows)} stages are done")
    out.result(
        {
            "case": case,
            "stages": [{"stage": s, "state": t, "what": w} for s, t, w in rows],
            "waiting": waiting,
            "possibly_paid": [{"id": request, "provider": vendor, "sends": n} for request, vendor, n in unsure],
            "receipts": receipts,
        }
    )


def _receipts(run: Run) -> str:
    """Whether the receipts in the case still speak of its inputs: they do when the gates stage is found under them."""
    count = len(list(run.case.receipts.glob("*.json")))
    if not count:
        return ""
    fresh = Stage.GATES in run.results
    return f"{count} receipts in the case: {'fresh' if fresh else 'stale, an input has changed or was never seen here'}"


def _rows(run: Run) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    for definition in STAGES:
        known = all(state == "done" for _, state, _ in rows)
        result = recall(run, definition) if known else None
        if isinstance(result, Rejected):
            rows.append((definition.stage, "rejected", result.message))
        else:
            rows.append((definition.stage, "to do" if result is None else "done", definition.about))
    return rows
