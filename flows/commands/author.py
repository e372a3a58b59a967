"""`repowright author CASE`: take a case through the stages, from where it stands."""

from __future__ import annotations

from typing import Annotated

import typer

from environments.choose import Backend
from flows.console import Output
from flows.exits import Exit
from flows.options import AsJson, BackEnd, Case, Cases, Work
from flows.pipeline import STAGES, until
from flows.progress import Progress, report
from flows.run import Run, StageDefinition, Step, advance, case_lock, forget, recall
from flows.settings import Settings, resolve
from providers.choose import intents_of, provider_for
from providers.intents import Intent
from providers.replies import ReplyStore
from taskpack.errors import BadInput
from taskpack.order import read_order
from taskpack.outcome import Rejected, Stage, Waiting


def register(app: typer.Typer) -> None:
    app.command("author")(author)


def author(
    case: Case,
    provider: Annotated[
        str | None,
        typer.Option(
            "--provider", help="Who drafts: mailbox, anthropic, openai or replay; the order's own by default."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="The vendor's model; the order's `drafting.model` by default.")
    ] = None,
    until_stage: Annotated[Stage | None, typer.Option("--until", help="Stop after this stage.")] = None,
    without_prefect: Annotated[
        bool, typer.Option("--plain", help="Run the stages without Prefect: same results, no run to look at.")
    ] = False,
    again: Annotated[
        Stage | None, typer.Option("--again", help="Forget what is stored of this stage and make it again.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse stored replies whose request has changed.")] = False,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Author the task of CASE: pin, environment, survey, names, reference, spec, tests, gates, release."""
    settings = resolve(cases=cases, work=work)
    run = open_run(settings, case, provider=provider, model=model, strict=strict, backend=backend)
    stages = until(STAGES, until_stage)
    out = Output(as_json=as_json)
    progress = Progress(out, total=len(stages))
    run.note = progress.note
    with case_lock(run):
        for intent in possibly_paid(run):
            progress.note(f"possibly paid: {intent.id} was on its way when a run ended; it is asked once more")
        done = _finished(run, stages, again=again)
        if len(done) == len(stages) or any(step.stops for step in done):
            for step in done:
                progress.finished(step)
            last = done[-1]
        elif without_prefect:
            last = _plain(run, stages, progress)
        else:
            last = _with_prefect(run, stages, progress)
    report(run, out, progress.steps)
    if isinstance(last.result, Rejected):
        raise typer.Exit(Exit.NO)
    if isinstance(last.result, Waiting):
        raise typer.Exit(Exit.WAITING)


def open_run(
    settings: Settings,
    name: str,
    *,
    provider: str | None = None,
    model: str | None = None,
    strict: bool = False,
    backend: Backend = Backend.AUTO,
) -> Run:
    """A run over case `name`: nothing is made yet."""
    case = settings.case(name)
    order = read_order(case.order)
    if order.case_id != case.id:
        raise BadInput(
            f"the order in {case.root} is of {order.case_id}",
            details={"folder": case.id, "case_id": order.case_id},
            remedy="give folder and case_id the same name",
        )
    chosen = provider_for(
        provider or order.provider,
        replies=case.replies,
        inbox=settings.work.inbox,
        ledger=case.ledger,
        drafting=order.drafting,
        model=model,
        strict=strict,
    )
    return Run(case=case, order=order, work=settings.work, provider=chosen, backend=backend)


def possibly_paid(run: Run) -> tuple[Intent, ...]:
    """Requests that were on their way to a vendor when a run ended."""
    return intents_of(run.work.inbox).possibly_paid(run.case.id, ReplyStore(root=run.case.replies))


def _finished(run: Run, stages: tuple[StageDefinition, ...], *, again: Stage | None) -> list[Step]:
    """What is stored already, found before any flow starts, so that a finished run returns at once."""
    steps: list[Step] = []
    for definition in stages:
        if definition.stage is again and forget(run, definition):
            break
        result = recall(run, definition)
        if result is None:
            break
        definition.after(run, result)
        steps.append(Step(stage=definition.stage, result=result, reused=True, seconds=0.0))
        if steps[-1].stops:
            break
    return steps


def _plain(run: Run, stages: tuple[StageDefinition, ...], progress: Progress) -> Step:
    step: Step | None = None
    for definition in stages:
        progress.started(definition.stage)
        step = advance(run, definition)
        progress.finished(step)
        if step.stops:
            break
    assert step is not None  # noqa: S101 (there is a first stage)
    return step


def _with_prefect(run: Run, stages: tuple[StageDefinition, ...], progress: Progress) -> Step:
    from flows.server import prefect_server  # noqa: PLC0415 (Prefect costs over a second to import)

    progress.note("starting Prefect")
    with prefect_server(run.work):
        from flows.author import author_flow  # noqa: PLC0415

        return author_flow(run, stages, watch=progress.finished, begin=progress.started)
