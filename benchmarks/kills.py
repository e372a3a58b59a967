"""Kill `repowright author` at random moments and let it go on: `python -m benchmarks.kills [--runs N] [--seed S]`.

The tiny case is authored once, undisturbed. Then each run starts from a copy from which a stage, or it and all after,
was taken back, is killed with SIGKILL at a moment drawn over its whole length, is looked at, and goes on to the end.
Exit code 0: every one left nothing half-written and nothing running, made no finished stage again, and ended with the
same bundle.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.faults.ground import Ground, ground_at, place, prepare
from tests.faults.random_kills import Lengths, Trial, histogram, kill_at_random
from tests.tiny import STAGES


def main(argv: list[str]) -> int:
    options = _parser().parse_args(argv)
    with place() as root:
        if options.ground:
            ground = ground_at(options.ground)
        else:
            print("the undisturbed run ...", flush=True)
            ground = prepare(root)
        trials = _all(ground, root, options)
    print("\nwhere the kills came")
    for line in histogram(trials):
        print(f"  {line}")
    faults = [trial for trial in trials if trial.fault]
    missed = sorted(set(STAGES) - {trial.where for trial in trials})
    print(f"{len(trials)} kills, {len(faults)} faults, stages not met: {', '.join(missed) or 'none'}")
    return 1 if faults else 0


def _all(ground: Ground, root: Path, options: argparse.Namespace) -> list[Trial]:
    lengths, printing = Lengths(), threading.Lock()

    def one(number: int) -> Trial:
        trial = kill_at_random(ground, root / f"trial-{number}", seed=options.seed, number=number, lengths=lengths)
        with printing:
            print(trial.line(), flush=True)
        if not (trial.fault and options.keep):
            shutil.rmtree(root / f"trial-{number}", ignore_errors=True)
        return trial

    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(one, range(options.first, options.first + options.runs)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills")
    parser.add_argument("--runs", type=int, default=190)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first run, to do one again")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ground", type=Path, help="a folder with an undisturbed run from before")
    parser.add_argument("--keep", action="store_true", help="keep what a faulty run left")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
