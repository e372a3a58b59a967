"""A checklist that runs: each line is a claim, shown as met or not with what was seen."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
REPOWRIGHT = CHECKOUT / ".venv" / "bin" / "repowright"


class NotMet(Exception):
    """What was seen instead."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A finished command."""

    code: int
    out: str
    err: str
    seconds: float


@dataclass(kw_only=True)
class Checklist:
    """Collects claims; `close` prints the sum and gives the exit code."""

    title: str
    met: int = 0
    missed: list[str] = field(default_factory=list)

    def claim(self, text: str, show: Callable[[], str]) -> None:
        """Run `show`; what it returns is printed as evidence, what it raises as the reason."""
        started = time.monotonic()
        try:
            seen = show()
        except NotMet as reason:
            self._miss(text, str(reason), started)
        except Exception:  # noqa: BLE001 (a claim that breaks is not met, and the next one is tried)
            self._miss(text, traceback.format_exc(limit=-2), started)
        else:
            self.met += 1
            _say(f"met      {text}\n           {seen} ({time.monotonic() - started:.1f}s)")

    def _miss(self, text: str, reason: str, started: float) -> None:
        self.missed.append(text)
        _say(f"NOT MET  {text}\n           {reason.strip()} ({time.monotonic() - started:.1f}s)")

    def close(self) -> int:
        _say(f"\n{self.title}: {self.met} met, {len(self.missed)} not met")
        for text in self.missed:
            _say(f"  not met: {text}")
        return 1 if self.missed else 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise NotMet(otherwise)


def run(
    command: Sequence[str | Path], *, timeout: float = 600, cwd: Path = CHECKOUT, env: Mapping[str, str] | None = None,
    user: int | None = None,
) -> Ran:  # fmt: skip
    """Run to the end, output caught in files' stead by pipes that are drained."""
    started = time.monotonic()
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **({"user": user, "group": user, "extra_groups": []} if user is not None else {}),
    )
    return Ran(code=done.returncode, out=done.stdout, err=done.stderr, seconds=time.monotonic() - started)


def repowright(*arguments: str | Path, **options: object) -> Ran:
    """The console command of this checkout."""
    return run([REPOWRIGHT, *arguments], **options)  # type: ignore[arg-type]


def tail(text: str, lines: int = 6) -> str:
    return "\n           ".join(text.strip().splitlines()[-lines:])


def pytest_passes(*arguments: str, timeout: float = 900) -> str:
    """These tests pass, and none of them was skipped but for what this machine's kernel does not have."""
    done = run([sys.executable, "-m", "pytest", "-q", *arguments], timeout=timeout)
    need(done.code == 0, tail(done.out, 25))
    last = tail(done.out, 1)
    skipped = [line for line in done.out.splitlines() if line.startswith("SKIPPED") and "this kernel" not in line]
    need(not skipped and "xfailed" not in last, tail(done.out, 12))
    need("skipped" not in last or "SKIPPED" in done.out, "a skip without its reason")
    return last
