"""Whose a container is: labels that lead to a folder of the runtime area, and the sweep of what dead owners left."""

from __future__ import annotations

import contextlib
import fcntl
from pathlib import Path

from environments.docker import Engine

AREA = "repowright.area"
OWNER = "repowright.owner"


def area_mark(area: Path) -> str:
    """What tells a runtime area from all others that share an engine, also from one of the same path elsewhere."""
    info = area.stat()
    return f"{area}:{info.st_dev}:{info.st_ino}"


def sweep_containers(engine: Engine, mark: str) -> int:
    """Take away the containers of this area whose owners are dead; how many. Others are left alone."""
    found = engine.labelled(f"{AREA}={mark}", value_of=OWNER)
    dead = [container for container, owner in found.items() if not _lives(Path(owner))]
    for container in dead:
        engine.remove(container)
    return len(dead)


def _lives(owner: Path) -> bool:
    """Whether a process holds the lock in this folder of the runtime area."""
    with contextlib.suppress(FileNotFoundError), (owner / "lock").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
