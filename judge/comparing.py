"""The bench's report against the frozen suite: what each node came to."""

from __future__ import annotations

from collections.abc import Sequence

from judge.bench import BenchNode, BenchReport
from judge.printable import printable
from taskpack.verdict import NodeReport, NodeResult


def compare(frozen: Sequence[str], report: BenchReport) -> tuple[NodeReport, ...]:
    """Every frozen node and every other that was there, sorted by id."""
    found = {node.id: node for node in report.nodes}
    nodes = [_result(name, found.get(name)) for name in set(frozen)]
    nodes += [
        NodeReport(id=name, result=NodeResult.EXTRA, cause="it is not in the suite's manifest")
        for name in set(found) - set(frozen)
    ]
    return tuple(sorted(nodes, key=lambda node: node.id))


def _result(name: str, node: BenchNode | None) -> NodeReport:
    if node is None or not node.collected:
        return NodeReport(id=name, result=NodeResult.MISSING, cause="it was not collected")
    if node.collected != 1 or len(node.phases) > 3:
        return NodeReport(id=name, result=NodeResult.DUPLICATE, cause=f"it is there {node.collected} times")
    for phase in node.phases:
        if phase.outcome == "failed":
            return NodeReport(id=name, result=NodeResult.FAILED, cause=printable(phase.cause))
    for phase in node.phases:
        if phase.outcome != "passed":
            return NodeReport(id=name, result=NodeResult.SKIPPED, cause=printable(f"{phase.outcome}: {phase.cause}"))
    if [phase.when for phase in node.phases] != ["setup", "call", "teardown"]:
        return NodeReport(id=name, result=NodeResult.MISSING, cause="it did not run")
    return NodeReport(id=name, result=NodeResult.PASSED)
