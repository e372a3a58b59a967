"""One run over one case: where it reads and writes, who answers, and the plain runner that Prefect is laid over."""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from environments.choose import Backend, choose_sandbox
from environments.interface import Sandbox
from flows.leftovers import sweep_leftovers
from providers.interface import Provider
from providers.mailbox import dismiss
from taskpack.errors import CaseBusy
from taskpack.files import space_errors
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.order import Order
from taskpack.outcome import Rejected, Stage, Waiting
from taskpack.record import Record
from taskpack.store import StageKey, StageStore

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Run:
    """What stages share. `results` grows as stages end; nothing else changes."""

    case: CaseFolder
    order: Order
    work: WorkFolder
    provider: Provider
    backend: Backend = Backend.AUTO
    note: Callable[[str], None] = log.info
    """Tells people what a long stage is at."""
    results: dict[Stage, Record] = field(default_factory=dict)
    keys: dict[Stage, StageKey] = field(default_factory=dict)

    @cached_property
    def sandbox(self) -> Sandbox:
        """Chosen, and probed, when the first stage needs it."""
        return choose_sandbox(self.work, self.backend)

    @property
    def store(self) -> StageStore:
        return StageStore(root=self.work.stages)

    def tree(self, stage: Stage) -> Path:
        """The files that a finished stage made."""
        return self.store.tree(self.keys[stage])


@dataclass(frozen=True, kw_only=True)
class StageDefinition:
    """How a stage is keyed, read and made."""

    stage: Stage
    version: int
    about: str
    kinds: tuple[type[Record], ...]
    inputs: Callable[[Run], Mapping[str, str]]
    """Digests of everything that the result depends on, by name."""
    make: Callable[[Run, Path], Record]
    """Makes the result; files go to `scratch / "tree"`."""
    after: Callable[[Run, Record], None] = lambda _run, _result: None
    """Publishes into the case folder; runs on every pass, also over a reused result, and is idempotent."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """What happened to one stage in this run."""

    stage: Stage
    result: Record
    reused: bool
    seconds: float

    @property
    def stops(self) -> bool:
        return isinstance(self.result, Rejected | Waiting)


def recall(run: Run, definition: StageDefinition) -> Record | None:
    """The stored result of a stage whose predecessors are in `run`, or None."""
    key = _key(run, definition)
    result = run.store.load(key, (Rejected, *definition.kinds))
    if result is not None:
        run.results[definition.stage] = result
        run.keys[definition.stage] = key
    return result


def advance(run: Run, definition: StageDefinition) -> Step:
    """Reuse a stage's stored result or make and store it. A wait is not stored: asking again is how it ends."""
    started = time.monotonic()
    found = recall(run, definition)
    if found is not None:
        definition.after(run, found)
        return Step(stage=definition.stage, result=found, reused=True, seconds=time.monotonic() - started)
    with space_errors(run.store.root / definition.stage), run.store.scratch() as scratch:
        result = definition.make(run, scratch)
        if isinstance(result, Rejected):
            again = f"repowright author {run.case.id} --again {definition.stage}"
            result = result.model_copy(update={"command": again})
        if not isinstance(result, Waiting):
            # Drafting adds replies, which are inputs: the key is taken again, as the next run will see it.
            key = _key(run, definition)
            run.store.keep(key, result, scratch)
            run.keys[definition.stage] = key
            if not isinstance(result, Rejected):
                dismiss(run.work.inbox, run.case.id, definition.stage)
    run.results[definition.stage] = result
    definition.after(run, result)
    return Step(stage=definition.stage, result=result, reused=False, seconds=time.monotonic() - started)


def forget(run: Run, definition: StageDefinition) -> bool:
    """Drop the stored result of a stage whose predecessors are in `run`; whether there was one."""
    folder = run.store.folder(_key(run, definition))
    if not folder.is_dir():
        return False
    with run.store.scratch() as scratch:
        folder.rename(scratch / "forgotten")
    return True


def _key(run: Run, definition: StageDefinition) -> StageKey:
    return StageKey(stage=definition.stage, version=definition.version, inputs=definition.inputs(run))


@contextmanager
def case_lock(run: Run) -> Iterator[None]:
    """One run a case, whatever its work directory: the lock is on the case's folder, and the kernel frees it.

    What killed runs left half made is taken away first.
    """
    descriptor = os.open(run.case.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        sweep_leftovers(run.case, run.work)
        yield
    except BlockingIOError as error:
        raise CaseBusy(
            f"another run is working on {run.case.id}",
            details={"case": str(run.case.root)},
            remedy="wait for it, or stop that process",
        ) from error
    finally:
        os.close(descriptor)
