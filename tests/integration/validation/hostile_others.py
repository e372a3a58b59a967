"""The corpora of products that are not Python: a program of its own that judges one, and what it left.

`python -m tests.integration.validation.hostile_others LANGUAGE BENCH_SITE PRODUCT_SITE OUT [NAME...]` writes each
verdict with its seconds; `-` is no product site.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from environments.choose import choose_sandbox
from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.judging import judge
from taskpack.layout import WorkFolder
from tests.integration.validation.hostile_look import Ground, left_on, new_ground
from tests.integration.validation.hostile_run import ATTACKED_S, Judgement, read_run
from validation.hostile.candidate import HostileCandidate, Language, Side, candidates
from validation.hostile.overlay import make_candidate

CHECKOUT = Path(__file__).resolve().parents[3]
DATA = CHECKOUT / "tests" / "data" / "judge"
PRODUCTS = {Language.COMMAND: "shelf", Language.GO: "gotally"}
"""The product in the test data that a corpus attacks: `workspace/` is right, `wrong/` is wrong in every node."""
_WORKERS = 2


@dataclass(frozen=True, kw_only=True)
class Run:
    """A corpus, judged by a process that has ended since."""

    judgements: tuple[Judgement, ...]
    left: list[str]
    """What it left on the machine."""

    def of(self, name: str, side: Side) -> Judgement:
        [found] = [each for each in self.judgements if (each.name, each.side) == (name, side)]
        return found


def product_of(language: Language, side: Side) -> Path:
    """What a side's files are laid over."""
    return DATA / PRODUCTS[language] / ("wrong" if side is Side.ATTACK else "workspace")


def run_corpus(language: Language, folder: Path, site: Path, product_site: Path | None = None) -> Run:
    """Judge all of a language, as whoever runs the tests. `folder` must be one that every uid can reach."""
    ground = new_ground(folder / "ground", owner=os.geteuid())
    environment = {"PATH": os.environ["PATH"], "HOME": str(ground.temporary), "PYTHONPATH": str(CHECKOUT)}
    shutil.copytree(site, folder / "site")  # where every uid can read it, so that no sandbox needs a copy
    out = folder / "ground" / "out"
    command = [sys.executable, "-B", "-m", "tests.integration.validation.hostile_others", language]
    command += [str(folder / "site"), str(product_site or "-"), str(out)]
    environment |= ground.environment
    with subprocess.Popen(command, cwd="/", env=environment, stderr=subprocess.PIPE, text=True) as process:
        said = _end_of(process, ground)
    assert process.returncode == 0, said[-3000:]
    return Run(judgements=read_run(out), left=left_on(ground))


def _end_of(process: subprocess.Popen[str], ground: Ground) -> str:
    while True:
        try:
            return process.communicate(timeout=0.2)[1]
        except subprocess.TimeoutExpired:
            ground.note()


def main(argv: Sequence[str]) -> None:
    """Judge the candidates that are named, else all, a few at a time."""
    language, site, product_site, out, *names = argv
    chosen = [each for each in candidates(Language(language)) if not names or each.name in names]
    with tempfile.TemporaryDirectory() as folder:
        sandbox = choose_sandbox(WorkFolder(root=Path(folder) / "work"))
        court = OtherCourt(
            sandbox=sandbox,
            site=Path(site),
            product_site=None if product_site == "-" else Path(product_site),
            room=Path(folder),
        )
        suites = lay_out_suites(Language(language), Path(folder))
        with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
            jobs = [pool.submit(court.judge, each, side, suites[side]) for each in chosen for side in Side]
            rows = [job.result() for job in jobs]
    Path(out).write_text(json.dumps(rows), "utf-8")


def lay_out_suites(language: Language, room: Path) -> dict[Side, Path]:
    """The suite for each side, that of attacks with short limits: some never end."""
    suites = {side: room / f"suite-{side}" for side in Side}
    for dest in suites.values():
        shutil.copytree(DATA / PRODUCTS[language] / "suite", dest)
        copy_lib(dest / "tests", language)
    path = suites[Side.ATTACK] / "tests" / "F01_acceptance.py"
    text = re.sub(r"product\.call\(", f"product.call(limit_s={ATTACKED_S}, name=", path.read_text("utf-8"))
    path.write_text(re.sub(r"\.run\(\[", f".run(limit_s={ATTACKED_S}, argv=[", text), "utf-8")
    return suites


@dataclass(frozen=True, kw_only=True)
class OtherCourt:
    """Judges one candidate after the other."""

    sandbox: Sandbox
    site: Path
    product_site: Path | None
    room: Path

    def judge(self, candidate: HostileCandidate, side: Side, suite: Path) -> dict[str, object]:
        """One row of the run."""
        workspace = self.room / f"{candidate.name}-{side}"
        make_candidate(candidate, side, product_of(candidate.language, side), workspace)
        started = time.monotonic()
        verdict = judge(
            suite,
            workspace,
            sandbox=self.sandbox,
            bench_site=self.site,
            product_site=self.product_site,
            seed="hostile",
        )
        seconds = round(time.monotonic() - started, 2)
        return {"name": candidate.name, "side": side, "seconds": seconds, "verdict": verdict.model_dump(mode="json")}


if __name__ == "__main__":
    main(sys.argv[1:])
