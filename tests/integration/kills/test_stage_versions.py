"""No stage gives something else from the same inputs unless its `VERSION` says so."""

from __future__ import annotations

import pytest

from tests.faults.ground import Ground
from tests.golden_stages import GOLDEN, forgotten_bump, outputs, read_golden, same, write_golden

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]


def test_every_stage_gives_what_it_gave_or_has_a_new_version(ground: Ground, update_golden: bool) -> None:
    known, now = read_golden(), outputs(ground.tiny)
    forgotten = [stage for stage, row in now.items() if forgotten_bump(known.get(stage), row)]
    assert not forgotten, (
        f"{', '.join(forgotten)}: the same inputs give another result under the same version. Add one to VERSION in the"
        " stage's module, so that stored results of the old kind are not given out any more, then run this test with"
        " --update-golden"
    )
    if update_golden:
        write_golden(now)
    other = [stage for stage in sorted(known | now) if stage not in now or not same(known.get(stage), now[stage])]
    assert not other or update_golden, (
        f"{', '.join(other)}: inputs, versions or results have changed, and"
        f" {GOLDEN.name} has the old ones: run this test with --update-golden and look at the diff"
    )
