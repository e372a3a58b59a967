"""The JavaScript corpus on the docker back end: rewards as on `local`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from taskpack.verdict import Judged, Verdict
from tests.integration.languages.conftest import installed, node_recipe, trim
from tests.integration.validation.hostile_run import Court, new_court
from validation.hostile.candidate import HostileCandidate, Language, Side, candidates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from environments.docker_sandbox import Docker

pytestmark = [pytest.mark.sandbox, pytest.mark.docker, pytest.mark.full]


@pytest.fixture(scope="module")
def court(docker: Docker, bench_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Court]:
    room = tmp_path_factory.mktemp("hostile")
    with installed(node_recipe(python=docker.python), docker) as site:
        trim(site)
        yield new_court(Language.JAVASCRIPT, docker, bench_site, product_site=site, room=room)


def judged(court: Court, candidate: HostileCandidate, side: Side) -> Verdict:
    return Verdict.model_validate(court.judge(candidate, side)["verdict"])


@pytest.mark.parametrize("candidate", candidates(Language.JAVASCRIPT), ids=lambda each: each.name)
def test_an_attack_scores_0_with_a_cause_and_its_twin_1(candidate: HostileCandidate, court: Court) -> None:
    attack = judged(court, candidate, Side.ATTACK)
    assert (attack.outcome, attack.reward) == (Judged.JUDGED, 0)
    assert attack.causes
    twin = judged(court, candidate, Side.TWIN)
    assert (twin.outcome, twin.reward, twin.causes) == (Judged.JUDGED, 1, ())
