"""`prefect.yaml`, used as `docs/prefect.md` says: a pool, the deployments, a worker, a run of the tiny case to its end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskpack.outcome import Stage
from tests.faults.ground import Ground, place, prepare
from tests.integration.flows.servers import Page, until
from tests.tiny import CASE, Tiny

pytestmark = [pytest.mark.full, pytest.mark.sandbox, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with place() as root:
        yield prepare(root)


def environment(page: Page, tiny: Tiny, checkout: Path) -> dict[str, str]:
    ours = {name: value for name, value in tiny.environment.items() if not name.startswith("PREFECT_")}
    theirs = {name: value for name, value in page.environment.items() if name.startswith("PREFECT_")}
    return {**ours, **theirs, "REPOWRIGHT_CHECKOUT": str(checkout), "DO_NOT_TRACK": "1"}


def prefect(*words: str, env: dict[str, str], checkout: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "prefect", *words], cwd=checkout, env=env, capture_output=True, text=True,
        check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def worker(page: Page, ground: Ground, checkout: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A worker on the pool `local`, in the environment that is given."""
    env = environment(page, ground.tiny, checkout)
    prefect("work-pool", "create", "local", "--type", "process", env=env, checkout=checkout)
    prefect("--no-prompt", "deploy", "--all", env=env, checkout=checkout)
    command = [
        "env",
        "--default-signal=INT",
        sys.executable,
        "-m",
        "prefect",
        "worker",
        "start",
        "--pool",
        "local",
        "--limit",
        "1",
    ]
    # Elsewhere than the checkout: the deployment's own step goes there.
    with (tmp_path / "worker").open("wb") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        yield env
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_a_worker_runs_the_deployment_to_the_end(
    page: Page, ground: Ground, worker: dict[str, str], checkout: Path
) -> None:
    tiny = ground.tiny
    for folder in (tiny.work.releases, tiny.work.stages / "release", tiny.work.stages / "survey"):
        subprocess.run(["rm", "-r", str(folder)], check=True)
    given = [f"case={CASE}", "provider=replay", f"cases={tiny.cases}", f"work={tiny.work.root}"]
    words = [word for each in given for word in ("--param", each)]
    said = prefect("deployment", "run", "author/local", *words, env=worker, checkout=checkout)
    (number,) = set(re.findall(r"UUID: ([0-9a-f-]{36})", said))

    def ended() -> dict[str, str] | None:
        run = next(run for run in page.runs() if run["id"] == number)
        return run if run["state_type"] in {"COMPLETED", "FAILED", "CRASHED"} else None

    run = until(ended, seconds=900)
    assert run["state_name"] == "Completed", run["state"]
    made = {"survey", "release"}
    wanted = {str(stage): "Completed" if stage in made else "Cached" for stage in Stage}
    assert page.tasks(run, wanted=9) == wanted
    assert ground.bundle.is_dir()
    artifacts = page.artifacts(run)
    assert set(artifacts) == {f"{CASE}-{name}" for name in ("stages", "gates", "ledger", "verdict")}
    assert str(ground.bundle) in artifacts[f"{CASE}-verdict"]
    assert len(artifacts[f"{CASE}-gates"]) > 10
