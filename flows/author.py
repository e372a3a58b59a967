"""The flow that authors a task: the plain runner's stages, ordered and shown by Prefect."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.events.clients import PrefectEventsClient
from prefect.events.worker import EventsWorker, emit_events_to_cloud
from prefect.logging.handlers import APILogWorker
from prefect.runtime import flow_run
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
from prefect.states import Completed

from environments.choose import Backend
from flows.commands.author import Session, open_run, opened
from flows.hints import Hints
from flows.picture import Artifact, artifacts
from flows.progress import Watcher, state
from flows.run import StageDefinition, Step, advance
from flows.server import Server
from flows.settings import resolve
from taskpack.errors import ServerFailed
from taskpack.outcome import Rejected, Stage, Waiting

log = logging.getLogger(__name__)
_DELIVERY_S = 10.0
_ATTEMPTS = 3
"""From the fourth on there would be a second between them."""


def author_flow(session: Session, server: Server) -> Step:
    """Run the session's stages until one stops or all are done; returns the last step. A stage's fault is raised.

    Raises `ServerFailed` when `server` refuses the run or goes away: finished stages are kept.
    """
    walk, run = _Walk(session, has_page=server.configured), session.run

    @flow(name="author", flow_run_name="author-{case}", validate_parameters=False, persist_result=False)
    def author(case: str, provider: str, backend: str, until: str) -> State[None]:  # noqa: ARG001 (the page shows them)
        return walk()

    look_for_a_lost_server_briefly()
    # No worker watches this run: its heartbeat would only cost time.
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        try:
            author(run.case.id, run.provider.name, str(run.backend), str(session.stages[-1].stage))
        except Exception as error:
            if error is walk.fault:
                raise
            server_failed(error, server.api)
        finally:
            deliver()
    return session.progress.steps[-1]


def look_for_a_lost_server_briefly() -> None:
    """Prefect looks for a server that is gone ten times for each event, a second apart, before a process may end."""
    if not emit_events_to_cloud():
        EventsWorker.set_client_override(PrefectEventsClient, reconnection_attempts=_ATTEMPTS)


def deliver() -> None:
    """Send what waits for the server while it is there: at exit, that of a run's own is gone."""
    for worker in (EventsWorker, APILogWorker):
        worker.drain_all(timeout=_DELIVERY_S)


@flow(name="author", flow_run_name="author-{case}", persist_result=False)
def author(  # noqa: PLR0917 (a deployment's parameters)
    case: str,
    provider: str | None = None,
    model: str | None = None,
    until: Stage | None = None,
    backend: Backend = Backend.AUTO,
    cases: Path | None = None,
    work: Path | None = None,
) -> State[None]:
    """Author the task of CASE, as `repowright author` does. For deployments: `prefect.yaml` names it."""
    run = open_run(resolve(cases=cases, work=work), case, provider=provider, model=model, backend=backend)
    hints = Hints(cases=cases, work=work, backend=backend)
    with opened(run, until_stage=until, hints=hints) as session:
        return _Walk(session, has_page=True)()


class _Walk:
    """One way through the stages, each a task of the running flow."""

    def __init__(self, session: Session, *, has_page: bool) -> None:
        self.session = session
        self.has_page = has_page
        self.progress = session.progress
        self.fault: BaseException | None = None
        """What a stage raised."""

    def __call__(self) -> State[None]:
        @task(cache_policy=NO_CACHE, persist_result=False, task_run_name="{name}")
        def stage_step(name: str, index: int) -> State[None]:  # noqa: ARG001 (it names the task)
            return self._stage(self.session.stages[index])

        if self.has_page and flow_run.ui_url:
            self.session.notebook.page(flow_run.ui_url)
            self.progress.note(f"shown at {flow_run.ui_url}")
        pages = _PageLog()
        self.progress.watchers.append(pages)
        try:
            for index, definition in enumerate(self.session.stages):
                stage_step(str(definition.stage), index)
                if self.progress.steps[-1].stops:
                    break
        finally:
            self.progress.watchers.remove(pages)
            if self.progress.steps:
                _show(self.session)
        return _end(self.progress.steps)

    def _stage(self, definition: StageDefinition) -> State[None]:
        self.progress.started(definition.stage)
        try:
            step = advance(self.session.run, definition)
        except BaseException as fault:
            self.fault = fault
            raise
        self.progress.finished(step)
        return _state(step)


def _state(step: Step) -> State[None]:
    """How a stage looks on the page. An answer is `Completed`, also when it is no."""
    match step.result:
        case Rejected(message=why, reason=reason):
            return Completed(name="Rejected", message=f"{reason}: {why}")
        case Waiting(requests=requests):
            return Completed(name="Waiting", message=f"for replies to {', '.join(requests)}")
        case _:
            name = "Cached" if step.reused else "Completed"
            return Completed(name=name, message="found in the stage store" if step.reused else f"{step.seconds:.1f}s")


def _end(steps: Sequence[Step]) -> State[None]:
    """How a run looks that came to its end: as its last stage does, where that stopped it."""
    if steps[-1].stops:
        return _state(steps[-1])
    reused = sum(step.reused for step in steps)
    name = "Cached" if reused == len(steps) else "Completed"
    return Completed(name=name, message=f"{len(steps)} stages, {reused} of them reused")


class _PageLog(Watcher):
    """What the run says, in the log of the task that says it."""

    def __init__(self) -> None:
        self._logger = get_run_logger()

    def started(self, stage: Stage) -> None:
        self._logger = get_run_logger()
        self._logger.info("%s ...", stage)

    def note(self, text: str) -> None:
        self._logger.info("%s", text.strip())

    def finished(self, step: Step) -> None:
        self._logger.info("%s: %s", step.stage, state(step))


def _show(session: Session) -> None:
    """Leave the run's artifacts on its page. They mirror files: a page without them is no reason to stop."""
    try:
        for artifact in artifacts(session.run, session.progress.steps, session.hints):
            _leave(artifact)
    except Exception:
        log.info("the run's page has not all of its artifacts", exc_info=True)


def _leave(artifact: Artifact) -> None:
    if artifact.table is not None:
        columns = artifact.table.columns
        rows = [dict(zip(columns, row, strict=True)) for row in artifact.table.rows]
        create_table_artifact(rows, key=artifact.key, description=artifact.about)
    else:
        create_markdown_artifact(artifact.markdown, key=artifact.key, description=artifact.about)


def server_failed(error: Exception, server: str) -> None:
    """Raise what Prefect's client could not do as an error of ours."""
    raise ServerFailed(
        "the Prefect server did not take the run to its end; finished stages are kept",
        details={
            "server": server,
            "fact": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
        },
        remedy="run the same command again, with --plain to do without a server",
    ) from error
