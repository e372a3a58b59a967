"""Item 2, a run that is seen."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.accept.checklist import Checklist, need, run, tail

FLOWS = "tests/integration/flows"


def _pytest(*arguments: str, timeout: float = 1800) -> str:
    """These tests pass and none is skipped."""
    done = run([sys.executable, "-m", "pytest", "-q", *arguments], timeout=timeout)
    last = tail(done.out, 1)
    need(done.code == 0, tail(done.out, 25))
    need("skipped" not in last and "xfailed" not in last, tail(done.out, 12))
    return last


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("2 a board on a terminal, plain lines in a pipe, CI, NO_COLOR, TERM=dumb; whatever ends a run, the "
               "terminal is as it was",
               lambda: _pytest("tests/unit/flows/test_progress.py", "tests/unit/flows/test_terminal.py"))  # fmt: skip
    book.claim("2 status: each stage, what a living run is at, a killed one told from it, requests, possibly paid, "
               "drift, the next command with its flags; Prefect is not imported",
               lambda: _pytest("tests/unit/flows/test_status.py", "tests/unit/flows/test_holding.py"))  # fmt: skip
    book.claim("2 on a real server: task runs, reused ones marked, artifacts, log; stderr is ours alone; no server, "
               "or one that goes away, is one error",
               lambda: _pytest(f"{FLOWS}/test_page.py", "tests/unit/flows/test_picture.py"))  # fmt: skip
    book.claim("2 prefect.yaml: a pool, the deployment, a worker that runs the tiny case to its end",
               lambda: _pytest(f"{FLOWS}/test_deployment.py"))  # fmt: skip
