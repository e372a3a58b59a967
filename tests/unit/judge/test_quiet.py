"""The bench's log under the quiet reporter, by pytest in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import sys, pytest
from judge.harness.quiet import LEFT_OUT, Quiet
from judge.harness.recorder import Recorder
class Held:
    def pytest_terminal_summary(self, terminalreporter):
        print("held", len({id(each) for kept in terminalreporter.stats.values() for each in kept}))
recorder = Recorder()
arguments = ["-c", "/dev/null", "--rootdir=.", "--import-mode=importlib", "--tb=short", "--color=no", "--capture=no", *LEFT_OUT, *sys.argv[1:]]
code = pytest.main(arguments, plugins=[recorder, Quiet(), Held()])
print("phases", sum(len(node["phases"]) for node in recorder.report()["nodes"]))
sys.exit(int(code))
"""


def told(folder: Path, text: str) -> str:
    (folder / "F01_acceptance.py").write_text(text)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, "F01_acceptance.py"], cwd=folder, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    return ran.stdout + ran.stderr


def test_passed_nodes_are_counted_and_their_reports_let_go(tmp_path: Path) -> None:
    said = told(
        tmp_path,
        "import pytest\n@pytest.mark.parametrize('number', range(40))\ndef test_one(number): pass\n",
    )
    assert "40 passed" in said
    assert "held 1" in said
    assert "phases 120" in said
    assert said.count("\n") < 12


@pytest.mark.parametrize(
    ("body", "shown", "summary"),
    [
        ("assert [1, 2, 3] == [1, 5, 3]", "At index 1 diff: 2 != 5", "1 failed"),
        ("assert 'ab\\ncd' == 'ab\\nce'", "- ce", "1 failed"),
        ("raise ValueError('a bad thing')", "ValueError: a bad thing", "1 failed"),
        ("import pytest; pytest.skip('not here')", "", "1 skipped"),
    ],
)
def test_what_does_not_pass_is_shown_whole(tmp_path: Path, body: str, shown: str, summary: str) -> None:
    said = told(tmp_path, f"def test_right(): pass\ndef test_wrong(): {body}\n")
    assert shown in said
    assert summary in said
    assert "1 passed" in said


def test_a_file_that_cannot_be_collected_is_shown(tmp_path: Path) -> None:
    assert "No module named 'nowhere'" in told(tmp_path, "import nowhere\n")


def test_an_unexpected_pass_is_told_as_one(tmp_path: Path) -> None:
    said = told(tmp_path, "import pytest\n@pytest.mark.xfail\ndef test_one(): pass\n")
    assert "1 xpassed" in said
