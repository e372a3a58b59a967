"""Hostile candidates and their twins as files."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from validation.hostile.apply import PYTHON, HostileCandidate, candidates, make_attack, make_twin
from validation.workspaces import product_files

EVERY = candidates()


def test_each_folder_is_a_candidate_that_says_what_stops_it() -> None:
    assert [each.name for each in EVERY] == sorted(path.name for path in PYTHON.iterdir() if path.is_dir())
    assert all(each.attack and each.defence for each in EVERY)
    assert all((each.reward, each.twin_reward) == (0, 1) for each in EVERY)


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_an_attack_is_wrong_in_every_public_function(candidate: HostileCandidate, laid_out, tmp_path: Path) -> None:
    _, reference = laid_out
    make_attack(candidate, reference, ("src",), tmp_path / "made")
    tree = ast.parse((tmp_path / "made" / "src" / "tally" / "amounts.py").read_text())
    public = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    assert len(public) == 2
    assert {ast.unparse(node.body[0]) for node in public} == {
        ast.unparse(ast.parse(candidate.statement, mode="exec"))
        if not candidate.statement.startswith("return")
        else candidate.statement.replace('"', "'")
    }


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_a_twin_leaves_every_function_of_the_product_as_it_is(candidate: HostileCandidate, laid_out, tmp_path) -> None:
    _, reference = laid_out
    make_twin(candidate, reference, ("src",), tmp_path / "made")
    made = product_files(tmp_path / "made", ("src",))
    for path, source in product_files(reference, ("src",)).items():
        assert made[path].startswith(source)


def test_candidates_can_be_made_from_a_reference_that_is_one_module(tmp_path: Path) -> None:
    reference = tmp_path / "reference"
    (reference / "lib").mkdir(parents=True)
    (reference / "lib" / "single.py").write_text("def f():\n    return 1\n")
    for candidate in EVERY:
        make_attack(candidate, reference, ("lib",), tmp_path / candidate.name)
        text = (tmp_path / candidate.name / "lib" / "single.py").read_text()
        assert text != "def f():\n    return 1\n"
        compile(text, "single.py", "exec")
