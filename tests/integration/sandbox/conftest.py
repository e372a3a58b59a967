"""Back ends under test."""

from __future__ import annotations

import pytest

from environments.interface import Sandbox
from tests.host import processes_with

__all__ = ["processes_with"]


@pytest.fixture(scope="session", params=["local", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    made: Sandbox = request.getfixturevalue(request.param)
    return made
