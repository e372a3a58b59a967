"""The environment stage: locks, builds, and the upstream's own tests passing inside, offline, twice."""

from __future__ import annotations

from pathlib import Path

from environments.build import build
from environments.interface import Sandbox
from environments.languages.python.install import install_source
from environments.languages.python.lock import committed_lock, lock, minor_version
from environments.languages.python.tests import TestOutcome, run_upstream_tests
from environments.runtime import scratch
from taskpack.errors import EnvironmentFailed
from taskpack.layout import WorkFolder
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.recipe import Bench, Locks

VERSION = 1
_RUNS = 2


def resolve(order: Order, *, python: str) -> Locks:
    """Resolve the order's requirements for the interpreter at `python`, as the registry has them now.

    Raises `EnvironmentFailed` when they cannot be met, `FetchFailed` when the registry is silent.
    """
    return Locks(
        test_requirements=order.testing.requirements,
        build_requirements=order.testing.build_requirements,
        upstream=lock(order.testing.requirements, python=python),
        build=lock(order.testing.build_requirements, python=python),
    )


def fits(locks: Locks, order: Order, *, python: str) -> bool:
    """Whether `locks` were resolved from this order's requirements and for this interpreter's version."""
    asked = (order.testing.requirements, order.testing.build_requirements)
    return (locks.test_requirements, locks.build_requirements) == asked and all(
        recipe.python == minor_version(python) for recipe in (locks.upstream, locks.build)
    )


def prepare(order: Order, source_tree: Path, *, locks: Locks, work: WorkFolder, sandbox: Sandbox) -> Bench | Rejected:
    """Environments for the product, the hidden suite and the upstream's tests.

    Rejected when the upstream does not install, or when in one of two runs not exactly the expected number of tests
    passes. Raises `EnvironmentFailed` when a recipe cannot be built, `FetchFailed` when the registry is
    silent.
    """
    python = sandbox.python
    recipes = {
        "product": lock((), python=python),
        "bench": committed_lock("bench", python=python),
        "upstream": locks.upstream,
        "build": locks.build,
        "pip": committed_lock("pip", python=python),
    }
    built = {name: build(recipe, work=work, sandbox=sandbox) for name, recipe in recipes.items()}
    places = {name: work.root / made.folder for name, made in built.items()}
    with scratch() as folder:
        site = folder / "site"
        try:
            install_source(source_tree, site, tools=[places["pip"], places["build"]], sandbox=sandbox)
        except EnvironmentFailed as error:
            return _rejected(order, error.message, [Fact(what=error.details["log"], where="build log")])
        outcomes = [
            run_upstream_tests(
                source_tree,
                site=[site, places["upstream"]],
                command=order.testing.command,
                sandbox=sandbox,
                product_paths=(),
            )
            for _ in range(_RUNS)
        ]
    facts = [fact for number, outcome in enumerate(outcomes, 1) for fact in _differences(order, number, outcome)]
    if facts:
        return _rejected(order, "the upstream's own tests do not pass in its environment as the order expects", facts)
    return Bench(
        product_recipe=recipes["product"],
        product=built["product"],
        bench_recipe=recipes["bench"],
        bench=built["bench"],
        upstream_recipe=recipes["upstream"],
        upstream=built["upstream"],
        upstream_tests=outcomes[0].passed,
    )


def _differences(order: Order, number: int, outcome: TestOutcome) -> list[Fact]:
    if outcome.passed == order.testing.expected and not outcome.failed and not outcome.errors:
        return []
    counts = f"{outcome.passed} passed, {outcome.failed} failed, {outcome.errors} errors, {outcome.skipped} skipped"
    return [
        Fact(what=f"{counts}; {order.testing.expected} expected to pass", where=f"run {number} of {_RUNS}"),
        Fact(what=outcome.log_tail, where=f"log of run {number}"),
    ]


def _rejected(order: Order, message: str, facts: list[Fact]) -> Rejected:
    return Rejected(
        stage=Stage.ENVIRONMENT,
        reason=Reason.TESTS_FAIL,
        message=message,
        evidence=tuple(facts),
        command=f"repowright author {order.case_id}",
    )
