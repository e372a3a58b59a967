"""Checks on the kill matrix: enough mutants, each accounted for, every clause protected."""

from __future__ import annotations

from environments.languages.python import mutate, syntax
from judge.subject import Subject
from taskpack.files import file_digest
from taskpack.gate import GateResult, failed, passed
from taskpack.mutant import Fate, KillMatrix, MutantResult
from taskpack.receipt import Input
from taskpack.spec import Clause
from validation.inputs import helper_inputs, judged_inputs, matrix_inputs
from validation.matrix import clauses_protected, describe, fresh_matrix, judged
from validation.mutants import touches
from validation.reading import manifest_of, order_of, spec_of


def check_mutants(subject: Subject) -> GateResult:
    """Enough mutants were run; each was killed by a frozen node, or is open with its place and a reason."""
    matrix, floor = fresh_matrix(subject), order_of(subject.case).floors.mutants
    run, frozen = judged(matrix), set(manifest_of(subject.case).node_ids)
    faults = [f"{len(run)} mutants were run, the floor is {floor}"] if len(run) < max(floor, 1) else []
    faults += [fault for result in run if (fault := _unaccounted(result, frozen))]
    inputs = (
        *judged_inputs(subject),
        *matrix_inputs(matrix, floor),
        *helper_inputs(mutate.__file__, syntax.__file__),
    )
    if faults:
        return failed("the kill matrix is not complete", evidence=faults, inputs=inputs)
    killed = [result for result in run if result.fate is Fate.KILLED]
    opened = [result for result in run if result.fate is Fate.SURVIVED]
    return passed(
        f"{len(killed)} of {len(run)} mutants killed by a named node, {len(opened)} open;"
        f" {len(matrix.results) - len(run)} unviable or equivalent",
        evidence=[
            *(f"open: {describe(each)}" for each in opened),
            *(f"killed: {describe(each)}" for each in killed),
        ],
        inputs=inputs,
    )


def check_clauses(subject: Subject) -> GateResult:
    """Every clause has a node, and a mutant that its nodes killed and some other node did not."""
    matrix, floor = fresh_matrix(subject), order_of(subject.case).floors.mutants
    clauses = spec_of(subject.case).clauses()
    rows = clauses_protected(matrix, manifest_of(subject.case), clauses)
    faults = [f"{row.clause} has no node" for row in rows if not row.nodes]
    faults += [
        f"{row.clause} is protected by no killed mutant; nodes {', '.join(row.nodes)}; {_at(clause, matrix)}"
        for row, clause in zip(rows, clauses, strict=True)
        if row.nodes and not row.killed
    ]
    inputs = (
        *judged_inputs(subject),
        *matrix_inputs(matrix, floor),
        Input(name="spec", digest=file_digest(subject.case.spec)),
    )
    if faults or not rows:
        evidence = faults or ["the specification has no clause"]
        return failed("a clause is not protected", evidence=evidence, inputs=inputs)
    listed = [f"{row.clause}: nodes {len(row.nodes)}, mutants killed {', '.join(row.killed[:3])}" for row in rows]
    return passed(f"{len(rows)}/{len(rows)} clauses protected", evidence=listed, inputs=inputs)


def _at(clause: Clause, matrix: KillMatrix) -> str:
    """What the matrix has on the clause's own lines."""
    lines = ", ".join(f"{place.path}:{place.first_line}-{place.last_line}" for place in clause.evidence)
    there = [result for result in judged(matrix) if touches(result.mutant, clause)]
    if not there:
        return f"no mutant can be made on its evidence, {lines}"
    return f"on its evidence, {lines}: " + "; ".join(f"{each.fate.value} {describe(each)}" for each in there)


def _unaccounted(result: MutantResult, frozen: set[str]) -> str:
    """What is missing in a mutant's record; empty when nothing is."""
    if result.fate is Fate.KILLED and not (result.killers and set(result.killers) <= frozen):
        return f"{describe(result)}: counted as killed, but by no frozen node"
    if result.fate is Fate.SURVIVED and not (result.note and result.mutant.path and result.mutant.line):
        return f"{describe(result)}: open without place or reason"
    return ""
