"""Verdicts on a tiny product, right and broken."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from taskpack.verdict import Judged, NodeResult, Verdict

pytestmark = pytest.mark.sandbox
Judge = Callable[[Path], Verdict]


def test_the_reference_gets_1(verdict_of: Judge, workspace: Path) -> None:
    started = time.monotonic()
    verdict = verdict_of(workspace)
    print(f"\none verdict of the tiny suite: {time.monotonic() - started:.2f} s")
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())
    assert {node.result for node in verdict.nodes} == {NodeResult.PASSED}


def test_a_wrong_sum_gets_0_and_the_cause_names_clause_node_and_values(verdict_of: Judge, workspace: Path) -> None:
    module = workspace / "src/tally/ledger.py"
    module.write_text(module.read_text().replace("Decimal(0)) + amount", "Decimal(0)) - amount"))
    verdict = verdict_of(workspace)
    assert verdict.reward == 0
    print(verdict.causes)
