"""Back ends, a Go environment, and products in other languages than ours."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.languages.go.toolchain import toolchain_recipe, warm
from environments.languages.python.install import install_recipe
from taskpack.errors import FetchFailed
from tests.integration.judge.conftest import bench_site  # noqa: F401 (a fixture)

PACKAGES = (
    "encoding/json",
    "errors",
    "fmt",
    "go/parser",
    "log",
    "math/big",
    "path/filepath",
    "slices",
    "sync",
    "time/tzdata",
)
"""What these products and the wire import; all of the standard library takes four times as long."""


@pytest.fixture(scope="session", params=["local", pytest.param("docker", marks=[pytest.mark.docker, pytest.mark.full])])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    made: Sandbox = request.getfixturevalue(request.param)
    return made


@pytest.fixture(scope="session")
def go_site(sandbox: Sandbox) -> Iterator[Path]:
    """Go as an environment has it, where a dropped uid can read it: else it is copied for every sandbox."""
    with tempfile.TemporaryDirectory(prefix="go-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        site = Path(folder) / "site"
        try:
            install_recipe(toolchain_recipe(python=sandbox.python), site, python=sandbox.python)
        except FetchFailed:
            pytest.skip("the package registry does not answer")
        warm(site, sandbox=sandbox, packages=PACKAGES)
        yield site
