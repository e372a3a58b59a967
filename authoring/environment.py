"""The environment stage: locks, builds, and the upstream's own tests passing inside, offline, twice."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from authoring.inventory import NATIVE
from authoring.suitability import Seen, assess, too_new
from authoring.survey import survey
from authoring.traits import Traits, read_traits
from environments.build import build
from environments.interface import Sandbox
from environments.languages.python.install import install_source
from environments.languages.python.lock import committed_lock, lock, minor_version
from environments.languages.python.tests import TestOutcome, run_upstream_tests
from environments.rebuild import Differs, build_again
from environments.resources import resource_mount
from environments.runtime import scratch
from taskpack.errors import EnvironmentFailed
from taskpack.layout import WorkFolder
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.recipe import Bench, Environment, Locks, Rebuilt, Recipe
from taskpack.suitability import Evidence, Method, Suitability, Suitable

VERSION = 3
_RUNS = 2
_MOST_FACTS = 20
_BINARY = (".so", ".pyd", ".dll", ".dylib")


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


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where an environment is prepared."""

    work: WorkFolder
    sandbox: Sandbox
    report: Callable[[Suitability], None] = lambda _suitability: None
    """Gets the suitability verdict, also before a rejection."""


def prepare(
    order: Order,
    source_tree: Path,
    *,
    locks: Locks,
    work: WorkFolder,
    sandbox: Sandbox,
    dropped: Sequence[str] = (),
    report: Callable[[Suitability], None] = lambda _suitability: None,
) -> Bench | Rejected:
    """Environments for the product, the hidden suite and the upstream's tests, each built twice from its lock.

    `dropped` is what the pin left out. Rejected when two builds differ, when the upstream does not install, when in one
    of two runs not exactly the expected number of tests passes, and when the source is unsuitable. Raises
    `EnvironmentFailed` when a recipe cannot be built, `FetchFailed` when the registry is silent, as is said in
    `environments.resources` when the order names resources.
    """
    place = Place(work=work, sandbox=sandbox, report=report)
    traits = read_traits(source_tree)
    python = minor_version(sandbox.python)
    seen = Seen(evidence=Evidence(environment_method=Method.NONE), dropped=tuple(dropped))
    if too_new(traits, python=python):
        return _unsuitable(order, _assessed(order, traits, seen, place))
    recipes = _recipes(locks, sandbox)
    built = {name: build(recipe, work=work, sandbox=sandbox) for name, recipe in recipes.items()}
    rebuilt = _built_twice(recipes, built, place)
    if isinstance(rebuilt, Rejected):
        return rebuilt.model_copy(update={"command": _command(order)})
    outcomes = _try_upstream(
        order, source_tree, {name: work.root / made.folder for name, made in built.items()}, seen, place
    )
    seen = outcomes.seen
    verdict = _assessed(order, traits, dataclasses.replace(seen, interface=_interface(order, source_tree)), place)
    if outcomes.facts:
        return _tests_fail(order, outcomes, verdict)
    if verdict.verdict is Suitable.UNUSABLE:
        return _unsuitable(order, verdict)
    return Bench(
        product_recipe=recipes["product"],
        product=built["product"],
        bench_recipe=recipes["bench"],
        bench=built["bench"],
        upstream_recipe=recipes["upstream"],
        upstream=built["upstream"],
        upstream_tests=order.testing.expected,
        rebuilt=rebuilt,
    )


def _recipes(locks: Locks, sandbox: Sandbox) -> dict[str, Recipe]:
    python = sandbox.python
    return {
        "product": lock((), python=python),
        "bench": committed_lock("bench", python=python),
        "upstream": locks.upstream,
        "build": locks.build,
        "pip": committed_lock("pip", python=python),
    }


def _built_twice(
    recipes: Mapping[str, Recipe], built: Mapping[str, Environment], place: Place
) -> tuple[Rebuilt, ...] | Rejected:
    found = []
    for name in sorted(recipes):
        again = build_again(name, recipes[name], built[name], work=place.work, sandbox=place.sandbox)
        if isinstance(again, Differs):
            return Rejected(
                stage=Stage.ENVIRONMENT,
                reason=Reason.ENVIRONMENT_DIFFERS,
                message=f"two builds of the environment `{name}` from its lock are not the same",
                evidence=tuple(Fact(what=path[:300], where=name) for path in again.paths[:_MOST_FACTS]),
                command="",
            )
        found.append(again)
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class _Tried:
    """What installing and testing the upstream gave."""

    seen: Seen
    message: str = ""
    facts: tuple[Fact, ...] = ()
    """Why it is not as the order expects; empty when it is."""


