"""Sockets that outlive the processes of an op, and would be found by a later one: names, ports, and what lies in them.

A connection whose end hears nothing that is said to it goes on trying for minutes when nobody has it any more; sockets
that lie in each other's messages stay until the kernel happens to look for such.
"""

from __future__ import annotations

import functools
import socket
import time
from pathlib import Path

_COUNTED = Path("/proc/net/sockstat")
_END_S = 3.0
"""What an honest op leaves is gone in milliseconds."""
_PAUSE_S = 0.002


@functools.cache
def at_rest() -> int:
    """How many sockets this network namespace has while no op runs. Asked first before the first op."""
    return _count()


def await_their_end() -> None:
    """Return when no socket of an op is left. Raises `TimeoutError` when that does not come to an end."""
    until = time.monotonic() + _END_S
    while _count() > at_rest():
        if time.monotonic() > until:
            raise TimeoutError("sockets of an op remain")
        for end in socket.socketpair():  # with each that is closed the kernel looks for those that nobody can reach
            end.close()
        time.sleep(_PAUSE_S)


def _count() -> int:
    """All sockets of the namespace, those of no process among them; 0 where the kernel does not tell."""
    try:
        first = _COUNTED.read_bytes().split(b"\n", 1)[0]
    except OSError:
        return 0
    return int(first.split()[-1])
