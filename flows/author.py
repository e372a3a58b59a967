"""The flow that authors a task: the plain runner's stages, ordered and shown by Prefect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
from prefect.states import Completed

from flows.run import Run, StageDefinition, Step, advance
from taskpack.outcome import Rejected, Stage, Waiting

Watch = Callable[[Step], None]


def author_flow(run: Run, stages: Sequence[StageDefinition], *, watch: Watch, begin: Callable[[Stage], None]) -> Step:
    """Run `stages` until one stops or all are done; returns the last step. A fault is raised."""
    last: list[Step] = []

    @task(cache_policy=NO_CACHE, persist_result=False, task_run_name="{name}")
    def stage_step(name: str, index: int) -> State[None]:
        begin(stages[index].stage)
        step = advance(run, stages[index])
        last.append(step)
        watch(step)
        return Completed(name=_state_name(step), message=f"{name}: {type(step.result).__name__.lower()}")

    @flow(name="author", flow_run_name=f"author-{run.case.id}", validate_parameters=False, persist_result=False)
    def author() -> State[None]:
        for index, definition in enumerate(stages):
            stage_step(str(definition.stage), index)
            if last[-1].stops:
                break
        return Completed(name=_state_name(last[-1]))

    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        author()
    return last[-1]


def _state_name(step: Step) -> str:
    match step.result:
        case Rejected():
            return "Rejected"
        case Waiting():
            return "Waiting"
        case _:
            return "Cached" if step.reused else "Completed"
