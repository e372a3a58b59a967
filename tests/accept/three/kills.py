"""Part 3, item 1: a run that survives any kill, repeats nothing, and leaves nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.accept.checklist import Checklist, need, run, tail

RUNS = 190
PREFECT_RUNS = 10
POINTS = 110
"""Of some 250."""
SEED = 3
_HOURS = 3 * 3600


def claims(book: Checklist, scratch: Path) -> None:
    """One undisturbed run of the tiny case serves all of them; it lies in `scratch`."""
    ground = scratch / "ground"
    book.claim("1 the tiny case goes through every stage undisturbed", lambda: _bench("--make", ground, "--runs", "0"))
    book.claim(f"1 SIGKILL at {RUNS} random moments, in every stage: each run resumes, makes no finished stage again, leaves "
               "no half-written file, process, mount or control group, and ends with the same bytes",
               lambda: _bench("--ground", ground, "--runs", str(RUNS), "--seed", str(SEED)))  # fmt: skip
    book.claim(f"1 SIGKILL at {PREFECT_RUNS} random moments of runs through Prefect: the same, and no server is left",
               lambda: _bench("--ground", ground, "--prefect", "--runs", str(PREFECT_RUNS), "--seed", str(SEED)))  # fmt: skip
    book.claim("1 SIGKILL, a power loss and a full disk at each kind of point between write, sync and rename, in each stage",
               lambda: _bench("--ground", ground, "--points", "--runs", str(POINTS), "--seed", str(SEED)))  # fmt: skip
    book.claim("1 a vendor's server counts over a kill in each stage and in each request: no stored reply is asked for again, "
               "what was under way is listed as possibly paid and asked for once more",
               lambda: _pytest("tests/integration/kills/test_requests.py", ground=ground))  # fmt: skip
    book.claim("1 programs that a run starts end with it, when it is killed",
               lambda: _pytest("tests/unit/environments/test_tied.py"))  # fmt: skip
    book.claim("1 temporary things are swept, and stay while somebody works in them",
               lambda: _pytest("tests/unit/taskpack/test_scratch.py", "tests/unit/faults"))  # fmt: skip
    book.claim("1 VERSION: no stage gives something else from the same inputs without a bump",
               lambda: _pytest("tests/unit/test_stage_versions.py", "tests/integration/kills/test_stage_versions.py",
                               ground=ground))  # fmt: skip


def _bench(*arguments: str | Path) -> str:
    done = run([sys.executable, "-m", "benchmarks.kills", *arguments], timeout=_HOURS)
    need(done.code == 0, tail(done.out + done.err, 40))
    return tail(done.out, 25)


def _pytest(*paths: str, ground: Path | None = None) -> str:
    variables = {**os.environ, **({"REPOWRIGHT_TEST_GROUND": str(ground)} if ground else {})}
    done = run([sys.executable, "-m", "pytest", "-q", *paths], timeout=1800, env=variables)
    need(done.code == 0, tail(done.out, 20))
    need("skipped" not in tail(done.out, 1), tail(done.out, 5))
    return tail(done.out, 1)
