"""A sandbox, a bench, and the tiny product `tally` to be broken in many ways."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

from environments.choose import choose_sandbox
from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.judging import judge
from taskpack.layout import WorkFolder
from taskpack.verdict import Verdict
from tests.integration.judge.scenes import ground, scene

__all__ = ["ground", "scene"]

TALLY = Path(__file__).parents[2] / "data" / "judge" / "tally"
_BENCH = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """The sandbox that is used here."""
    return choose_sandbox(WorkFolder(root=tmp_path_factory.mktemp("work")))


@pytest.fixture(scope="session")
def bench_site() -> Iterator[Path]:
    """This interpreter's own pytest, as a folder that a dropped uid can read: else it is copied for every sandbox."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        Path(folder).chmod(0o755)
        yield _fill(Path(folder) / "site")


def _fill(site: Path) -> Path:
    for name in _BENCH:
        for file in distribution(name).files or ():
            if ".." not in file.parts and not file.name.endswith(".pyc"):
                target = site / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(Path(str(file.locate())), target)
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(site)], check=True)
    return site


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The suite of `tally`, with its library."""
    dest = tmp_path / "final"
    shutil.copytree(TALLY / "suite", dest)
    copy_lib(dest / "tests")
    return dest


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The reference of `tally`, to be changed at will."""
    dest = tmp_path / "workspace"
    shutil.copytree(TALLY / "workspace", dest)
    return dest


@pytest.fixture
def verdict_of(sandbox: Sandbox, bench_site: Path, suite: Path) -> Callable[[Path], Verdict]:
    """Judge a workspace with the suite as it lies there now."""

    def judged(workspace: Path) -> Verdict:
        return judge(suite, workspace, sandbox=sandbox, bench_site=bench_site, product_site=None, seed="tally")

    return judged
