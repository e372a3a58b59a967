"""A run for a Prefect server's page: what the command prints at its end, as artifacts. No Prefect here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flows.hints import Hints
from flows.progress import state
from flows.report import Sheet, ending, gate_sheet, ledger, ledger_sheet, receipts, stage_sheet
from flows.run import Run, Step


@dataclass(frozen=True, kw_only=True)
class Artifact:
    """One thing on the page: a table where it has one, else a text."""

    key: str
    """Letters, digits and dashes, the same for each run over a case: the page then shows how it changed."""
    about: str
    table: Sheet | None = None
    markdown: str = ""


def artifacts(run: Run, steps: Sequence[Step], hints: Hints) -> tuple[Artifact, ...]:
    """What a run that came as far as `steps` leaves on the page."""
    sheets = {
        "stages": stage_sheet(steps),
        "gates": gate_sheet(receipts(run, steps)),
        "ledger": ledger_sheet(ledger(run.case)),
    }
    tables = [
        Artifact(key=f"{run.case.id}-{name}", about=f"{run.case.id}: {sheet.title}", table=sheet)
        for name, sheet in sheets.items()
        if sheet.rows
    ]
    return (
        *tables,
        Artifact(key=f"{run.case.id}-verdict", about=f"{run.case.id}: verdict", markdown=verdict(run, steps, hints)),
    )


def verdict(run: Run, steps: Sequence[Step], hints: Hints) -> str:
    """Markdown: what the run came to, where things are, and the next command."""
    lines, answer = ending(run, steps, hints)
    reused = sum(step.reused for step in steps)
    counts = f"{len(steps)} stages, {reused} of them reused; the last is `{steps[-1].stage}`, {state(steps[-1])}."
    # Fenced: paths and messages hold what Markdown would read as its own.
    return "\n".join((f"# {run.case.id}: {answer}", "", counts, "", "````text", *lines, "````", ""))
