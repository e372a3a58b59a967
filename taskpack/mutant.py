"""Mutants and what the suite did to them. A mutant is a recipe: operator, place, digest; never code."""

from __future__ import annotations

from enum import StrEnum

from taskpack.record import Part, Record, Sha256


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    """A named node failed."""
    SURVIVED = "survived"
    UNVIABLE = "unviable"
    """It does not compile. Not a kill."""
    EQUIVALENT = "equivalent"
    """Same bytecode as the reference."""


class Mutant(Part):
    """A wrong implementation, made again from the reference at any time."""

    id: str
    """First 12 hex digits of the digest of path, function, operator, old and new text, and occurrence."""
    operator: str
    path: str
    function: str
    """Enclosing definition, dotted, a private name as `_`; `<module>` outside."""
    line: int
    start: int
    end: int
    """Byte span in the reference's file."""
    old_sha256: Sha256
    new_sha256: Sha256
    occurrence: int
    """Which of the equal changes within the function, from 0."""


class MutantResult(Part):
    mutant: Mutant
    fate: Fate
    killers: tuple[str, ...] = ()
    """Ids of the nodes that failed. First those that cite the clauses on whose evidence the change lies are run, with a
    few others; the whole suite where that tells nothing."""
    note: str = ""
    """Why an open one is open."""


class KillMatrix(Record):
    """`milestones/final/kill_matrix.json`."""

    suite: Sha256
    reference: Sha256
    results: tuple[MutantResult, ...]
    """Sorted by mutant id."""
