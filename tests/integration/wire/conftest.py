"""The real driver at the end of two pipes: in a sandbox, and as a plain child process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from environments.choose import choose_sandbox
from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.product import Product
from taskpack.layout import WorkFolder
from tests.integration.judge.conftest import bench_site
from tests.integration.judge.sandboxes import PlainSandbox
from tests.wire_client.client import Client, Reply

__all__ = ["bench_site"]  # a fixture of its neighbour
STAGE = Path(__file__).parents[2] / "wire_client" / "stage"
Ask = Callable[..., Reply]
Connect = Callable[[], AbstractContextManager[Client]]


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """The sandbox that is used here."""
    return choose_sandbox(WorkFolder(root=tmp_path_factory.mktemp("work")))


@pytest.fixture(scope="session")
def library() -> Iterator[Path]:
    """What travels with a suite, where a dropped uid can read it."""
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        Path(folder).chmod(0o755)
        copy_lib(Path(folder))
        yield Path(folder) / "_lib"


@contextmanager
def driver(sandbox: Any, library: Path, clock: Path | None = None) -> Iterator[Client]:
    """A driver that nobody greeted yet, started with the broker's own command line."""
    product = Product(
        sandbox=sandbox,
        workspace=STAGE,
        lib=library,
        scenarios=STAGE / "scenarios",
        product_paths=("src",),
        clock=clock,
    )
    with sandbox.start(product._launch) as running:
        client = Client(reader=running.stdout.fileno(), writer=running.stdin.fileno())
        client.uids = running.uids
        yield client


@pytest.fixture(params=["plain", pytest.param("sandbox", marks=pytest.mark.sandbox)], scope="module")
def kind(request: pytest.FixtureRequest) -> str:
    """How the driver was started."""
    return str(request.param)


@pytest.fixture(scope="module")
def connect(kind: str, request: pytest.FixtureRequest, library: Path) -> Iterator[Connect]:
    """Starts a driver; nobody has greeted it."""
    with tempfile.TemporaryDirectory() as folder:
        where = PlainSandbox(Path(folder)) if kind == "plain" else request.getfixturevalue("sandbox")
        yield lambda: driver(where, library)


@pytest.fixture(scope="module")
def ask(connect: Connect) -> Iterator[Ask]:
    """One call and its reply: over one connection where that serves many, else over one each."""
    with connect() as first:
        offered = ["uids", "alone"] if first.uids else []
        hello = first.greet(features=offered)

        def through(name: str, /, **keys: Any) -> Reply:
            if hello["limits"].get("trees") != 1:
                return first.call(name, **keys)
            with connect() as client:
                client.greet(features=offered)
                return client.call(name, **keys)

        yield through


@pytest.fixture(scope="module")
def sandbox_ask(sandbox: Sandbox, library: Path) -> Iterator[Ask]:
    """Many calls over one connection into a sandbox with a range of uids."""
    with driver(sandbox, library) as client:
        if not client.uids:
            pytest.skip("no range of uids here: a sandbox serves one call")
        client.greet(features=["uids", "alone"])
        yield client.call
