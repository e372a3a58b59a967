"""Every attack in JavaScript scores 0 with a cause, every twin 1, and nothing of them is left on the machine."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from taskpack.verdict import Judged
from tests.integration.languages.conftest import node_site  # noqa: F401 (a fixture)
from tests.integration.validation.hostile_corpus import Run, judge_as_plain_user, judge_corpus
from tests.integration.validation.test_hostile_candidates import SECONDS
from validation.hostile.candidate import HostileCandidate, Language, Side, candidates

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(1800)]

EVERY = candidates(Language.JAVASCRIPT)


@pytest.fixture(scope="session")
def sandbox(local: Sandbox) -> Sandbox:
    """The back end whose interpreter installs Node."""
    return local


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the sandboxes' uid and plain users can reach."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="module")
def run(bench_site: Path, node_site: Path) -> Run:  # noqa: F811 (the fixture)
    """All attacks and twins, judged once as whoever runs the tests."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        return judge_corpus(Language.JAVASCRIPT, Path(made), bench_site, product_site=node_site)


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


def test_no_cause_can_steer_a_terminal(run: Run) -> None:
    causes = [cause for each in run.judgements for cause in each.verdict.causes]
    assert any("\\x1b" in cause for cause in causes)
    assert [cause for cause in causes if not cause.isprintable()] == []


def test_every_verdict_comes_to_an_end_in_bounded_time(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    slowest = sorted(run.judgements, key=lambda each: -each.seconds)[:5]
    with capsys.disabled():
        print("\n  slowest:", ", ".join(f"{each.name} {each.side} {each.seconds:.1f} s" for each in slowest))  # noqa: T201 (wanted in the log)
    assert [each.name for each in slowest if each.seconds > SECONDS] == []


def test_nothing_is_left_on_the_machine(run: Run) -> None:
    assert len(run.judgements) == 2 * len(EVERY)
    assert run.left == []


@pytest.mark.skipif(os.geteuid() != 0, reason="the run above was a plain user's already")
@pytest.mark.timeout(7200)
def test_a_plain_user_gets_the_same_rewards_and_leaves_nothing(bench_site: Path, node_site: Path, folder: Path) -> None:  # noqa: F811 (the fixture)
    """Without a range of uids there is a sandbox for each call; causes may be others."""
    run = judge_as_plain_user(Language.JAVASCRIPT, folder, bench_site, product_site=node_site)
    assert run.wrong() == []
    assert len(run.judgements) == 2 * len(EVERY)
    assert run.left == []
