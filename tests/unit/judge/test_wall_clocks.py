"""A clock that is set while a verdict is reached changes nothing: nobody who takes part in one waits by the wall clock."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_READS = re.compile(
    r"\btime\.time\b|\btime_ns\b|datetime\.(?:now|utcnow|today)\b|\bdate\.today\b|from time import .*\btime\b"
    r"|\bDate\.now\b|new Date\(\)|\btime\.(?:Now|Since|Until)\b|CLOCK_REALTIME"
)
ROOMS = ("judge", "environments", "taskpack")
KNOWN = {
    "environments/docker.py": "how far back an engine is asked what it has killed; the question has a limit of its own",
    "environments/driver/clock.py": "whether libfaketime works; without it a suite that needs it is refused, not failed",
    "judge/evidence.py": "when something broke, for people",
}


def reads(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if _READS.search(line)]


@pytest.mark.parametrize(
    "line",
    [
        "until = time.time() + 5", "from time import sleep, time", "now = datetime.now(UTC)", "time.time_ns()",
        "const began = Date.now();", "began := time.Now()", "time.clock_gettime(time.CLOCK_REALTIME)",
    ],
)  # fmt: skip
def test_a_look_at_the_wall_clock_is_found(line: str) -> None:
    assert reads(line)


def test_time_that_only_goes_forward_is_none() -> None:
    assert not reads("until = time.monotonic() + 5\ntime.sleep(1)\nfrom time import sleep\nperformance.now()")


def test_the_wall_clock_is_read_where_nobody_waits_by_it(checkout: Path) -> None:
    files = [
        path for room in ROOMS for path in (checkout / room).rglob("*") if path.suffix in {".py", ".js", ".mjs", ".go"}
    ]
    assert len(files) > 100
    found = {path.relative_to(checkout).as_posix() for path in files if reads(path.read_text("utf-8"))}
    assert found == set(KNOWN)
