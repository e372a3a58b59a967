"""The gate: a small declared object that can stop release, and the runner that never stops at the first failure."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Generic, TypeVar

from taskpack.errors import NoSpace, SandboxUnavailable
from taskpack.receipt import GateVerdict, Input, Receipt

log = logging.getLogger(__name__)
S = TypeVar("S")


@dataclass(frozen=True, kw_only=True)
class GateResult:
    """What one check found. `inputs` are the digests that the answer depends on."""

    verdict: GateVerdict
    message: str
    evidence: tuple[str, ...] = ()
    remedy: str = ""
    inputs: tuple[Input, ...] = ()
    broken: bool = False
    """The check itself raised: this is no answer about the case, and must not be kept as one."""


def passed(message: str, *, evidence: Sequence[str] = (), inputs: Sequence[Input] = ()) -> GateResult:
    return GateResult(verdict=GateVerdict.PASS, message=message, evidence=tuple(evidence), inputs=tuple(inputs))


def failed(message: str, *, evidence: Sequence[str], remedy: str = "", inputs: Sequence[Input] = ()) -> GateResult:
    return GateResult(
        verdict=GateVerdict.FAIL,
        message=message,
        evidence=tuple(evidence),
        remedy=remedy,
        inputs=tuple(inputs),
    )


def skipped(message: str, *, inputs: Sequence[Input] = ()) -> GateResult:
    """The case, or the machine, gives the gate nothing to ask."""
    return GateResult(verdict=GateVerdict.SKIP, message=message, inputs=tuple(inputs))


@dataclass(frozen=True, kw_only=True)
class Gate(Generic[S]):
    """`check` takes the subject (a case with its reference and a judge) and gives a result; raises only for faults."""

    code: str
    """Its name, such as `STR-MUTANTS`."""
    holds: str
    """One line: what holds when it passes."""
    version: int
    """Bumped by hand when the meaning of `check` changes; receipts of another version are stale."""
    cost: int
    """Rough seconds, for ordering."""
    remedy: str
    """What an author does when it fails."""
    check: Callable[[S], GateResult]
    requires: tuple[str, ...] = ()
    """Codes of gates that must pass first; else this one is skipped with that reason."""
    optional: bool = False
    """Its check may find that the case gives it nothing to ask. Such a skip does not stop release, and is printed."""


@dataclass(frozen=True, kw_only=True)
class GateRun:
    """One gate's answer in a run."""

    code: str
    version: int
    result: GateResult
    optional: bool = False
    """As the gate's. A failure stops release all the same."""


def run_gates(
    gates: Sequence[Gate[S]], subject: S, *, watch: Callable[[GateRun], None] = lambda _: None
) -> tuple[GateRun, ...]:
    """Run every gate whose requirements passed, cheapest first; one that raises is marked as broken.

    Faults of the machinery (`transient` errors, a full disk, no sandbox) are raised, not turned into an answer.
    Raises `ValueError` when two gates have one code.
    """
    by_code: dict[str, Gate[S]] = {}
    for gate in gates:
        if by_code.setdefault(gate.code, gate) is not gate:
            raise ValueError(f"two gates are called {gate.code}")
    sorter = TopologicalSorter({gate.code: [code for code in gate.requires if code in by_code] for gate in gates})
    sorter.prepare()
    runs: dict[str, GateRun] = {}
    while sorter.is_active():
        for code in sorted(sorter.get_ready(), key=lambda name: (by_code[name].cost, name)):
            gate = by_code[code]
            result = _answer(gate, subject, runs)
            runs[code] = GateRun(code=code, version=gate.version, result=result, optional=gate.optional)
            watch(runs[code])
            sorter.done(code)
    return tuple(runs.values())


def _answer(gate: Gate[S], subject: S, runs: dict[str, GateRun]) -> GateResult:
    missing = [code for code in gate.requires if code not in runs or runs[code].result.verdict is not GateVerdict.PASS]
    if missing:
        return GateResult(verdict=GateVerdict.SKIP, message=f"needs {', '.join(missing)} to pass first")
    try:
        return gate.check(subject)
    except Exception as error:
        if getattr(error, "transient", False) or isinstance(error, NoSpace | SandboxUnavailable | OSError):
            raise
        log.exception("gate %s raised", gate.code)
        lines = traceback.format_exception(error)
        answer = failed(f"the check itself raised {type(error).__name__}: {error}", evidence=lines[-3:])
        return replace(answer, broken=True)


def released(runs: Sequence[GateRun]) -> bool:
    """The verdict is a pure function of the list: at least one gate passed, none failed, only optional ones skipped."""
    return any(run.result.verdict is GateVerdict.PASS for run in runs) and not blocking(runs)


def blocking(runs: Sequence[GateRun]) -> tuple[GateRun, ...]:
    """The answers that stop release."""
    return tuple(
        run
        for run in runs
        if run.result.verdict is GateVerdict.FAIL or (run.result.verdict is GateVerdict.SKIP and not run.optional)
    )


def receipt(run: GateRun, *, command: str, backend: str, base: str, engine: str, limits_by: str = "") -> Receipt:
    """The record of one answer."""
    return Receipt(
        code=run.code,
        gate_version=run.version,
        verdict=run.result.verdict,
        message=run.result.message,
        evidence=run.result.evidence,
        inputs=tuple(sorted(run.result.inputs, key=lambda item: item.name)),
        command=command,
        backend=backend,
        base=base,
        limits_by=limits_by,
        engine=engine,
    )
