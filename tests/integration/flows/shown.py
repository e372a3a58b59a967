"""The tiny case authored through the Prefect flow, with a server of the run's own, and killed on the way."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from taskpack.rendering import CHECKOUT
from tests.faults.ground import Ground, NotHeld, need
from tests.faults.killing import check_and_resume, fresh_plan, run_with
from tests.tiny import STAGES, Tiny

START = "start"
_LONGEST_S = 600.0
_TRIES = 4


@dataclass(frozen=True, kw_only=True)
class Shown(Tiny):
    """As the tiny case is, without `--plain`."""

    def command(self, *more: str, plain: bool = False) -> list[str]:
        return Tiny.command(self, *more, plain=False)


@dataclass(frozen=True, kw_only=True)
class Kill:
    """One kill through the flow, and what became of it."""

    number: int
    place: str
    """The stage that was at work, or `start` while Prefect was starting."""
    after_s: float
    group: bool
    fault: str = ""

    def line(self) -> str:
        who = "group" if self.group else "process"
        return f"{self.number:3} {who} killed {self.after_s:.1f}s into {self.place} {self.fault}"


def through_the_flow(ground: Ground, root: Path) -> Ground:
    """The undisturbed run with the database of a server that ran once: making one anew would take most of a trial."""
    root.mkdir()
    tiny = lay(ground, root, "release", Random(0))
    ended = run_with(tiny, fresh_plan(tiny))
    need(ended.code == 0, f"the undisturbed run through the flow ended with {ended.code}: {ended.err[-1500:]}")
    need("starting Prefect" in ended.err, "it was no run through the flow")
    shutil.copytree(tiny.work.prefect, ground.tiny.work.prefect)
    return ground


def kill_one(ground: Ground, root: Path, *, seed: int, number: int) -> Kill:
    """Kill `number` of the series `seed`, in the new folder `root`. A fault is in the record, not raised."""
    rng = Random(f"{seed}-{number}")
    place, group = (START, *STAGES)[number % 10], rng.random() < 1 / 2
    after = 0.0
    try:
        for attempt in range(_TRIES):
            folder = root / str(attempt)
            folder.mkdir(parents=True)
            after = rng.uniform(0.0, 8.0 if place == START else 1.5 / 2**attempt)
            tiny = lay(ground, folder, place, rng)
            if _killed(tiny, place, after, group=group):
                check_and_resume(tiny, ground)
                return Kill(number=number, place=place, after_s=after, group=group)
        raise NotHeld(f"the run was over before each of {_TRIES} moments")
    except NotHeld as error:
        return Kill(number=number, place=place, after_s=after, group=group, fault=f"FAULT: {error}")


def lay(ground: Ground, folder: Path, place: str, rng: Random) -> Shown:
    """A copy of the undisturbed run from which the stage is taken back."""
    stage = rng.choice(STAGES) if place == START else place
    copy = ground.copy(folder, without=(stage,), rng=rng)
    return Shown(root=copy.root, index=copy.index)


def _killed(tiny: Shown, place: str, after: float, *, group: bool) -> bool:
    """Whether the run was still there to be killed."""
    plan = fresh_plan(tiny)
    written = plan.write(tiny.root / "plan.json")
    command = [sys.executable, "-m", "tests.faults.entry", str(written), *tiny.command("--json")[3:]]
    with (tiny.root / "out").open("wb") as out, (tiny.root / "err").open("wb") as err:
        process = subprocess.Popen(
            command, cwd=CHECKOUT, env=tiny.environment, stdout=out, stderr=err, start_new_session=True
        )
        _await(process, Path(plan.marks), place)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=after)
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
        process.wait()
    need(process.returncode in {0, -signal.SIGKILL}, f"it ended with {process.returncode} by itself: {_said(tiny)}")
    return process.returncode == -signal.SIGKILL


def _await(process: subprocess.Popen[bytes], marks: Path, place: str) -> None:
    """Until the stage has begun in the flow, or the run is over."""
    end = time.monotonic() + _LONGEST_S
    while place != START and process.poll() is None and time.monotonic() < end:
        if marks.is_file() and f"begin {place}\n" in marks.read_text():
            return
        time.sleep(0.02)


def _said(tiny: Tiny) -> str:
    return (tiny.root / "err").read_text()[-1500:]
