"""An order proposed from a source alone: pinned, read, tried in the sandbox, and given a name that can be used."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from authoring import pin as pin_room
from authoring.guesses.command import guess_command
from authoring.guesses.features import ModuleSize, propose, read_modules
from authoring.guesses.found import FoundSource, find_source, label, other_language
from authoring.guesses.guess import Guess
from authoring.guesses.imports import read_test_uses
from authoring.guesses.language import PYTHON, guess_language
from authoring.guesses.manifests import read_manifests
from authoring.guesses.requirements import build_needs, needs_of_tests
from authoring.guesses.source import Asked, Project
from authoring.guesses.trial import Setup, Trial, run_trial
from authoring.survey import survey
from environments.languages.python.fetch import fetch_sdist
from environments.languages.python.lock import minor_version
from environments.runtime import scratch
from flows.naming import Named, settle_name
from flows.settings import Settings
from taskpack.files import walk
from taskpack.order import Language, Order, Product, Source
from taskpack.order import Testing as OrderedTesting
from taskpack.outcome import Fact, Reason, Rejected
from taskpack.pin import Pin
from taskpack.survey import Survey

from environments.interface import Sandbox  # isort: skip

ACCEPTED: tuple[str, ...] = Order.model_fields["licences"].default
"""Licences that an order accepts when it says nothing of them."""


@dataclass(frozen=True, kw_only=True)
class NoPack:
    """The source is in a language that there is no authoring pack for."""

    language: Guess[str]


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """Everything that an order says, each part with what it was taken from."""

    source: Source
    label: str
    """What the source is called, for people."""
    remark: str
    """What the author should know about the source; empty when nothing."""
    pin: Pin
    licences: tuple[str, ...]
    language: Guess[str]
    trial: Trial
    left_out: tuple[Guess[str], ...]
    survey: Survey
    modules: tuple[ModuleSize, ...]
    features: tuple[ModuleSize, ...]
    named: Named


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What proposing works with."""

    settings: Settings
    sandbox: Sandbox
    licences: tuple[str, ...]
    """SPDX ids that the author accepts."""
    ask_registry: Callable[[str], bool | None]
    taken: Collection[str]
    """Products of the cases that are there."""
    say: Callable[[str], None]


def propose_order(asked: Asked, desk: Desk) -> Proposal | Rejected | NoPack:
    """Read and try the source, and propose an order for it.

    `Rejected` when the source is hostile, unsuitable or under a licence that is not accepted. Raises what finding and
    fetching raise: `BadInput` for a name, version, path or address that is nothing, `FetchFailed` for silence.
    """
    found = find_source(asked, sandbox=desk.sandbox, say=desk.say)
    order = stand_in(found.source, desk.licences)
    desk.say(f"pinning {label(found.source)}")
    fetch = partial(fetch_sdist, sandbox=desk.sandbox)
    pinned = pin_room.pin(order, work=desk.settings.work, fetch=fetch)
    if isinstance(pinned, Rejected):
        other = other_language(found.source, desk.settings.work)
        return NoPack(language=other) if other else pinned
    with scratch() as folder:
        tree = folder / "tree"
        pin_room.checkout_pin(pinned, work=desk.settings.work, dest=tree)
        return _read(tree, found, pinned, order, desk)


def _read(tree: Path, found: FoundSource, pinned: Pin, order: Order, desk: Desk) -> Proposal | Rejected | NoPack:
    language = guess_language([path.relative_to(tree).as_posix() for path in walk(tree)])
    if language.value != PYTHON:
        return NoPack(language=language)
    surface = survey(tree, order=order)
    if isinstance(surface, Rejected):
        return surface
    manifests, uses = read_manifests(tree), read_test_uses(tree)
    python = minor_version(desk.sandbox.python)
    needs = needs_of_tests(manifests, uses, python=python)
    setup = Setup(
        build=build_needs(manifests, python=python).taken,
        tests=needs.taken,
        command=guess_command(manifests, uses),
    )
    trial = run_trial(tree, setup, work=desk.settings.work, sandbox=desk.sandbox, say=desk.say)
    modules = read_modules(tree, surface)
    desk.say("choosing a neutral name")
    named = settle_name(tree, order, survey=surface, seed=pinned.tree, ask_registry=desk.ask_registry, taken=desk.taken)
    return Proposal(
        source=found.source,
        label=label(found.source),
        remark=found.remark,
        pin=pinned,
        licences=desk.licences,
        language=language,
        trial=trial,
        left_out=needs.left_out,
        survey=surface,
        modules=modules,
        features=propose(modules),
        named=named,
    )


def stand_in(source: Source, licences: tuple[str, ...] = ACCEPTED) -> Order:
    """An order that says the source and nothing else: what reading and naming need before there is a real one."""
    return Order.model_validate(
        {
            "case_id": "case000",
            "language": Language.PYTHON,
            "licences": licences,
            "source": source,
            "product": Product(name="proposal", summary="A library."),
            "testing": OrderedTesting(requirements=(), command=("python",), expected=1),
            "features": [{"id": "FP-01", "title": "All", "about": "All.", "files": ["all"]}],
        }
    )


def remedy(rejected: Rejected, asked: Asked) -> str:
    """How to go on after a source was rejected."""
    if rejected.reason is Reason.LICENCE:
        return "if you accept what the evidence shows, name it: --licence SPDX-ID; else choose another upstream"
    untested = any(fact.what.startswith("no tests") for fact in rejected.evidence)
    if untested and isinstance(asked, Project):
        return "its repository may hold the tests: repowright new https://HOST/PATH@TAG"
    return "choose another upstream or version"


def evidence(facts: tuple[Fact, ...]) -> list[str]:
    """Facts as lines."""
    return [f"{fact.where}: {fact.what}" if fact.where else fact.what for fact in facts]
