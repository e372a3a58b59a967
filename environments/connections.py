"""Connections that have ended are forgotten at once, so that a later call of the same sandbox does not find them.

The kernel keeps the ports of a closed connection for a minute (TIME_WAIT), for everybody in its network namespace to
read in /proc/net/tcp: a few bytes from one call to another. A bound of 0 on their number keeps none. Of each address it
keeps how fast it answered, and starts the next connection's timers with that: a bit for each of the loopback's sixteen
million addresses. It can be told to keep nothing.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from environments.usage import children, children_are_told

KEPT = "net.ipv4.tcp_max_tw_buckets"
"""The kernel's name for how many are kept, of a network namespace."""
FORGETTING = {KEPT: "0", "net.ipv4.tcp_no_metrics_save": "1"}
"""Settings of a network namespace that keeps nothing of a connection."""
_CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


@cache
def can_forget() -> bool:
    """Whether this process may set that in a namespace that it made: tried in one that goes at once."""
    if not children_are_told():
        return False
    try:
        _in_a_thread(lambda: _checked(_libc.unshare(_CLONE_NEWNET)))
    except OSError:
        return False
    return True


def forget_ended(first: int) -> None:
    """Keep no ended connection in the network namespace of what process `first` started; once all of that has ended
    there is none. Raises `OSError`."""
    own = Path("/proc/self/ns/net").readlink()
    for process in children(first):
        place = Path(f"/proc/{process}/ns/net")
        try:
            if place.readlink() == own:
                continue
            network = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            _in_a_thread(lambda: _checked(_libc.setns(network, _CLONE_NEWNET)))  # noqa: B023 (done before the next one)
        finally:
            os.close(network)


def _in_a_thread(enter: Callable[[], None]) -> None:
    """Write the settings where `enter` leads. A thread can change its namespace alone, and ends with it."""

    def write() -> None:
        enter()
        for name, value in FORGETTING.items():
            Path("/proc/sys", *name.split(".")).write_text(value, "ascii")

    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(write).result()


def _checked(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
