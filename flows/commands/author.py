"""`repowright author CASE`: take a case through the stages, from where it stands."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from environments.choose import Backend
from flows import board
from flows.asking import Asking
from flows.console import Output, debugged
from flows.exits import Exit
from flows.hints import Hints
from flows.holding import Notebook, hold, run_folder
from flows.knowing import Screening
from flows.options import AsJson, BackEnd, Case, Cases, Work
from flows.pipeline import STAGES, until
from flows.progress import Lines, Progress
from flows.report import report
from flows.run import Run, StageDefinition, Step, advance, case_lock, forget, recall
from flows.settings import Settings, resolve
from flows.standing import possibly_paid
from providers.choose import provider_for
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
    out = Output(as_json=as_json)
    settings = resolve(cases=cases, work=work)
    run = open_run(settings, case, provider=provider, model=model, strict=strict, backend=backend)
    hints = Hints(cases=cases, work=work, backend=backend)
    with opened(run, until_stage=until_stage, hints=hints) as session, _seen(session.progress, out):
        last = _go(session, again=again, without_prefect=without_prefect)
    report(run, out, session.progress.steps, hints)
    if isinstance(last.result, Rejected):
        raise typer.Exit(Exit.NO)
    if isinstance(last.result, Waiting):
        raise typer.Exit(Exit.WAITING)


@dataclass(frozen=True, kw_only=True)
class Session:
    """A run that holds its case."""

    run: Run
    stages: tuple[StageDefinition, ...]
    progress: Progress
    notebook: Notebook
    hints: Hints


@contextmanager
def opened(run: Run, *, until_stage: Stage | None, hints: Hints) -> Iterator[Session]:
    """Hold the case of `run` for the body, and keep for `repowright status` what the run is at.

    Raises `CaseBusy`.
    """
    stages = until(STAGES, until_stage)
    progress = Progress(stages=[definition.stage for definition in stages])
    with case_lock(run), hold(run.work, run.case) as notebook:
        progress.watchers.append(notebook)
        run.note = progress.note
        drifts = run_folder(run.work, run.case) / "drift.json"
        run.provider = Asking(provider=run.provider, note=progress.note, drifts=drifts)
        yield Session(run=run, stages=stages, progress=progress, notebook=notebook, hints=hints)


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
    screen = Screening()
    chosen = provider_for(
        provider or order.provider,
        replies=case.replies,
        inbox=settings.work.inbox,
        ledger=case.ledger,
        drafting=order.drafting,
        model=model,
        strict=strict,
        screen=screen,
    )
    run = Run(case=case, order=order, work=settings.work, provider=chosen, backend=backend)
    screen.of(run)
    return run


@contextmanager
def _seen(progress: Progress, out: Output) -> Iterator[None]:
    """People watch: a board on a terminal, lines elsewhere."""
    if board.fits_here() and not out.as_json:
        with board.shown(progress):
            yield
    else:
        progress.watchers.append(Lines(progress, out.say))
        yield


def _go(session: Session, *, again: Stage | None, without_prefect: bool) -> Step:
    """What is stored already is found before any flow starts, so that a finished run returns at once."""
    for intent in possibly_paid(session.run):
        text = f"possibly paid: {intent.id} was on its way when a run ended; it is asked once more"
        session.progress.note(text)
    done = _finished(session, again=again)
    if len(done) == len(session.stages) or any(step.stops for step in done):
        for step in done:
            session.progress.finished(step)
        return done[-1]
    return _plain(session) if without_prefect else _with_prefect(session)


def _finished(session: Session, *, again: Stage | None) -> list[Step]:
    steps: list[Step] = []
    for definition in session.stages:
        if definition.stage is again and forget(session.run, definition):
            break
        result = recall(session.run, definition)
        if result is None:
            break
        definition.after(session.run, result)
        steps.append(Step(stage=definition.stage, result=result, reused=True, seconds=0.0))
        if steps[-1].stops:
            break
    return steps


def _plain(session: Session) -> Step:
    for definition in session.stages:
        session.progress.started(definition.stage)
        session.progress.finished(advance(session.run, definition))
        if session.progress.steps[-1].stops:
            break
    return session.progress.steps[-1]


def _with_prefect(session: Session) -> Step:
    from flows.server import prefect_server  # noqa: PLC0415 (Prefect costs over a second to import)

    session.progress.note("starting Prefect")
    debug = debugged()
    # A page that cannot take a line of a log is nothing that a user can act on.
    logging.raiseExceptions = debug
    with prefect_server(session.run.work, debug=debug) as starting:
        # Prefect's client takes as long to import as its server does to start: beside it.
        from flows.author import author_flow  # noqa: PLC0415

        return author_flow(session, starting())
