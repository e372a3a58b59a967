"""Where a case stands, read from our own records. Nothing is run, nothing is made, Prefect is not asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from flows.asking import Drifts
from flows.holding import Seen, look, run_folder
from flows.report import receipts
from flows.run import Run, StageDefinition, Step, recall
from providers.choose import intents_of
from providers.intents import Intent
from providers.mailbox import State, listing
from providers.replies import ReplyStore
from taskpack.outcome import Rejected, Stage
from taskpack.receipt import Receipt
from taskpack.release import Release


class Word(StrEnum):
    """A stage's state."""

    DONE = "done"
    REJECTED = "rejected"
    RUNNING = "running"
    WAITING = "waiting"
    TO_DO = "to do"


@dataclass(frozen=True, kw_only=True)
class Row:
    stage: Stage
    state: Word
    what: str


@dataclass(frozen=True, kw_only=True)
class Standing:
    """All that is known of a case."""

    rows: tuple[Row, ...]
    run: Seen
    waiting: tuple[str, ...]
    """Ids of requests in the inbox that nobody has answered."""
    unanswered: tuple[Intent, ...]
    """Requests that were sent to a provider that costs, and whose replies are not stored: in flight while a run
    lives, possibly paid when none does."""
    drift: tuple[str, ...]
    """Ids of requests that read otherwise today than when their stored replies were given."""
    gates: tuple[Receipt, ...]
    """Of the gates as they are today; empty when they have not looked at the case as it is today."""
    old_receipts: int
    """How many receipts lie in the case that are not of today's."""
    released: bool

    @property
    def done(self) -> int:
        return sum(row.state is Word.DONE for row in self.rows)

    @property
    def rejected(self) -> Row | None:
        return next((row for row in self.rows if row.state is Word.REJECTED), None)


def standing(run: Run, stages: Sequence[StageDefinition]) -> Standing:
    """Read everything once. Raises `RecordUnreadable` for a broken record."""
    seen = look(run.work, run.case)
    steps = _stored(run, stages)
    waiting = _waiting(run)
    found = receipts(run, steps)
    kept = len(list(run.case.receipts.glob("*.json")))
    return Standing(
        rows=tuple(_rows(stages, steps, seen, waiting)),
        run=seen,
        waiting=waiting,
        unanswered=possibly_paid(run),
        drift=Drifts.read(run_folder(run.work, run.case) / "drift.json").requests,
        gates=found,
        old_receipts=0 if found else kept,
        released=bool(steps) and isinstance(steps[-1].result, Release),
    )


def _stored(run: Run, stages: Sequence[StageDefinition]) -> list[Step]:
    """The stages that have a result, up to the first that has none or stops."""
    steps: list[Step] = []
    for definition in stages:
        result = recall(run, definition)
        if result is None:
            break
        steps.append(Step(stage=definition.stage, result=result, reused=True, seconds=0.0))
        if steps[-1].stops:
            break
    return steps


def _rows(stages: Sequence[StageDefinition], steps: Sequence[Step], seen: Seen, waiting: Sequence[str]) -> list[Row]:
    rows = []
    running = seen.holding.stage if seen.alive and seen.holding else None
    wanted = {name.split(".")[1] for name in waiting}
    for index, definition in enumerate(stages):
        stage, state, what = definition.stage, Word.TO_DO, definition.about
        if index < len(steps):
            result = steps[index].result
            state = Word.REJECTED if isinstance(result, Rejected) else Word.DONE
            what = result.message if isinstance(result, Rejected) else what
        elif stage == running:
            state, what = Word.RUNNING, (seen.holding and seen.holding.note) or what
        elif index == len(steps) and stage in wanted and not (steps and steps[-1].stops):
            state = Word.WAITING
        rows.append(Row(stage=stage, state=state, what=what))
    return rows


def _waiting(run: Run) -> tuple[str, ...]:
    mine = (item for item in listing(run.work.inbox) if item.id.startswith(f"{run.case.id}."))
    return tuple(item.id for item in mine if item.state is State.WAITING)


def possibly_paid(run: Run) -> tuple[Intent, ...]:
    """Requests that were on their way to a vendor when a run ended."""
    return intents_of(run.work.inbox).possibly_paid(run.case.id, ReplyStore(root=run.case.replies))
