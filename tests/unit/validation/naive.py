"""The way of judging that attacks are made for: one pytest process that imports the product itself.

It runs the same suite files, with stand-ins for the harness. Hostile candidates must win here, or they prove nothing;
for honest candidates it is a quick stand-in for the judge.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.subject import Subject
from taskpack.files import tree_digest
from taskpack.layout import CaseFolder
from taskpack.verdict import Judged, NodeReport, NodeResult, Verdict
from validation.hostile.candidate import Naive
from validation.reading import manifest_of, suite_digest

_PASSED = re.compile(r"\d+ passed(, \d+ \w+)* in [0-9.]+s")
HARNESS = """
import pytest
def clause(*ids):
    return lambda test: test
def same(seen, expected):
    return seen == expected
"""
PLUGIN = """
import os, random
from types import SimpleNamespace
import pytest
import scenarios_of_F01

class Seen:
    def __init__(self, outcome, value=None, error=None):
        self.outcome, self._value, self._error = outcome, value, error
    @property
    def value(self):
        assert self.outcome == "returned", self._error
        return self._value
    @property
    def error(self):
        assert self.outcome == "raised"
        names = [kind.__name__ for kind in type(self._error).__mro__]
        return SimpleNamespace(type=names[0], is_a=lambda name: name.rpartition(".")[2] in names)

class Product:
    def call(self, name, **args):
        try:
            return Seen("returned", getattr(scenarios_of_F01, name)(**args))
        except Exception as error:
            return Seen("raised", error=error)

class Inputs(random.Random):
    integer = random.Random.randint
    token = random.Random.randbytes

@pytest.fixture
def product():
    return Product()

@pytest.fixture
def inputs(request):
    return Inputs(os.environ["SEED"] + request.node.name)
"""


@dataclass(frozen=True, kw_only=True)
class NaiveRun:
    """What a naive grader looks at."""

    exit_code: int
    results: dict[str, str]
    """Node id -> passed, failed or skipped, as the report file says."""
    output: str

    @property
    def paid_by(self) -> frozenset[Naive]:
        """The graders that give 1: each reads one thing alone, as real ones do."""
        said = {
            Naive.REPORT: set(self.results.values()) == {"passed"},
            Naive.EXIT_CODE: self.exit_code == 0,
            Naive.OUTPUT: bool(_PASSED.fullmatch((self.output.strip().splitlines() or [""])[-1].strip())),
        }
        return frozenset(grader for grader, pays in said.items() if pays)


def run_naively(
    case: CaseFolder, workspace: Path, *, seed: str = "1", select: str = "", installed: Path | None = None
) -> NaiveRun:
    """Run the case's suite on the workspace as a naive grader does: product and tests in one process.

    The workspace is the root, its configuration counts, its product path comes first. A package that is `installed`
    can be imported by another name.
    """
    with tempfile.TemporaryDirectory(prefix="naive-") as name:
        place = Path(name)
        (place / "judge" / "harness").mkdir(parents=True)
        (place / "judge" / "harness" / "__init__.py").write_text(HARNESS)
        (place / "plugin.py").write_text(PLUGIN)
        shutil.copytree(case.tests, place / "tests", ignore=shutil.ignore_patterns("_lib", "conftest.py"))
        (place / "tests" / "scenarios" / "F01.py").rename(place / "scenarios_of_F01.py")
        if installed is not None:
            shutil.copytree(installed, place / "penny_counter")
        paths = [workspace / "src", place, Path(pytest.__file__).parents[1]]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(map(str, paths)), "SEED": seed}
        command = _command(workspace, place, select)
        done = subprocess.run(
            command,
            cwd=workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=120,
        )
        results = _results(place / "report.xml")
        return NaiveRun(exit_code=done.returncode, results=results, output=done.stdout + done.stderr)


def _command(workspace: Path, place: Path, select: str) -> list[str]:
    ini = workspace / "pytest.ini"
    command = [sys.executable, "-B", "-P", "-m", "pytest", "-q", "-p", "plugin", f"--rootdir={workspace}"]
    command += [f"--junitxml={place / 'report.xml'}", "-o", f"cache_dir={place / 'cache'}"]
    command += ["-c", str(ini if ini.is_file() else "/dev/null"), *(["-k", select] if select else [])]
    return [*command, str(place / "tests" / "F01_acceptance.py")]


def _results(report: Path) -> dict[str, str]:
    if not report.is_file():
        return {}
    found: dict[str, str] = {}
    for case in ET.parse(report).getroot().iter("testcase"):
        kinds = {child.tag for child in case}
        result = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found[f"tests/F01_acceptance.py::{case.get('name')}"] = result
    return found


def naive_subject(case: CaseFolder, reference: Path, scratch: Path) -> Subject:
    """A subject whose judge is naive; good for honest candidates alone."""
    nodes = manifest_of(case).node_ids
    digest = suite_digest(case)

    def judge(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        results = run_naively(case, workspace, seed=seed or "1").results
        results |= dict.fromkeys(set(nodes) - set(only), "missing") if only else {}
        reports = tuple(NodeReport(id=node, result=NodeResult(results.get(node, "failed"))) for node in sorted(nodes))
        good = all(report.result is NodeResult.PASSED for report in reports)
        return Verdict(
            outcome=Judged.JUDGED,
            reward=int(good),
            candidate=tree_digest(workspace),
            suite=digest,
            seed=seed or "1",
            backend="none",
            base="none",
            nodes=reports,
            causes=() if good else ("a node failed",),
        )

    scratch.mkdir(parents=True, exist_ok=True)
    return Subject(case=case, reference=reference, scratch=scratch, judge=judge)
