"""Looks at this machine from outside of every sandbox."""

from __future__ import annotations

import os
from pathlib import Path


def processes_with(marker: str) -> list[str]:
    """Command lines on this host that carry `marker`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if marker.encode() in words and int(folder.name) != os.getpid():
            found.append(f"{folder.name}: {words}")
    return found
