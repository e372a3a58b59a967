"""The pin stage through the command line: resolutions and verdicts are kept in the case, and moves are said."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from taskpack.pin import Pin, Resolution
from taskpack.suitability import Suitability, Suitable
from tests.unit.authoring.sources import PROJECT, git, write_repository

ORDER = """
schema_version = 1
case_id = "case901"
language = "python"
[source]
{source}
[product]
name = "sumcord"
summary = "Adds."
[testing]
requirements = ["pytest"]
command = ["python", "-m", "pytest"]
expected = 1
[[features]]
id = "FP-01"
title = "Add"
about = "Adding."
files = ["src/sumcord/total.py"]
"""


class Desk:
    """A case folder and a work directory."""

    def __init__(self, root: Path, **source: str) -> None:
        self.cases, self.work = root / "cases", root / "work"
        self.case = self.cases / "case901"
        self.order(**source)

    def order(self, **source: str) -> None:
        self.case.mkdir(parents=True, exist_ok=True)
        lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in source.items())
        (self.case / "order.toml").write_text(ORDER.format(source=lines))

    def author(self, code: int) -> str:
        """What the command says on both streams."""
        command = [str(Path(sys.executable).with_name("repowright")), "author", "case901", "--plain", "--until", "pin"]
        places = ["--cases", str(self.cases), "--work", str(self.work)]
        done = subprocess.run([*command, *places], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def pinned(self) -> Pin:
        results = sorted((self.work / "stages/pin").glob("*/*/result.json"), key=lambda path: path.stat().st_mtime_ns)
        return Pin.from_bytes(results[-1].read_bytes())

    @property
    def resolution(self) -> Path:
        return self.case / "provenance/resolution.json"


def test_a_branch_is_resolved_once_kept_in_the_case_and_its_move_is_said(tmp_path: Path) -> None:
    write_repository(tmp_path / "up", PROJECT)
    desk = Desk(tmp_path, kind="git", url=str(tmp_path / "up"), branch="main")
    assert "done" in desk.author(0)
    before = git(tmp_path / "up", "rev-parse", "HEAD")
    kept = Resolution.from_bytes(desk.resolution.read_bytes())
    assert kept.commit == before == desk.pinned().commit
    git(tmp_path / "up", "commit", "-q", "--allow-empty", "-m", "three")
    assert "reused" in desk.author(0)  # nothing is asked while the stage's result is there
    shutil.rmtree(desk.work)
    said = desk.author(0)
    assert f"refs/heads/main is at {git(tmp_path / 'up', 'rev-parse', 'HEAD')[:12]} now" in said
    assert f"the pin stays at {before[:12]}" in said
    assert desk.pinned().commit == before
    desk.resolution.unlink()
    desk.author(0)
    assert desk.pinned().commit == git(tmp_path / "up", "rev-parse", "HEAD") != before


def test_a_source_that_is_turned_away_leaves_its_verdict_in_the_case(tmp_path: Path) -> None:
    bare = {name: data for name, data in PROJECT.items() if not name.startswith("tests/")}
    first = write_repository(tmp_path / "up", bare)
    desk = Desk(tmp_path, kind="git", url=str(tmp_path / "up"), commit=first)
    for _ in range(2):
        assert "no tests" in desk.author(1)
        verdict = Suitability.from_bytes((desk.case / "provenance/suitability.json").read_bytes())
        assert verdict.verdict is Suitable.UNUSABLE
        (desk.case / "provenance/suitability.json").unlink()  # a stored rejection puts it back


def test_a_hostile_repository_is_one_error_with_a_next_step(tmp_path: Path) -> None:
    secret = write_repository(tmp_path / "victim", PROJECT)
    git(tmp_path / "up", "init", "-q")
    (tmp_path / "up/.git/objects/info/alternates").write_text(f"{tmp_path}/victim/.git/objects\n")
    desk = Desk(tmp_path, kind="git", url=str(tmp_path / "up"), commit=secret)
    said = desk.author(2)
    assert "error: the repository is not taken" in said
    assert "git clone --no-local --bare" in said
    assert "Traceback" not in said


def test_an_order_with_two_names_for_one_commit_is_bad_input(tmp_path: Path) -> None:
    desk = Desk(tmp_path, kind="git", url="https://host.invalid/x", branch="main", tag="v1")
    assert "give exactly one of `commit`, `branch` and `tag`" in desk.author(2)
