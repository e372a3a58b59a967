"""The suitability verdict, rule by rule: each fact alone turns it, and without the fact it does not turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from authoring.suitability import Seen, assess, too_new
from authoring.traits import Need, read_traits
from taskpack.outcome import Fact
from taskpack.suitability import Evidence, Method, Suitability, Suitable
from tests.unit.authoring.sources import PROJECT, order

PASSED = Evidence(
    environment_method=Method.NATIVE,
    install_exit_code=0,
    test_command="python -m pytest",
    test_exit_code=0,
    test_summary="5 passed, 0 failed, 0 errors, 0 skipped",
    tests_passed=True,
)
FAILED = PASSED.model_copy(
    update={
        "tests_passed": False,
        "test_exit_code": 1,
        "test_summary": "4 passed, 1 failed, 0 errors, 0 skipped",
    }
)
NET = {"tests/test_net.py": b"def test_x():\n    import urllib.request as r\n"}
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1\n"


def judged(tmp_path: Path, files: Mapping[str, bytes], seen: Seen | None = None) -> Suitability:
    for name, data in {**PROJECT, **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    verdict = assess(order(), read_traits(tmp_path), seen or Seen(evidence=PASSED), python="3.11")
    assert Suitability.from_bytes(verdict.to_bytes()) == verdict
    return verdict


def messages(verdict: Suitability) -> list[str]:
    sides = verdict.dimensions
    return [
        f"{finding.severity}: {finding.message}"
        for side in (sides.external_resources, sides.environment_hardware, sides.blackbox_testability)
        for finding in side.findings
    ]


def test_a_plain_source_whose_tests_pass_is_usable(tmp_path: Path) -> None:
    verdict = judged(tmp_path, {})
    assert (verdict.verdict, verdict.recommended_trim, verdict.blocking_items) == (Suitable.USABLE, (), ())
    assert messages(verdict) == []
    assert verdict.empirical_evidence == PASSED
    assert verdict.repository_url == "pkg:pypi/tallybook@1.0"


@pytest.mark.parametrize(
    ("module", "need"),
    [
        ("socket", Need.NETWORK),
        ("requests", Need.NETWORK),
        ("psycopg2", Need.DATABASE),
        ("redis", Need.DATABASE),
        ("tkinter", Need.DISPLAY),
        ("selenium", Need.DISPLAY),
        ("torch", Need.GPU),
        ("numba.cuda", Need.GPU),
    ],
)
def test_a_test_that_imports_what_it_may_want_is_a_warning_while_it_passes_and_trimmed_when_it_fails(
    tmp_path: Path, module: str, need: Need
) -> None:
    files = {"tests/test_far.py": f"import {module}\ndef test_x(): pass\n".encode()}
    verdict = judged(tmp_path, files)
    assert verdict.verdict is Suitable.USABLE
    shown = f"tests may want {need}: tests/test_far.py imports {module}; they pass offline"
    assert messages(verdict) == [f"warning: {shown}"]
    failing = judged(tmp_path, files, Seen(evidence=FAILED, failing=("tests/test_far.py",)))
    assert failing.verdict is Suitable.NEEDS_TRIMMING
    assert failing.recommended_trim == ("tests/test_far.py",)
    assert f"error: tests fail without {need}: tests/test_far.py imports {module}" in messages(failing)


def test_an_import_inside_a_function_and_of_a_submodule_is_seen(tmp_path: Path) -> None:
    assert read_traits(tmp_path).needs == {}
    judged(tmp_path, NET)
    assert read_traits(tmp_path).needs == {Need.NETWORK: {"tests/test_net.py": "urllib.request"}}


@pytest.mark.parametrize(
    "text", [b"import urllib.parse\n", b"from . import socket\n", b"def broken(:\n", b"socket = 1\n"]
)
def test_what_is_no_such_import_is_no_need(tmp_path: Path, text: bytes) -> None:
    judged(tmp_path, {"tests/test_near.py": text})
    assert read_traits(tmp_path).needs == {}


def test_a_product_that_imports_a_network_is_no_fact_about_its_tests(tmp_path: Path) -> None:
    assert messages(judged(tmp_path, {"src/tallybook/net.py": b"import socket\n"})) == []


def test_every_test_file_failing_is_no_matter_of_trimming(tmp_path: Path) -> None:
    verdict = judged(tmp_path, {}, Seen(evidence=FAILED, failing=("tests/test_total.py",)))
    assert verdict.verdict is Suitable.UNUSABLE
    assert verdict.blocking_items == (f"its own tests do not pass offline: {FAILED.test_summary}",)


def test_tests_that_break_before_they_report_are_unusable(tmp_path: Path) -> None:
    assert judged(tmp_path, {}, Seen(evidence=FAILED)).verdict is Suitable.UNUSABLE


def test_some_test_files_failing_are_to_be_trimmed(tmp_path: Path) -> None:
    more = {"tests/test_more.py": b"def test_y(): pass\n"}
    verdict = judged(tmp_path, more, Seen(evidence=FAILED, failing=("tests/test_more.py",)))
    assert verdict.verdict is Suitable.NEEDS_TRIMMING
    assert verdict.summary == "can become a task without tests/test_more.py"
    assert not verdict.dimensions.blackbox_testability.passed


def test_a_product_that_does_not_install_is_unusable(tmp_path: Path) -> None:
    failed = Evidence(environment_method=Method.NATIVE, install_exit_code=1)
    verdict = judged(tmp_path, {}, Seen(evidence=failed))
    assert verdict.blocking_items == ("it does not install offline with the order's build requirements",)


def test_a_compiled_product_is_unusable_and_sources_that_were_not_built_are_a_warning(tmp_path: Path) -> None:
    files = {"src/tallybook/_fast.pyx": b"", "docs/example.c": b""}
    verdict = judged(tmp_path, files)
    assert verdict.verdict is Suitable.USABLE
    assert messages(verdict) == [
        "warning: sources of compiled extensions, which were not built: src/tallybook/_fast.pyx"
    ]
    seen = Seen(evidence=PASSED, compiled=("tallybook/_fast.so",))
    assert judged(tmp_path, files, seen).verdict is Suitable.UNUSABLE


@pytest.mark.parametrize(
    ("stated", "new"),
    [(">=3.12", True), (">=3.11", False), ("<3.11", True), (">=3.8,!=3.9.*", False), ("==3.11.*", False), ("", False)],
)
@pytest.mark.parametrize("where", ["PKG-INFO", "pyproject.toml", "setup.cfg"])
def test_a_source_for_another_python_is_unusable(tmp_path: Path, stated: str, new: bool, where: str) -> None:
    texts = {
        "PKG-INFO": f"Name: tallybook\nRequires-Python: {stated}\n",
        "pyproject.toml": f'[project]\nname = "tallybook"\nrequires-python = "{stated}"\n',
        "setup.cfg": f"[options]\npython_requires = {stated}\n",
    }
    verdict = judged(tmp_path, {"pyproject.toml": b"", where: texts[where].encode()})
    assert too_new(read_traits(tmp_path), python="3.11") is new
    assert (verdict.verdict is Suitable.UNUSABLE) is new
    assert not new or verdict.blocking_items == (f"it needs Python {stated}; the base has 3.11",)


def test_a_python_that_cannot_be_read_is_a_warning(tmp_path: Path) -> None:
    verdict = judged(tmp_path, {"PKG-INFO": b"Requires-Python: three\n"})
    assert verdict.verdict is Suitable.USABLE
    assert messages(verdict) == ["warning: the metadata's Requires-Python cannot be read: three"]


def test_content_that_is_kept_elsewhere_is_to_be_trimmed(tmp_path: Path) -> None:
    verdict = judged(tmp_path, {"tests/data/big.bin": POINTER})
    assert verdict.verdict is Suitable.NEEDS_TRIMMING
    assert verdict.recommended_trim == ("tests/data/big.bin",)


def test_submodules_are_said(tmp_path: Path) -> None:
    seen = Seen(evidence=PASSED, dropped=("vendor/x: submodule", ".gitmodules: read by git itself"))
    assert messages(judged(tmp_path, {}, seen)) == ["warning: submodules are left out: vendor/x"]


def test_no_public_interface_is_unusable(tmp_path: Path) -> None:
    seen = Seen(evidence=PASSED, interface=(Fact(what="`tallybook` shows no public name"),))
    verdict = judged(tmp_path, {}, seen)
    assert verdict.blocking_items == ("no public interface: `tallybook` shows no public name",)


def test_no_tests_is_unusable(tmp_path: Path) -> None:
    judged(tmp_path, {})
    traits = dataclasses.replace(read_traits(tmp_path), tests=())
    assert assess(order(), traits, Seen(evidence=PASSED), python="3.11").verdict is Suitable.UNUSABLE
