"""Mutants as recipes: made from the reference, chosen for a spec, and turned into workspaces again."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from environments.languages.python.mutate import Change, changes, no_mutant, splice
from taskpack.errors import DigestMismatch
from taskpack.mutant import Fate, Mutant
from taskpack.spec import Clause
from validation.workspaces import copy_reference, product_files


def generate(
    reference: Path, product_paths: Sequence[str], *, files: Iterable[str] | None = None
) -> tuple[Mutant, ...]:
    """Every rule mutant of the product, or of `files` in it, sorted by place. Deterministic in the reference."""
    sources = product_files(reference, product_paths)
    wanted = set(sources if files is None else files)
    return tuple(
        _mutant(path, change) for path, source in sources.items() if path in wanted for change in _changes(path, source)
    )


def apply(mutant: Mutant, reference: Path, dest: Path) -> None:
    """Write the mutant's workspace to `dest`, which must not exist.

    Raises `DigestMismatch` when the reference is not the one that the recipe was made from.
    """
    source, change = _located(mutant, reference)
    copy_reference(reference, dest, replaced={mutant.path: splice(source, change)})


def triage(mutant: Mutant, reference: Path) -> Fate | None:
    """`unviable`, `equivalent`, or None for a mutant worth judging. Nothing is run."""
    source, change = _located(mutant, reference)
    return no_mutant(mutant.path, source, splice(source, change))


def touches(mutant: Mutant, clause: Clause) -> bool:
    """Whether the change lies on the clause's evidence lines."""
    return any(
        mutant.path == place.path and place.first_line <= mutant.line <= place.last_line for place in clause.evidence
    )


def reachable(mutants: Sequence[Mutant], clauses: Sequence[Clause]) -> tuple[Mutant, ...]:
    """Mutants in files that some clause's evidence names."""
    files = {place.path for clause in clauses for place in clause.evidence}
    return tuple(mutant for mutant in mutants if mutant.path in files)


def select(mutants: Sequence[Mutant], clauses: Sequence[Clause], *, count: int, seed: str) -> tuple[Mutant, ...]:
    """At least `count` of the mutants, as far as there are so many.

    First one on each clause's evidence, then spread evenly over operators and functions, near the evidence before
    far from it. The same arguments give the same choice.
    """
    pool = {mutant.id: mutant for mutant in sorted(mutants, key=lambda mutant: _lot(seed, mutant))}
    near = _near(mutants, clauses)
    used: Counter[str] = Counter()
    chosen: list[Mutant] = []

    def take(candidates: list[Mutant]) -> None:
        best = min(candidates, key=lambda each: (near[each.id], used[each.operator] + used[_place(each)]))
        used.update((best.operator, _place(best)))
        chosen.append(pool.pop(best.id))

    for clause in clauses:
        on_it = [mutant for mutant in pool.values() if touches(mutant, clause)]
        if on_it and not any(touches(mutant, clause) for mutant in chosen):
            take(on_it)
    while pool and len(chosen) < count:
        take(list(pool.values()))
    return tuple(chosen)


def _near(mutants: Sequence[Mutant], clauses: Sequence[Clause]) -> dict[str, int]:
    """0 in a function that evidence touches, 1 elsewhere."""
    functions = {_place(mutant) for mutant in mutants if any(touches(mutant, clause) for clause in clauses)}
    return {mutant.id: 0 if _place(mutant) in functions else 1 for mutant in mutants}


def _place(mutant: Mutant) -> str:
    return f"{mutant.path}::{mutant.function}"


def _lot(seed: str, mutant: Mutant) -> str:
    return hashlib.sha256(f"{seed}\0{mutant.id}".encode()).hexdigest()


@lru_cache(maxsize=64)
def _changes(path: str, source: bytes) -> tuple[Change, ...]:
    return changes(path, source)


def _located(mutant: Mutant, reference: Path) -> tuple[bytes, Change]:
    """The file and the change that the recipe means."""
    source = (reference / mutant.path).read_bytes() if (reference / mutant.path).is_file() else b""
    for change in _changes(mutant.path, source):
        if _mutant(mutant.path, change) == mutant:
            return source, change
    raise DigestMismatch(
        f"mutant {mutant.id} cannot be made from this reference",
        details={"place": f"{mutant.path}:{mutant.line} in {mutant.function}", "operator": mutant.operator},
        remedy="delete milestones/final/kill_matrix.json, then repowright author CASE --until gates",
    )


def shown_place(function: str) -> str:
    """A dotted definition as a kill matrix shows it: private names, which no rename map reaches, stay behind."""
    return ".".join("_" if part.startswith("_") and not part.endswith("__") else part for part in function.split("."))


def _mutant(path: str, change: Change) -> Mutant:
    return Mutant(
        id=change.id,
        operator=change.operator,
        path=path,
        function=shown_place(change.function),
        line=change.line,
        start=change.start,
        end=change.end,
        old_sha256=hashlib.sha256(change.old).hexdigest(),
        new_sha256=hashlib.sha256(change.new).hexdigest(),
        occurrence=change.occurrence,
    )
