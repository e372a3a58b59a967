"""Mutants as recipes, and which of them are chosen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from taskpack.errors import DigestMismatch
from taskpack.files import tree_digest, walk
from taskpack.layout import CaseFolder
from validation.mutants import apply, generate, reachable, select, shown_place, touches, triage
from validation.reading import spec_of

Laid = tuple[CaseFolder, Path]


def test_the_same_reference_gives_the_same_mutants_and_no_id_twice(laid_out: Laid) -> None:
    _, reference = laid_out
    first = generate(reference, ("src",))
    assert first == generate(reference, ("src",))
    assert len({mutant.id for mutant in first}) == len(first) > 40


def test_only_the_named_files_are_mutated(laid_out: Laid) -> None:
    _, reference = laid_out
    assert {mutant.path for mutant in generate(reference, ("src",), files=["src/tally/tags.py"])} == {
        "src/tally/tags.py"
    }


def test_a_recipe_makes_a_workspace_that_differs_in_its_one_place(laid_out: Laid, tmp_path: Path) -> None:
    _, reference = laid_out
    mutant = next(each for each in generate(reference, ("src",)) if each.operator == "boundary")
    apply(mutant, reference, tmp_path / "made")
    differing = [
        path.relative_to(reference).as_posix()
        for path in walk(reference)
        if path.read_bytes() != (tmp_path / "made" / path.relative_to(reference)).read_bytes()
    ]
    assert differing == [mutant.path]
    lines = zip(
        (reference / mutant.path).read_text().splitlines(),
        (tmp_path / "made" / mutant.path).read_text().splitlines(),
        strict=True,
    )
    assert [number for number, (old, new) in enumerate(lines, 1) if old != new] == [mutant.line]


def test_a_recipe_is_refused_for_another_reference(laid_out: Laid, tmp_path: Path) -> None:
    _, reference = laid_out
    mutant = next(each for each in generate(reference, ("src",)) if each.function == "split")
    file = reference / mutant.path
    file.write_text(f"# moved\n{file.read_text()}")
    with pytest.raises(DigestMismatch, match=mutant.id):
        apply(mutant, reference, tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_the_reference_is_left_as_it_was(laid_out: Laid, tmp_path: Path) -> None:
    _, reference = laid_out
    before = tree_digest(reference)
    for number, mutant in enumerate(generate(reference, ("src",))[:5]):
        apply(mutant, reference, tmp_path / str(number))
    assert tree_digest(reference) == before


def test_every_clause_gets_a_mutant_on_its_evidence(laid_out: Laid) -> None:
    case, reference = laid_out
    clauses = spec_of(case).clauses()
    chosen = select(generate(reference, ("src",)), clauses, count=1, seed="s")
    assert all(any(touches(mutant, clause) for mutant in chosen) for clause in clauses)


def test_the_choice_is_seeded_spread_and_as_large_as_asked(laid_out: Laid) -> None:
    case, reference = laid_out
    clauses = spec_of(case).clauses()
    every = [mutant for mutant in generate(reference, ("src",)) if triage(mutant, reference) is None]
    chosen = select(every, clauses, count=20, seed="s")
    assert len(chosen) == 20
    assert chosen == select(list(reversed(every)), clauses, count=20, seed="s")
    assert chosen != select(every, clauses, count=20, seed="t")
    assert {mutant.function for mutant in chosen} == {"total", "split", "_", "tag"}
    assert max(Counter(mutant.operator for mutant in chosen).values()) <= 4


def test_a_recipe_shows_no_private_name_of_the_reference(laid_out: Laid) -> None:
    _, reference = laid_out
    shown = {mutant.function for mutant in generate(reference, ("src",))}
    assert "_cents" not in shown
    assert [shown_place(name) for name in ("A._b.c", "__init__", "<module>")] == ["A._.c", "__init__", "<module>"]


def test_asking_for_more_than_there_are_gives_all(laid_out: Laid) -> None:
    case, reference = laid_out
    every = generate(reference, ("src",))
    assert len(select(every, spec_of(case).clauses(), count=10_000, seed="s")) == len(every)


def test_files_without_evidence_are_out_of_reach(laid_out: Laid) -> None:
    case, reference = laid_out
    (reference / "src" / "tally" / "extra.py").write_text("def f(a):\n    return a + 1\n")
    clauses = spec_of(case).clauses()
    found = reachable(generate(reference, ("src",)), clauses)
    assert {mutant.path for mutant in found} == {"src/tally/amounts.py", "src/tally/tags.py"}
