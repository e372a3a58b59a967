"""Locks as text, reports as counts, refusals as errors: the parts of the Python pack that need no process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from environments.interface import Finished
from environments.languages.python import fetch
from environments.languages.python.install import _settle
from environments.languages.python.interpreter import find_interpreter
from environments.languages.python.lock import committed_lock, read_lock, write_lock
from environments.languages.python.tests import _count
from environments.usermap import UserMap
from taskpack.errors import DigestMismatch, FetchFailed, SandboxUnavailable
from taskpack.order import PypiSource

PIN = PypiSource(kind="pypi", name="tiny", version="1", sha256="a" * 64)


@pytest.mark.parametrize("name", ["bench", "pip"])
def test_committed_locks_are_pinned_by_hash_and_name_no_address(name: str) -> None:
    recipe = committed_lock(name, python=sys.executable)
    assert recipe.packages
    assert all(package.hashes and package.version for package in recipe.packages)
    assert b"://" not in recipe.to_bytes()


def test_lock_read_then_written_then_read_is_the_same() -> None:
    recipe = committed_lock("bench", python=sys.executable)
    assert read_lock(write_lock(recipe), python=sys.executable) == recipe


def test_lock_with_markers_and_comments_is_read() -> None:
    text = f"# comment\nb==2 ; python_version > '3' \\\n    --hash=sha256:{'1' * 64}\na==1.0 --hash=sha256:{'2' * 64}\n"
    packages = read_lock(text, python=sys.executable).packages
    assert [(package.name, package.version, package.hashes) for package in packages] == [
        ("a", "1.0", (f"sha256:{'2' * 64}",)),
        ("b", "2", (f"sha256:{'1' * 64}",)),
    ]


REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><error/></testcase>
<testcase name="d"><skipped/></testcase><testcase name="e"><failure/><error/></testcase>
</testsuite></testsuites>"""


def test_every_case_of_a_report_is_counted_once(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    outcome = _count(tmp_path / "report.xml", "log")
    assert (outcome.passed, outcome.failed, outcome.errors, outcome.skipped) == (1, 2, 1, 1)


CAUSES = """<testsuites><testsuite>
<testcase classname="tests.test_a.TestA" name="b"><failure message="AssertionError: short&#10;more">def b():
&gt;       assert f() == 1
E       assert 2 == 1
E        +  where 2 = f()

tests/test_a.py:3: AssertionError</failure></testcase>
<testcase name="tests.test_c"><error message="collection failure">ImportError while importing
E   AttributeError: module 'packaging.version' has no attribute 'Release'</error></testcase>
<testcase classname="tests.test_a" name="d"><error message="made by hand&#10;second line"/></testcase>
<testcase classname="tests.test_a" name="e"><failure/></testcase>
</testsuite></testsuites>"""


def test_a_report_tells_each_failed_test_with_its_error_in_full(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(CAUSES)
    assert _count(tmp_path / "report.xml", "log").causes == (
        "tests.test_a.TestA::b: assert 2 == 1",
        "tests.test_c: AttributeError: module 'packaging.version' has no attribute 'Release'",
        "tests.test_a::d: made by hand",
        "tests.test_a::e: no message",
    )


@pytest.mark.parametrize("text", ["", "<testsuites>", "<!DOCTYPE x [<!ENTITY a 'b'>]><testcase/>", None])
def test_broken_or_missing_report_counts_as_nothing(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "report.xml").write_text(text)
    outcome = _count(tmp_path / "report.xml", "log")
    assert (outcome.passed, outcome.failed, outcome.log_tail) == (0, 0, "log")


def done(stderr: str) -> Finished:
    return Finished(exit_code=1, timed_out=False, stdout=b"", stderr=stderr.encode())


def test_archive_that_differs_is_told_from_none() -> None:
    differs = fetch._refusal(PIN, done(f"Expected sha256 {'a' * 64}\n     Got        {'b' * 64}\n"), [])
    assert isinstance(differs, DigestMismatch)
    assert differs.details == {"expected": "a" * 64, "got": "b" * 64}
    assert isinstance(fetch._refusal(PIN, done(""), ["c" * 64]), DigestMismatch)
    silent = fetch._refusal(PIN, done("connection refused"), [])
    assert isinstance(silent, FetchFailed)
    assert silent.remedy


ABSENT = "Because tiny was not found in the package registry and you require tiny, ..."


@pytest.mark.parametrize(
    ("tiny", "control", "answer"),
    [
        ("", "", True),
        ("Because only pre-releases ...", "", True),
        (ABSENT, "", False),
        (ABSENT, None, None),
        (ABSENT, ABSENT, None),
        (None, "", None),
    ],
)
def test_name_counts_as_free_only_when_the_registry_proves_that_it_answers(
    monkeypatch: pytest.MonkeyPatch, tiny: str | None, control: str | None, answer: bool | None
) -> None:
    monkeypatch.setattr(fetch, "_resolve", {"tiny": tiny, "pip": control}.__getitem__)
    assert fetch.name_on_registry("tiny") is answer


ME = UserMap(uid=os.geteuid(), gid=os.getegid(), dropped=False)


def test_interpreter_outside_the_base_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "python3").write_text("#!/bin/sh\n")
    (tmp_path / "python3").chmod(0o755)
    with pytest.raises(SandboxUnavailable) as caught:
        find_interpreter(ME, folders=(str(tmp_path),))
    assert list(caught.value.details.values()) == ["it lies outside /usr"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b'{"version": "3.10.1", "minor": [3, 10]}', "it is 3.10.1; 3.11 is the lowest"),
        (None, f"it does not run as uid {os.geteuid()}: no module named encodings"),
    ],
)
def test_interpreter_that_cannot_serve_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, answer: bytes | None, reason: str
) -> None:
    code, stderr = (0, b"") if answer else (1, b"fatal\nno module named encodings\n")
    monkeypatch.setattr(
        "environments.languages.python.interpreter.subprocess.run",
        lambda command, **_: subprocess.CompletedProcess(command, code, answer or b"", stderr),
    )
    monkeypatch.setattr("environments.languages.python.interpreter._candidates", lambda _: ["/usr/bin/python3.10"])
    with pytest.raises(SandboxUnavailable) as caught:
        find_interpreter(ME)
    assert caught.value.details == {"/usr/bin/python3.10": reason}


def test_what_uv_notes_of_its_own_cache_does_not_stay_in_an_environment(tmp_path: Path) -> None:
    info = tmp_path / "site" / "one-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "uv_cache.json").write_text('{"timestamp": 1}')
    (info / "RECORD").write_text("one-1.0.dist-info/uv_cache.json,sha256=x,16\none/__init__.py,sha256=y,1\n")
    _settle(tmp_path / "site")
    assert [path.name for path in info.iterdir()] == ["RECORD"]
    assert (info / "RECORD").read_text() == "one/__init__.py,sha256=y,1\n"
