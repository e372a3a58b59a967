"""Every attack scores 0 with a cause, every twin 1, and nothing of them is left on the machine."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskpack.verdict import Judged
from tests.integration.validation.hostile_corpus import Run, judge_as_plain_user, judge_corpus
from tests.integration.validation.hostile_look import Ground, left_on, new_ground
from validation.hostile.candidate import HostileCandidate, Language, Side, candidates

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(900)]

EVERY = candidates()
SECONDS = 120
"""No verdict may take longer, also on a machine that is busy with other things; the slowest takes a tenth of that."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the sandboxes' uid and plain users can reach."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="module")
def run(bench_site: Path) -> Run:
    """All attacks and twins, judged once as whoever runs the tests."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        return judge_corpus(Language.PYTHON, Path(made), bench_site)


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
@pytest.mark.full
@pytest.mark.timeout(1800)
def test_a_plain_user_gets_the_same_rewards_and_leaves_nothing(bench_site: Path, folder: Path) -> None:
    """Without a range of uids there is a sandbox for each call; causes may be others."""
    run = judge_as_plain_user(Language.PYTHON, folder, bench_site)
    assert run.wrong() == []
    assert len(run.judgements) == 2 * len(EVERY)
    assert run.left == []


@pytest.mark.skipif(os.geteuid() != 0, reason="what other uids leave can be made by root alone")
def test_the_look_finds_what_is_left(folder: Path) -> None:
    """Each kind is left on purpose: a look that finds nothing must not pass for a clean machine."""
    ground: Ground = new_ground(folder / "ground")
    ground.area.joinpath("owners").mkdir()
    assert left_on(ground) == []
    leave = (
        "import ctypes, sys, time; libc = ctypes.CDLL(None);"
        "print(libc.shmget(0, 4096, 0o1600), flush=True); open('/dev/shm/left-%d', 'w'); time.sleep(600)"
    )
    with subprocess.Popen(
        ["/usr/bin/python3", "-c", leave % ground.uid],
        user=ground.uid + 7,
        group=ground.uid + 7,
        extra_groups=[],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        (ground.temporary / "left").touch()
        try:
            found = left_on(ground)
        finally:
            process.kill()
            Path(f"/dev/shm/left-{ground.uid}").unlink()
            subprocess.run(["ipcrm", "-m", str(number)], check=True)
            (ground.temporary / "left").unlink()
    kinds = {line.partition(":")[0] for line in found}
    assert kinds >= {"process", "file", "ipc"}
    assert any(str(ground.temporary) in line for line in found)
    assert left_on(ground) == []
