"""What real sandboxes need: the root file system, built once a machine, and a container engine for the run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from environments.local import Local
from environments.rootfs import PROGRAM
from environments.rootfs_build import build_rootfs
from taskpack.layout import WorkFolder
from tests.engine import NoEngine, TestEngine, an_engine, why_no_engine

if TYPE_CHECKING:
    from environments.docker_sandbox import Docker


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> WorkFolder:
    return WorkFolder(root=tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session")
def base() -> str:
    """Why the root file system cannot be built here; empty when it is there. It is built once a machine."""
    if os.geteuid() != 0:
        return "only root can build the root file system"
    if shutil.which(PROGRAM) is None:
        return f"{PROGRAM} is not installed (apt-get install {PROGRAM})"
    build_rootfs(print)
    return ""


@pytest.fixture(scope="session")
def engine() -> Iterator[TestEngine]:
    if why_no_engine():
        pytest.skip(why_no_engine())
    try:
        with an_engine() as started:
            yield started
    except NoEngine as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def docker(base: str, request: pytest.FixtureRequest, work: WorkFolder) -> Iterator[Docker]:
    if base:
        pytest.skip(base)
    started: TestEngine = request.getfixturevalue("engine")
    from environments.docker_sandbox import Docker  # the SDK takes its time to import

    made = Docker(work=work, address=started.address)
    yield made
    made.close()


@pytest.fixture(scope="session")
def local(base: str, work: WorkFolder) -> Iterator[Local]:
    """On the root file system where it can be built, else on the preview base."""
    made = Local(work=work)
    yield made
    made.close()
