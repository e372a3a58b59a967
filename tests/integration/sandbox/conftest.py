"""Back ends under test, and looks at the host from outside."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.local import Local
from taskpack.layout import WorkFolder

BACK_ENDS: dict[str, Callable[[WorkFolder], Sandbox]] = {"local": lambda work: Local(work=work)}


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> WorkFolder:
    return WorkFolder(root=tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session", params=sorted(BACK_ENDS))
def sandbox(request: pytest.FixtureRequest, work: WorkFolder) -> Iterator[Sandbox]:
    made = BACK_ENDS[request.param](work)
    yield made
    if isinstance(made, Local):
        made.close()


@pytest.fixture(scope="session")
def local(work: WorkFolder) -> Iterator[Local]:
    made = Local(work=work)
    yield made
    made.close()


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
