"""Part 4, faults of the infrastructure: never 1, never a 0 blamed on the candidate; kills while judging."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.accept.checklist import Checklist, need, pytest_passes, run, tail

KILLS = 60


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("4 a fault at each step of a verdict: infra with a cause and a log, or a right verdict after all",
               lambda: pytest_passes("tests/integration/judge/test_judging_faults.py", timeout=1800))  # fmt: skip
    book.claim("4 an engine that goes away, a sandbox that does not start, dead owners",
               lambda: pytest_passes("tests/integration/docker", timeout=1200))  # fmt: skip
    book.claim(f"4 {KILLS} kills at random moments while judging: nothing is left, the next verdict is right", _kills)


def _kills() -> str:
    done = run([sys.executable, "-m", "benchmarks.kills", "--judging", str(KILLS)], timeout=3600)
    need(done.code == 0, tail(done.out + done.err, 12))
    return tail(done.out, 2)
