"""Faults at chosen points of a run: every kind of point in every stage is known from a run that only counts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.faults.ground import Ground, NotHeld, need
from tests.faults.killing import check_and_resume, fresh_plan, lose_unsynced, run_with
from tests.faults.looks import halves, temporary
from tests.faults.points import MAKING
from tests.tiny import STAGES, Tiny

KINDS = ("kill", "lose", "full")
_NO_SPACE = 9


@dataclass(frozen=True, kw_only=True, order=True)
class Point:
    """Where in a run: the n-th time that `op` is called in `stage`, before or after the call."""

    taken: str
    """The stage that was taken back from the finished run."""
    stage: str
    """The stage at work, `start`, or `after NAME`."""
    op: str
    after: bool
    number: int

    def __str__(self) -> str:
        return f"{self.taken} taken back: {'after' if self.after else 'before'} {self.op} {self.number} in {self.stage}"


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A fault at a point and what became of it."""

    kind: str
    point: Point
    seconds: float
    fault: str = ""

    def line(self) -> str:
        return f"{self.kind} {self.point}, {self.seconds:.1f}s {self.fault}"


def points_of(ground: Ground, root: Path, taken: str) -> Counter[tuple[str, str, bool]]:
    """How often each (stage at work, operation, after) comes when `taken` is made again."""
    root.mkdir()
    tiny = ground.copy(root, without=(taken,), rng=Random(taken))
    ended = run_with(tiny, fresh_plan(tiny, fault="count"))
    need(ended.code == 0, f"the counting run ended with {ended.code}: {ended.err[-1000:]}")
    lines = (line.split(maxsplit=3) for line in (root / "marks").read_text().splitlines())
    return Counter((line[3], line[1], line[2] == "after") for line in lines if line[0] == "point")


def choose(counts: Counter[tuple[str, str, bool]], taken: str, rng: Random, *, each: int) -> list[Point]:
    """Of each kind of point the first, the last and others by lot: `each` at most."""
    chosen = []
    for (stage, op, after), most in sorted(counts.items()):
        numbers = {1, most} | {rng.randint(1, most) for _ in range(max(each - 2, 0))}
        chosen += [
            Point(taken=taken, stage=stage, op=op, after=after, number=number) for number in sorted(numbers)[:each]
        ]
    return chosen


def try_at(kind: str, point: Point, ground: Ground, root: Path) -> Tried:
    """The fault `kind` at `point`, in the new folder `root`; then everything is looked at and the run goes on."""
    started = time.monotonic()
    fault = ""
    root.mkdir(parents=True)
    try:
        tiny = ground.copy(root, without=(point.taken,), rng=Random(point.taken))
        image = root / "image"
        plan = fresh_plan(
            tiny, fault=kind, stage=point.stage, op=point.op, after=point.after, number=point.number, image=str(image)
        )
        ended = run_with(tiny, plan)
        if kind == "full":
            wanted = 0 if _only_notes(tiny) else _NO_SPACE
            need(ended.code == wanted, f"a full disk ended with {ended.code}: {ended.err[-1500:]}")
            need(not temporary(tiny), f"a full disk left {temporary(tiny)}")
            need(not halves(tiny, ground), f"a full disk left {halves(tiny, ground)}")
        else:
            need(ended.killed, f"the point was not met: {ended.code} {ended.err[-1000:]}")
        if kind == "lose":
            lose_unsynced(tiny, image)
        check_and_resume(tiny, ground)
    except NotHeld as error:
        fault = f"FAULT: {error}"
    return Tried(kind=kind, point=point, seconds=time.monotonic() - started, fault=fault)


def _only_notes(tiny: Tiny) -> bool:
    """Whether the full disk refused nothing but the note on what the run is at, which nothing rests on."""
    lines = (tiny.root / "marks").read_text().splitlines()
    refused = [line.partition(" ")[2] for line in lines if line.startswith("refused ")]
    return bool(refused) and all(path.startswith(str(tiny.work.runs)) for path in refused)


def fits(kind: str, point: Point) -> bool:
    """Whether the fault says something new there: a disk is full before something is made, and for a power loss what
    comes after a call is what comes before the next."""
    return (
        kind == "kill"
        or (kind == "full" and not point.after and point.op in MAKING)
        or (kind == "lose" and point.after)
    )


def stages_met(points: Iterable[Point]) -> set[str]:
    return {point.stage for point in points} & set(STAGES)
