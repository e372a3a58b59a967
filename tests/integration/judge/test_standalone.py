"""The same files under plain pytest, in one container as one user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.sandbox


ONE = "test_no_lines_have_no_sums"


def run(suite: Path, cwd: Path, node: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    named = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "CODING_BENCH_WORKSPACE"}}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull]
    command += [f"--rootdir={suite}", str(suite / "tests/F01_acceptance.py"), str(suite / "tests/F01_helpers.py")]
    command += ["-k", node] if node else []
    return subprocess.run(command, cwd=cwd, env=named | environment, capture_output=True, text=True, check=False)


def test_the_reference_passes_a_broken_one_fails_and_the_weakness_is_told(suite: Path, workspace: Path) -> None:
    done = run(suite, workspace, PYTHONPATH="src", CODING_BENCH_WORKSPACE=str(workspace))
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
    assert "the product could read the expected values" in done.stdout
    (workspace / "src/tally/__init__.py").write_text("import os\nos._exit(0)\n")
    done = run(suite, workspace, PYTHONPATH="src", CODING_BENCH_WORKSPACE=str(workspace))
    assert done.returncode == 1
    assert "6 failed" in done.stdout


@pytest.mark.parametrize("named", ["", "src", "elsewhere"])
def test_the_manifest_says_where_the_product_lies_whatever_pythonpath_says(
    suite: Path, workspace: Path, tmp_path: Path, named: str
) -> None:
    assert "1 passed" in run(suite, workspace, ONE, PYTHONPATH=named).stdout
    assert "1 passed" in run(suite, tmp_path, ONE, PYTHONPATH=named, CODING_BENCH_WORKSPACE=str(workspace)).stdout


def test_the_manifests_workdir_lies_in_the_working_directory(suite: Path, workspace: Path) -> None:
    manifest = json.loads((suite / "test_manifest.json").read_text())
    (suite / "test_manifest.json").write_text(json.dumps(manifest | {"workdir": workspace.name}))
    assert "1 passed" in run(suite, workspace.parent, ONE).stdout


def test_without_a_manifest_pythonpath_is_believed_and_a_broken_one_is_told(suite: Path, workspace: Path) -> None:
    (suite / "test_manifest.json").write_text("{}")
    assert "copy the suite again" in run(suite, workspace, ONE).stderr
    (suite / "test_manifest.json").unlink()
    assert "1 passed" in run(suite, workspace, ONE, PYTHONPATH="src").stdout


@pytest.mark.parametrize("folder", ["src", ""], ids=["in a product folder", "beside it"])
@pytest.mark.parametrize("early", [False, True], ids=["imported late", "imported before the suite"])
def test_no_test_and_no_oracle_imports_what_a_candidate_ships(
    suite: Path, workspace: Path, folder: str, early: bool
) -> None:
    for name in ("hmac", "colorsys", "tally"):
        place = workspace / folder / f"{name}.py"
        if not (name == "tally" and folder):
            place.write_text("raise SystemExit('mine')\n" if not early else "mine = True\n")
    helpers = suite / "tests/F01_helpers.py"
    helpers.write_text(
        "import colorsys, hmac, importlib.util, sys\n"
        "assert not hasattr(hmac, 'mine') and not hasattr(colorsys, 'mine')\n"
        "assert importlib.util.find_spec('tally') is None and 'tally' not in sys.modules\n" + helpers.read_text()
    )
    environment = {"PYTHONPATH": folder or "."}
    if early:
        plugin = workspace.parent / "plugins"
        plugin.mkdir()
        (plugin / "early.py").write_text("import colorsys, hmac, tally\nassert hmac.mine\n")
        environment = {
            "PYTHONPATH": os.pathsep.join([str(workspace / folder), str(plugin)]),
            "PYTEST_PLUGINS": "early",
        }
    done = run(suite, workspace, ONE, **environment)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
