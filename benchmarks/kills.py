"""Kill `repowright author` at random moments and let it go on: `python -m benchmarks.kills [--runs N] [--seed S]`.

The tiny case is authored once, undisturbed. Then each run starts from a copy from which a stage, or it and all that are
later, was taken back, is killed with SIGKILL at a moment drawn over its whole length, is looked at, and goes on to the
end. With `--points`, the faults come at points instead: a kill, a power loss, a full disk, at each kind of call that
changes the disk, in each stage. With `--judging N`, `repowright judge` is disturbed N times instead: it is killed, or a
bench, a driver or the first process of a sandbox; then it is looked at what is left, and it is judged again. With
`--stops` as well, it is told to stop by SIGINT, SIGTERM or SIGHUP, once or twice, and nothing may be left at its end.

Exit code 0: every run left nothing half-written and nothing running, made no finished
stage again, and ended with the same bundle; a fifth of the kills came within a stage, and every stage was met where the
runs are many.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import TypeVar

from tests.faults.at_points import KINDS, Point, Tried, choose, fits, points_of, try_at
from tests.faults.ground import Ground, ground_at, place, prepare
from tests.faults.random_judging import Kill, Room, counts, kill_once, make_room, public_files, undisturbed
from tests.faults.random_judging import Lengths as Length
from tests.faults.random_kills import Lengths, Trial, histogram, kill_at_random
from tests.faults.stopped_judging import Stop, stop_once
from tests.faults.stopped_judging import counts as counts_of_stops
from tests.tiny import STAGES

Job = TypeVar("Job")
Result = TypeVar("Result", Trial, Tried, Kill, Stop)
_MANY = 2 * len(STAGES)
"""From so many runs on, each stage must have been met."""
_WITH_PREFECT_S = 20.0
_STAGE_S = 2.0
"""Of a run through Prefect: what one stage and the rest, which is reused, take."""


def main(argv: Sequence[str]) -> int:
    options = _parser().parse_args(argv)
    with place() as root:
        if options.judging:
            return _judging(root, options)
        ground = _ground(options, root)
        if options.points:
            return _points(ground, root, options)
        return _kills(ground, root, options) if options.runs else 0


def _ground(options: argparse.Namespace, root: Path) -> Ground:
    if options.ground:
        return ground_at(options.ground)
    print("the undisturbed run ...", flush=True)
    if options.make:
        options.make.mkdir(mode=0o755)
    made = prepare(options.make or root)
    print(f"bundle {made.bundle.name}, {len(made.stored)} stages", flush=True)
    return made


def _kills(ground: Ground, root: Path, options: argparse.Namespace) -> int:
    lengths = Lengths(first_guess=_WITH_PREFECT_S, of_stage=_STAGE_S) if options.prefect else Lengths()

    def one(number: int, scratch: Path) -> Trial:
        return kill_at_random(
            ground, scratch, seed=options.seed, number=number, lengths=lengths, plain=not options.prefect
        )

    trials = _each(one, range(options.first, options.first + options.runs), root, options)
    print("\nwhere the kills came")
    for line in histogram(trials):
        print(f"  {line}")
    faults = [trial for trial in trials if trial.fault]
    _again(faults)
    within = sum(trial.where in STAGES for trial in trials)
    missed = sorted(set(STAGES) - {trial.where for trial in trials})
    print(
        f"{len(trials)} kills, {within} of them within a stage, {len(faults)} faults,"
        f" stages not met: {', '.join(missed) or 'none'}"
    )
    return 1 if faults or 5 * within < len(trials) or (missed and options.runs >= _MANY) else 0


def _judging(root: Path, options: argparse.Namespace) -> int:
    """Exit code 0: no right candidate got 0, no wrong one 1, nothing was left, and each next verdict was right."""
    room = make_room(root / "room", backend=options.backend)
    lengths = Length()
    print("the undisturbed verdicts ...", flush=True)
    for right in (True, False):
        print(
            f"{'right' if right else 'wrong'}: exit {undisturbed(room, root / f'calm-{right}', lengths, right=right)}"
        )

    if options.stops:
        return _stops(room, root, options, lengths)

    def one(number: int, scratch: Path) -> Kill:
        return kill_once(room, scratch, seed=options.seed, number=number, lengths=lengths)

    kills = _each(one, range(options.first, options.first + options.judging), root, options)
    print("\nwhat was killed, and what the disturbed run came to")
    for line in counts(kills):
        print(f"  {line}")
    faults = [kill for kill in kills if kill.fault]
    _again(faults)
    met = sum(kill.met for kill in kills)
    public = public_files(kills)
    print(f"{len(kills)} runs, {met} kills, {len(faults)} faults, {len(public)} files in public folders {public[:5]}")
    return 1 if faults or public or 2 * met < len(kills) else 0


def _stops(room: Room, root: Path, options: argparse.Namespace, lengths: Length) -> int:
    """The same for runs that are told to stop."""

    def one(number: int, scratch: Path) -> Stop:
        return stop_once(room, scratch, seed=options.seed, number=number, lengths=lengths)

    stops = _each(one, range(options.first, options.first + options.judging), root, options)
    print("\nhow it was told to stop, and what the run came to")
    for line in counts_of_stops(stops):
        print(f"  {line}")
    faults = [stop for stop in stops if stop.fault]
    _again(faults)
    met = [stop for stop in stops if stop.met]
    public = public_files(stops)
    longest = max((stop.took_s for stop in met), default=0.0)
    print(
        f"{len(stops)} runs, {len(met)} stops, at most {longest:.1f} s until the end, {len(faults)} faults,"
        f" {len(public)} files in public folders {public[:5]}"
    )
    return 1 if faults or public or 2 * len(met) < len(stops) else 0


def _points(ground: Ground, root: Path, options: argparse.Namespace) -> int:
    rng = Random(options.seed)
    points = [
        point
        for stage in STAGES
        for point in choose(points_of(ground, root / f"count-{stage}", stage), stage, rng, each=options.each)
        if stage in {point.stage, "release"}
    ]
    jobs = [(kind, point) for kind in KINDS for point in points if fits(kind, point)]
    if options.runs < len(jobs):
        jobs = rng.sample(jobs, options.runs)

    def one(job: tuple[str, Point], scratch: Path) -> Tried:
        return try_at(*job, ground, scratch)

    tried = _each(one, jobs, root, options)
    faults = [each for each in tried if each.fault]
    _again(faults)
    counts = ", ".join(f"{kind} {sum(each.kind == kind for each in tried)}" for kind in KINDS)
    met = {each.point.stage for each in tried} & set(STAGES)
    missed = sorted(set(STAGES) - met)
    print(
        f"\n{len(tried)} faults at points ({counts}), {len(faults)} bad, stages not met: {', '.join(missed) or 'none'}"
    )
    return 1 if faults or (missed and options.runs >= _MANY) else 0


def _again(faults: Sequence[Trial] | Sequence[Tried] | Sequence[Kill] | Sequence[Stop]) -> None:
    """The faulty ones once more, at the end, where they are looked for."""
    for each in faults:
        print(f"\nfaulty: {each.line()}", flush=True)


def _each(
    one: Callable[[Job, Path], Result], jobs: Sequence[Job], root: Path, options: argparse.Namespace
) -> list[Result]:
    printing = threading.Lock()

    def logged(number: int, job: Job) -> Result:
        scratch = root / f"trial-{number}"
        result = one(job, scratch)
        with printing:
            print(result.line(), flush=True)
        if not (result.fault and options.keep):
            shutil.rmtree(scratch, ignore_errors=True)
        return result

    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(logged, range(len(jobs)), jobs))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills")
    parser.add_argument("--runs", type=int, default=190, help="with --points, at most so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first run, to do one again")
    parser.add_argument("--prefect", action="store_true", help="the killed runs go through Prefect")
    parser.add_argument("--points", action="store_true", help="faults at points instead of random moments")
    parser.add_argument("--judging", type=int, default=0, metavar="N", help="disturb N verdicts instead of runs")
    parser.add_argument("--stops", action="store_true", help="with --judging: told to stop instead of killed")
    parser.add_argument("--backend", choices=("local", "docker"), default="local", help="with --judging")
    parser.add_argument("--each", type=int, default=1, help="how many points of each kind")
    parser.add_argument("--jobs", type=int, default=2)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--make", type=Path, help="a new folder for the undisturbed run, which is kept")
    where.add_argument("--ground", type=Path, help="the folder of an undisturbed run that was kept")
    parser.add_argument("--keep", action="store_true", help="keep what a faulty run left")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
