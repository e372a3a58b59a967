"""Ctrl-C, SIGTERM and SIGHUP end the work where it is, and what it has made is taken away before the program ends.

Standard library only: it is imported before all else.
"""

from __future__ import annotations

import atexit
import signal
import time
from types import FrameType

_ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ONE_WISH_S = 10.0
"""What comes within so many seconds of the first is the same wish: it must not break off the cleaning up. Later it is
heard again, for one that is lost (Python drops what is raised while an object is being deleted), and for an end that
hangs."""


class Stopped(KeyboardInterrupt):
    """One of the signals came. When Python's own class passes through an `exec`, as imports do many, CPython ends with
    SIGINT in the end, whatever exit code it is given."""


_heard: list[int] = []
"""The signals that ended something."""
_cleaning: list[float] = []
"""When cleaning up began: after each of them, and after the work."""


def listen() -> None:
    """From now on each of these signals raises `Stopped`, once. One that is ignored stays so, as with nohup."""
    atexit.register(_deaf)  # the first to be registered is the last to run
    for number in _ASKED:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def exit_code() -> int:
    """128 and the signal, as shells count; Ctrl-C where nothing was heard."""
    return 128 + (_heard[0] if _heard else signal.SIGINT)


def work_is_done() -> None:
    """What is left to be done is to clean up, which a signal must not break off."""
    _cleaning.append(time.monotonic())


def _end(number: int, _frame: FrameType | None) -> None:
    now = time.monotonic()
    if not _cleaning or now - _cleaning[-1] > _ONE_WISH_S:
        _cleaning.append(now)
        _heard.append(number)
        raise Stopped


def _deaf() -> None:
    """Nothing is left to be taken away: a signal would only change the exit code."""
    for number in _ASKED:
        signal.signal(number, signal.SIG_IGN)
