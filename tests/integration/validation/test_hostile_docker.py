"""The corpus on the docker back end: rewards and causes as on `local`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from taskpack.layout import CaseFolder
from taskpack.verdict import Judged, Verdict
from tests.integration.validation.hostile_run import BASE, Court, shorten
from validation.hostile.candidate import HostileCandidate, Side, candidates
from validation.selftest import lay_out

if TYPE_CHECKING:
    from environments.docker_sandbox import Docker

pytestmark = [pytest.mark.sandbox, pytest.mark.docker, pytest.mark.full]
Place = tuple[Court, dict[Side, tuple[CaseFolder, Path]]]


@pytest.fixture(scope="module")
def place(docker: Docker, bench_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    room = tmp_path_factory.mktemp("hostile")
    cases = {side: lay_out(BASE, None, room / side) for side in Side}
    shorten(cases[Side.ATTACK][0])
    return Court(sandbox=docker, site=bench_site, room=room), cases


def judged(place: Place, candidate: HostileCandidate, side: Side) -> Verdict:
    court, cases = place
    return Verdict.model_validate(court.judge(candidate, side, *cases[side])["verdict"])


@pytest.mark.parametrize("candidate", candidates(), ids=lambda each: each.name)
def test_an_attack_scores_0_with_a_cause_and_its_twin_1(candidate: HostileCandidate, place: Place) -> None:
    attack = judged(place, candidate, Side.ATTACK)
    assert (attack.outcome, attack.reward) == (Judged.JUDGED, 0)
    assert attack.causes
    twin = judged(place, candidate, Side.TWIN)
    assert (twin.outcome, twin.reward, twin.causes) == (Judged.JUDGED, 1, ())
