"""`repowright judge` that is told to stop at a random moment: it ends, says so, and takes everything away itself."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.faults.ground import NotHeld, need
from tests.faults.random_judging import (
    Lengths,
    Room,
    at_moment,
    containers,
    document,
    ended,
    ground_for,
    judging,
    outcome_of,
)
from tests.integration.validation import hostile_look as look

_HANGS_S = 120.0
_SHARE = 0.75
_BETWEEN_S = 0.3
"""Longest time between two signals of one wish: cleaning up takes about as long."""


@dataclass(frozen=True, kw_only=True)
class Way:
    """How it is told."""

    sent: signal.Signals
    times: int = 1
    group: bool = False
    """To everything that the command has started as well, as a terminal does."""

    def __str__(self) -> str:
        return f"{self.sent.name}{' twice' * (self.times > 1)}{' to the group' * self.group}"

    @property
    def code(self) -> int:
        return 128 + self.sent


WAYS = (
    Way(sent=signal.SIGINT, group=True),
    Way(sent=signal.SIGINT, times=2, group=True),
    Way(sent=signal.SIGTERM),
    Way(sent=signal.SIGHUP),
    Way(sent=signal.SIGTERM, times=2),
)


@dataclass(frozen=True, kw_only=True)
class Stop:
    """One stop and what became of it."""

    number: int
    way: Way
    met: bool
    """Whether it was still at work at that moment."""
    right: bool
    after_s: float
    """Since the program began, or, when negative, since the candidate was copied."""
    code: int
    outcome: str
    took_s: float
    """From the first signal to the end."""
    ground: look.Ground
    fault: str = ""

    def line(self) -> str:
        moment = f"{abs(self.after_s):.2f}s after {'the copy' if self.after_s < 0 else 'the start'}"
        return (
            f"{self.number:4} {self.way if self.met else 'nothing'} {moment}: exit {self.code} {self.outcome},"
            f" {self.took_s:.2f}s until the end {self.fault}"
        )


def stop_once(room: Room, scratch: Path, *, seed: int, number: int, lengths: Lengths) -> Stop:
    """Stop number `number` of the series `seed`. A fault is in the result, not raised."""
    rng = Random(f"stop-{seed}-{number}")
    way, right, from_copy = WAYS[number % len(WAYS)], rng.random() < 0.7, rng.random() < 1 / 2
    after_s = rng.uniform(0.0, _SHARE * (lengths.from_copy if from_copy else lengths.whole)) * (-1 if from_copy else 1)
    ground = ground_for(room, scratch)
    met, code, outcome, fault, took_s = False, 0, "", "", 0.0
    try:
        with judging(room, ground, right=right) as process:
            met = at_moment(process, ground, after_s, lambda: _send(process, way, rng))
            began = time.monotonic()
            code, out = ended(process, ground, Lengths())
            took_s = time.monotonic() - began
        outcome = outcome_of(out)
        _check_end(way, code, out, met=met, right=right)
        need(took_s < _HANGS_S, f"it took {took_s:.0f} s to end")
        left = [*look.left_on(ground, everywhere=False), *containers(room, ground)]
        need(not left, f"left by itself: {left}")
        with judging(room, ground, right=right) as process:
            again, out = ended(process, ground, lengths)
        need(again == (0 if right else 1), f"the next verdict: exit {again} {out[-2000:]!r}")
    except NotHeld as error:
        fault = f"FAULT: {error}"
    return Stop(
        number=number, way=way, met=met, right=right, after_s=after_s, code=code, outcome=outcome,
        took_s=took_s, ground=ground, fault=fault,
    )  # fmt: skip


def counts(stops: Sequence[Stop]) -> Iterator[str]:
    """How often each way met something, and what the stopped runs came to."""
    table = Counter((str(stop.way) if stop.met else "nothing", stop.code, stop.outcome) for stop in stops)
    for (way, code, outcome), number in sorted(table.items()):
        yield f"{number:4}  {way}: exit {code} {outcome}"


def _send(process: subprocess.Popen[bytes], way: Way, rng: Random) -> bool:
    if not _listens(process.pid):
        return False
    for time_ in range(way.times):
        if time_:
            time.sleep(rng.uniform(0.0, _BETWEEN_S))
        with contextlib.suppress(ProcessLookupError):  # over in between
            (os.killpg if way.group else os.kill)(process.pid, way.sent)
    return True


def _listens(pid: int) -> bool:
    """Whether the program is there. Before, it is Python that is told to stop, in its own way."""
    with contextlib.suppress(OSError):
        rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
        return bool(int(rows["SigCgt"], 16) >> (signal.SIGHUP - 1) & 1)
    return False


def _check_end(way: Way, code: int, out: bytes, *, met: bool, right: bool) -> None:
    """It says that it was stopped; or it was over just then, with a whole verdict. Never half of one."""
    answer = 0 if right else 1
    need(code in {way.code if met else answer, answer}, f"exit code {code}: {out[-2000:]!r}")
    found = document(out)
    need(found or b"{" not in out, f"half a verdict: {out[-2000:]!r}")
    if found:
        need(found.get("reward") == (1 if right else 0), f"a wrong verdict: {out[-2000:]!r}")
    need(found or code == way.code, f"exit code {code} without a verdict: {out[-2000:]!r}")
    need(b"Traceback" not in out and b"Exception" not in out, f"a trace: {out[-2000:]!r}")
