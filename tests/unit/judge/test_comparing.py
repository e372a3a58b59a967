"""Frozen nodes against what the bench reports: once, passed, and no other."""

from __future__ import annotations

import pytest

from judge.bench import BenchNode, BenchReport, Phase
from judge.judging import compare
from judge.seeds import draw_seed
from taskpack.verdict import NodeResult

ID = "tests/F01_acceptance.py::test_a"
PASSED = tuple(Phase(when=when, outcome="passed") for when in ("setup", "call", "teardown"))


def node(collected: int = 1, phases: tuple[Phase, ...] = PASSED, name: str = ID) -> BenchNode:
    return BenchNode(id=name, collected=collected, clauses=(), phases=phases)


CASES = [
    ((node(),), NodeResult.PASSED),
    ((), NodeResult.MISSING),
    ((node(phases=()),), NodeResult.MISSING),
    ((node(phases=PASSED[:1]),), NodeResult.MISSING),
    ((node(collected=2),), NodeResult.DUPLICATE),
    ((node(phases=PASSED * 2),), NodeResult.DUPLICATE),
    ((node(phases=(PASSED[0], Phase(when="call", outcome="failed"), PASSED[2])),), NodeResult.FAILED),
    ((node(phases=(*PASSED[:2], Phase(when="teardown", outcome="failed"))),), NodeResult.FAILED),
    ((node(phases=(Phase(when="setup", outcome="skipped"), PASSED[2])),), NodeResult.SKIPPED),
    ((node(phases=(PASSED[0], Phase(when="call", outcome="xfailed"), PASSED[2])),), NodeResult.SKIPPED),
    ((node(phases=(PASSED[0], Phase(when="call", outcome="xpassed"), PASSED[2])),), NodeResult.SKIPPED),
]


@pytest.mark.parametrize(("nodes", "result"), CASES)
def test_each_way_to_be_something_else_than_passed_once_is_named(
    nodes: tuple[BenchNode, ...], result: NodeResult
) -> None:
    [found] = compare([ID], BenchReport(nodes=nodes, problems=()))
    assert found.result is result


def test_a_node_that_is_not_frozen_is_extra_even_when_it_passed() -> None:
    found = compare([ID], BenchReport(nodes=(node(), node(name=ID + "b")), problems=()))
    assert [entry.result for entry in found] == [NodeResult.PASSED, NodeResult.EXTRA]


def test_the_seed_is_kept_for_the_pair_of_digests(tmp_path_factory: pytest.TempPathFactory) -> None:
    seeds = tmp_path_factory.mktemp("seeds")
    first = draw_seed(seeds, suite="s", candidate="c")
    assert draw_seed(seeds, suite="s", candidate="c") == first
    assert draw_seed(seeds, suite="t", candidate="c") != first
    assert draw_seed(None, suite="s", candidate="c") != first
    assert [path.name for path in (seeds / "s").iterdir()] == ["c"]
