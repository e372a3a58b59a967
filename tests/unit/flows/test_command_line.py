"""The command line with bad input: four lines, an exit code, no traceback, nothing half-written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from flows.exits import MEANINGS
from taskpack import errors

ORDER = "cases/case001/order.toml"


def repowright(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flows.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def cases(tmp_path: Path, checkout: Path) -> Path:
    folder = tmp_path / "cases" / "case001"
    folder.mkdir(parents=True)
    (folder / "order.toml").write_bytes((checkout / ORDER).read_bytes())
    return tmp_path / "cases"


def change(cases: Path, old: str, new: str) -> None:
    path = cases / "case001/order.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def assert_refused(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    assert done.returncode == code, done.stderr
    lines = done.stderr.strip().splitlines()
    assert lines[0].startswith("error: ")
    assert len(lines) <= 6
    assert "try" in lines[-1]
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_an_unknown_case_names_the_known_ones(cases: Path, tmp_path: Path) -> None:
    assert_refused(repowright("status", "case999", "--cases", cases, "--work", tmp_path / "w"), 2, "case999", "case001")


def test_a_case_name_with_a_slash_is_no_case(cases: Path, tmp_path: Path) -> None:
    assert_refused(repowright("status", "../cases/case001", "--cases", cases, "--work", tmp_path / "w"), 2)


def test_a_missing_cases_folder_is_bad_input(tmp_path: Path) -> None:
    assert_refused(repowright("status", "case001", "--cases", tmp_path / "none"), 2, "--cases")


def test_an_unknown_field_of_an_order_is_named(cases: Path, tmp_path: Path) -> None:
    change(cases, "attempts = 4", "attempts = 4\nretries = 9")
    assert_refused(repowright("author", "case001", "--cases", cases, "--work", tmp_path / "w"), 2, "retries")


def test_a_short_hash_is_refused_before_anything_is_fetched(cases: Path, tmp_path: Path) -> None:
    change(cases, "e0050c0b", "e0050c0")
    assert_refused(repowright("author", "case001", "--cases", cases, "--work", tmp_path / "w"), 2, "sha256")


def test_a_missing_source_field_is_named(cases: Path, tmp_path: Path) -> None:
    change(cases, 'version = "2.2.0"\n', "")
    assert_refused(repowright("author", "case001", "--cases", cases, "--work", tmp_path / "w"), 2, "version")


def test_broken_toml_says_where(cases: Path, tmp_path: Path) -> None:
    change(cases, "[source]", "[source")
    assert_refused(repowright("author", "case001", "--cases", cases, "--work", tmp_path / "w"), 2, "line")


def test_an_unknown_provider_lists_the_known(cases: Path, tmp_path: Path) -> None:
    done = repowright("author", "case001", "--provider", "oracle", "--cases", cases, "--work", tmp_path / "w")
    assert_refused(done, 2, "oracle", "mailbox", "replay")


def test_an_unknown_flag_is_bad_input() -> None:
    assert_refused(repowright("status", "case001", "--colour"), 2, "--colour")


def test_an_unknown_gate_lists_the_known() -> None:
    assert_refused(repowright("explain", "STR-NOTHING"), 2, "STR-NOTHING", "DOC-AGREE")


def test_judging_what_is_no_folder_is_bad_input(cases: Path, tmp_path: Path) -> None:
    assert_refused(repowright("judge", "case001", tmp_path / "none", "--cases", cases, "--work", tmp_path / "w"), 2)


def test_judging_an_unauthored_case_says_what_to_run(cases: Path, tmp_path: Path) -> None:
    done = repowright("judge", "case001", tmp_path, "--cases", cases, "--work", tmp_path / "w")
    assert_refused(done, 2, "repowright author case001")


def test_json_errors_are_one_document_on_stdout(cases: Path, tmp_path: Path) -> None:
    done = repowright("status", "case999", "--json", "--cases", cases, "--work", tmp_path / "w")
    document = json.loads(done.stdout)
    assert document["error"]["exit_code"] == done.returncode == 2


def test_every_exit_code_of_an_error_has_a_meaning() -> None:
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.RepowrightError)
    ]
    assert len(kinds) > 5
    assert {kind.exit_code for kind in kinds} <= MEANINGS.keys()


def test_status_of_an_untouched_case_starts_nothing(cases: Path, tmp_path: Path) -> None:
    done = repowright("status", "case001", "--cases", cases, "--work", tmp_path / "w", "--json")
    assert done.returncode == 0, done.stderr
    assert {row["state"] for row in json.loads(done.stdout)["stages"]} == {"to do"}
    assert not (tmp_path / "w").exists()


def test_a_work_directory_that_is_a_file_is_bad_input(cases: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for work in (tmp_path / "file", tmp_path / "file" / "below"):
        assert_refused(repowright("status", "case001", "--cases", cases, "--work", work), 2, "--work")


def test_an_order_of_another_case_than_its_folder_is_bad_input(cases: Path, tmp_path: Path) -> None:
    (cases / "case001").rename(cases / "case777")
    assert_refused(repowright("status", "case777", "--cases", cases, "--work", tmp_path / "w"), 2, "case001", "case777")


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('command = ["python", "-m", "pytest", "-q"]', "command = []", "testing.command"),
        ('"src/brinseal/exc.py"', '"../../etc/passwd"', "features.0.files"),
        ('"src/brinseal/exc.py"', '"/etc/passwd"', "features.0.files"),
        ("clauses = 60", "clauses = -1", "floors.clauses"),
        ('id = "FP-01"', 'id = "FP-1"', "features.0.id"),
    ],
    ids=["command", "path up", "path absolute", "floor", "id"],
)
def test_an_order_that_cannot_be_meant_names_its_field(
    cases: Path, tmp_path: Path, old: str, new: str, word: str
) -> None:
    change(cases, old, new)
    assert_refused(repowright("status", "case001", "--cases", cases, "--work", tmp_path / "w"), 2, word)


def test_the_bare_command_shows_its_help(tmp_path: Path) -> None:
    done = repowright()
    assert "author" in done.stdout
    assert "--debug" in done.stdout
    assert "error" not in done.stderr


def test_the_version_is_shown() -> None:
    assert repowright("--version").stdout.startswith("repowright 0.")
