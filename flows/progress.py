"""How a run goes: facts about its stages, told to whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flows.run import Step
from taskpack.outcome import Rejected, Stage, Waiting


class Watcher:
    """Someone who wants to know. Each method may be left as it is."""

    def note(self, text: str) -> None:
        """A line about what the run is at."""

    def started(self, stage: Stage) -> None: ...

    def finished(self, step: Step) -> None: ...


@dataclass(kw_only=True)
class Progress:
    """What has happened so far in one run."""

    stages: Sequence[Stage]
    watchers: list[Watcher] = field(default_factory=list)
    clock: Callable[[], float] = time.monotonic
    """Seconds."""
    steps: list[Step] = field(default_factory=list)
    stage: Stage | None = None
    """The one that is being made."""
    last: str = ""
    """The last note about `stage`."""
    begun: float = field(init=False)
    stage_begun: float = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.stage_begun = self.clock()

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self.clock() - self.begun

    def note(self, text: str) -> None:
        self.last = text.strip()
        for watcher in self.watchers:
            watcher.note(text)

    def started(self, stage: Stage) -> None:
        self.stage, self.last, self.stage_begun = stage, "", self.clock()
        for watcher in self.watchers:
            watcher.started(stage)

    def finished(self, step: Step) -> None:
        self.steps.append(step)
        self.stage, self.last = None, ""
        for watcher in self.watchers:
            watcher.finished(step)


class Lines(Watcher):
    """One plain line an event, with the seconds since the run began."""

    def __init__(self, progress: Progress, write: Callable[[str], None]) -> None:
        self._progress = progress
        self._write = write

    def note(self, text: str) -> None:
        self._write(f"[{self._progress.elapsed:6.1f}s] {text}")

    def started(self, stage: Stage) -> None:
        self.note(f"{self._at(len(self._progress.steps) + 1)} {stage} ...")

    def finished(self, step: Step) -> None:
        self.note(f"{self._at(len(self._progress.steps))} {step.stage}: {state(step)} ({how(step)})")

    def _at(self, number: int) -> str:
        return f"{number}/{len(self._progress.stages)}"


def state(step: Step) -> str:
    """One word for what a stage came to."""
    match step.result:
        case Rejected():
            return "rejected"
        case Waiting():
            return "waiting"
        case _:
            return "done"


def how(step: Step) -> str:
    return "reused" if step.reused else f"{step.seconds:.1f}s"
