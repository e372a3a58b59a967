"""The kill matrix and what it protects, with a judge that answers by rule."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import Subject
from taskpack.errors import SandboxFailed
from taskpack.mutant import Fate, KillMatrix, Mutant, MutantResult
from taskpack.verdict import Judged, Verdict
from validation import matrix as matrices
from validation.ground import Ground, grounds
from validation.matrix import build_matrix, clauses_protected, fresh_matrix, judged, kill_matrix
from validation.mutants import generate, touches, triage
from validation.reading import manifest_of, spec_of

MakeSubject = Callable[[Callable[[Path, str | None], set[str]]], Subject]
SPLIT = "test_no_parts_are_refused_and_one_is_not"


def nobody(workspace: Path, seed: str | None) -> set[str]:
    return set()


def split_node_on_any_change_there(workspace: Path, seed: str | None) -> set[str]:
    """Fails one node when `split` differs from the reference's."""
    text = (workspace / "src/tally/amounts.py").read_text()
    reference = (Path(__file__).parents[2] / "gates/_base/reference/src/tally/amounts.py").read_text()
    part = slice(text.index("def split"), text.index("def _cents"))
    return {SPLIT} if text[part] not in reference else set()


def every_node(subject: Subject) -> set[str]:
    return {node.rpartition("::")[2] for node in manifest_of(subject.case).node_ids}


def test_a_mutant_is_killed_by_the_node_that_failed(make_subject: MakeSubject) -> None:
    subject = make_subject(split_node_on_any_change_there)
    mutant = next(each for each in generate(subject.reference, ("src",)) if each.function == "split")
    (result,) = kill_matrix(subject, [mutant]).results
    assert result.fate is Fate.KILLED
    assert result.killers == (f"tests/F01_acceptance.py::{SPLIT}",)


