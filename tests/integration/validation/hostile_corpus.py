"""The corpus of a language, judged by a process that has ended since, and what that left on the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.integration.validation.hostile_look import Ground, left_on, new_ground
from tests.integration.validation.hostile_run import Judgement, read_run
from validation.hostile.candidate import Language, Side

CHECKOUT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, kw_only=True)
class Run:
    """The whole corpus, judged by a process that has ended since."""

    judgements: tuple[Judgement, ...]
    left: list[str]
    """What it left on the machine."""

    def of(self, name: str, side: Side) -> Judgement:
        [found] = [each for each in self.judgements if (each.name, each.side) == (name, side)]
        return found


def judge_corpus(
    language: Language,
    folder: Path,
    site: Path,
    *,
    product_site: Path | None = None,
    python: str = sys.executable,
    owner: int = 0,
    path: str = "",
) -> Run:
    """Judge all of a language in a new process, as `owner` if there is one, and look for what it left."""
    ground = new_ground(folder / "ground", owner=owner or os.geteuid())
    environment = {"PATH": os.environ["PATH"], "HOME": str(ground.temporary), "PYTHONPATH": path or str(CHECKOUT)}
    shutil.copytree(site, folder / "site")  # where every uid can read it, so that no sandbox needs a copy
    out = folder / "ground" / "out"
    command = [python, "-B", "-m", "tests.integration.validation.hostile_run", language, str(folder / "site")]
    command += [str(product_site or ""), str(out)]
    as_other = {"user": owner, "group": owner, "extra_groups": []} if owner else {}
    with subprocess.Popen(
        command,
        cwd="/",
        env=environment | ground.environment,
        stderr=subprocess.PIPE,
        text=True,
        **as_other,  # type: ignore[call-overload]
    ) as process:
        said = _end_of(process, ground)
    assert process.returncode == 0, said[-3000:]
    return Run(judgements=read_run(out), left=left_on(ground))


def _end_of(process: subprocess.Popen[str], ground: Ground) -> str:
    while True:
        try:
            return process.communicate(timeout=0.2)[1]
        except subprocess.TimeoutExpired:
            ground.note()
