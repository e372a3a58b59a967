"""The kill matrix: which mutant is killed by which named node, and which clauses are protected by that."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from judge.subject import Subject
from taskpack.files import tree_digest, write_bytes
from taskpack.mutant import Fate, KillMatrix, Mutant, MutantResult
from taskpack.spec import Clause
from taskpack.suite import TestManifest
from validation.ground import Ground, grounds
from validation.mutants import apply, generate, reachable, select, touches, triage
from validation.reading import manifest_of, matrix_of, order_of, spec_of, suite_digest
from validation.trials import failed_nodes, judge_made, side_by_side

log = logging.getLogger(__name__)
Watch = Callable[[MutantResult], None]

SEED = "kill-matrix-1"
WITNESSES = 5
"""How many nodes of other clauses are run beside a mutant's own: one that passes shows that not everything broke."""
EXTRA_TRIES = 8
"""How many more mutants are judged for a clause that the first ones left unprotected."""


@dataclass(frozen=True, kw_only=True)
class Protection:
    """A clause and the mutants on its ground that its nodes killed."""

    ground: Ground
    nodes: tuple[str, ...]
    killed: tuple[str, ...]
    """Ids of mutants; those that fail every node say nothing about a clause and are left out."""

    @property
    def clause(self) -> str:
        return self.ground.clause.id


def kill_matrix(subject: Subject, mutants: Iterable[Mutant], *, watch: Watch = lambda _: None) -> KillMatrix:
    """Judge each mutant's workspace. A mutant that does not compile or changes no bytecode is not judged.

    Raises `SandboxFailed` when a verdict could not be reached.
    """
    clauses = spec_of(subject.case).clauses()
    results: list[MutantResult] = []
    for result in side_by_side(lambda mutant: _result(subject, mutant, clauses), mutants):
        watch(result)
        results.append(result)
    return KillMatrix(
        suite=suite_digest(subject.case),
        reference=tree_digest(subject.reference),
        results=tuple(sorted(results, key=lambda result: result.mutant.id)),
    )


def build_matrix(subject: Subject, *, watch: Watch = lambda _: None) -> KillMatrix:
    """Choose mutants for the case's clauses and judge them: the order's floor, more where clauses are unprotected.

    Deterministic in the case and its reference, as far as verdicts are.
    """
    clauses = spec_of(subject.case).clauses()
    manifest = manifest_of(subject.case)
    every = reachable(generate(subject.reference, manifest.product_paths), clauses)
    fates = {mutant.id: triage(mutant, subject.reference) for mutant in every}
    viable = [mutant for mutant in every if fates[mutant.id] is None]
    chosen = select(viable, clauses, count=order_of(subject.case).floors.mutants, seed=SEED)
    log.info("%d mutants in reach, %d viable, %d chosen", len(every), len(viable), len(chosen))
    matrix = kill_matrix(subject, [*chosen, *(each for each in every if fates[each.id])], watch=watch)
    for ground in grounds(clauses, subject.reference, manifest.product_paths):
        for mutant in _more_for(ground, matrix):
            if clauses_protected(matrix, manifest, [ground])[0].killed:
                break
            matrix = _joined(matrix, kill_matrix(subject, [mutant], watch=watch))
    return matrix


def fresh_matrix(subject: Subject) -> KillMatrix:
    """The case's kill matrix when it is about this suite and reference; else one made now and kept in the case."""
    stored = matrix_of(subject.case)
    if stored is not None and is_fresh(stored, subject):
        return stored
    matrix = build_matrix(subject)
    write_bytes(subject.case.kill_matrix, matrix.to_bytes())
    return matrix


def is_fresh(matrix: KillMatrix, subject: Subject) -> bool:
    """Whether the matrix speaks of the suite and the reference as they are now."""
    return matrix.suite == suite_digest(subject.case) and matrix.reference == tree_digest(subject.reference)


