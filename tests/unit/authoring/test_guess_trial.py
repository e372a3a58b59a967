"""What a run shows to be missing is mended, and what it cannot mend is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.guesses import trial as trials
from authoring.guesses.guess import Guess
from authoring.guesses.trial import Setup, Trial, run_trial
from taskpack.layout import WorkFolder

SETUP = Setup(
    build=(Guess(value="setuptools"),),
    tests=(Guess(value="pytest>=8"),),
    command=Guess(value=("python", "-m", "pytest")),
)


@pytest.fixture
def tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[Callable[[Setup], tuple[int, str, str]]], Trial]:
    """A trial in which `answer` says what each run comes to: passed, fault, log."""

    def go(answer: Callable[[Setup], tuple[int, str, str]]) -> Trial:
        def one(tree: Path, setup: Setup, **_: object) -> Trial:
            passed, fault, log = answer(setup)
            broken = int(fault.split()[0]) if fault[:1].isdigit() else 0
            return Trial(setup=setup, passed=passed, fault=fault, log=log, broken=broken)

        monkeypatch.setattr(trials, "_try", one)
        return run_trial(tmp_path, SETUP, work=WorkFolder(root=tmp_path), sandbox=None, say=lambda _: None)  # type: ignore[arg-type]

    return go


def test_modules_that_a_run_misses_are_added_under_the_name_of_their_distribution(tried: Callable[..., Trial]) -> None:
    log = "E   ModuleNotFoundError: No module named 'yaml'\n"
    found = tried(lambda setup: (3, "", "") if "pyyaml" in setup.test_requirements else (0, "1 cannot be run", log))
    assert (found.setup.test_requirements, found.passed, found.fault) == (("pytest>=8", "pyyaml"), 3, "")
    assert "No module named 'yaml'" in found.setup.tests[-1].evidence[0].what


def test_a_fixture_of_a_known_plugin_adds_the_plugin(tried: Callable[..., Trial]) -> None:
    log = "E       fixture 'mocker' not found\n"
    found = tried(
        lambda setup: (3, "", "") if "pytest-mock" in setup.test_requirements else (0, "1 cannot be run", log)
    )
    assert found.fault == ""


def test_what_the_registry_does_not_know_is_dropped(tried: Callable[..., Trial]) -> None:
    log = "Because pytest was not found in the package registry and you require pytest, we can conclude that"
    found = tried(lambda setup: (3, "", "") if not setup.tests else (0, "the registry has no such packages", log))
    assert (found.setup.tests, found.fault) == ((), "")


def test_a_build_that_misses_a_module_gets_it(tried: Callable[..., Trial]) -> None:
    log = "ModuleNotFoundError: No module named 'Cython'\n"
    fault = "the project does not install offline"
    found = tried(lambda setup: (3, "", "") if "cython" in setup.build_requirements else (0, fault, log))
    assert found.setup.build_requirements == ("setuptools", "cython")


def test_few_failing_tests_are_left_out_each_with_its_name(tried: Callable[..., Trial]) -> None:
    log = "FAILED tests/test_a.py::test_one[a b] - assert 0\nERROR tests/test_a.py::T::test_two\n"
    left = ("--deselect=tests/test_a.py::test_one[a b]", "--deselect=tests/test_a.py::T::test_two")
    found = tried(lambda setup: (50, "", "") if left[0] in setup.command.value else (50, "2 tests fail", log))
    assert found.setup.command.value[-2:] == left
    assert [fact.where for fact in found.setup.command.evidence] == [
        "tests/test_a.py::test_one[a b]",
        "tests/test_a.py::T::test_two",
    ]


def test_many_failing_tests_are_a_fault_and_nothing_is_hidden(tried: Callable[..., Trial]) -> None:
    log = "".join(f"FAILED tests/test_a.py::test_{number} - assert 0\n" for number in range(30))
    found = tried(lambda setup: (50, "30 tests fail", log))
    assert (found.setup, found.fault) == (SETUP, "30 tests fail")
    found = tried(lambda setup: (1, "2 tests fail", "FAILED a.py::b\nFAILED a.py::c\n"))
    assert found.setup == SETUP


def test_a_run_that_asks_for_more_each_time_comes_to_an_end(tried: Callable[..., Trial]) -> None:
    runs: list[Setup] = []

    def answer(setup: Setup) -> tuple[int, str, str]:
        runs.append(setup)
        return 0, "1 cannot be run", f"No module named 'missing{len(runs)}'"

    assert tried(answer).fault == "1 cannot be run"
    assert len(runs) == 5
