"""The plain runner: reuse, resume, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flows.run import Run, StageDefinition, advance, case_lock, forget
from providers.interface import Reply, Request
from providers.mailbox import Mailbox, listing
from providers.replies import ReplyStore
from taskpack.errors import CaseBusy
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import Language, read_order
from taskpack.outcome import Reason, Rejected, Stage, Waiting
from taskpack.recipe import Recipe
from taskpack.record import Record


class Nobody:
    """A provider that has no answers."""

    name = "nobody"

    def ask(self, request: Request) -> Reply | None:
        return None


@pytest.fixture
def run(tmp_path: Path, checkout: Path) -> Run:
    order = read_order(checkout / "cases/case001/order.toml")
    case = CaseFolder(root=tmp_path / "cases" / "case001")
    case.root.mkdir(parents=True)
    return Run(case=case, order=order, work=WorkFolder(root=tmp_path / "work"), provider=Nobody())


def stage_that(
    make: Callable[[Run, Path], Record], *, version: int = 1, inputs: dict[str, str] | None = None
) -> StageDefinition:
    return StageDefinition(
        stage=Stage.PIN,
        version=version,
        about="",
        kinds=(Recipe,),
        inputs=lambda _: inputs or {"a": "1"},
        make=make,
    )


def counted(results: list[Record]) -> tuple[list[int], Callable[[Run, Path], Record]]:
    calls: list[int] = []

    def make(run: Run, scratch: Path) -> Record:
        (scratch / "tree").mkdir()
        (scratch / "tree" / "file").write_text("made")
        calls.append(1)
        return results[min(len(calls), len(results)) - 1]

    return calls, make


RECIPE = Recipe(language=Language.PYTHON, python="3.11", packages=())
REJECTED = Rejected(stage=Stage.PIN, reason=Reason.LICENCE, message="no", evidence=(), command="x")


def test_a_finished_stage_is_not_made_again(run: Run) -> None:
    calls, make = counted([RECIPE])
    first = advance(run, stage_that(make))
    second = advance(run, stage_that(make))
    assert (first.reused, second.reused, len(calls)) == (False, True, 1)
    assert second.result == RECIPE
    assert (run.tree(Stage.PIN) / "file").read_text() == "made"


def test_another_input_or_version_makes_the_stage_again(run: Run) -> None:
    calls, make = counted([RECIPE])
    advance(run, stage_that(make))
    advance(run, stage_that(make, inputs={"a": "2"}))
    advance(run, stage_that(make, version=2))
    assert len(calls) == 3


def test_a_rejection_is_an_answer_and_is_kept(run: Run) -> None:
    calls, make = counted([REJECTED])
    advance(run, stage_that(make))
    step = advance(run, stage_that(make))
    assert step.result == REJECTED.model_copy(update={"command": "repowright author case001 --again pin"})
    assert step.stops
    assert len(calls) == 1


def test_a_rejection_that_is_forgotten_is_made_again(run: Run) -> None:
    calls, make = counted([REJECTED, RECIPE])
    advance(run, stage_that(make))
    assert forget(run, stage_that(make))
    assert not forget(run, stage_that(make))
    assert advance(run, stage_that(make)).result == RECIPE
    assert len(calls) == 2


def test_a_wait_is_asked_again(run: Run) -> None:
    calls, make = counted([Waiting(stage=Stage.PIN, requests=("r",)), RECIPE])
    assert advance(run, stage_that(make)).stops
    assert advance(run, stage_that(make)).result == RECIPE
    assert len(calls) == 2


def test_a_stage_that_raises_leaves_nothing_behind(run: Run) -> None:
    def broken(run: Run, scratch: Path) -> Record:
        (scratch / "half").write_text("half")
        raise OSError("boom")

    with pytest.raises(OSError, match="boom"):
        advance(run, stage_that(broken))
    assert list(run.work.stages.iterdir()) == []


def test_a_result_whose_inputs_grew_while_it_was_made_is_found_by_the_next_run(run: Run) -> None:
    replies = {"replies": "none"}

    def make(run: Run, scratch: Path) -> Record:
        replies["replies"] = "one"
        return RECIPE

    definition = StageDefinition(
        stage=Stage.SPEC, version=1, about="", kinds=(Recipe,), inputs=lambda _: dict(replies), make=make
    )
    advance(run, definition)
    assert advance(run, definition).reused


def test_two_runs_cannot_hold_one_case(run: Run) -> None:
    with case_lock(run), pytest.raises(CaseBusy, match="case001"), case_lock(run):
        pass
    with case_lock(run):
        pass


@pytest.mark.parametrize("result", [RECIPE, REJECTED, Waiting(stage=Stage.PIN, requests=("case001.pin.FP-01.1",))])
def test_a_stage_that_is_done_leaves_no_request_behind_and_one_that_is_not_leaves_them_open(
    run: Run, result: Record
) -> None:
    mailbox = Mailbox(inbox=run.work.inbox, store=ReplyStore(root=run.case.replies))
    mailbox.ask(Request(case_id="case001", stage=Stage.PIN, unit="FP-01", attempt=1, prompt="Draft it.", schema={}))
    advance(run, stage_that(counted([result])[1]))
    assert bool(listing(run.work.inbox)) == (result is not RECIPE)
