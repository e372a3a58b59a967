"""Hostile Go: each attack scores 0 with its cause and leaves nothing, each twin 1; a naive grader pays or suffers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.languages.go.toolchain import toolchain_recipe, warm
from taskpack.verdict import Judged
from tests.integration.languages.conftest import PACKAGES, installed
from tests.integration.validation.hostile_corpus import Run, judge_corpus
from tests.integration.validation.hostile_gotest import TESTS, GoRun, run_go_test
from tests.integration.validation.hostile_run import products_of
from validation.hostile.candidate import HostileCandidate, Language, Naive, Side, candidates
from validation.hostile.overlay import make_candidate

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(1200)]

EVERY = candidates(Language.GO)
PAID = [each for each in EVERY if each.naive is not Naive.BESIDE]
BESIDE = [each for each in EVERY if each.naive is Naive.BESIDE]
SECONDS = 240
"""No verdict may take longer, also on a machine that is busy with other things; the slowest takes a tenth of that."""

ENDLESS = {"endless_chain", "left_process", "locked_thread"}
PATIENCE = 20.0
"""What a grader that does not come to its end is given after everything was compiled, in seconds."""


@pytest.fixture(scope="module")
def go_site(local: Sandbox) -> Iterator[Path]:
    """Go as an environment has it, with what `go test` and these candidates import. Skips where it cannot be fetched."""
    with installed(toolchain_recipe(python=local.python), local) as site:
        warm(site, sandbox=local, packages=(*PACKAGES, "embed", "os/signal", "testing"))
        yield site


@pytest.fixture(scope="module")
def run(bench_site: Path, go_site: Path) -> Run:
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        return judge_corpus(Language.GO, Path(made), bench_site, product_site=go_site)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the sandbox's uid can read what lies there."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_an_attack_scores_0_and_a_cause_says_what_happened(candidate: HostileCandidate, run: Run) -> None:
    verdict = run.of(candidate.name, Side.ATTACK).verdict
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert any(candidate.cause in cause for cause in verdict.causes), verdict.causes


@pytest.mark.parametrize("candidate", EVERY, ids=lambda each: each.name)
def test_its_twin_scores_1(candidate: HostileCandidate, run: Run) -> None:
    verdict = run.of(candidate.name, Side.TWIN).verdict
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())


def test_every_verdict_comes_to_an_end_in_bounded_time(run: Run) -> None:
    assert [each.name for each in run.judgements if each.seconds > SECONDS] == []


def test_nothing_is_left_on_the_machine(run: Run) -> None:
    assert len(run.judgements) == 2 * len(EVERY)
    assert run.left == []


def graded(local: Sandbox, site: Path, folder: Path, candidate: HostileCandidate) -> GoRun | None:
    make_candidate(candidate, Side.ATTACK, products_of(Language.GO)[Side.ATTACK], folder / "app")
    patience = PATIENCE if candidate.name in ENDLESS else 150
    return run_go_test(local, site, folder / "app", select=candidate.aimed_at, patience=patience)


@pytest.mark.parametrize("candidate", PAID, ids=lambda each: each.name)
def test_a_naive_grader_pays_for_an_attack(
    candidate: HostileCandidate, local: Sandbox, go_site: Path, folder: Path
) -> None:
    seen = graded(local, go_site, folder, candidate)
    assert seen is not None
    assert candidate.naive in seen.paid_by, seen


HARM: dict[str, Callable[[GoRun | None], bool]] = {
    "endless_chain": lambda seen: seen is not None and seen.code is None,
    "hungry": lambda seen: seen is None or "out of memory" in seen.output,
    "killed_parent": lambda seen: seen is None,
    "left_process": lambda seen: seen is not None and seen.code is None and seen.left > 0,
    "locked_thread": lambda seen: seen is not None and seen.code is None,
    "looped_value": lambda seen: seen is None or "stack overflow" in seen.output,
}
"""What must be seen without the defence; None is a grader that was taken along when the sandbox was ended."""


def test_every_damage_is_shown_where_it_succeeds() -> None:
    assert sorted(HARM) == [each.name for each in BESIDE]


@pytest.mark.parametrize("candidate", BESIDE, ids=lambda each: each.name)
def test_a_naive_grader_comes_to_harm(candidate: HostileCandidate, local: Sandbox, go_site: Path, folder: Path) -> None:
    assert HARM[candidate.name](seen := graded(local, go_site, folder, candidate)), seen


@pytest.mark.parametrize("side", list(Side))
def test_the_grader_tells_right_from_wrong_where_nobody_attacks(side: Side, local: Sandbox, go_site: Path) -> None:
    seen = run_go_test(local, go_site, products_of(Language.GO)[side])
    assert seen is not None
    assert seen.paid_by == (frozenset() if side is Side.ATTACK else frozenset(Naive) - {Naive.BESIDE})
    assert seen.output.count("--- FAIL") == (len(TESTS) if side is Side.ATTACK else 0)
    assert [name for name, harmed in HARM.items() if harmed(seen)] == []
