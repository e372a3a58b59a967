"""What a container uses: from its control group where this process can see it, else as the engine tells it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from environments.cgroups import Group, Place, read_place
from environments.docker import Engine
from environments.interface import Mechanism
from environments.usage import Usage
from environments.watcher import Meter
from taskpack.errors import SandboxFailed

_ASK_S = 0.5
_UNIFIED = Path("/sys/fs/cgroup")


def container_meter(engine: Engine, container: str, pid: int) -> Meter:
    """A meter for `container`, whose first process is `pid` where the engine counts."""
    return _own_group(container, pid) or EngineMeter(engine, container)


class EngineMeter:
    """Asks the engine, at most every half second. It counts no refusals: a bomb shows as a tree that stays full."""

    def __init__(self, engine: Engine, container: str) -> None:
        self._engine = engine
        self._container = container
        self._asked = -_ASK_S
        self._last = Usage(cpu_s=0.0)

    def usage(self) -> Usage:
        """Raises `OSError` when the engine does not tell."""
        if time.monotonic() - self._asked >= _ASK_S:
            try:
                sample = self._engine.sample(self._container)
            except SandboxFailed as error:
                raise OSError(error.message) from error
            self._asked = time.monotonic()
            if sample is not None:
                oom = int(sample.out_of_memory)
                self._last = Usage(cpu_s=sample.cpu_s, tasks=sample.processes, oom_kills=oom)
        return self._last


def _own_group(container: str, pid: int) -> Group | None:
    """The container's group, if it is the one that bears its id: the engine may count processes elsewhere."""
    try:
        own = Path(f"/proc/{pid}/cgroup").read_text("utf-8")
        place = read_place(mountinfo=Path("/proc/self/mountinfo").read_text("utf-8"), own=own)
        folders = place.folders if place and place.mechanism is Mechanism.CGROUP_V1 else (_unified(own),)
        if not all(container in folder.name and os.access(folder, os.R_OK) for folder in folders):
            return None
        mechanism = Mechanism.CGROUP_V1 if len(folders) > 1 else Mechanism.CGROUP_V2
        group = Group(Place(mechanism=mechanism, folders=tuple(folder.parent for folder in folders)), folders[0].name)
        group.usage()
    except (OSError, ValueError):
        return None
    return group


def _unified(own: str) -> Path:
    path = next((line[3:] for line in own.splitlines() if line.startswith("0::")), "/")
    return _UNIFIED / path.lstrip("/")
