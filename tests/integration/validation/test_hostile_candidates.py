"""Attacks win where one process does everything, and lose here; their twins win in both places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from judge.subject import Subject
from taskpack.layout import CaseFolder
from tests.integration.validation.conftest import FIXTURES
from tests.unit.validation.naive import run_naively
from validation.hostile.apply import HostileCandidate, candidates, make_attack, make_twin
from validation.selftest import lay_out
from validation.trials import judge_made

pytestmark = pytest.mark.sandbox

Laid = tuple[CaseFolder, Path]
EVERY = candidates()
NAMES = [each.name for each in EVERY]
AIMED_AT = {"always_equal": "not refused", "shadow_hmac": "tag"}
"""Nodes that an attack is made for, where it is not made for all: values alone, oracles with hmac alone."""


@pytest.fixture
def laid_out(tmp_path: Path) -> Laid:
    return lay_out(FIXTURES / "_base", None, tmp_path / "laid")


@pytest.mark.parametrize("candidate", EVERY, ids=NAMES)
def test_an_attack_passes_a_naive_grader(candidate: HostileCandidate, laid_out: Laid, tmp_path: Path) -> None:
    case, reference = laid_out
    make_attack(candidate, reference, ("src",), tmp_path / "attack")
    run = run_naively(case, tmp_path / "attack", select=AIMED_AT.get(candidate.name, ""))
    assert run.exit_code == 0, run.output
    if candidate.name == "exit_zero":
        assert run.results == {}  # it is gone before a report is written; a grader of exit codes pays all the same
    else:
        assert run.results
        assert set(run.results.values()) == {"passed"}


def test_the_same_damage_without_the_attack_fails_the_naive_grader(laid_out: Laid, tmp_path: Path) -> None:
    case, reference = laid_out
    patch = next(each for each in EVERY if each.name == "patch_pytest")
    bare = patch.model_copy(update={"name": "exit_zero"})  # its folder has no attack beside the statement
    make_attack(bare, reference, ("src",), tmp_path / "attack")
    run = run_naively(case, tmp_path / "attack")
    assert run.exit_code == 1
    assert set(run.results.values()) == {"failed"}


@pytest.mark.parametrize("candidate", EVERY, ids=NAMES)
def test_an_attack_scores_0_and_its_twin_1(
    candidate: HostileCandidate, laid_out: Laid, make_subject: Callable[[CaseFolder, Path], Subject]
) -> None:
    subject = make_subject(*laid_out)
    attack = judge_made(subject, "attack", partial(make_attack, candidate, subject.reference, ("src",)))
    twin = judge_made(subject, "twin", partial(make_twin, candidate, subject.reference, ("src",)))
    assert (attack.reward, twin.reward, twin.causes) == (0, 1, ())
