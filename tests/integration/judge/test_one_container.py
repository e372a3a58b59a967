"""The suite of a released case under plain pytest, in one sandbox as one user: what other people's harnesses do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environments.interface import Finished, Launch, Limits, Mount, Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

CASE = Path(__file__).parents[3] / "cases" / "case001"


def run(sandbox: Sandbox, workspace: Path, bench_site: Path) -> Finished:
    """As `docker run` of a task's image with the tests copied in would."""
    command = [sandbox.python, "-B", "-m", "pytest", "-p", "no:cacheprovider", "/suite/tests/F01_acceptance.py"]
    return sandbox.run(
        Launch(
            argv=command,
            cwd="/app",
            env={"PYTHONPATH": "/bench:/app/src", "PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"},
            mounts=[
                Mount(source=workspace, dest="/app"),
                Mount(source=CASE / "milestones/final", dest="/suite"),
                Mount(source=bench_site, dest="/bench"),
            ],
            limits=Limits(wall_s=900),
        )
    )


@pytest.mark.parametrize("back_end", ["local", pytest.param("docker", marks=pytest.mark.docker)])
def test_the_released_suite_accepts_a_right_product_and_rejects_a_broken_one(
    request: pytest.FixtureRequest, back_end: str, bench_site: Path, tmp_path: Path
) -> None:
    sandbox: Sandbox = request.getfixturevalue(back_end)
    done = run(sandbox, CASE / "controls/clean_room/app", bench_site)
    said = done.stdout.decode()
    assert done.exit_code == 0, said[-2000:]
    assert " passed" in said
    assert "failed" not in said
    assert "the product could read the expected values" in said
    shutil.copytree(CASE / "controls/clean_room/app", tmp_path / "broken")
    for file in (tmp_path / "broken/src").rglob("*.py"):
        file.write_text("import os\nos._exit(0)\n")
    done = run(sandbox, tmp_path / "broken", bench_site)
    assert done.exit_code == 1
    assert " passed" not in done.stdout.decode()
