"""`repowright names` on a repository of its own: proposals with every answer, and the answers about one name."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.integration.flows.test_new import UPSTREAM, repository

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]
RULES = [
    "keyword", "library", "word", "pypi", "npm", "npm scope", "debian", "command", "near", "cases", "offensive", "overlap",
    "styles", "source", "map",
]  # fmt: skip


def names(
    tmp_path: Path, *arguments: str, files: Mapping[str, str] = UPSTREAM
) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    (tmp_path / "cases").mkdir(exist_ok=True)
    source = tmp_path / "tallybook"
    if not source.is_dir():
        repository(source, files)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "flows.main", "names", f"{source}@v1", *arguments, "--json",
         "--cases", tmp_path / "cases", "--work", tmp_path / "work"],
        capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert "prefect" not in done.stderr
    return done, json.loads(done.stdout) if done.stdout else {}


def test_names_of_both_kinds_come_with_every_answer_and_the_same_ones_again(tmp_path: Path) -> None:
    done, answer = names(tmp_path, "--count", "3")
    assert done.returncode == 0, done.stderr[-2000:]
    assert [row["kind"] for row in answer["names"]] == ["coined"] * 3 + ["words"] * 3
    for row in answer["names"]:
        assert [check["rule"] for check in row["checks"]] == RULES
        assert {check["answer"] for check in row["checks"]} <= {"free", "unknown"}
    assert names(tmp_path, "--count", "3")[1] == answer
    _, words = names(tmp_path, "--kind", "words", "--count", "1")
    assert [row["kind"] for row in words["names"]] == ["words"]


@pytest.mark.parametrize(
    ("name", "rule"), [("tallydom", "overlap"), ("logging", "library"), ("iniconfig", "pypi"), ("vexumbrol", "source")]
)
def test_a_name_that_is_taken_is_told_with_the_check_that_says_so(tmp_path: Path, name: str, rule: str) -> None:
    files = {**UPSTREAM, "tallybook/note.py": "note = 'VexUmbrol'\n"}
    done, answer = names(tmp_path, "--name", name, files=files)
    assert done.returncode == 1, done.stderr[-2000:]
    (row,) = answer["names"]
    assert rule in {check["rule"] for check in row["checks"] if check["answer"] == "taken"}
    assert "registry" not in {check["rule"] for check in row["checks"]}


def test_another_cases_product_is_taken_and_the_registry_is_asked_last(tmp_path: Path, checkout: Path) -> None:
    (tmp_path / "cases/case001").mkdir(parents=True)
    (tmp_path / "cases/case001/order.toml").write_text((checkout / "cases/case001/order.toml").read_text())
    assert names(tmp_path, "--name", "brinsea1")[1]["answer"] == "taken"
    done, answer = names(tmp_path, "--name", "vexumbrol")
    assert done.returncode == 0, done.stderr[-2000:]
    last = answer["names"][0]["checks"][-1]
    assert last["rule"] == "registry"
    assert last["answer"] in {"free", "unknown"}


def test_what_is_no_name_and_what_is_no_case_are_bad_input(tmp_path: Path) -> None:
    done, _ = names(tmp_path, "--name", "No Name")
    assert done.returncode == 2
    assert "--name" in done.stderr


def test_a_source_under_no_licence_gives_no_names(tmp_path: Path) -> None:
    files = {name: text for name, text in UPSTREAM.items() if name != "LICENSE"}
    done, answer = names(tmp_path, files=files)
    assert done.returncode == 1
    assert answer["answer"] == "rejected"
