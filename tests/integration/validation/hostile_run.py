"""A program of its own that judges the whole corpus, so that what it leaves on the machine can be looked for.

`python -m tests.integration.validation.hostile_run BENCH_SITE OUT [NAME...]` writes each verdict with its seconds.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from environments.choose import choose_sandbox
from environments.interface import Sandbox
from judge.judging import judge
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.verdict import Verdict
from validation.hostile.apply import make_attack, make_twin
from validation.hostile.candidate import HostileCandidate, Side, candidates
from validation.selftest import lay_out

BASE = Path(__file__).parents[2] / "gates" / "_base"
ATTACKED_S = 2
"""The limit of each call of an attack: some never end."""
_MAKE = {Side.ATTACK: make_attack, Side.TWIN: make_twin}
_WORKERS = 2


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, and how long it took."""

    name: str
    side: Side
    seconds: float
    verdict: Verdict


def read_run(path: Path) -> tuple[Judgement, ...]:
    """What a run wrote."""
    return tuple(
        Judgement(
            name=row["name"],
            side=Side(row["side"]),
            seconds=row["seconds"],
            verdict=Verdict.model_validate(row["verdict"]),
        )
        for row in json.loads(path.read_text("utf-8"))
    )


def main(argv: Sequence[str]) -> None:
    """Judge the candidates that are named, else all, a few at a time."""
    site, out, *names = argv
    chosen = [each for each in candidates() if not names or each.name in names]
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        sandbox = choose_sandbox(WorkFolder(root=room / "work"))
        cases = {side: lay_out(BASE, None, room / side) for side in Side}
        shorten(cases[Side.ATTACK][0])
        court = Court(sandbox=sandbox, site=Path(site), room=room)
        with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
            jobs = [pool.submit(court.judge, each, side, *cases[side]) for each in chosen for side in Side]
            rows = [job.result() for job in jobs]
    Path(out).write_text(json.dumps(rows), "utf-8")


def shorten(case: CaseFolder) -> None:
    for path in case.tests.glob("F??_acceptance.py"):
        text = re.sub(r"product\.call\(", f"product.call(limit_s={ATTACKED_S}, name=", path.read_text("utf-8"))
        path.write_text(text, "utf-8")


@dataclass(frozen=True, kw_only=True)
class Court:
    """Judges one candidate after the other."""

    sandbox: Sandbox
    site: Path
    room: Path

    def judge(self, candidate: HostileCandidate, side: Side, case: CaseFolder, reference: Path) -> dict[str, object]:
        """One row of the run."""
        workspace = self.room / f"{candidate.name}-{side}"
        _MAKE[side](candidate, reference, ("src",), workspace)
        started = time.monotonic()
        verdict = judge(
            case.suite, workspace, sandbox=self.sandbox, bench_site=self.site, product_site=None, seed="hostile"
        )
        seconds = round(time.monotonic() - started, 2)
        return {"name": candidate.name, "side": side, "seconds": seconds, "verdict": verdict.model_dump(mode="json")}


if __name__ == "__main__":
    main(sys.argv[1:])
