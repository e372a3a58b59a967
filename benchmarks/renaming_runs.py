"""Fetching the packages of `benchmarks.renaming`, and running their tests where neither name is installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol
from xml.etree import ElementTree as ET

import uv

from environments.choose import Backend, choose_sandbox
from environments.languages.python.fetch import fetch_sdist
from flows.settings import resolve
from taskpack.errors import FetchFailed
from taskpack.files import file_digest
from taskpack.order import PypiSource

Outcomes = dict[str, str]
"""A test's id, and `passed`, `failed` or `skipped`."""
_PATIENCE_S = 120
_INSTALL_S = 900
_NPM_TOOLS = {
    "qs": """tape iconv-lite safer-buffer object-inspect qs-iconv has-symbols has-proto has-override-mistake
        has-property-descriptors has-bigints es-value-fixtures for-each mock-property define-properties side-channel""",
    "css-what": "vitest@3.2.4 typescript@5 @types/node@25",
}


class NotAnswered(Exception):
    """A registry gave nothing."""


class Runner(Protocol):
    def run(self, tree: Path) -> Outcomes:
        """Every test of the tree with its outcome. What ends by the time limit is one test that failed."""

    def free_of(self, *names: str) -> None:
        """Raises `AssertionError` when one of the names is installed beside the runner."""


@dataclass(frozen=True, kw_only=True)
class Fetched:
    tree: Path
    runner: Runner


def python_runner(name: str, version: str, sha256: str, needs: Sequence[str], folder: Path) -> Fetched:
    """A source archive of PyPI, and pytest in an environment of its own."""
    settings = resolve(cases=None, work=None)
    sandbox = choose_sandbox(settings.work, Backend.LOCAL)
    source = PypiSource(kind="pypi", name=name, version=version, sha256=sha256)
    try:
        archive = fetch_sdist(source, folder / "fetched", sandbox=sandbox)
    except FetchFailed as error:
        raise NotAnswered(str(error)) from error
    home = folder / "venv"
    _ran([uv.find_uv_bin(), "venv", "-q", "--python", sys.executable, home])
    _ran([uv.find_uv_bin(), "pip", "install", "-q", "--python", home / "bin/python", *needs])
    return Fetched(tree=_unpacked(archive, folder / "tree"), runner=_Pytest(python=home / "bin" / "python"))


def npm_runner(name: str, version: str, sha256: str, folder: Path) -> Fetched:
    """A package of npm, and its test runner above the trees, where Node looks for it."""
    _ran(["npm", "pack", "--silent", f"{name}@{version}"], cwd=folder)
    archive = next(folder.glob("*.tgz"))
    if file_digest(archive) != sha256:
        raise AssertionError(f"{name} {version} is not the file that was pinned")
    (folder / "package.json").write_text('{"private": true}\n', "utf-8")
    _ran(
        ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *_NPM_TOOLS[name].split()], folder
    )
    runner = _Tape(home=folder) if name == "qs" else _Vitest(home=folder)
    return Fetched(tree=_unpacked(archive, folder / "tree"), runner=runner)


def _unpacked(archive: Path, dest: Path) -> Path:
    """Plain files alone; the one folder at the top goes."""
    with tarfile.open(archive) as opened:
        for member in opened:
            parts = PurePosixPath(member.name).parts[1:]
            data = opened.extractfile(member) if member.isfile() and ".." not in parts and parts else None
            if data is not None:
                target = dest.joinpath(*parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data.read())
    return dest


def _ran(argv: Sequence[str | Path], cwd: Path | None = None) -> None:
    done = subprocess.run(
        [str(part) for part in argv], cwd=cwd, capture_output=True, text=True, timeout=_INSTALL_S, check=False
    )
    if done.returncode:
        raise NotAnswered(f"{argv[0]} ended with {done.returncode}: {done.stderr.strip()[-400:]}")


def _output(argv: Sequence[str | Path], tree: Path, **env: str) -> str | None:
    """What a test command prints; None when the time limit ended it."""
    try:
        done = subprocess.run(
            [str(part) for part in argv],
            cwd=tree,
            env={"PATH": os.environ["PATH"], "HOME": str(tree.parent), "CI": "1", "NO_COLOR": "1", **env},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout


def _keep(found: Outcomes, test: str, outcome: str) -> None:
    """Under an id of its own: runners of JavaScript let tests share a name."""
    number = 1
    while (name := test if number == 1 else f"{test} (again {number})") in found:
        number += 1
    found[name] = outcome


_TIMED_OUT: Outcomes = {"(time limit)": "failed"}


@dataclass(frozen=True, kw_only=True)
class _Pytest:
    python: Path

    def run(self, tree: Path) -> Outcomes:
        report = tree.parent / "report.xml"
        report.unlink(missing_ok=True)
        source = "src" if (tree / "src").is_dir() else "."
        argv = [self.python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
        if _output(argv, tree, PYTHONPATH=source, PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0") is None:
            return _TIMED_OUT
        found: Outcomes = {}
        for case in ET.parse(report).iter("testcase") if report.is_file() else ():
            tags = {child.tag for child in case}
            outcome = "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"
            found[f"{case.get('classname')}::{case.get('name')}"] = outcome
        return found

    def free_of(self, *names: str) -> None:
        for name in names:
            said = _output(
                [self.python, "-c", f"import importlib.util as u; print(u.find_spec({name.replace('-', '_')!r}))"],
                self.python.parent,
            )
            assert said == "None\n", f"{name} is installed: {said}"


@dataclass(frozen=True, kw_only=True)
class _Node:
    home: Path

    def free_of(self, *names: str) -> None:
        for name in names:
            assert not (self.home / "node_modules" / name).exists(), f"{name} is installed"


@dataclass(frozen=True, kw_only=True)
class _Tape(_Node):
    def run(self, tree: Path) -> Outcomes:
        said = _output(["node", self.home / "node_modules/tape/bin/tape", "test/**/*.js"], tree)
        if said is None:
            return _TIMED_OUT
        found: Outcomes = {}
        section = ""
        for line in said.splitlines():
            if line.startswith("# "):
                section = line[2:]
            elif told := re.match(r"(not )?ok \d+ ?(.*)", line):
                outcome = "failed" if told[1] else "skipped" if "# SKIP" in told[2] else "passed"
                _keep(found, f"{section}: {told[2]}", outcome)
        return found


@dataclass(frozen=True, kw_only=True)
class _Vitest(_Node):
    def run(self, tree: Path) -> Outcomes:
        report = self.home / "report.json"
        report.unlink(missing_ok=True)
        argv = ["node", self.home / "node_modules/vitest/vitest.mjs", "run", "--root", tree, "--reporter=json"]
        if _output([*argv, f"--outputFile={report}"], tree) is None:
            return _TIMED_OUT
        found: Outcomes = {}
        for file in json.loads(report.read_text("utf-8"))["testResults"] if report.is_file() else ():
            name = Path(file["name"]).relative_to(tree).as_posix()
            if not file["assertionResults"]:
                _keep(found, f"{name}: (as a whole)", file["status"])
            for test in file["assertionResults"]:
                _keep(found, f"{name}: {test['fullName']}", test["status"])
        return found
