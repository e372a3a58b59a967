"""Ends that came from outside: what a sandbox was started with, and nothing of what is judged, was sent a signal."""

from __future__ import annotations

import signal

from environments.interface import Mechanism, Running
from taskpack.errors import SandboxFailed

_SENT = frozenset({-signal.SIGKILL, -signal.SIGTERM})
"""Neither driver nor bench sends itself one of these."""


class EndedFromOutside(SandboxFailed):
    """A driver or a bench was ended by a signal, and neither by us nor for a bound of its sandbox."""

    certain = True
    """False where bounds are only sampled, since the kernel may have done it for what a candidate took in between, and
    where the candidate has the program's uid."""


def check_ended_by_itself(
    what: str, code: int | None, running: Running, limits_by: str, *, reachable: bool = False
) -> None:
    """Raises `EndedFromOutside` when `code` says that a signal from outside has ended the program. `reachable`: what is
    judged has its uid, and may have sent it."""
    if code in _SENT and not running.limited_by:
        error = EndedFromOutside(
            f"{what} was killed from outside",
            details={"signal": signal.Signals(-code).name, "bounds held by": limits_by},
            remedy="find out who sends signals on this machine (the kernel's log may tell), and judge it again",
        )
        error.certain = limits_by != Mechanism.WATCHER and not reachable
        raise error
