"""The same run in a Prefect server's page: its stages, how each ended, its artifacts; and no word of Prefect's to people."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from taskpack.outcome import Stage
from tests.integration.flows.conftest import SMALL, Small
from tests.integration.flows.servers import Page, prefect_page, until

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
STAGES = [str(stage) for stage in Stage]
OURS = re.compile(r"\[ *\d+\.\ds\] .*")
"""A line of progress."""


def assert_quiet(done: subprocess.CompletedProcess[str]) -> None:
    """Each line on stderr is one of ours."""
    strange = [line for line in done.stderr.splitlines() if not OURS.fullmatch(line)]
    assert strange == []
    assert not re.search(r"prefect|traceback|warning|heartbeat|telemetry", done.stdout, re.IGNORECASE)


def test_a_run_is_on_the_page_with_its_stages_and_what_was_reused_is_marked(page: Page, small: Small) -> None:
    first = small("author", base=page.environment, SMALL_STOP="names:rejected")
    assert first.returncode == 1
    assert_quiet(first)
    run = page.runs()[0]
    assert (run["name"], run["state_name"], run["state_type"]) == ("author-case001", "Rejected", "COMPLETED")
    assert run["state"]["message"] == "unsuitable: too large"
    assert page.tasks(run, wanted=4) == {
        "pin": "Completed",
        "environment": "Completed",
        "survey": "Completed",
        "names": "Rejected",
    }
    verdict = page.artifacts(run)["case001-verdict"]
    assert "# case001: rejected" in verdict
    assert "repowright author case001 --again names --cases" in verdict

    second = small("author", base=page.environment)
    assert second.returncode == 0
    assert_quiet(second)
    run = page.runs()[0]
    assert run["state"]["message"] == "9 stages, 3 of them reused"
    assert (run["state_name"], run["parameters"]["case"], run["parameters"]["provider"]) == (
        "Completed",
        "case001",
        "mailbox",
    )
    states = page.tasks(run, wanted=9)
    assert states == {stage: "Cached" if stage in STAGES[:3] else "Completed" for stage in STAGES}
    artifacts = page.artifacts(run)
    assert set(artifacts) == {"case001-stages", "case001-gates", "case001-verdict"}
    assert [(row["stage"], row["how"]) for row in artifacts["case001-stages"]] == [
        (stage, "reused" if stage in STAGES[:3] else "made") for stage in STAGES
    ]
    assert artifacts["case001-gates"] == [
        {"gate": "STR-SMALL", "verdict": "pass", "message": "nothing | was looked at"}
    ]


def test_a_wait_is_an_answer_on_the_page_and_a_fault_is_failed(page: Page, small: Small) -> None:
    waiting = small("author", base=page.environment, SMALL_STOP="spec:waiting")
    assert waiting.returncode == 3
    assert_quiet(waiting)
    run = page.runs()[0]
    assert (run["state_name"], run["state"]["message"]) == ("Waiting", "for replies to case001.spec.FP-01.1")
    broken = small("author", base=page.environment, SMALL_STOP="spec:broken")
    assert broken.returncode == 8
    assert page.runs()[0]["state_type"] == "FAILED"
    error = broken.stderr[broken.stderr.index("error:") :].splitlines()
    assert error == ["error: the sandbox broke", "  log  none", "  try  run it again"]


def test_what_the_run_says_is_in_its_log(page: Page, small: Small) -> None:
    small("author", "--until", "pin", base=page.environment)
    run = page.runs()[0]

    def lines() -> list[str] | None:
        rows = page.ask("logs/filter", logs={"flow_run_id": {"any_": [run["id"]]}})
        found = [row["message"] for row in rows]
        return found if "part 3 of pin" in found else None

    assert "part 0 of pin" in until(lines)


def test_status_names_the_page_of_a_run_that_holds_the_case(page: Page, small: Small, tmp_path: Path) -> None:
    places = ["--cases", str(tmp_path / "cases"), "--work", str(tmp_path / "work")]
    environment = {**page.environment, "PYTHONPATH": str(Path.cwd()), "SMALL_CALLS": str(tmp_path / "calls")}
    with (tmp_path / "held").open("wb") as log:
        process = subprocess.Popen(
            # A shell's background job ignores Ctrl-C, and so would what is started from it.
            ["env", "--default-signal=INT", sys.executable, str(SMALL), "author", "case001", *places],
            env={**environment, "SMALL_STOP": "survey:slow"}, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        calls = tmp_path / "calls"
        until(lambda: True if calls.is_file() and "survey" in calls.read_text() else None)
        said = small("status", base=page.environment).stdout
        assert f"running  pid {process.pid}" in said
        assert f"/flow-runs/flow-run/{page.runs()[0]['id']}" in said
        assert re.search(r"survey +running +part 3 of survey", said)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            code = process.wait(timeout=60)
        finally:
            process.kill()
    assert code == 130
    error = (tmp_path / "held").read_text().splitlines()[-2:]
    assert error == ["error: stopped", "  try  run the same command again: finished stages are kept"]
    assert page.runs()[0]["state_type"] == "CRASHED"


def test_an_address_where_nobody_answers_is_one_error_and_nothing_is_done(small: Small, tmp_path: Path) -> None:
    done = small("author", base={**os.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"})
    assert done.returncode == 13
    error = done.stderr[done.stderr.index("error:") :].splitlines()
    assert error[0] == "error: the Prefect server of PREFECT_API_URL does not answer"
    assert error[-1].startswith("  try")
    assert not (tmp_path / "calls").exists()
    assert [path for path in (tmp_path / "work").rglob("*") if path.is_file()] == []


def test_a_server_that_goes_away_is_one_error_and_finished_stages_are_kept(
    small: Small, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    calls = tmp_path / "calls"
    places = ["--cases", str(tmp_path / "cases"), "--work", str(tmp_path / "work")]
    with prefect_page(tmp_path_factory.mktemp("gone") / "home") as page, (tmp_path / "held").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, str(SMALL), "author", "case001", *places], stdout=log, stderr=log,
            env={**page.environment, "PYTHONPATH": str(Path.cwd()), "SMALL_CALLS": str(calls), "SMALL_SECONDS": "4",
                 "PREFECT_CLIENT_MAX_RETRIES": "1"},
        )  # fmt: skip
        until(lambda: True if calls.is_file() and "survey" in calls.read_text() else None)
    try:
        code = process.wait(timeout=300)
    finally:
        process.kill()
    said = (tmp_path / "held").read_text()
    assert code == 13, said
    assert (
        said.splitlines()[-4] == "error: the Prefect server did not take the run to its end; finished stages are kept"
    )
    assert "Traceback" not in said
    made = calls.read_text().split()
    again = small("author", "--plain", base=dict(os.environ))
    assert again.returncode == 0
    assert sorted(calls.read_text().split()) == sorted(STAGES), made
