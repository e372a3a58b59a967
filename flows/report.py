"""The tables at the end of a run: stages, gates, ledger, and where things are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.console import Output
from flows.hints import Hints
from flows.progress import state
from flows.releasing import bundle_folder
from flows.run import Run, Step
from providers.ledger import COLUMNS, Ledger, ledger_rows
from taskpack.layout import CaseFolder
from taskpack.ledger import LedgerEntry
from taskpack.outcome import Rejected, Stage, Waiting
from taskpack.receipt import Receipt
from taskpack.release import GateReport, Release


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table for people."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def report(run: Run, out: Output, steps: Sequence[Step], hints: Hints) -> None:
    """Stage table, gate table, ledger, and where things are; the last line sums up."""
    for sheet in (stage_sheet(steps), gate_sheet(receipts(run, steps)), ledger_sheet(ledger(run.case))):
        if sheet.rows:
            out.table(sheet.title, sheet.columns, sheet.rows)
    lines, answer = ending(run, steps, hints)
    for line in lines:
        out.show(line)
    out.result(
        {
            "case": run.case.id,
            "answer": answer,
            "stages": [{"stage": step.stage, "state": state(step), "reused": step.reused} for step in steps],
            "gates": [
                {"code": one.code, "verdict": one.verdict, "message": one.message} for one in receipts(run, steps)
            ],
            "result": steps[-1].result.model_dump(mode="json"),
            "bundle": str(bundle_folder(run)) if answer == "released" else None,
        }
    )


def stage_sheet(steps: Sequence[Step]) -> Sheet:
    return Sheet(
        title="stages",
        columns=("stage", "state", "how", "seconds"),
        rows=tuple(
            (step.stage, state(step), "reused" if step.reused else "made", f"{step.seconds:.1f}") for step in steps
        ),
    )


def gate_sheet(found: Sequence[Receipt]) -> Sheet:
    return Sheet(
        title="gates",
        columns=("gate", "verdict", "message"),
        rows=tuple((one.code, one.verdict, one.message) for one in found),
    )


def ledger_sheet(entries: Sequence[LedgerEntry]) -> Sheet:

    rows = tuple(tuple(row) for row in ledger_rows(entries))
    return Sheet(title="ledger: each reply as it was first given", columns=tuple(COLUMNS), rows=rows)


def receipts(run: Run, steps: Sequence[Step]) -> tuple[Receipt, ...]:
    """The receipts of the gates stage, whether it passed or not; nothing when it was not reached."""
    for step in steps:
        if step.stage is Stage.GATES and isinstance(step.result, GateReport):
            return step.result.receipts
        if step.stage is Stage.GATES and isinstance(step.result, Rejected):
            folder = CaseFolder(root=run.tree(Stage.GATES) / run.case.id).receipts
            return tuple(
                Receipt.from_bytes(path.read_bytes(), where=str(path)) for path in sorted(folder.glob("*.json"))
            )
    return ()


def ledger(case: CaseFolder) -> tuple[LedgerEntry, ...]:
    if not case.ledger.is_file():
        return ()
    return Ledger(case.ledger).entries()


def places(run: Run) -> tuple[tuple[str, Path], ...]:
    """Where task and bundle of a released case are."""
    return ("task", run.case.root), ("bundle", bundle_folder(run))


def ending(run: Run, steps: Sequence[Step], hints: Hints) -> tuple[list[str], str]:
    """What the run came to, in lines and in one word."""
    result = steps[-1].result
    match result:
        case Rejected():
            lines = [f"rejected at {result.stage}: {result.message} ({result.reason})"]
            lines += [f"  {fact.where + ': ' if fact.where else ''}{fact.what}" for fact in result.evidence[:30]]
            return [
                *lines,
                f"  again   {hints.author(run.case.id, '--again', result.stage)}",
                f"  explain repowright explain {result.reason}",
            ], "rejected"
        case Waiting():
            count = f"{len(result.requests)} {'reply' if len(result.requests) == 1 else 'replies'}"
            return [
                f"waiting for {count} at {result.stage}; read what is asked with `{hints.say('inbox')}`",
                *(f"  {request}" for request in result.requests),
            ], "waiting"
        case Release():
            return [
                *(f"{name:<7} {place}" for name, place in places(run)),
                *(f"not checked: {text}" for text in result.not_checked),
                f"released {result.case_id}: {len(result.gates)} gates passed, {len(result.files)} files",
            ], "released"
        case _:
            return [f"{run.case.id}: {steps[-1].stage} is done"], "done"
