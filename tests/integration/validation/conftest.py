"""The real judge on the tiny case of the gates."""

from __future__ import annotations

import dataclasses
import itertools
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest

from environments.choose import choose_sandbox
from flows.bench import Court, subject
from judge.masking import masks
from judge.subject import Subject
from taskpack.denylist import Denylist
from taskpack.layout import CaseFolder, WorkFolder
from validation.selftest import site_of

FIXTURES = Path(__file__).parents[2] / "gates"
_BENCH = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


@pytest.fixture(scope="session")
def bench_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This interpreter's own pytest, as a folder; with the times kept, so that its bytecode stays valid."""
    site = tmp_path_factory.mktemp("bench") / "site"
    for name in _BENCH:
        for file in distribution(name).files or ():
            if ".." not in file.parts and not file.name.endswith(".pyc"):
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(Path(str(file.locate())), site / file)
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(site)], check=True)
    return site


@pytest.fixture(scope="session")
def make_subject(tmp_path_factory: pytest.TempPathFactory, bench_site: Path) -> Callable[[CaseFolder, Path], Subject]:
    """Subjects whose judge is the real one."""
    work = WorkFolder(root=tmp_path_factory.mktemp("work"))
    sandbox = choose_sandbox(work)
    court = Court(sandbox=sandbox, bench_site=bench_site, product_site=None, seeds=work.seeds)
    counter = itertools.count()

    def made(case: CaseFolder, reference: Path) -> Subject:
        scratch = work.root / "scratch" / str(next(counter))
        here = dataclasses.replace(court, product_site=site_of(case))

        def behind(listed: Denylist) -> Court:
            return dataclasses.replace(here, denylist=listed, masked=masks(listed, sandbox=sandbox))

        return subject(here, case, reference, scratch=scratch, behind=behind)

    return made
