"""The whole command line over one little stage, so that drafting is seen from outside without sandboxes.

python -m tests.integration.providers.little author case901 ...
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from authoring.drafting import Desk, Feedback, draft, draft_all
from flows.commands import author, status
from flows.knowing import Screening
from flows.main import main
from flows.run import Run, StageDefinition
from providers.ledger import Ledger
from taskpack.files import tree_digest
from taskpack.outcome import Rejected, Stage, Waiting
from taskpack.record import Part, Record

UNITS = ("FP-01", "FP-02", "FP-03")


class Word(Part):
    word: str


class Words(Record):
    words: tuple[str, ...]


def _prompt(feedback: Feedback | None) -> str:
    wrong = "" if feedback is None else f"Not this:\n{feedback.reply}\n"
    return f"Say a word.\n{wrong}"


def _make(run: Run, _scratch: Path) -> Record:
    desk = Desk(order=run.order, provider=run.provider, record=Ledger(run.case.ledger).append, note=run.note)
    answer = draft_all(UNITS, lambda name, _: _draft(name, desk))
    return Words(words=tuple(each.word for each in answer.values())) if isinstance(answer, dict) else answer


def _draft(name: str, desk: Desk) -> Word | Rejected | Waiting:
    return draft(
        Word,
        desk=desk,
        stage=Stage.TESTS,
        unit=name,
        prompt=_prompt,
        check=lambda answer: [f"{answer.word} is wrong"] if answer.word == "wrong" else [],
    )


def _inputs(run: Run) -> Mapping[str, str]:
    return {"replies": tree_digest(run.case.replies) if run.case.replies.is_dir() else ""}


class NothingKnown(Screening):
    """This stage has no source that a reply could name."""

    def __call__(self, reply: Any) -> None:
        return None


STAGES = (StageDefinition(stage=Stage.TESTS, version=1, about="words", kinds=(Words,), inputs=_inputs, make=_make),)

if __name__ == "__main__":
    author.STAGES = status.STAGES = STAGES  # type: ignore[misc]
    author.Screening = NothingKnown  # type: ignore[misc,attr-defined]
    main()
