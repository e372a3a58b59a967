"""A result that does not arrive has an exit code of its own: 1 is an answer, and Python's own for what nobody caught."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flows.console import Output

DOOR = [sys.executable, "-m", "flows.entry"]
COMMAND = ["explain", "REF-PASS"]


def shell(line: str, *, form: str = "", checkout: Path) -> subprocess.CompletedProcess[str]:
    """A command whose streams are as the shell's `line` after it says; exit code and what came."""
    return subprocess.run(
        ["/bin/bash", "-c", f'"$@" {line}', "bash", *DOOR, *COMMAND, *([form] if form else [])],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("form", ["", "--json"])
@pytest.mark.parametrize(
    ("line", "code", "fact"),
    [
        (">/dev/full", 9, "no space left on the disk"),
        (">&-", 19, "Bad file descriptor"),
        ("| head -c 0; exit ${PIPESTATUS[0]}", 19, "Broken pipe"),
    ],
)
def test_a_result_that_does_not_arrive_is_said(checkout: Path, line: str, code: int, fact: str, form: str) -> None:
    done = shell(line, form=form, checkout=checkout)
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("error: the result could not be written")
    assert fact in done.stderr
    assert "Traceback" not in done.stderr


WRITES = {
    "show": "Output().show('a')",
    "draw": "Output().draw([('a', 'bold')])",
    "table": "Output().table('t', ['c'], [['r']])",
    "result": "Output(as_json=True).result({})",
}


def test_every_way_to_write_a_result_is_tried_below() -> None:
    ways = {name for name, what in vars(Output).items() if callable(what) and not name.startswith("_")}
    assert ways - {"clear", "say"} == set(WRITES)  # these two are for people


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize(("line", "error"), [(">/dev/full", "NoSpace"), ("| head -c 0", "OutputLost")])
def test_no_way_to_write_a_result_loses_it_unsaid(checkout: Path, name: str, line: str, error: str) -> None:
    program = (
        "import sys, time\nfrom flows.console import Output\ntime.sleep(0.5)\n"
        f"try:\n    {WRITES[name]}\nexcept Exception as error:\n    sys.stderr.write(type(error).__name__)\n"
    )
    command = ["/bin/bash", "-c", f'"$@" {line}', "bash", sys.executable, "-c", program]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.stderr == error


@pytest.mark.parametrize(
    ("line", "code"), [("2>/dev/full", 0), ("2>&-", 0), (">/dev/full 2>/dev/full", 9), (">&- 2>&-", 19)]
)
def test_lines_for_people_that_do_not_arrive_change_no_exit_code(checkout: Path, line: str, code: int) -> None:
    assert shell(line, checkout=checkout).returncode == code


def test_an_error_that_does_not_arrive_keeps_its_exit_code(checkout: Path) -> None:
    done = shell(">/dev/full 2>/dev/full", form="--nothing", checkout=checkout)
    assert done.returncode == 2


def test_what_cannot_be_loaded_is_no_answer(checkout: Path) -> None:
    program = "import sys; sys.modules['typer'] = None; from flows.entry import main; main()"
    done = subprocess.run([sys.executable, "-c", program], cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "error: Repowright cannot be loaded" in done.stderr


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_a_signal_that_was_ignored_stays_ignored(checkout: Path, name: str) -> None:
    program = (
        "import os, signal; from flows.stopping import listen; listen();"
        f"os.kill(os.getpid(), signal.SIG{name}); print('on')"
    )
    done = subprocess.run(
        ["env", f"--ignore-signal={name}", sys.executable, "-c", program],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "on\n", done.stderr


WAITS = """
import signal, sys, time
from flows.stopping import exit_code, listen
listen()
try:
    exec({work!r})
except KeyboardInterrupt:
    time.sleep(0.5)  # cleaning up
    print("clean", flush=True)
    sys.exit(exit_code())
"""


@pytest.mark.parametrize(
    ("sent", "code"), [(["INT"], 130), (["TERM"], 143), (["HUP"], 129), (["INT", "INT", "TERM"], 130)]
)
def test_the_first_signal_ends_the_work_and_the_next_ones_do_not_break_off_the_cleaning_up(
    checkout: Path, sent: list[str], code: int
) -> None:
    """Within an `exec`, as when a module is imported: there CPython has its own way to end."""
    program = WAITS.format(work="import time; print('up', flush=True); time.sleep(60)")
    command = ["env", "--default-signal=INT,TERM,HUP", sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        for name in sent:
            process.send_signal(signal.Signals[f"SIG{name}"])
        assert process.stdout.read() == "clean\n"
        assert process.wait(60) == code


LATE = """
import atexit, os, signal, sys, time
from flows import entry
def clean():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.1)
    print("clean")
class Work:
    @staticmethod
    def main():
        atexit.register(clean)
        print("verdict")
        sys.exit(1)
sys.modules["flows.main"] = Work
entry.main()
"""


def test_a_signal_after_the_work_breaks_nothing_off_and_leaves_the_answer(checkout: Path) -> None:
    done = subprocess.run(
        ["env", "--default-signal=TERM", sys.executable, "-c", LATE],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, "verdict\nclean\n", "")