def nodes_run(make_subject: MakeSubject, wrong: set[str]) -> tuple[MutantResult, list[tuple[str, ...]]]:
    """The result of a mutant on a clause's evidence, and the nodes that each verdict was asked for."""
    asked: list[tuple[str, ...]] = []
    subject = make_subject(lambda _workspace, _seed: wrong)
    plain = subject.judge

    def noting(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        asked.append(only)
        return plain(workspace, seed=seed, only=only)

    mutant = next(each for each in generate(subject.reference, ("src",)) if each.operator == "boundary")
    matrix = kill_matrix(dataclasses.replace(subject, judge=noting), [mutant])
    return matrix.results[0], asked


def test_a_mutant_meets_the_nodes_of_its_own_clauses_first(
    make_subject: MakeSubject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "WITNESSES", 1)
    result, (own,) = nodes_run(make_subject, {SPLIT})
    assert result.fate is Fate.KILLED
    assert set(result.killers) < set(own)
    assert len(own) < len(manifest_of(make_subject(nobody).case).node_ids)


def test_a_mutant_that_its_own_nodes_let_pass_meets_the_whole_suite(make_subject: MakeSubject) -> None:
    result, asked = nodes_run(make_subject, set())
    assert result.fate is Fate.SURVIVED
    assert [bool(only) for only in asked] == [True, False]


def test_where_every_node_that_ran_failed_the_whole_suite_tells(make_subject: MakeSubject) -> None:
    every = {node.rpartition("::")[2] for node in manifest_of(make_subject(nobody).case).node_ids}
    result, asked = nodes_run(make_subject, every)
    assert [bool(only) for only in asked] == [True, False]
    assert len(result.killers) == len(every)


def test_a_survivor_is_open_with_the_clauses_it_lies_on(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    mutant = next(each for each in generate(subject.reference, ("src",)) if each.operator == "boundary")
    (result,) = kill_matrix(subject, [mutant]).results
    assert result.fate is Fate.SURVIVED
    assert "FP-01.E2" in result.note or "FP-01.N2" in result.note


def test_reward_0_without_a_failed_node_is_no_kill(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    plain = subject.judge

    def missing(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        verdict = plain(workspace, seed=seed)
        return verdict.model_copy(update={"reward": 0, "causes": ("a node was not collected",)})

    subject = dataclasses.replace(subject, judge=missing)
    (result,) = kill_matrix(subject, generate(subject.reference, ("src",))[:1]).results
    assert result.fate is Fate.SURVIVED
    assert "a node was not collected" in result.note


def test_a_fault_of_the_machinery_is_no_answer(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    plain = subject.judge

    def broken(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        verdict = plain(workspace, seed=seed)
        return verdict.model_copy(update={"outcome": Judged.INFRA, "reward": None, "causes": ("the engine died",)})

    with pytest.raises(SandboxFailed, match="no verdict"):
        kill_matrix(dataclasses.replace(subject, judge=broken), generate(subject.reference, ("src",))[:1])


def test_equivalent_mutants_are_counted_and_never_judged(make_subject: MakeSubject) -> None:
    def refuses(workspace: Path, seed: str | None) -> set[str]:
        raise AssertionError("judged")

    subject = make_subject(refuses)
    file = subject.reference / "src/tally/tags.py"
    file.write_text(file.read_text() + "\n\nif False:\n    tag(1, 2)\n")
    same = [m for m in generate(subject.reference, ("src",)) if m.path.endswith("tags.py") and m.function == "<module>"]
    results = kill_matrix(subject, [mutant for mutant in same if mutant.operator == "integer"]).results
    assert {result.fate for result in results} == {Fate.EQUIVALENT}


def test_no_workspace_is_left_behind(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    kill_matrix(subject, generate(subject.reference, ("src",))[:2])
    assert list(subject.scratch.iterdir()) == []


def known_grounds(subject: Subject) -> tuple[Ground, ...]:
    manifest = manifest_of(subject.case)
    return grounds(spec_of(subject.case).clauses(), subject.reference, manifest.product_paths)


def protected_by(
    subject: Subject, mutant: Mutant, killers: tuple[str, ...], known: tuple[Ground, ...] | None = None
) -> set[str]:
    """The clauses that a matrix of this one killed mutant protects."""
    result = MutantResult(mutant=mutant, fate=Fate.KILLED, killers=killers)
    matrix = KillMatrix(suite="0" * 64, reference="0" * 64, results=(result,))
    rows = clauses_protected(matrix, manifest_of(subject.case), known or known_grounds(subject))
    return {row.clause for row in rows if row.killed}


def test_a_kill_protects_the_clauses_whose_evidence_it_lies_on_and_no_other(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    manifest = manifest_of(subject.case)
    clauses, known = spec_of(subject.case).clauses(), known_grounds(subject)
    for mutant in generate(subject.reference, manifest.product_paths):
        on_it = {clause.id for clause in clauses if touches(mutant, clause)}
        for node, cited in manifest.clauses.items():
            expected = on_it & set(cited) if triage(mutant, subject.reference) is None else set()
            assert protected_by(subject, mutant, (node,), known) == expected


def test_a_mutant_that_fails_everything_protects_no_clause(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    nodes = manifest_of(subject.case).node_ids
    known = known_grounds(subject)
    for ground in known:
        mutant = ground.on_evidence[0]
        assert protected_by(subject, mutant, nodes, known) == set()
        fewer = [protected_by(subject, mutant, some, known) for some in (nodes[:-1], nodes[1:])]
        assert ground.clause.id in fewer[0] | fewer[1]


def with_evidence(subject: Subject, clause: str, first: int, last: int) -> None:
    stored = json.loads(subject.case.spec.read_bytes())
    for each in stored["features"][0]["clauses"]:
        if each["id"] == clause:
            each["evidence"] = [{"path": "src/tally/amounts.py", "first_line": first, "last_line": last}]
    subject.case.spec.write_text(json.dumps(stored))


def test_a_clause_whose_evidence_cannot_be_changed_is_protected_by_its_function_only(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    with_evidence(subject, "FP-01.E2", 17, 18)
    known = known_grounds(subject)
    ground = next(each for each in known if each.clause.id == "FP-01.E2")
    assert not ground.is_own
    assert {mutant.function for mutant in ground.nearby} == {"split"}
    node = f"tests/F01_acceptance.py::{SPLIT}"
    for mutant in generate(subject.reference, ("src",)):
        is_near = mutant.function == "split" and triage(mutant, subject.reference) is None
        assert ("FP-01.E2" in protected_by(subject, mutant, (node,), known)) is is_near


def test_a_clause_whose_evidence_can_be_changed_is_not_protected_by_its_function(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    ground = next(each for each in known_grounds(subject) if each.clause.id == "FP-01.E2")
    assert ground.is_own
    assert ground.nearby == ()
    assert {mutant.line for mutant in ground.on_evidence} <= {19, 20}


def test_for_a_clause_whose_evidence_cannot_be_changed_its_function_is_tried(make_subject: MakeSubject) -> None:
    tried: list[str] = []

    def seen(workspace: Path, seed: str | None) -> set[str]:
        tried.append(workspace.name)
        return set()

    subject = make_subject(seen)
    with_evidence(subject, "FP-01.E2", 17, 18)
    build_matrix(subject)
    ground = next(each for each in known_grounds(subject) if each.clause.id == "FP-01.E2")
    judged_near = [mutant for mutant in ground.nearby if f"mutant-{mutant.id}" in tried]
    assert len(judged_near) >= min(len(ground.nearby), matrices.EXTRA_TRIES)


def test_more_mutants_are_tried_for_clauses_left_open_but_not_without_end(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    matrix = build_matrix(subject)
    clauses = len(spec_of(subject.case).clauses())
    assert 8 < len(judged(matrix)) <= 8 + clauses * matrices.EXTRA_TRIES
    assert all(result.note for result in judged(matrix))


def test_no_more_mutants_are_tried_than_ordered_when_every_clause_is_protected(make_subject: MakeSubject) -> None:
    def all_but_one(workspace: Path, seed: str | None) -> set[str]:
        return every_node(subject) - {"test_a_sum_is_exact"}

    subject = make_subject(all_but_one)
    assert len(judged(build_matrix(subject))) == 8


def test_a_fresh_matrix_is_read_and_a_stale_one_is_made_again(make_subject: MakeSubject) -> None:
    runs: list[str] = []

    def counted(workspace: Path, seed: str | None) -> set[str]:
        runs.append(workspace.name)
        return every_node(subject) - {SPLIT if len(runs) % 2 else "test_a_sum_is_exact"}

    subject = make_subject(counted)
    first = fresh_matrix(subject)
    count = len(runs)
    assert fresh_matrix(subject) == first
    assert len(runs) == count
    (subject.case.tests / "F01_helpers.py").write_text("changed = True\n")
    assert fresh_matrix(subject) != first
    assert len(runs) > count
