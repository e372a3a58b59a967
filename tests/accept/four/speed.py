"""Part 4, speed: what `benchmarks/judge.py` prints in one run, against the targets."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.accept.checklist import Checklist, Ran, need, run, tail

SECONDS = {"local": 4.0, "docker": 6.0}
"""For one verdict of 250 nodes."""
CHEAPER, CPU_MS = 3.0, 12.0
LINEAR, FLAT = 1.5, 1.5
"""How many times more a node may take, or a process may hold, at 5,000 nodes than at 250."""


def claims(book: Checklist, scratch: Path) -> None:
    ran: dict[str, Ran] = {}
    for back_end in SECONDS:
        book.claim(f"7 benchmarks/judge.py runs on {back_end}", lambda back_end=back_end: _run(ran, back_end))
    book.claim(f"7 a call by fork is {CHEAPER:g} times cheaper than a fresh one, at most {CPU_MS:g} ms of CPU on the demo task",
               lambda: _call(ran["local"].out))  # fmt: skip
    for back_end, seconds in SECONDS.items():
        book.claim(f"7 a verdict of 250 nodes under {seconds:g} s on {back_end}",
                   lambda back_end=back_end, seconds=seconds: _verdict(ran[back_end].out, seconds))  # fmt: skip
    book.claim(
        "7 the time of a verdict is linear from 100 to 5,000 nodes, memory is flat", lambda: _grows(ran["local"].out)
    )


def _run(ran: dict[str, Ran], back_end: str) -> str:
    sizes = [] if back_end == "local" else ["--sizes", "250"]
    done = run([sys.executable, "-m", "benchmarks.judge", "--backend", back_end, *sizes], timeout=3600)
    need(done.code == 0, tail(done.out + done.err, 12))
    ran[back_end] = done
    return tail(done.out, 20)


def _call(out: str) -> str:
    found = re.search(r"^fork +[0-9.]+ +([0-9.]+)", out, re.MULTILINE)
    times = re.search(r"a fork is ([0-9.]+) times cheaper", out)
    assert found and times, out  # noqa: PT018
    said = f"{found[1]} ms of CPU a call, {times[1]} times cheaper"
    need(float(found[1]) <= CPU_MS and float(times[1]) >= CHEAPER, said)
    return said


def _rows(out: str) -> dict[int, tuple[float, float, list[float]]]:
    """Nodes -> seconds, ms a node, peaks in MiB of broker, bench, driver."""
    rows = re.findall(r"^ *(\d+) +([0-9.]+) +([0-9.]+) +([0-9., ]+)$", out, re.MULTILINE)
    return {
        int(nodes): (float(s), float(each), [float(word) for word in peaks.split(",")])
        for nodes, s, each, peaks in rows
    }


def _verdict(out: str, bound: float) -> str:
    seconds, each, _ = _rows(out)[250]
    need(seconds < bound, f"{seconds} s, {each} ms a node")
    return f"{seconds} s, {each} ms a node"


def _grows(out: str) -> str:
    rows = _rows(out)
    said = "; ".join(f"{nodes}: {row[1]} ms a node, MiB {row[2]}" for nodes, row in rows.items())
    few, many = rows[250], rows[max(rows)]
    need(max(rows) == 5000 and many[1] <= LINEAR * few[1], said)
    need(all(most <= FLAT * first for first, most in zip(few[2], many[2], strict=True)), said)
    return said
