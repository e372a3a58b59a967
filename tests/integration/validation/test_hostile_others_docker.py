"""The corpora of the command line and of Go on the docker back end: rewards as on `local`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from environments.languages.go.toolchain import toolchain_recipe, warm
from taskpack.verdict import Judged, Verdict
from tests.integration.languages.conftest import PACKAGES, installed
from tests.integration.validation.hostile_run import Court, new_court
from validation.hostile.candidate import HostileCandidate, Language, Side, candidates

if TYPE_CHECKING:
    from environments.docker_sandbox import Docker

pytestmark = [pytest.mark.sandbox, pytest.mark.docker, pytest.mark.full, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="module")
def commands(docker: Docker, bench_site: Path, room: Path) -> Court:
    return new_court(Language.COMMAND, docker, bench_site, product_site=None, room=room / "command")


@pytest.fixture(scope="module")
def go(docker: Docker, bench_site: Path, room: Path) -> Iterator[Court]:
    with installed(toolchain_recipe(python=docker.python), docker) as site:
        warm(site, sandbox=docker, packages=(*PACKAGES, "embed", "os/signal"))
        yield new_court(Language.GO, docker, bench_site, product_site=site, room=room / "go")


def check(court: Court, candidate: HostileCandidate) -> None:
    seen = {side: Verdict.model_validate(court.judge(candidate, side)["verdict"]) for side in Side}
    attack, twin = seen[Side.ATTACK], seen[Side.TWIN]
    assert (attack.outcome, attack.reward) == (Judged.JUDGED, 0)
    assert attack.causes
    assert (twin.outcome, twin.reward, twin.causes) == (Judged.JUDGED, 1, ())


@pytest.mark.parametrize("candidate", candidates(Language.COMMAND), ids=lambda each: each.name)
def test_a_hostile_program_scores_0_with_a_cause_and_its_twin_1(candidate: HostileCandidate, commands: Court) -> None:
    check(commands, candidate)


@pytest.mark.parametrize("candidate", candidates(Language.GO), ids=lambda each: each.name)
def test_hostile_go_scores_0_with_a_cause_and_its_twin_1(candidate: HostileCandidate, go: Court) -> None:
    check(go, candidate)
