"""The watcher's decisions, with readings made up and a real process to end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence

import pytest

from environments.interface import Bound, Limits
from environments.usage import TreeMeter, Usage
from environments.watcher import Watched, Watcher


class Readings:
    """Gives one reading after the other, the last one for ever."""

    def __init__(self, *readings: Usage) -> None:
        self._readings = list(readings)

    def usage(self) -> Usage:
        return self._readings.pop(0) if len(self._readings) > 1 else self._readings[0]


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as made:
        yield made
        made.kill()


def watch(process: subprocess.Popen[bytes], limits: Limits, *readings: Usage) -> Watcher:
    handle = os.pidfd_open(process.pid)
    made = Watcher(Watched(limits=limits, meter=Readings(*readings)), first=handle, kill=process.kill)
    made.start()
    made.join(60)
    os.close(handle)
    return made


IDLE = Usage(cpu_s=0)
LIMITS = Limits(memory_mb=10, cpu_s=2, processes=50)


@pytest.mark.parametrize(
    ("readings", "reached"),
    [
        ([IDLE, Usage(cpu_s=2.1)], Bound.CPU),
        ([IDLE, Usage(cpu_s=0, memory=11 * 1024 * 1024)], Bound.MEMORY),
        ([IDLE, Usage(cpu_s=0, oom_kills=1)], Bound.MEMORY),
        ([IDLE, Usage(cpu_s=0, refused=2000)], Bound.PROCESSES),
        ([IDLE, Usage(cpu_s=0, tasks=60)], Bound.PROCESSES),
        ([Usage(cpu_s=0, tasks=50)], Bound.PROCESSES),
    ],
)
def test_each_bound_ends_the_tree_and_is_named(
    process: subprocess.Popen[bytes], readings: Sequence[Usage], reached: Bound
) -> None:
    assert watch(process, LIMITS, *readings).reached is reached
    assert process.wait(10) == -9


@pytest.mark.parametrize(
    "reading",
    [
        Usage(cpu_s=1.9),
        Usage(cpu_s=0, memory=9 * 1024 * 1024),
        Usage(cpu_s=0, refused=20),
        Usage(cpu_s=0, tasks=45),
    ],
)
def test_below_the_bounds_only_the_clock_ends_it(process: subprocess.Popen[bytes], reading: Usage) -> None:
    limits = Limits(memory_mb=10, cpu_s=2, processes=50, wall_s=0.3)
    assert watch(process, limits, reading).reached is Bound.WALL


def test_what_the_kernel_ended_before_a_look_is_named_afterwards() -> None:
    assert watch_ended(Usage(cpu_s=0, oom_kills=1)) is Bound.MEMORY
    assert watch_ended(IDLE) is Bound.NONE


def watch_ended(reading: Usage) -> Bound:
    """With a process that has ended before the watcher looks."""
    process = subprocess.Popen(["/bin/true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    try:
        return watch(process, LIMITS, reading).reached
    finally:
        process.wait()


def test_a_tree_is_sampled_with_its_grandchildren() -> None:
    script = "sh -c 'sleep 60 & sleep 60 & echo; wait' & wait"
    with subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE) as top:
        assert top.stdout is not None
        top.stdout.readline()
        meter = TreeMeter(top.pid, memory_mb=1000, tmp_mb=1, places=())
        pids = meter.pids()
        usage = meter.usage()
        for pid in pids:
            os.kill(pid, 9)
    assert len(pids) == usage.tasks == 4
    assert 4 * 4096 < usage.memory < 100 * 1024 * 1024
    assert meter.usage().tasks == 0
