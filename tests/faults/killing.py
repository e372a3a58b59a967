"""One trial: a run that is killed, what it left, and the run that goes on from there."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from taskpack.files import tree_digest
from taskpack.rendering import CHECKOUT
from tests.faults.entry import Plan
from tests.faults.ground import Ground, need, stage_folders
from tests.faults.looks import groups_of, halves, mounted, still_running, temporary
from tests.tiny import CASE, STAGES, Tiny

_END_S = 1800


@dataclass(frozen=True, kw_only=True)
class Ended:
    """A run that came to some end."""

    code: int
    """The exit code; minus the signal's number for a kill."""
    where: str
    """The stage it was in; `start` before the first, `after NAME` between two."""
    out: str
    err: str

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


def run_with(
    tiny: Tiny,
    plan: Plan,
    *more: str,
    kill_when: Callable[[], bool] = lambda: False,
    group: bool = False,
    plain: bool = True,
) -> Ended:
    """Author the case under `plan`, with `more` flags; SIGKILL to the process, or its group, once `kill_when` says so."""
    written = plan.write(tiny.root / "plan.json")
    command = [
        sys.executable,
        "-m",
        "tests.faults.entry",
        str(written),
        *tiny.command("--json", *more, plain=plain)[3:],
    ]
    with (tiny.root / "out").open("wb") as out, (tiny.root / "err").open("wb") as err:
        process = subprocess.Popen(
            command, cwd=CHECKOUT, env=tiny.environment, stdout=out, stderr=err, start_new_session=True
        )
        if not _over(process, until=time.monotonic() + _END_S, or_when=kill_when):
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
            process.wait()
    return Ended(
        code=process.returncode,
        where=_where(Path(plan.marks)),
        out=(tiny.root / "out").read_text(),
        err=(tiny.root / "err").read_text(),
    )


def _over(process: subprocess.Popen[bytes], *, until: float, or_when: Callable[[], bool]) -> bool:
    """Wait for the process; False when its time has come instead."""
    while time.monotonic() < until and not or_when():
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=max(min(0.02, until - time.monotonic()), 0))
            return True
    return False


def _where(marks: Path) -> str:
    lines = marks.read_text().splitlines() if marks.is_file() else []
    last = lines[-1].split() if lines else []
    if not last:
        return "start"
    return last[1] if last[0] == "begin" else f"after {last[1]}"


def fresh_plan(tiny: Tiny, **more: object) -> Plan:
    """A plan for the next run of `tiny`, with marks of its own."""
    marks = tiny.root / "marks"
    marks.unlink(missing_ok=True)
    return Plan(marks=str(marks), roots=[str(tiny.cases), str(tiny.work.root)], **more)  # type: ignore[arg-type]


def check_and_resume(tiny: Tiny, ground: Ground, *, plain: bool = True) -> None:
    """After a fault: nothing half-written, nothing running; the next run goes on and ends with the same bytes.

    Without `plain`, that run goes through Prefect as well.
    """
    groups = groups_of(tiny)
    running = still_running(tiny)
    need(not running, f"still running: {running}")
    need(not mounted(tiny), f"still mounted: {mounted(tiny)}")
    half = halves(tiny, ground)
    need(not half, f"half-written: {half}")
    stored = {name.partition("/")[0]: _identity(folder) for name, folder in stage_folders(tiny).items()}
    done = run_with(tiny, fresh_plan(tiny), plain=plain)
    need(done.code == 0, f"the next run ended with {done.code} in {done.where}: {done.err[-2000:]}")
    said = {row["stage"]: row["reused"] for row in json.loads(done.out)["stages"]}
    need(tuple(said) == STAGES, f"stages of the next run: {list(said)}")
    wrong = [stage for stage in STAGES if said[stage] != (stage in stored)]
    need(not wrong, f"stored: {sorted(stored)}; reused or not, against that: {wrong}")
    now = {name.partition("/")[0]: _identity(folder) for name, folder in stage_folders(tiny).items()}
    need(all(now[stage] == stored[stage] for stage in stored), "a stored result was written again")
    _same_end(tiny, ground)
    need(not groups.left() and not groups_of(tiny).left(), f"control groups: {groups.left()}")


def _identity(folder: Path) -> tuple[int, int]:
    info = (folder / "result.json").stat()
    return info.st_ino, info.st_mtime_ns


def _same_end(tiny: Tiny, ground: Ground) -> None:
    bundle = tiny.work.releases / CASE / ground.bundle.name
    need(bundle.is_dir() and tree_digest(bundle) == ground.bundle_digest, "another bundle")
    need(tree_digest(tiny.case.root) == ground.case_digest, "another case")
    need(not temporary(tiny), f"left: {temporary(tiny)}")
    need(not halves(tiny, ground), f"half-written at the end: {halves(tiny, ground)}")
    need(not still_running(tiny), f"still running at the end: {still_running(tiny)}")
    owners = sorted(path.name for path in (tiny.runtime / "owners").iterdir())
    need(not owners, f"folders of sandboxes are left: {owners}")


def lose_unsynced(tiny: Tiny, image: Path) -> None:
    """Bring case and work directory to what a power loss would have left, which the run put into `image`."""
    for part in (tiny.cases, tiny.work.root):
        shutil.rmtree(part)
        (image / part.name).rename(part)
