"""Hostile programs: each attack scores 0 with its cause and leaves nothing, each twin 1; a naive grader pays or suffers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.local import Local
from taskpack.verdict import Judged
from tests.integration.validation.hostile_corpus import Run, judge_as_plain_user, judge_corpus
from tests.integration.validation.hostile_run import products_of
from tests.integration.validation.hostile_shell import CASES, ShellRun, run_in_shell
from validation.hostile.candidate import HostileCandidate, Language, Naive, Side, candidates
from validation.hostile.overlay import make_candidate

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(900)]

EVERY = candidates(Language.COMMAND)
PAID = [each for each in EVERY if each.naive is not Naive.BESIDE]
BESIDE = [each for each in EVERY if each.naive is Naive.BESIDE]
SECONDS = 120
"""No verdict may take longer, also on a machine that is busy with other things; the slowest takes a tenth of that."""
ENDLESS = {"deaf", "fork_bomb", "open_pipe", "piped_answer", "stops_all"}
PATIENCE = 12.0
"""What a grader is given that does not come to its end, in seconds."""


@pytest.fixture(scope="module")
def run(bench_site: Path) -> Run:
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        return judge_corpus(Language.COMMAND, Path(made), bench_site)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the sandbox's uid can read what lies there."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="module")
def local() -> Iterator[Sandbox]:
    made = Local()
    yield made
    made.close()


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_an_attack_scores_0_and_a_cause_says_what_happened(candidate: HostileCandidate, run: Run) -> None:
    verdict = run.of(candidate.name, Side.ATTACK).verdict
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert any(candidate.cause in cause for cause in verdict.causes), verdict.causes
    assert not candidate.never or not any(candidate.never in cause for cause in verdict.causes), verdict.causes


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_its_twin_scores_1(candidate: HostileCandidate, run: Run) -> None:
    verdict = run.of(candidate.name, Side.TWIN).verdict
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())


def test_every_verdict_comes_to_an_end_in_bounded_time(run: Run) -> None:
    assert [each.name for each in run.judgements if each.seconds > SECONDS] == []


def test_nothing_is_left_on_the_machine(run: Run) -> None:
    assert len(run.judgements) == 2 * len(EVERY)
    assert run.left == []


def graded(local: Sandbox, folder: Path, candidate: HostileCandidate) -> ShellRun | None:
    make_candidate(candidate, Side.ATTACK, products_of(Language.COMMAND)[Side.ATTACK], folder / "app")
    (folder / "room").mkdir()
    upstream = products_of(Language.COMMAND)[Side.TWIN] / "lib" / "shelf" if candidate.name == "wrapped_tool" else None
    patience = PATIENCE if candidate.name in ENDLESS else 120
    return run_in_shell(
        local, folder / "app", folder / "room", select=candidate.aimed_at, installed=upstream, patience=patience
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="the run above was a plain user's already")
@pytest.mark.timeout(3600)
def test_a_plain_user_gets_the_same_rewards_and_leaves_nothing(bench_site: Path, folder: Path) -> None:
    """Without a range of uids there is a sandbox for each call; causes may be others."""
    run = judge_as_plain_user(Language.COMMAND, folder, bench_site)
    assert run.wrong() == []
    assert len(run.judgements) == 2 * len(EVERY)
    assert run.left == []


@pytest.mark.parametrize("candidate", PAID, ids=lambda each: each.name)
def test_a_naive_grader_pays_for_an_attack(candidate: HostileCandidate, local: Sandbox, folder: Path) -> None:
    seen = graded(local, folder, candidate)
    assert seen is not None
    assert candidate.naive in seen.paid_by, seen


HARM: dict[str, Callable[[ShellRun | None], bool]] = {
    "deaf": lambda seen: seen is not None and (seen.code, seen.report.strip()) == (None, "") and seen.left > 0,
    "fork_bomb": lambda seen: seen is None or seen.left > 20,
    "full_places": lambda seen: seen is not None and seen.free == 0,
    "kills_up": lambda seen: seen is None,
    "limits_of_others": lambda seen: seen is not None and seen.code == -25,
    "locked_folders": lambda seen: seen is not None and seen.code is not None and seen.work > 0,
    "never_blocks": lambda seen: seen is not None and not seen.blocking,
    "open_pipe": lambda seen: seen is not None and (seen.code, seen.report.strip()) == (None, ""),
    "piped_answer": lambda seen: seen is not None and (seen.code, seen.report.strip()) == (None, ""),
    "rewrites_itself": lambda seen: seen is not None and seen.code is not None and seen.changed,
    "stops_all": lambda seen: seen is not None and (seen.code, seen.state) == (None, "T"),
    "swapped_folder": lambda seen: seen is not None and seen.code is not None and not seen.suite,
    "takes_all_away": lambda seen: seen is not None and not seen.suite,
    "vast_answer": lambda seen: seen is not None and seen.free < 100,
}
"""What must be seen without the defence; None is a grader that was taken along when the sandbox was ended."""


def test_every_damage_is_shown_where_it_succeeds() -> None:
    assert sorted(HARM) == [each.name for each in BESIDE]


@pytest.mark.parametrize("candidate", BESIDE, ids=lambda each: each.name)
def test_a_naive_grader_comes_to_harm(candidate: HostileCandidate, local: Sandbox, folder: Path) -> None:
    seen = graded(local, folder, candidate)
    assert HARM[candidate.name](seen), seen


@pytest.mark.parametrize("side", list(Side))
def test_the_grader_tells_right_from_wrong_where_nobody_attacks(side: Side, local: Sandbox, folder: Path) -> None:
    seen = run_in_shell(local, products_of(Language.COMMAND)[side], folder)
    assert seen is not None
    assert seen.paid_by == (frozenset() if side is Side.ATTACK else frozenset(Naive) - {Naive.BESIDE})
    assert seen.code == (len(CASES) if side is Side.ATTACK else 0)
    assert [name for name, harmed in HARM.items() if harmed(seen)] == []
