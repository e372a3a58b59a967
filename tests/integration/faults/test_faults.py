"""Faults from outside: each ends with its own exit code, says what to do, and loses nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.sandbox
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="mounting and limiting namespaces needs root")
SHA = "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173"


def author(cases: Path, work: Path, *more: str, prefix: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flows.main", "author", "case001", "--plain", "--until", "pin", *more]
    command += ["--cases", str(cases), "--work", str(work)]
    return subprocess.run([*prefix, *command], capture_output=True, text=True, check=False, timeout=240)


WITHOUT_NAMESPACES = Path(__file__).with_name("without_namespaces.py")


@pytest.fixture
def cases(tmp_path: Path, checkout: Path) -> Path:
    folder = tmp_path / "cases" / "case001"
    folder.mkdir(parents=True)
    (folder / "order.toml").write_bytes((checkout / "cases/case001/order.toml").read_bytes())
    return tmp_path / "cases"


def results(work: Path) -> list[Path]:
    return list(work.glob("stages/*/*/*/result.json"))


def source(cases: Path, text: str) -> None:
    path = cases / "case001/order.toml"
    head, rest = path.read_text().split("[source]\n")
    path.write_text(f"{head}[source]\n{text}\n[product]{rest.split('[product]')[1]}")


def commit(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True, env=environment)
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_another_hash_than_ordered_is_refused_and_names_both(cases: Path, tmp_path: Path) -> None:
    wrong = "0" * 64
    path = cases / "case001/order.toml"
    path.write_text(path.read_text().replace(SHA, wrong))
    done = author(cases, tmp_path / "work")
    assert done.returncode == 6, done.stderr
    assert wrong in done.stderr
    assert SHA in done.stderr
    assert results(tmp_path / "work") == []


def test_a_commit_that_is_not_there_says_so(cases: Path, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    commit(repo, {"LICENSE": "x"})
    source(cases, f'kind = "git"\nurl = "{repo}"\ncommit = "{"1" * 40}"\n')
    done = author(cases, tmp_path / "work")
    assert done.returncode == 5, done.stderr
    assert "1" * 40 in done.stderr
    assert results(tmp_path / "work") == []


def test_a_licence_that_is_not_accepted_is_a_rejection_with_evidence(cases: Path, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    licence = Path("/usr/share/common-licenses/GPL-3")
    text = licence.read_text() if licence.is_file() else "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n"
    sha = commit(
        repo,
        {
            "LICENSE": text,
            "pyproject.toml": '[project]\nname = "copyleft"\nversion = "1"\nlicense = "GPL-3.0-only"\n',
            "src/copyleft/__init__.py": "def one():\n    return 1\n",
            "tests/test_one.py": "def test_one():\n    assert True\n",
        },
    )
    source(cases, f'kind = "git"\nurl = "{repo}"\ncommit = "{sha}"\n')
    done = author(cases, tmp_path / "work")
    assert done.returncode == 1, done.stderr
    assert "licence-not-accepted" in done.stdout
    assert "GPL" in done.stdout
    again = author(cases, tmp_path / "work")
    assert again.returncode == 1
    assert "reused" in again.stdout


@ROOT_ONLY
def test_without_user_namespaces_nothing_runs_and_the_reason_is_given(cases: Path, tmp_path: Path) -> None:
    done = author(cases, tmp_path / "work", prefix=(sys.executable, str(WITHOUT_NAMESPACES)))
    assert done.returncode == 7, done.stderr
    assert "namespace" in done.stderr
    assert results(tmp_path / "work") == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@ROOT_ONLY
def test_a_full_disk_is_named_and_the_same_command_goes_on_with_space(cases: Path, small_disk: Path) -> None:
    done = author(cases, small_disk)
    assert done.returncode == 9, done.stderr
    assert "space" in done.stderr
    assert results(small_disk) == []
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    done = author(cases, small_disk)
    assert done.returncode == 0, done.stderr
    assert len(results(small_disk)) == 1
