"""SIGKILL at random moments: what one of them is, drawn from a seed, and how many came to which stage."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.ground import Ground, NotHeld, later, need
from tests.faults.killing import check_and_resume, fresh_plan, run_with
from tests.tiny import STAGES

_TRIES = 6
"""How often a moment is drawn again because the run was over before it."""
_FIRST_GUESS_S = 8.0


@dataclass(frozen=True, kw_only=True)
class Draw:
    """What is taken back before a run and how it is killed."""

    stage: str
    without: tuple[str, ...]
    cold: bool
    """Environments are built anew."""
    group: bool
    """The signal goes to the whole process group."""
    from_stage: bool
    """The moment is drawn from the beginning of the stage on, not of the process: starting up is a good part of a run."""


@dataclass(kw_only=True)
class Moment:
    """Whether the time has come: `delay` seconds after the run began, or after a stage did."""

    marks: Path
    stage: str
    """Empty: the run itself."""
    delay: float
    began: float | None = None

    def __call__(self) -> bool:
        if self.began is None and (not self.stage or self._stage_began()):
            self.began = time.monotonic()
        return self.began is not None and time.monotonic() - self.began >= self.delay

    @property
    def length(self) -> float:
        """Seconds from there until now, when the run is over."""
        return time.monotonic() - (self.began or time.monotonic())

    def _stage_began(self) -> bool:
        return self.marks.is_file() and f"begin {self.stage}\n" in self.marks.read_text()


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One kill and what became of it."""

    number: int
    draw: Draw
    where: str
    """The stage that was at work when the signal came."""
    seconds: float
    fault: str = ""

    def line(self) -> str:
        how = "group" if self.draw.group else "process"
        what = "alone" if len(self.draw.without) == 1 else "and later"
        return (
            f"{self.number:4} {self.draw.stage} {what}: {how} killed in {self.where}, {self.seconds:.1f}s {self.fault}"
        )


@dataclass(kw_only=True)
class Lengths:
    """How long runs take, by what was taken back, so that moments are drawn over their whole length."""

    first_guess: float = _FIRST_GUESS_S
    of_stage: float = _FIRST_GUESS_S
    """The first guess for a run from where a stage begins."""
    seen: dict[tuple[tuple[str, ...], bool], float] = field(default_factory=dict)

    def of(self, draw: Draw) -> float:
        guess = self.of_stage if draw.from_stage else self.first_guess
        return self.seen.get((draw.without, draw.from_stage), guess)

    def learn(self, draw: Draw, seconds: float) -> None:
        self.seen[draw.without, draw.from_stage] = seconds


def draw_one(rng: Random, number: int) -> Draw:
    """Stages take turns. One in six is taken back with all that come after it, and then sometimes from cold."""
    stage = STAGES[number % len(STAGES)]
    rest = rng.random() < 1 / 6
    return Draw(
        stage=stage,
        without=later(stage) if rest else (stage,),
        cold=stage == "environment" and rng.random() < 1 / 2,
        group=rng.random() < 1 / 2,
        from_stage=rng.random() < 3 / 4,
    )


def kill_at_random(
    ground: Ground, root: Path, *, seed: int, number: int, lengths: Lengths, plain: bool = True
) -> Trial:
    """Trial `number` of the series `seed`, in the new folder `root`. A fault is in the trial, not raised.

    Without `plain`, the run that is killed and the one that goes on from there go through Prefect.
    """
    rng = Random(f"{seed}-{number}")
    draw = draw_one(rng, number)
    started = time.monotonic()
    where = fault = ""
    try:
        for attempt in range(_TRIES):
            place = root / str(attempt)
            place.mkdir(parents=True)
            tiny = ground.copy(place, without=draw.without, rng=rng, cold=draw.cold)
            plan = fresh_plan(tiny)
            stage = draw.stage if draw.from_stage else ""
            moment = Moment(marks=Path(plan.marks), stage=stage, delay=rng.uniform(0.0, lengths.of(draw)))
            ended = run_with(tiny, plan, kill_when=moment, group=draw.group, plain=plain)
            if ended.killed:
                break
            need(ended.code == 0, f"the run ended with {ended.code} by itself: {ended.err[-1000:]}")
            lengths.learn(draw, moment.length)
        need(ended.killed, f"it was over before each of {_TRIES} moments")
        where = ended.where
        check_and_resume(tiny, ground, plain=plain)
    except NotHeld as error:
        fault = f"FAULT: {error}"
    return Trial(number=number, draw=draw, where=where, seconds=time.monotonic() - started, fault=fault)


def histogram(trials: list[Trial]) -> Iterator[str]:
    """How many kills came to which stage, in the order of a run."""
    counts = Counter(trial.where for trial in trials)
    for name in ("start", *(each for stage in STAGES for each in (stage, f"after {stage}"))):
        if counts[name]:
            yield f"{name:18} {counts[name]:4} {'#' * counts[name]}"