def judged(matrix: KillMatrix) -> tuple[MutantResult, ...]:
    """Results of mutants that were run: killed or open."""
    return tuple(result for result in matrix.results if result.fate in {Fate.KILLED, Fate.SURVIVED})


def clauses_protected(matrix: KillMatrix, manifest: TestManifest, known: Sequence[Ground]) -> tuple[Protection, ...]:
    """For each clause, in order, the mutants on its ground that its nodes killed."""
    every_node = set(manifest.node_ids)
    found: list[Protection] = []
    for ground in known:
        nodes = {node for node, cited in manifest.clauses.items() if ground.clause.id in cited} & every_node
        killed = [
            result.mutant.id
            for result in matrix.results
            if result.mutant.id in ground.ids
            and result.fate is Fate.KILLED
            and nodes & set(result.killers)
            and set(result.killers) != every_node
        ]
        found.append(Protection(ground=ground, nodes=tuple(sorted(nodes)), killed=tuple(killed)))
    return tuple(found)


def describe(result: MutantResult) -> str:
    """Operator, place and what became of a mutant, for people."""
    mutant = result.mutant
    place = f"{mutant.id} {mutant.operator} at {mutant.path}:{mutant.line} in {mutant.function}"
    if result.killers:
        more = f" and {len(result.killers) - 1} more" if len(result.killers) > 1 else ""
        return f"{place}, by {result.killers[0]}{more}"
    return f"{place}, {result.note}" if result.note else place


def _result(subject: Subject, mutant: Mutant, clauses: Sequence[Clause]) -> MutantResult:
    fate = triage(mutant, subject.reference)
    if fate is not None:
        return MutantResult(mutant=mutant, fate=fate, note=f"{fate.value}: not judged")
    make = partial(apply, mutant, subject.reference)
    own = _own_nodes(mutant, clauses, manifest_of(subject.case))
    if own:
        verdict = judge_made(subject, f"mutant-{mutant.id}", make, only=own)
        killers = failed_nodes(verdict)
        if killers and len(killers) < len(own):
            return MutantResult(mutant=mutant, fate=Fate.KILLED, killers=tuple(sorted(killers)))
    verdict = judge_made(subject, f"mutant-{mutant.id}", make)
    killers = failed_nodes(verdict)
    if killers:
        return MutantResult(mutant=mutant, fate=Fate.KILLED, killers=tuple(sorted(killers)))
    cited = [clause.id for clause in clauses if touches(mutant, clause)]
    where = f"on the evidence of {', '.join(cited)}" if cited else "outside the evidence of every clause"
    seen = "every node passes" if verdict.reward == 1 else f"no named node failed ({'; '.join(verdict.causes)})"
    return MutantResult(mutant=mutant, fate=Fate.SURVIVED, note=f"{seen}; {where}")


def _own_nodes(mutant: Mutant, clauses: Sequence[Clause], manifest: TestManifest) -> tuple[str, ...]:
    """The nodes of the clauses whose evidence the mutant changes, with some of others; none where it changes none's."""
    touched = {clause.id for clause in clauses if touches(mutant, clause)}
    own = [node for node in manifest.node_ids if touched & set(manifest.clauses[node])]
    others = [node for node in manifest.node_ids if not touched & set(manifest.clauses[node])]
    step = max(len(others) // WITNESSES, 1)
    return tuple(sorted((*own, *others[::step][:WITNESSES]))) if own and others else ()


def _more_for(ground: Ground, matrix: KillMatrix) -> tuple[Mutant, ...]:
    """Mutants of a clause's ground that are not judged yet."""
    done = {result.mutant.id for result in matrix.results}
    left = [mutant for mutant in ground.on_evidence or ground.nearby if mutant.id not in done]
    return select(left, [ground.clause], count=EXTRA_TRIES, seed=SEED)


def _joined(left: KillMatrix, right: KillMatrix) -> KillMatrix:
    both = sorted((*left.results, *right.results), key=lambda result: result.mutant.id)
    return left.model_copy(update={"results": tuple(both)})
