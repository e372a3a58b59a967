"""The gates on their seeded defects, with real verdicts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import Subject
from taskpack.files import tree_digest
from taskpack.layout import CaseFolder
from taskpack.mutant import Fate, KillMatrix
from tests.integration.validation.conftest import FIXTURES
from validation.gates import GATES
from validation.ground import grounds
from validation.matrix import clauses_protected, fresh_matrix
from validation.reading import manifest_of, spec_of
from validation.selftest import lay_out, selftest

pytestmark = pytest.mark.sandbox

MakeSubject = Callable[[CaseFolder, Path], Subject]


def test_a_flaky_suite_and_one_that_excuses_errors_are_found(make_subject: MakeSubject, tmp_path: Path) -> None:
    gates = [gate for gate in GATES if gate.code in {"REF-PASS", "STR-CONTROLS"}]
    report = selftest(gates, FIXTURES, make_subject=make_subject, place=tmp_path)
    assert [note for row in report.rows for note in row.notes] == []
    assert report.good


def test_the_kill_matrix_of_the_tiny_case_names_nodes_and_is_kept(make_subject: MakeSubject, tmp_path: Path) -> None:
    case, reference = lay_out(FIXTURES / "_base", None, tmp_path / "laid")
    matrix = fresh_matrix(make_subject(case, reference))
    assert KillMatrix.from_bytes(case.kill_matrix.read_bytes()) == matrix
    assert matrix.reference == tree_digest(reference)
    assert {result.fate for result in matrix.results} == {Fate.KILLED}
    assert {killer for result in matrix.results for killer in result.killers} == set(manifest_of(case).node_ids)
    manifest = manifest_of(case)
    known = grounds(spec_of(case).clauses(), reference, manifest.product_paths)
    assert all(row.killed for row in clauses_protected(matrix, manifest, known))


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_every_defect_fails_its_gate_alone_and_every_twin_passes(make_subject: MakeSubject, tmp_path: Path) -> None:
    report = selftest(GATES, FIXTURES, make_subject=make_subject, place=tmp_path)
    assert [note for row in report.rows for note in row.notes] == []
    assert report.good
    assert {score.recall for score in report.scores} == {1.0}
    assert {score.precision for score in report.scores} == {1.0}
