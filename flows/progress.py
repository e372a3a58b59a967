"""How a run looks while it works, and its tables at the end."""

from __future__ import annotations

import time
from pathlib import Path

from flows.console import Output
from flows.run import Run, Step
from taskpack.layout import CaseFolder
from taskpack.ledger import LedgerEntry
from taskpack.outcome import Rejected, Stage, Waiting
from taskpack.receipt import Receipt
from taskpack.release import GateReport, Release


class Progress:
    """One line a stage on stderr, as it starts and as it ends."""

    def __init__(self, out: Output, *, total: int) -> None:
        self.out = out
        self.total = total
        self.steps: list[Step] = []
        self._begun = time.monotonic()

    def note(self, text: str) -> None:
        self.out.say(f"[{time.monotonic() - self._begun:6.1f}s] {text}")

    def started(self, stage: Stage) -> None:
        self.note(f"{len(self.steps) + 1}/{self.total} {stage} ...")

    def finished(self, step: Step) -> None:
        self.steps.append(step)
        how = "reused" if step.reused else f"{step.seconds:.1f}s"
        self.note(f"{len(self.steps)}/{self.total} {step.stage}: {state(step)} ({how})")


def state(step: Step) -> str:
    """One word for what a stage came to."""
    match step.result:
        case Rejected():
            return "rejected"
        case Waiting():
            return "waiting"
        case _:
            return "done"


def report(run: Run, out: Output, steps: list[Step]) -> None:
    """Stage table, gate table, ledger, and where things are; the last line sums up."""
    out.table(
        "stages",
        ("stage", "state", "how", "seconds"),
        [(step.stage, state(step), "reused" if step.reused else "made", f"{step.seconds:.1f}") for step in steps],
    )
    receipts = _receipts(run, steps)
    if receipts:
        out.table(
            "gates",
            ("gate", "verdict", "message"),
            [(one.code, one.verdict, one.message) for one in receipts],
        )
    ledger = _ledger(run.case)
    if ledger:
        from providers.ledger import COLUMNS, ledger_rows  # noqa: PLC0415

        out.table("ledger: each reply as it was first given", COLUMNS, ledger_rows(ledger))
    lines, answer = _ending(run, steps)
    for line in lines:
        out.show(line)
    out.result(
        {
            "case": run.case.id,
            "answer": answer,
            "stages": [{"stage": step.stage, "state": state(step), "reused": step.reused} for step in steps],
            "gates": [{"code": one.code, "verdict": one.verdict, "message": one.message} for one in receipts],
            "result": steps[-1].result.model_dump(mode="json"),
            "bundle": str(_bundle(run)) if answer == "released" else None,
        }
    )


def _bundle(run: Run) -> Path:
    from flows.releasing import bundle_folder  # noqa: PLC0415 (releasing imports run, as this does)

    return bundle_folder(run)


def _ending(run: Run, steps: list[Step]) -> tuple[list[str], str]:
    result = steps[-1].result
    match result:
        case Rejected():
            lines = [f"rejected at {result.stage}: {result.message} ({result.reason})"]
            lines += [f"  {fact.where + ': ' if fact.where else ''}{fact.what}" for fact in result.evidence[:30]]
            return [
                *lines,
                f"  again   {result.command}",
                f"  explain repowright explain {result.reason}",
            ], "rejected"
        case Waiting():
            lines = [f"  {request}" for request in result.requests]
            return [
                f"waiting for {len(result.requests)} reply at {result.stage}; read it with `repowright inbox`",
                *lines,
            ], "waiting"
        case Release():
            return [
                f"task    {run.case.root}",
                f"bundle  {_bundle(run)}",
                *(f"not checked: {text}" for text in result.not_checked),
                f"released {result.case_id}: {len(result.gates)} gates passed, {len(result.files)} files",
            ], "released"
        case _:
            return [f"{run.case.id}: {steps[-1].stage} is done"], "done"


def _receipts(run: Run, steps: list[Step]) -> tuple[Receipt, ...]:
    for step in steps:
        if step.stage is Stage.GATES and isinstance(step.result, GateReport):
            return step.result.receipts
        if step.stage is Stage.GATES:
            folder = CaseFolder(root=run.tree(Stage.GATES) / run.case.id).receipts
            return tuple(
                Receipt.from_bytes(path.read_bytes(), where=str(path)) for path in sorted(folder.glob("*.json"))
            )
    return ()


def _ledger(case: CaseFolder) -> list[LedgerEntry]:
    if not case.ledger.is_file():
        return []
    from providers.ledger import Ledger  # noqa: PLC0415

    return list(Ledger(case.ledger).entries())
