"""Bounds what the bench does with an answer: a value that cannot be looked at in reasonable time fails its test."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn

LOOK_S = 60.0
"""Processor time, so that a busy machine takes nothing away."""
_AGAIN_S = 1.0
"""What catches the first failure and goes on is met again."""


class TooLong(AssertionError):
    """Raised in the test that looks at the answer."""


class Watch:
    """A pytest plugin and a clock: it runs from each answer to the next request, or to the end of the test."""

    def start(self) -> None:
        """The product has answered."""
        signal.signal(signal.SIGPROF, _end)
        signal.setitimer(signal.ITIMER_PROF, LOOK_S, _AGAIN_S)

    def rest(self) -> None:
        """The product has the word, or nobody."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logfinish(self) -> None:
        self.rest()


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TooLong(f"the product's answer took more than {LOOK_S:.0f} s of processor time to look at")