def _try_upstream(order: Order, tree: Path, places: Mapping[str, Path], seen: Seen, place: Place) -> _Tried:
    evidence = Evidence(
        environment_method=Method.DOCKER if place.sandbox.name == "docker" else Method.NATIVE,
        install_command="pip install --no-build-isolation --no-deps --no-index --target /site .",
    )
    resources = [resource_mount(order.external, work=place.work)] if order.external else []
    with scratch() as folder:
        site = folder / "site"
        try:
            install_source(
                tree, site, tools=[places["pip"], places["build"]], sandbox=place.sandbox, resources=resources
            )
        except EnvironmentFailed as error:
            code = int(error.details["exit"])
            done = evidence.model_copy(update={"install_exit_code": code or 1, "install_summary": error.message})
            log = Fact(what=error.details["log"], where="build log")
            return _Tried(seen=dataclasses.replace(seen, evidence=done), message=error.message, facts=(log,))
        compiled = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.name.endswith(NATIVE))
        outcomes = [
            run_upstream_tests(
                tree,
                site=[site, places["upstream"]],
                command=order.testing.command,
                sandbox=place.sandbox,
                product_paths=(),
                resources=resources,
            )
            for _ in range(_RUNS)
        ]
    facts = tuple(fact for number, outcome in enumerate(outcomes, 1) for fact in _differences(order, number, outcome))
    return _Tried(
        seen=dataclasses.replace(
            seen,
            evidence=_tested(evidence, order, outcomes),
            failing=_files(tree, {name for outcome in outcomes for name in outcome.failing}),
            compiled=tuple(path for path in compiled if path.endswith(_BINARY)),
        ),
        message="the upstream's own tests do not pass in its environment as the order expects",
        facts=facts,
    )


def _tested(evidence: Evidence, order: Order, outcomes: Sequence[TestOutcome]) -> Evidence:
    """The worse of the runs."""
    worst = min(outcomes, key=lambda outcome: (outcome.exit_code == 0, outcome.passed))
    sound = all(one.passed and not one.failed and not one.errors for one in outcomes)
    return evidence.model_copy(
        update={
            "install_exit_code": 0,
            "install_summary": "installed offline",
            "test_command": " ".join(order.testing.command),
            "test_exit_code": worst.exit_code,
            "test_summary": _counts(worst),
            "tests_passed": sound,
        }
    )


def _files(tree: Path, names: set[str]) -> tuple[str, ...]:
    """Files of the tree behind dotted names of modules and classes."""
    found = set()
    for name in names:
        parts = name.split(".")
        paths = [PurePosixPath(*parts[:end]).with_suffix(".py") for end in range(len(parts), 0, -1)]
        found |= {next((path.as_posix() for path in paths if (tree / path).is_file()), "")}
    return tuple(sorted(found - {""}))


def _interface(order: Order, tree: Path) -> tuple[Fact, ...]:
    answer = survey(tree, order=order)
    return (Fact(what=answer.message), *answer.evidence) if isinstance(answer, Rejected) else ()


def _assessed(order: Order, traits: Traits, seen: Seen, place: Place) -> Suitability:
    verdict = assess(order, traits, seen, python=minor_version(place.sandbox.python))
    place.report(verdict)
    return verdict


def _counts(outcome: TestOutcome) -> str:
    return f"{outcome.passed} passed, {outcome.failed} failed, {outcome.errors} errors, {outcome.skipped} skipped"


def _differences(order: Order, number: int, outcome: TestOutcome) -> list[Fact]:
    if outcome.passed == order.testing.expected and not outcome.failed and not outcome.errors:
        return []
    counts = f"{_counts(outcome)}; {order.testing.expected} expected to pass"
    return [
        Fact(what=counts, where=f"run {number} of {_RUNS}"),
        *(Fact(what=cause, where=f"run {number}") for cause in outcome.causes),
        Fact(what=outcome.log_tail, where=f"log of run {number}"),
    ]


def _tests_fail(order: Order, tried: _Tried, verdict: Suitability) -> Rejected:
    trim = [Fact(what="trim it: leave it out of testing.command", where=path) for path in verdict.recommended_trim]
    return Rejected(
        stage=Stage.ENVIRONMENT,
        reason=Reason.TESTS_FAIL,
        message=tried.message,
        evidence=(*tried.facts, *trim[:_MOST_FACTS]),
        command=_command(order),
    )


def _unsuitable(order: Order, verdict: Suitability) -> Rejected:
    return Rejected(
        stage=Stage.ENVIRONMENT,
        reason=Reason.UNSUITABLE,
        message=f"the source {verdict.summary}",
        evidence=tuple(Fact(what=item) for item in verdict.blocking_items),
        command=_command(order),
    )


def _command(order: Order) -> str:
    return f"repowright author {order.case_id}"
