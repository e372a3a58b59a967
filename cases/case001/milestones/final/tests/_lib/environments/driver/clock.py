"""The clock that an op is told of: libfaketime, loaded into the driver, reads a variable of whoever asks for it."""

from __future__ import annotations

import os
import time

from taskpack.wire.requests import Clock

_KEPT = ("LD_PRELOAD", "FAKETIME_NO_CACHE", "FAKETIME_FMT")
_MOMENT = 1_577_836_800.0


def clock_variables() -> dict[str, str]:
    """What a program needs to obey `now`: the driver was started with it. Empty where no such clock works here."""
    found = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return found if len(found) == len(_KEPT) and _works() else {}


def told(now: Clock) -> dict[str, str]:
    """The variable that tells the time, as libfaketime reads it: seconds since 1970, with @ before them when they run.

    Two nanoseconds more keep a fraction from being rounded down to the one before it.
    """
    moment = f"{int(now.epoch)}" if now.epoch.is_integer() else f"{now.epoch:.6f}002"
    return {"FAKETIME": f"{'@' if now.running else ''}{moment}"}


def _works() -> bool:
    """Whether a forked process that is told a moment sees it, and this one still does not."""
    before = time.time()
    child = os.fork()
    if child == 0:
        os.environ.update(told(Clock(epoch=_MOMENT)))
        os._exit(0 if time.time() == _MOMENT else 1)
    _, status = os.waitpid(child, 0)
    return status == 0 and time.time() >= before
