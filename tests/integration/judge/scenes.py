"""One verdict's surroundings, to be disturbed: what it runs on, and what must be left of it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from environments.local import Local
from judge.judging import judge
from taskpack.verdict import Judged, Verdict
from tests.faults.judging import Disturbed
from tests.integration.validation.hostile_look import Ground, left_on, new_ground


@dataclass(kw_only=True)
class Scene:
    """One verdict's surroundings."""

    local: Local
    sandbox: Disturbed
    bench_site: Path
    suite: Path
    right: Path
    wrong: Path
    folder: Path
    stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    patch: pytest.MonkeyPatch
    left: int = 0
    """How often the fault still comes."""

    def hit(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def judge(self, workspace: Path, **more: Any) -> Verdict:
        given: dict[str, Any] = {"product_site": None, "logs": self.folder / "logs", "bench_site": self.bench_site}
        return judge(self.suite, workspace, sandbox=self.sandbox, seed="tally", **(given | more))

    def at_rest(self) -> None:
        """No fault any more."""
        self.stack.close()
        self.patch.undo()
        self.sandbox.before = self.sandbox.after = lambda kind, what: None


@pytest.fixture
def ground(bench_site: Path, suite: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ground]:
    """Uids, runtime area and temporary folder of this test's own, once the rest is there; nothing may be left on it."""
    with tempfile.TemporaryDirectory(prefix="repowright-fault-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        made = new_ground(Path(folder))
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(tempfile, "tempdir", str(made.temporary))
        yield made


@pytest.fixture
def scene(ground: Ground, bench_site: Path, suite: Path, workspace: Path, tmp_path: Path) -> Iterator[Scene]:
    wrong = tmp_path / "wrong"
    shutil.copytree(workspace, wrong)
    module = wrong / "src/tally/ledger.py"
    module.write_text(module.read_text().replace("self.number = number", "self.number = number - 1"))
    local = Local()
    threads = threading.active_count()
    with pytest.MonkeyPatch.context() as patch:
        made = Scene(
            local=local, sandbox=Disturbed(local), bench_site=bench_site, suite=suite,
            right=workspace, wrong=wrong, folder=tmp_path, patch=patch,
        )  # fmt: skip
        yield made
        made.at_rest()
        ground.note()
        assert all(running._gone for running in local._alive)
        assert threading.active_count() <= threads + 1, threading.enumerate()  # the starter's
    local.close()
    assert left_on(ground, everywhere=False) == []


def no_program(kind: str) -> Callable[[Scene], None]:
    """A sandbox of `kind` cannot be started."""

    def arm(scene: Scene) -> None:
        starter = scene.local._starter
        right = starter._bwrap

        def before(now: str, launch: Any) -> None:
            starter._bwrap = "/nonexistent/bwrap" if now == kind and scene.hit() else right

        scene.sandbox.before = before
        scene.stack.callback(setattr, starter, "_bwrap", right)

    return arm


def check_infra(verdict: Verdict, outcome: Judged = Judged.INFRA) -> None:
    """No reward; thing, fact and evidence; the log is there and tells of every try."""
    assert (verdict.outcome, verdict.reward, verdict.nodes) == (outcome, None, ()), verdict.causes
    assert verdict.causes[0].startswith("error: ")
    assert len(verdict.causes) >= 3, verdict.causes
    [line] = [cause for cause in verdict.causes if cause.startswith("log ")]
    text = Path(line.split(maxsplit=1)[1]).read_text()
    assert all(f"attempt {number} of 3" in text for number in (1, 2, 3))
    assert verdict.causes[0] in text
