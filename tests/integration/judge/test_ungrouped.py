"""A back end that nothing measures memory files for: they are refused to everybody inside, the driver included."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.cgroups import Place
from environments.local import Local
from environments.runtime import Runtime
from environments.usermap import current_users
from judge.harness.link import Product as Asked
from judge.judging import judge
from taskpack.verdict import Judged
from tests.integration.judge.sandboxes import WithoutUids
from tests.integration.judge.test_trees import PRODUCT, Wire, do, lay_out, start

pytestmark = pytest.mark.sandbox


class Ungrouped(Local):
    """The real back end, on a system that gives it no control group."""

    def _find_groups(self) -> Place | None:
        return None


@pytest.fixture(scope="module")
def ungrouped() -> Iterator[Local]:
    area = Path(tempfile.mkdtemp(prefix="area-", dir="/var/tmp"))
    made = Ungrouped(runtime=Runtime(current_users(), area=area / "runtime"))
    os.chown(area, -1, made.users.gid)
    area.chmod(0o710)
    yield made
    made.close()
    shutil.rmtree(area)


def test_a_right_workspace_gets_1(ungrouped: Local, bench_site: Path, suite: Path, workspace: Path) -> None:
    verdict = judge(suite, workspace, sandbox=ungrouped, bench_site=bench_site, product_site=None, seed="tally")
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())


@pytest.mark.parametrize("shape", ["a uid a tree", "a sandbox a tree"])
def test_requests_and_input_reach_calls_and_programs(ungrouped: Local, tmp_path: Path, shape: str) -> None:
    lay_out(tmp_path, PRODUCT)
    with start(ungrouped if shape == "a uid a tree" else WithoutUids(ungrouped), tmp_path) as started:  # type: ignore[arg-type]
        asked = Asked(Wire(started))
        assert asked.run(["cat"], stdin=b"in").stdout == b"in"
        assert do(asked, "exists", "/").value is True
        assert asked.call("do", what="exists", args=["/"], fresh=True).value is True
        with asked.tree() as tree:
            assert tree.call("do", what="exists", args=["/"], fresh=True).value is True
            assert [row["path"] for row in tree.list()] == []
