"""Trying a guess: the source is built and its tests run as the environment stage will, and what fails is mended."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.utils import canonicalize_name

from authoring.guesses.guess import Guess
from authoring.guesses.requirements import BY_FIXTURE, distribution_of
from environments.build import build
from environments.interface import Sandbox
from environments.languages.python.install import install_source
from environments.languages.python.lock import committed_lock, lock
from environments.languages.python.tests import TestOutcome, run_upstream_tests
from environments.runtime import scratch
from taskpack.errors import EnvironmentFailed
from taskpack.layout import WorkFolder
from taskpack.outcome import Fact

_ROUNDS = 5
_MOST_BROKEN = 8
"""One test in so many may be left out."""
_NO_MODULE = re.compile(r"No module named '([A-Za-z_]\w*)")
_NO_FIXTURE = re.compile(r"fixture '(\w+)' not found")
_BROKEN = re.compile(r"^(?:FAILED|ERROR) (\S+::.*?)(?: - .*)?$", re.MULTILINE)
_UNKNOWN = re.compile(r"\b([A-Za-z0-9][\w.-]*) was not found in the package registry")
_SUBTEST = re.compile(r"^SUBFAIL", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How the product is built and tested: the part of an order that a run can try."""

    build: tuple[Guess[str], ...]
    tests: tuple[Guess[str], ...]
    command: Guess[tuple[str, ...]]

    @property
    def build_requirements(self) -> tuple[str, ...]:
        return tuple(guess.value for guess in self.build)

    @property
    def test_requirements(self) -> tuple[str, ...]:
        return tuple(guess.value for guess in self.tests)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The setup as mended, and what its last run came to."""

    setup: Setup
    passed: int
    """How many tests passed; 0 when nothing could be run."""
    fault: str
    """What is still wrong, for people; empty when every test that ran passed."""
    log: str
    broken: int = 0
    """How many tests failed or could not be run."""


def run_trial(tree: Path, setup: Setup, *, work: WorkFolder, sandbox: Sandbox, say: Callable[[str], None]) -> Trial:
    """Build and test `tree` offline with `setup`. What a run shows to be missing is added, and the run repeated.

    Tests that fail even so are deselected when they are few: the author sees which. Raises `FetchFailed` when the
    registry does not answer.
    """
    trial = Trial(setup=setup, passed=0, fault="nothing was run", log="")
    for number in range(1, _ROUNDS + 1):
        say(f"trying it, run {number}: {shlex.join(setup.command.value)}")
        trial = _try(tree, setup, work=work, sandbox=sandbox)
        mended = _mended(trial) if trial.fault else setup
        if mended == setup:
            break
        setup = mended
    return trial


def _try(tree: Path, setup: Setup, *, work: WorkFolder, sandbox: Sandbox) -> Trial:
    python = sandbox.python
    try:
        recipes = {
            "upstream": lock(setup.test_requirements, python=python),
            "build": lock(setup.build_requirements, python=python),
            "pip": committed_lock("pip", python=python),
        }
        built = {name: build(recipe, work=work, sandbox=sandbox) for name, recipe in recipes.items()}
        places = {name: work.root / made.folder for name, made in built.items()}
        with scratch() as folder:
            site = folder / "site"
            install_source(tree, site, tools=[places["pip"], places["build"]], sandbox=sandbox)
            outcome = run_upstream_tests(
                tree,
                site=[site, places["upstream"]],
                command=setup.command.value,
                sandbox=sandbox,
                product_paths=(),
            )
    except EnvironmentFailed as error:
        words = error.details.get("log") or error.details.get("uv") or ""
        return Trial(setup=setup, passed=0, fault=error.message, log=words)
    broken = outcome.failed + outcome.errors
    return Trial(setup=setup, passed=outcome.passed, fault=_fault(outcome), log=outcome.log_tail, broken=broken)


def _fault(outcome: TestOutcome) -> str:
    if outcome.failed or outcome.errors:
        return f"{outcome.failed} tests fail and {outcome.errors} cannot be run"
    return "" if outcome.passed else "no test was run"


def _mended(trial: Trial) -> Setup:
    """The setup with what the log of its run asks for; unchanged when the log asks for nothing that is new."""
    setup = trial.setup
    unknown = {canonicalize_name(name) for name in _UNKNOWN.findall(trial.log)}
    if unknown:
        kept = tuple(guess for guess in setup.tests if _name(guess) not in unknown)
        return replace(setup, tests=kept)
    if "does not install" in trial.fault:
        return replace(setup, build=_with(setup.build, _missing(trial.log), trial.log))
    tests = _with(setup.tests, _missing(trial.log), trial.log)
    if tests != setup.tests:
        return replace(setup, tests=tests)
    broken = tuple(dict.fromkeys(_BROKEN.findall(trial.log)))
    few = broken and trial.broken * _MOST_BROKEN <= trial.passed and not _SUBTEST.search(trial.log)
    return replace(setup, command=_without(setup.command, broken)) if few else setup


def _missing(log: str) -> list[str]:
    """Distributions that hold what a log says is not there."""
    modules = [name for name in _NO_MODULE.findall(log) if name not in sys.stdlib_module_names]
    plugins = [BY_FIXTURE[name] for name in _NO_FIXTURE.findall(log) if name in BY_FIXTURE]
    plugins += ["pytest-cov"] if "unrecognized arguments: --cov" in log else []
    return [*(distribution_of(module) for module in modules), *plugins]


def _with(guesses: tuple[Guess[str], ...], more: list[str], log: str) -> tuple[Guess[str], ...]:
    known = {_name(guess) for guess in guesses}
    added = [name for name in dict.fromkeys(more) if canonicalize_name(name) not in known]
    lines = {name: next((line for line in log.splitlines() if "No module named" in line), "") for name in added}
    return (
        *guesses,
        *(Guess(value=name, evidence=(Fact(what=f"a run asked for it: {lines[name].strip()}"),)) for name in added),
    )


def _name(guess: Guess[str]) -> str:
    return canonicalize_name(re.split(r"[^\w.-]", guess.value)[0])


def _without(command: Guess[tuple[str, ...]], broken: tuple[str, ...]) -> Guess[tuple[str, ...]]:
    """The command without the tests that fail here."""
    options = [f"--deselect={node}" for node in broken]
    facts = tuple(Fact(what="left out, for it fails offline in this base", where=node) for node in broken)
    return Guess(value=(*command.value, *options), evidence=(*command.evidence, *facts))
