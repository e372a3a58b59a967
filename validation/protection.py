"""Checks on the kill matrix: enough mutants, each accounted for, every clause protected."""

from __future__ import annotations

from judge.subject import Subject
from taskpack.files import file_digest
from taskpack.gate import GateResult, failed, passed
from taskpack.mutant import Fate, KillMatrix, MutantResult
from taskpack.receipt import Input
from validation.ground import Ground, grounds
from validation.inputs import helper_inputs, judged_inputs, matrix_inputs
from validation.matrix import Protection, clauses_protected, describe, fresh_matrix, judged
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
        *helper_inputs("STR-MUTANTS"),
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
    """Every clause has a node, and a mutant on its ground that its nodes killed and some other node did not."""
    matrix, floor = fresh_matrix(subject), order_of(subject.case).floors.mutants
    manifest = manifest_of(subject.case)
    known = grounds(spec_of(subject.case).clauses(), subject.reference, manifest.product_paths)
    rows = clauses_protected(matrix, manifest, known)
    faults = [f"{row.clause} has no node" for row in rows if not row.nodes]
    faults += [
        f"{row.clause} is protected by no killed mutant; nodes {', '.join(row.nodes)}; {_at(row.ground, matrix)}"
        for row in rows
        if row.nodes and not row.killed
    ]
    inputs = (
        *judged_inputs(subject),
        *matrix_inputs(matrix, floor),
        *helper_inputs("STR-CLAUSE"),
        Input(name="spec", digest=file_digest(subject.case.spec)),
    )
    if faults or not rows:
        evidence = faults or ["the specification has no clause"]
        return failed("a clause is not protected", evidence=evidence, inputs=inputs)
    nearby = sum(not row.ground.is_own for row in rows)
    said = f"{len(rows)}/{len(rows)} clauses protected" + (f", {nearby} of them by their functions" if nearby else "")
    return passed(said, evidence=[_protected(row) for row in rows], inputs=inputs)


def _protected(row: Protection) -> str:
    where = "on its evidence" if row.ground.is_own else "in the same function (its evidence yields no viable mutant)"
    return f"{row.clause}: nodes {len(row.nodes)}, mutants killed {where}: {', '.join(row.killed[:3])}"


def _at(ground: Ground, matrix: KillMatrix) -> str:
    """What the matrix has on the clause's ground."""
    lines = ", ".join(f"{place.path}:{place.first_line}-{place.last_line}" for place in ground.clause.evidence)
    there = [result for result in judged(matrix) if result.mutant.id in ground.ids]
    where = (
        f"on its evidence, {lines}" if ground.is_own else f"its evidence, {lines}, yields no viable mutant; around it"
    )
    return f"{where}: " + ("; ".join(f"{each.fate.value} {describe(each)}" for each in there) or "none was judged")


def _unaccounted(result: MutantResult, frozen: set[str]) -> str:
    """What is missing in a mutant's record; empty when nothing is."""
    if result.fate is Fate.KILLED and not (result.killers and set(result.killers) <= frozen):
        return f"{describe(result)}: counted as killed, but by no frozen node"
    if result.fate is Fate.SURVIVED and not (result.note and result.mutant.path and result.mutant.line):
        return f"{describe(result)}: open without place or reason"
    return ""
