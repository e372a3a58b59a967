"""`repowright audit --all` in its flow, on a page, and without one; a server that is not there is one error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from taskpack.errors import ServerFailed
from tests.bundles import new_style, put
from tests.integration.flows.servers import Page

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]


@pytest.fixture
def cases(tmp_path: Path, checkout: Path) -> Path:
    order = (checkout / "cases/case001/order.toml").read_text()
    for name, text in (("case901", "plain\n"), ("case902", "brassmonocle\n")):
        root = new_style(tmp_path / "cases" / name)
        put(root / "order.toml", order.replace("case001", name))
        put(root / "public/notes.md", text)
        names = {"schema_version": 1, "map": {"schema_version": 1, "renames": []}, "checks": [],
                 "terms": [{"surface": "brassmonocle", "grade": "I", "kind": "dist", "sources": ["order"]}]}  # fmt: skip
        put(root / "provenance/names.json", names)
    return tmp_path / "cases"


def audit_all(cases: Path, checkout: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    words = ["audit", "--all", "--cases", str(cases), "--work", str(cases.parent / "work"), "--json"]
    with (cases.parent / "out").open("wb") as out, (cases.parent / "err").open("wb") as err:
        done = subprocess.run(
            [sys.executable, "-m", "flows.main", *words],
            cwd=checkout, env=environment, stdout=out, stderr=err, check=False, timeout=600,
        )  # fmt: skip
    texts = ((cases.parent / name).read_text() for name in ("out", "err"))
    return subprocess.CompletedProcess(done.args, done.returncode, *texts)


def test_all_cases_are_audited_as_tasks_of_one_run_and_kept(page: Page, cases: Path, checkout: Path) -> None:
    done = audit_all(cases, checkout, page.environment)
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    answers = {row["case"]: row["report"]["answer"] for row in document["run"]["cases"]}
    assert answers == {"case901": "neutral", "case902": "names its source"}
    assert json.loads(Path(document["file"]).read_text()) == document["run"]
    run = page.runs()[0]
    assert (run["name"], run["state_name"]) == ("audit", "Completed")
    assert page.tasks(run, wanted=2) == {"case901": "Completed", "case902": "Completed"}
    assert [row["answer"] for row in page.artifacts(run)["audit"]] == ["neutral", "names its source"]


def test_without_a_page_a_server_of_its_own_serves_and_is_gone(page: Page, cases: Path, checkout: Path) -> None:
    environment = {name: value for name, value in page.environment.items() if not name.startswith("PREFECT_")}
    done = audit_all(cases, checkout, environment)
    assert done.returncode == 1, done.stderr
    assert len(json.loads(done.stdout)["run"]["cases"]) == 2


def test_an_address_where_nobody_answers_is_one_error_and_nothing_is_kept(
    page: Page, cases: Path, checkout: Path
) -> None:
    done = audit_all(cases, checkout, {**page.environment, "PREFECT_API_URL": "http://127.0.0.1:9/api"})
    assert done.returncode == ServerFailed.exit_code, done.stderr
    assert "PREFECT_API_URL" in done.stderr
    assert not (cases.parent / "work/audit").exists()
