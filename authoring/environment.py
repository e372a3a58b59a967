"""The environment stage: locks, builds, and the upstream's own tests passing inside, offline, twice."""

from __future__ import annotations

import tempfile
from pathlib import Path

from environments.build import build
from environments.interface import Sandbox
from environments.languages.python.install import install_source
from environments.languages.python.lock import committed_lock, lock
from environments.languages.python.tests import TestOutcome, run_upstream_tests
from taskpack.errors import EnvironmentFailed
from taskpack.layout import WorkFolder
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.recipe import Bench

VERSION = 1
_RUNS = 2


def prepare(order: Order, source_tree: Path, *, work: WorkFolder, sandbox: Sandbox) -> Bench | Rejected:
    """Environments for the product, the hidden suite and the upstream's tests.

    Rejected when the upstream does not install, or when in one of two runs not exactly the expected number of tests
    passes. Raises `EnvironmentFailed` when a requirement cannot be locked or built, `FetchFailed` when the registry is
    silent.
    """
    python = sandbox.python
    recipes = {
        "product": lock((), python=python),
        "bench": committed_lock("bench", python=python),
        "upstream": lock(order.testing.requirements, python=python),
        "build": lock(order.testing.build_requirements, python=python),
        "pip": committed_lock("pip", python=python),
    }
    built = {name: build(recipe, work=work, sandbox=sandbox) for name, recipe in recipes.items()}
    places = {name: work.root / made.folder for name, made in built.items()}
    with tempfile.TemporaryDirectory(prefix="upstream-") as scratch:
        Path(scratch).chmod(0o755)
        site = Path(scratch, "site")
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
