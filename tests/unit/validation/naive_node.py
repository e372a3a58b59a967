"""A naive grader of products in JavaScript: Node's own test runner, in the product's folder and in its process."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

from tests.unit.validation.naive import NaiveRun
from validation.hostile.candidate import Naive

SCENARIOS = Path(__file__).parents[2] / "data" / "judge" / "tstally" / "suite" / "tests" / "scenarios"
CHECKS = Path(__file__).with_name("naive_node.mjs")
SAME = """
// What a helper of many projects does: every entry of one is looked for in the other.
exports.same = (seen, expected) =>
  seen.size === expected.size && [...expected].every(([name, sum]) => seen.get(name) === sum);
"""
DESCRIBE = "globalThis.describe ??= (value) => value;\n"
_LIMIT_S = 60


class NodeRun(NaiveRun):
    """What a grader of Node looks at: its runner's report, exit code, or the last lines of its output."""

    @property
    def paid_by(self) -> frozenset[Naive]:
        """The graders that give 1: each reads one thing alone."""
        ends = re.findall(r"^# (pass|fail) (\d+)\b", self.output, re.MULTILINE)
        last = {kind: int(count) for kind, count in ends}
        said = {
            Naive.REPORT: set(self.results.values()) == {"passed"},
            Naive.EXIT_CODE: self.exit_code == 0,
            Naive.OUTPUT: last.get("pass", 0) > 0 and last.get("fail") == 0,
        }
        return frozenset(grader for grader, pays in said.items() if pays)


def run_naively_in_node(node: Path, workspace: Path, *, select: str = "", installed: Path | None = None) -> NodeRun:
    """Put the checks into a copy of the workspace and run them there as people do: with the project's own script where
    it has one, and with its settings. A package that is `installed` can be imported by another name."""
    with tempfile.TemporaryDirectory(prefix="naive-") as name:
        place = Path(name)
        app, packages = place / "app", place / "node_modules"
        shutil.copytree(workspace, app)
        shutil.copytree(SCENARIOS, app / "tests" / "scenarios", ignore=shutil.ignore_patterns("package.json"))
        shutil.copy2(CHECKS, app / "tests" / "F01.test.mjs")
        (app / "tests" / "describe.mjs").write_text(DESCRIBE)
        (packages / "checks").mkdir(parents=True)
        (packages / "checks" / "index.js").write_text(SAME)
        if installed is not None:
            shutil.copytree(installed, packages / "penny-counter")
        report = place / "report.xml"
        done = subprocess.run(
            _command(node, app, report, select),
            cwd=app,
            env={"PATH": f"{node.parent}:{os.environ['PATH']}", "HOME": str(place), "TMPDIR": str(place)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_LIMIT_S,
        )
        return NodeRun(exit_code=done.returncode, results=_results(report), output=done.stdout + done.stderr)


def _command(node: Path, app: Path, report: Path, select: str) -> Sequence[str]:
    if "test" in json.loads((app / "package.json").read_bytes()).get("scripts", {}):
        return [str(node), "--run", "test"]
    reporters = ["tap", "stdout", "junit", str(report)]
    options = [f"--test-reporter{'-destination' if place % 2 else ''}={said}" for place, said in enumerate(reporters)]
    options += [f"--test-name-pattern={select}"] if select else []
    settings = [f"--env-file={app / '.env'}"] if (app / ".env").is_file() else []
    settings += ["--experimental-default-config-file"] if (app / "node.config.json").is_file() else []
    describe = ["--import", "./tests/describe.mjs"]
    return [str(node), *settings, *describe, "--test", "--test-isolation=none", *options, "tests/F01.test.mjs"]


def _results(report: Path) -> dict[str, str]:
    try:
        root = ET.parse(report).getroot()
    except (OSError, ET.ParseError):
        return {}
    found: dict[str, str] = {}
    for case in root.iter("testcase"):
        kinds = {child.tag for child in case}
        result = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        found[str(case.get("name"))] = result
    return found
