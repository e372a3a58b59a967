"""A vendor's server counts: whatever is killed, and when, no stored reply is asked for again."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from taskpack.rendering import CHECKOUT
from tests.faults.ground import Ground, stage_folders
from tests.faults.killing import Ended, fresh_plan, run_with
from tests.tiny import CASE, DATA, STAGES, Tiny

pytestmark = [pytest.mark.sandbox, pytest.mark.full, pytest.mark.timeout(1800)]

UNITS = ("spec.FP-01.1", "spec.overview.1", "tests.FP-01.1")
VENDORS = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", ""),
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1"),
}
DELAY_S = "1.5"
"""A reply takes so long that the kill, which comes when the request has arrived, finds it under way."""


@dataclass(frozen=True, kw_only=True)
class Paying:
    """The tiny case without any reply, and a vendor that has them."""

    tiny: Tiny
    vendor: str
    log: Path

    def run(self, **options: object) -> Ended:
        plan = {name: options.pop(name) for name in ("fault", "stage", "op") if name in options}
        made = fresh_plan(self.tiny, **plan)
        return run_with(self.tiny, made, "--provider", self.vendor, "--model", "model-1", **options)  # type: ignore[arg-type]

    def killed_in(self, stage: str) -> None:
        """Where the stage's result is about to get its name."""
        ended = self.run(fault="kill", stage=stage, op="rename")
        assert ended.killed, ended.err

    def killed_while_asked(self, unit: str) -> None:
        ended = self.run(kill_when=lambda: self.counts()[unit] > 0)
        assert ended.killed, ended.err
        assert self.possibly_paid() == [unit], "what was under way is listed"

    def counts(self) -> Counter[str]:
        """How often each unit was asked for, as the server counts."""
        lines = self.log.read_text().splitlines() if self.log.is_file() else []
        rows = [json.loads(line) for line in lines]
        return Counter(row["request"].removeprefix(f"{CASE}.") for row in rows if row["state"] == "received")

    def possibly_paid(self) -> list[str]:
        places = ["--cases", str(self.tiny.cases), "--work", str(self.tiny.work.root), "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "flows.main", "status", CASE, *places],
            cwd=CHECKOUT, env=self.tiny.environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return [row["id"].removeprefix(f"{CASE}.") for row in json.loads(done.stdout)["possibly_paid"]]


@pytest.fixture(params=sorted(VENDORS))
def paying(ground: Ground, room: Path, request: pytest.FixtureRequest) -> Iterator[Paying]:
    vendor = request.param
    root = room / f"paying-{vendor}"
    root.mkdir()
    tiny = ground.copy(root, without=STAGES, rng=Random(vendor))
    shutil.rmtree(tiny.case.replies)
    log = root / "requests"
    command = [sys.executable, "-m", "tests.provider_server", "--log", str(log), "--delay", DELAY_S]
    command += ["--replies", str(DATA / "case" / "provenance" / "replies")]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        key, address, path = VENDORS[vendor]
        tiny.environment.update({key: "a key for nothing", address: server.stdout.readline().strip() + path})
        yield Paying(tiny=tiny, vendor=vendor, log=log)
        server.terminate()


def test_no_stored_reply_is_asked_for_again_and_what_was_under_way_is_asked_for_once_more(paying: Paying) -> None:
    for stage in ("pin", "environment", "survey", "names", "reference"):
        paying.killed_in(stage)
        assert not paying.counts()
    paying.killed_while_asked("spec.FP-01.1")
    assert paying.counts() == {"spec.FP-01.1": 1}
    paying.killed_while_asked("spec.overview.1")
    assert paying.counts() == {"spec.FP-01.1": 2, "spec.overview.1": 1}
    paying.killed_in("spec")
    assert paying.counts() == {"spec.FP-01.1": 2, "spec.overview.1": 2}
    paying.killed_while_asked("tests.FP-01.1")
    for stage in ("tests", "gates", "release"):
        paying.killed_in(stage)
        assert paying.counts() == dict.fromkeys(UNITS, 2)
    ended = paying.run()
    assert ended.code == 0, ended.err
    assert paying.counts() == dict.fromkeys(UNITS, 2)
    assert paying.possibly_paid() == []
    assert {name.partition("/")[0] for name in stage_folders(paying.tiny)} == set(STAGES)
    shutil.rmtree(paying.tiny.work.stages)
    assert paying.run().code == 0
    assert paying.counts() == dict.fromkeys(UNITS, 2)
