"""The tiny case under `tests/gates/_base`: what can be derived in it is derived (`--update-golden` writes it again)."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from authoring.documents import render_documents
from authoring.hidden_tests import record
from judge.bundle_lib import copy_lib
from taskpack.layout import CaseFolder
from tests.unit.validation.conftest import FIXTURES
from validation.reading import order_of, spec_of

CASE = CaseFolder(root=FIXTURES / "_base" / "case")


def nodes_and_clauses() -> dict[str, tuple[str, ...]]:
    """Read off the source: every test of this suite has one `@clause` and no parameters."""
    tree = ast.parse((CASE.tests / "F01_acceptance.py").read_text())
    found: dict[str, tuple[str, ...]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            (mark,) = node.decorator_list
            assert isinstance(mark, ast.Call)
            cited = tuple(sorted(ast.literal_eval(argument) for argument in mark.args))
            found[f"tests/F01_acceptance.py::{node.name}"] = cited
    return found


def test_documents_and_manifests_are_what_specification_and_suite_give(tmp_path: Path, update_golden: bool) -> None:
    spec = spec_of(CASE)
    documents = render_documents(spec, language=order_of(CASE).language)
    shutil.copytree(CASE.tests, tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    copy_lib(tmp_path / "tests")
    record(tmp_path, spec, nodes=nodes_and_clauses(), language="python")
    derived = {
        CASE.prd: documents.prd.encode(),
        CASE.contract: documents.contract.encode(),
        CASE.test_manifest: (tmp_path / "test_manifest.json").read_bytes(),
        CASE.coverage_matrix: (tmp_path / "coverage_matrix.json").read_bytes(),
    }
    for path, content in derived.items():
        if update_golden:
            path.write_bytes(content)
        assert path.read_bytes() == content, path.name


@pytest.mark.parametrize("overlay", sorted(FIXTURES.glob("S*-*/*/case/milestones/final/tests/F01_acceptance.py")))
def test_overlays_keep_the_frozen_node_ids(overlay: Path) -> None:
    tree = ast.parse(overlay.read_text())
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")}
    assert {f"tests/F01_acceptance.py::{name}" for name in names} == set(nodes_and_clauses())


def test_evidence_lies_inside_the_reference() -> None:
    for clause in spec_of(CASE).clauses():
        for place in clause.evidence:
            lines = (FIXTURES / "_base" / "reference" / place.path).read_text().splitlines()
            assert 1 <= place.first_line <= place.last_line <= len(lines)
