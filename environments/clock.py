"""libfaketime for product sandboxes: the library that the wheel of that name carries, locked by hash as any other."""

from __future__ import annotations

from pathlib import Path

from environments.build import build
from environments.interface import Mount, Sandbox
from environments.languages.python.lock import committed_lock
from taskpack.layout import WorkFolder

_PLACE = "/opt/clock"
_LIBRARY = f"{_PLACE}/libfaketime/vendor/libfaketime/src/libfaketime.so.1"
CLOCK_ENV = {
    "LD_PRELOAD": _LIBRARY,
    "FAKETIME_NO_CACHE": "1",
    "FAKETIME_FMT": "%s",
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
}
"""What a driver is started with. Intervals stay real: with a faked monotonic clock, whoever sleeps
until a moment of that clock (Python's `time.sleep`, every wait with a time limit) waits for years."""


def clock_site(*, work: WorkFolder, sandbox: Sandbox) -> Path:
    """The folder with the library, installed once. Raises as `build`. It is there for x86_64 alone; where it cannot be
    loaded the driver does not offer `clock`."""
    made = build(committed_lock("clock", python=sandbox.python), work=work, sandbox=sandbox)
    return work.root / made.folder


def clock_mount(site: Path) -> Mount:
    """Where the library lies inside."""
    return Mount(source=site, dest=_PLACE)
