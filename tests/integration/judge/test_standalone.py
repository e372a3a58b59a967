"""The same files under plain pytest, in one container as one user."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(suite: Path, workspace: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": "src", "CODING_BENCH_WORKSPACE": str(workspace)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull]
    command += [f"--rootdir={suite}", str(suite / "tests/F01_acceptance.py"), str(suite / "tests/F01_helpers.py")]
    return subprocess.run(command, cwd=workspace, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.sandbox
def test_the_reference_passes_a_broken_one_fails_and_the_weakness_is_told(suite: Path, workspace: Path) -> None:
    done = run(suite, workspace)
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
    assert "the product could read the expected values" in done.stdout
    (workspace / "src/tally/__init__.py").write_text("import os\nos._exit(0)\n")
    done = run(suite, workspace)
    assert done.returncode == 1
    assert "6 failed" in done.stdout
