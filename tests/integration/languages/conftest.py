"""Back ends, a Go environment, and products in other languages than ours."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.languages.go.toolchain import toolchain_recipe, warm
from environments.languages.python.install import install_recipe
from environments.local import Local
from taskpack.errors import FetchFailed
from taskpack.layout import WorkFolder
from tests.integration.judge.conftest import bench_site  # noqa: F401 (a fixture)
from tests.integration.sandbox.conftest import BACK_ENDS

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


@pytest.fixture(scope="session", params=sorted(BACK_ENDS))
def sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    made = BACK_ENDS[request.param](WorkFolder(root=tmp_path_factory.mktemp("work")))
    yield made
    if isinstance(made, Local):
        made.close()


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
