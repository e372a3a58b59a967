"""The ground of a clause: the mutants whose death says something about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from environments.languages.python.syntax import functions_on
from taskpack.mutant import Mutant
from taskpack.spec import Clause
from validation.mutants import generate, shown_place, touches, triage


@dataclass(frozen=True, kw_only=True)
class Ground:
    """The viable mutants that count for one clause."""

    clause: Clause
    on_evidence: tuple[Mutant, ...]
    """Those on the clause's own lines."""
    nearby: tuple[Mutant, ...]
    """Those elsewhere in the functions around its lines; only where its lines give none."""

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(mutant.id for mutant in self.on_evidence or self.nearby)

    @property
    def is_own(self) -> bool:
        """Whether the clause's own lines can be changed for the worse at all."""
        return bool(self.on_evidence)


def grounds(clauses: Sequence[Clause], reference: Path, product_paths: Sequence[str]) -> tuple[Ground, ...]:
    """The ground of each clause, in order. Nothing is run."""
    files = {place.path for clause in clauses for place in clause.evidence}
    every = generate(reference, product_paths, files=files)
    viable: dict[str, bool] = {}

    def is_viable(mutant: Mutant) -> bool:
        if mutant.id not in viable:
            viable[mutant.id] = triage(mutant, reference) is None
        return viable[mutant.id]

    found = []
    for clause in clauses:
        on_it = tuple(mutant for mutant in every if touches(mutant, clause) and is_viable(mutant))
        around = frozenset() if on_it else functions_around(clause, reference)
        near = tuple(each for each in every if (each.path, each.function) in around and is_viable(each))
        found.append(Ground(clause=clause, on_evidence=on_it, nearby=near))
    return tuple(found)


def functions_around(clause: Clause, reference: Path) -> frozenset[tuple[str, str]]:
    """Path and dotted name of each definition that a clause's evidence stands in."""
    return frozenset(
        (place.path, shown_place(name))
        for place in clause.evidence
        if (reference / place.path).is_file()
        for name in functions_on((reference / place.path).read_bytes(), place.first_line, place.last_line)
    )
