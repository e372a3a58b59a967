"""Hostile candidates on products that are not Python, as files."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.integration.validation.hostile_run import products_of
from validation.hostile.candidate import HOME, Aim, HostileCandidate, Language, Naive, Side, candidates
from validation.hostile.overlay import make_candidate

FEWEST = {Language.COMMAND: 20, Language.GO: 10}
EVERY = [each for language in FEWEST for each in candidates(language)]
FAMILIES = {"runner", "comparison", "shadow", "report", "wire", "process", "value", "machine"}


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("language", FEWEST)
def test_each_folder_is_a_candidate(language: Language) -> None:
    found = candidates(language)
    assert [each.name for each in found] == sorted(path.name for path in (HOME / language).iterdir() if path.is_dir())
    assert len(found) >= FEWEST[language]
    assert {each.language for each in found} == {language}


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: f"{each.language}-{each.name}")
def test_it_says_what_it_does_and_what_stops_it(candidate: HostileCandidate) -> None:
    assert candidate.family in FAMILIES
    assert all(text.endswith(".") for text in (candidate.attack, candidate.defence))
    assert candidate.cause
    assert candidate.cause != candidate.never
    assert (candidate.naive is Naive.BESIDE) == (candidate.aim is Aim.DAMAGE)
    assert (candidate.reward, candidate.twin_reward) == (0, 1)
    # What belongs to candidates that are made by rewriting Python.
    assert (candidate.statement, candidate.links, candidate.made) == ("", False, None)
    named = tomllib.loads((candidate.folder / "candidate.toml").read_text("utf-8"))
    assert "language" not in named


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: f"{each.language}-{each.name}")
def test_each_side_changes_its_product_and_they_differ(candidate: HostileCandidate, tmp_path: Path) -> None:
    made = {}
    for side in Side:
        product = products_of(candidate.language)[side]
        make_candidate(candidate, side, product, tmp_path / side)
        made[side] = files(tmp_path / side)
        assert made[side] != files(product)
        assert {path.name for path in (candidate.folder / side).iterdir()} <= {"workspace", "appended"}
    assert made[Side.ATTACK] != made[Side.TWIN]


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: f"{each.language}-{each.name}")
def test_a_twin_leaves_the_right_product_as_it_is(candidate: HostileCandidate, tmp_path: Path) -> None:
    product = products_of(candidate.language)[Side.TWIN]
    make_candidate(candidate, Side.TWIN, product, tmp_path / "made")
    front = {"bin/shelf"}  # which goes on to the product
    for path, text in files(product).items():
        assert path in front or (tmp_path / "made" / path).read_bytes().startswith(text)


@pytest.mark.parametrize("candidate", candidates(Language.COMMAND), ids=lambda each: each.name)
def test_programs_can_be_started_by_what_their_first_line_names(candidate: HostileCandidate) -> None:
    for path in candidate.folder.rglob("workspace/bin/*"):
        assert path.stat().st_mode & 0o111
        assert path.read_text("utf-8").splitlines()[0] in {"#!/bin/sh", "#!/usr/bin/python3"}


def test_every_product_that_is_attacked_has_a_wrong_one() -> None:
    for language in FEWEST:
        wrong, right = (files(products_of(language)[side]) for side in (Side.ATTACK, Side.TWIN))
        assert right.keys() == wrong.keys()
        assert right != wrong
