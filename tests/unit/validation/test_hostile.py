"""Hostile candidates and their twins as files."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from validation.hostile.apply import make_attack, make_twin
from validation.hostile.candidate import HOME, Aim, HostileCandidate, Naive, candidates
from validation.workspaces import product_files

EVERY = candidates()
GAINED_BESIDE = {"asks_around", "left_message", "left_sockets", "other_memory"}


def test_each_folder_is_a_candidate_that_says_what_stops_it() -> None:
    assert [each.name for each in EVERY] == sorted(path.name for path in (HOME / "python").iterdir() if path.is_dir())
    assert all(each.attack and each.defence and each.cause for each in EVERY)
    assert all((each.naive is Naive.BESIDE) <= (each.aim is Aim.DAMAGE or each.name in GAINED_BESIDE) for each in EVERY)
    assert all((each.reward, each.twin_reward) == (0, 1) for each in EVERY)


@pytest.mark.parametrize("candidate", [each for each in EVERY if each.statement], ids=lambda each: each.name)
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


def test_an_attack_without_a_statement_changes_the_product_in_another_way(laid_out, tmp_path: Path) -> None:
    _, reference = laid_out
    for candidate in (each for each in EVERY if not each.statement):
        make_attack(candidate, reference, ("src",), tmp_path / candidate.name)
        assert product_files(tmp_path / candidate.name, ("src",)) != product_files(reference, ("src",))


def test_links_lead_out_of_an_attack_and_stay_inside_its_twin(laid_out, tmp_path: Path) -> None:
    _, reference = laid_out
    linked = next(each for each in EVERY if each.links)
    make_attack(linked, reference, ("src",), tmp_path / "attack")
    make_twin(linked, reference, ("src",), tmp_path / "twin")
    for path in product_files(reference, ("src",)):
        assert (tmp_path / "attack" / path).resolve() == (reference / path).resolve()
        assert (tmp_path / "twin" / path).is_symlink()
        assert (tmp_path / "twin" / path).resolve().is_relative_to((tmp_path / "twin").resolve())


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_a_twin_leaves_every_function_of_the_product_as_it_is(candidate: HostileCandidate, laid_out, tmp_path) -> None:
    _, reference = laid_out
    make_twin(candidate, reference, ("src",), tmp_path / "made")
    for path, source in product_files(reference, ("src",)).items():
        assert (tmp_path / "made" / path).read_bytes().startswith(source)


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_candidates_can_be_made_from_a_product_of_several_modules(
    candidate: HostileCandidate, checkout: Path, tmp_path: Path
) -> None:
    reference = checkout / "cases/case001/controls/clean_room/app"
    for make in (make_attack, make_twin):
        make(candidate, reference, ("src",), tmp_path / make.__name__)
        made = list((tmp_path / make.__name__ / "src").rglob("*.py"))
        assert len(made) >= len(list((reference / "src").rglob("*.py")))
        for path in filter(Path.is_file, made):
            compile(path.read_bytes(), str(path), "exec")


def test_candidates_can_be_made_from_a_reference_that_is_one_module(tmp_path: Path) -> None:
    reference = tmp_path / "reference"
    (reference / "lib").mkdir(parents=True)
    (reference / "lib" / "single.py").write_text("def f():\n    return 1\n")
    for candidate in EVERY:
        make_attack(candidate, reference, ("lib",), tmp_path / candidate.name)
        place = tmp_path / candidate.name / "lib" / "single.py"
        if place.is_fifo():
            continue
        text = place.read_text()
        assert place.is_symlink() or candidate.made or text != "def f():\n    return 1\n"
        compile(text, "single.py", "exec")
