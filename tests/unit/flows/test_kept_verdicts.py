"""Which verdicts of a run are kept, so that a killed one asks only for the rest."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from environments.interface import Sandbox
from flows import bench
from flows.bench import Court, subject
from taskpack.denylist import Denylist
from taskpack.verdict import Verdict
from tests.unit.validation.conftest import FIXTURES, verdict
from validation.selftest import lay_out

BANS = Denylist(case_id="case000", ecosystem="pip", install_ban=("penny-counter",), import_ban=("penny_counter",))


def test_a_verdict_behind_a_denylist_is_reached_anew_and_any_other_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, reference = lay_out(FIXTURES / "_base", None, tmp_path / "laid")
    masked: list[tuple[str, ...]] = []

    def judge(suite: Path, workspace: Path, *, seed: str | None = None, **given: Any) -> Verdict:
        masked.append(given["masked"])
        return verdict(case, workspace, seed=seed, wrong=set())

    monkeypatch.setattr(bench.judging, "judge", judge)
    sandbox = cast("Sandbox", SimpleNamespace(name="none", base="none"))
    plain = Court(sandbox=sandbox, bench_site=tmp_path, product_site=None, seeds=tmp_path)

    def behind(listed: Denylist) -> Court:
        return dataclasses.replace(plain, denylist=listed, masked=("/usr/lib/penny",))

    looked_at = subject(plain, case, reference, scratch=tmp_path, behind=behind, verdicts=tmp_path / "kept")
    assert looked_at.behind_bans
    for way in (looked_at.judge, looked_at.behind_bans(BANS)):
        for _ in range(2):
            assert way(reference, seed="s").reward == 1
    assert masked == [(), ("/usr/lib/penny",), ("/usr/lib/penny",)]
