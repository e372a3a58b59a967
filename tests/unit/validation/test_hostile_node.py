"""Hostile candidates in JavaScript and their twins as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from validation.hostile.candidate import HOME, Aim, HostileCandidate, Language, Naive, Side, candidates
from validation.hostile.overlay import make_candidate

EVERY = candidates(Language.JAVASCRIPT)
DATA = Path(__file__).parents[2] / "data" / "judge" / "tstally"
WRONG, RIGHT = DATA / "wrong", DATA / "workspace"
GAINED_BESIDE = {"asks_around", "left_message", "other_memory"}
FAMILIES = {"runner", "comparison", "shadow", "report", "wire", "process", "value", "machine"}


def sources(folder: Path) -> dict[str, bytes]:
    """Every file by its path; a link's is what it leads to."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_each_folder_is_a_candidate_that_says_what_stops_it() -> None:
    folders = sorted(path.name for path in (HOME / "javascript").iterdir() if path.is_dir())
    assert [each.name for each in EVERY] == folders
    assert len(EVERY) >= 30
    assert all(each.attack and each.defence and each.cause and each.family in FAMILIES for each in EVERY)
    assert all((each.naive is Naive.BESIDE) <= (each.aim is Aim.DAMAGE or each.name in GAINED_BESIDE) for each in EVERY)
    assert all((each.reward, each.twin_reward) == (0, 1) for each in EVERY)


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_each_has_both_sides_and_they_are_not_the_same(candidate: HostileCandidate) -> None:
    attack, twin = (sources(candidate.folder / side) for side in Side)
    assert attack
    assert twin
    assert set(attack.values()) != set(twin.values())


def test_what_python_candidates_alone_have_is_not_used() -> None:
    assert [each.name for each in EVERY if each.statement or each.made] == []


@pytest.mark.parametrize("candidate", [each for each in EVERY if not each.links], ids=lambda each: each.name)
def test_an_attack_keeps_the_wrong_product_and_its_twin_the_right_one(
    candidate: HostileCandidate, tmp_path: Path
) -> None:
    """Nothing of the right product is in an attack; a twin only adds to it."""
    make_candidate(candidate, Side.ATTACK, WRONG, tmp_path / "attack", right=RIGHT)
    make_candidate(candidate, Side.TWIN, RIGHT, tmp_path / "twin", right=RIGHT)
    assert (tmp_path / "attack" / "src" / "ledger.ts").read_bytes() == (WRONG / "src" / "ledger.ts").read_bytes()
    made = sources(tmp_path / "twin")
    for path, source in sources(RIGHT).items():
        assert made[path].startswith(source) or path == "package.json"


def test_links_lead_out_of_an_attack_and_stay_inside_its_twin(tmp_path: Path) -> None:
    [linked] = [each for each in EVERY if each.links]
    make_candidate(linked, Side.ATTACK, WRONG, tmp_path / "attack", right=RIGHT)
    make_candidate(linked, Side.TWIN, RIGHT, tmp_path / "twin", right=RIGHT)
    for path, source in sources(RIGHT).items():
        assert (tmp_path / "attack" / path).resolve() == (RIGHT / path).resolve()
        assert (tmp_path / "twin" / path).is_symlink()
        assert (tmp_path / "twin" / path).resolve().is_relative_to((tmp_path / "twin").resolve())
        assert (tmp_path / "twin" / path).read_bytes() == source


def test_no_source_of_the_right_product_is_in_the_wrong_one() -> None:
    assert not set(sources(RIGHT / "src").values()) & set(sources(WRONG / "src").values())
