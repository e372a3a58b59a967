"""Back ends, environments with Go and with Node, and products in other languages than ours."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.languages.go.toolchain import toolchain_recipe, warm
from environments.languages.javascript.toolchain import toolchain_recipe as node_recipe
from environments.languages.javascript.toolchain import trim
from environments.languages.python.install import install_recipe
from taskpack.errors import FetchFailed
from taskpack.recipe import Recipe
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
    """Go as an environment has it."""
    with installed(toolchain_recipe(python=sandbox.python), sandbox) as site:
        warm(site, sandbox=sandbox, packages=PACKAGES)
        yield site


@pytest.fixture(scope="session")
def node_site(sandbox: Sandbox) -> Iterator[Path]:
    """Node as an environment has it."""
    with installed(node_recipe(python=sandbox.python), sandbox) as site:
        trim(site)
        yield site


@contextmanager
def installed(recipe: Recipe, sandbox: Sandbox) -> Iterator[Path]:
    """Where a dropped uid can read it: else it is copied for every sandbox."""
    with tempfile.TemporaryDirectory(prefix="site-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        site = Path(folder) / "site"
        try:
            install_recipe(recipe, site, python=sandbox.python)
        except FetchFailed:
            pytest.skip("the package registry does not answer")
        yield site
