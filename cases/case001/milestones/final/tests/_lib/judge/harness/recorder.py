"""Results of every node, taken from pytest in its own process: what was collected, each phase, each cause."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from judge.harness.clauses import clauses_of
from taskpack.wire.encoding import well_formed

_CAUSE = 600
_BARE = frozenset({"False", "None", "0"})


class Recorder:
    """A pytest plugin. `report` is complete once pytest has ended."""

    def __init__(self) -> None:
        self._collected: Counter[str] = Counter()
        self._clauses: dict[str, tuple[str, ...]] = {}
        self._phases: dict[str, list[dict[str, str]]] = {}
        self._problems: list[str] = []
        self._twice: set[str] = set()

    def report(self) -> dict[str, Any]:
        """The nodes in the order collected, and what went wrong outside them."""
        nodes = [
            {
                "id": node,
                "collected": count + (1 if _without_parameters(node) in self._twice else 0),
                "clauses": list(self._clauses[node]),
                "phases": self._phases.get(node, []),
            }
            for node, count in self._collected.items()
        ]
        return {"nodes": nodes, "problems": self._problems}

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        self._collected[item.nodeid] += 1
        self._clauses[item.nodeid] = clauses_of(getattr(item, "function", None))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self._problems.append(f"{report.nodeid}: {_crash(report)}")

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> None:
        """Python silently drops a function that is defined again: its first node would be missing unseen."""
        root = parent.config.rootpath
        if not file_path.is_relative_to(root):
            return  # pytest also looks at what lies beside the folders above
        try:
            tree = ast.parse(file_path.read_bytes())
        except SyntaxError:
            return
        relative = file_path.relative_to(root).as_posix()
        counts = Counter(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
        self._twice |= {f"{relative}::{name}" for name, count in counts.items() if count > 1}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        outcome: str = report.outcome
        if hasattr(report, "wasxfail"):
            outcome = "xfailed" if report.skipped else "xpassed"
        phase = {"when": str(report.when), "outcome": outcome}
        if outcome != "passed":
            phase["cause"] = _crash(report)
        self._phases.setdefault(report.nodeid, []).append(phase)


def _without_parameters(node: str) -> str:
    return node.partition("[")[0]


def _crash(report: pytest.CollectReport | pytest.TestReport) -> str:
    """The message of the assertion or exception; for a skip, its reason."""
    longrepr = report.longrepr
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        text = str(crash.message)
    elif isinstance(longrepr, tuple):
        text = str(longrepr[2])
    else:
        text = str(longrepr or "").strip()
    text = text.removeprefix("AssertionError: ").removeprefix("assert ").strip()
    return well_formed(_told(text)[:_CAUSE])


def _told(text: str) -> str:
    """The assertion's message; where it is a bare value, with what pytest says of where that came from."""
    head, *came = text.split("\n +  where ")
    if head not in _BARE or not came:
        return head
    return f"{head}, where " + ", where ".join(line.strip(" +").removeprefix("where ") for line in came[0].splitlines())
