"""One real server for the tests here, and small runs that are shown on it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.flows.servers import Page, prefect_page

SMALL = Path(__file__).with_name("small.py")
Small = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="package")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with prefect_page(tmp_path_factory.mktemp("prefect") / "home") as found:
        yield found


@pytest.fixture
def small(tmp_path: Path, checkout: Path) -> Small:
    """`repowright` with stages of a moment: `small(*arguments, **environment)`; files in `tmp_path`."""
    folder = tmp_path / "cases" / "case001"
    folder.mkdir(parents=True)
    (folder / "order.toml").write_bytes((checkout / "cases/case001/order.toml").read_bytes())

    def run(command: str, *more: str, base: dict[str, str], **environment: str) -> subprocess.CompletedProcess[str]:
        places = ["--cases", str(tmp_path / "cases"), "--work", str(tmp_path / "work")]
        # A file, not a pipe: a server that outlived the run would keep a pipe open.
        with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
            done = subprocess.run(
                [sys.executable, str(SMALL), command, "case001", *places, *more],
                cwd=checkout, stdout=out, stderr=err, check=False, timeout=400,
                env={**base, "PYTHONPATH": str(checkout), "SMALL_CALLS": str(tmp_path / "calls"), **environment},
            )  # fmt: skip
        texts = ((tmp_path / name).read_text() for name in ("out", "err"))
        return subprocess.CompletedProcess(done.args, done.returncode, *texts)

    return run
