"""The stages of authoring in order: what each depends on, and which room does its work."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from authoring import environment as environment_room
from authoring import hidden_tests as tests_room
from authoring import pin as pin_room
from authoring import spec as spec_room
from authoring import spec_findings
from authoring import survey as survey_room
from authoring.drafting import Desk
from environments.base import base_facts
from environments.languages.python.fetch import name_on_registry
from environments.languages.python.lock import committed_lock
from environments.languages.python.tests import run_installed_tests
from environments.resources import resource_mount
from flows import gating, knowing, releasing, sourcing
from flows.assembly import as_kind
from flows.bench import Court, court, site
from flows.run import Run, StageDefinition
from judge.bundle_lib import lib_files
from judge.judging import collect
from judge.probing import observe
from neutralize import names as names_room
from neutralize import reference as reference_room
from providers.ledger import Ledger
from taskpack.errors import BadInput
from taskpack.files import file_digest, tree_digest, write_bytes
from taskpack.order import read_order
from taskpack.outcome import Rejected, Stage
from taskpack.pin import Pin
from taskpack.recipe import Bench, Locks, Recipe
from taskpack.record import Record, to_json
from taskpack.release import GateReport, Release
from taskpack.rename import Names, Reference
from taskpack.rendering import CHECKOUT
from taskpack.spec import Spec
from taskpack.suite import Suite
from taskpack.survey import Survey


def _digest(value: object) -> str:
    return hashlib.sha256(to_json(value)).hexdigest()


def _order_part(run: Run, *fields: str) -> str:
    return _digest(run.order.model_dump(mode="json", include=set(fields)))


def _earlier(run: Run, *stages: Stage) -> dict[str, str]:
    return {str(stage): run.results[stage].digest() for stage in stages}


def _external(run: Run) -> dict[str, str]:
    """Resources are an input of whatever runs the product, where there are any."""
    return {"external": run.order.external.digest()} if run.order.external else {}


def _replies(run: Run, stage: Stage) -> dict[str, str]:
    """Digests of the stored replies of one stage, of the refused ones where there are any, and of what they pass."""
    folder, refused = run.case.replies / stage, run.case.refused / stage
    return {
        "replies": tree_digest(folder) if folder.is_dir() else "",
        **({"refused": tree_digest(refused)} if refused.is_dir() else {}),
        "screen": knowing.digest(run),
    }


def _pinned_tree(run: Run, scratch: Path) -> Path:
    dest = scratch / "pinned"
    pin_room.checkout_pin(as_kind(Pin, run.results[Stage.PIN]), work=run.work, dest=dest)
    return dest


# environment


def _make_environment(run: Run, scratch: Path) -> Record:
    return environment_room.prepare(
        run.order,
        _pinned_tree(run, scratch),
        locks=_locks(run),
        work=run.work,
        sandbox=run.sandbox,
        dropped=as_kind(Pin, run.results[Stage.PIN]).dropped,
        report=partial(sourcing.keep_suitability, run, scratch),
    )


def _locks(run: Run) -> Locks:
    """The case's locks where they still fit; else they are resolved, and written before anything is built from them."""
    path = run.case.locks
    if path.is_file():
        locks = Locks.from_bytes(path.read_bytes(), where=str(path))
        if environment_room.fits(locks, run.order, python=run.sandbox.python):
            return locks
        run.note("    locks.json is of another order or Python: it is resolved again")
    locks = environment_room.resolve(run.order, python=run.sandbox.python)
    write_bytes(path, locks.to_bytes())
    return locks


def _tools(run: Run) -> tuple[Recipe, ...]:
    """What builds the source: pip and its own build requirements."""
    return (committed_lock("pip", python=run.sandbox.python), _locks(run).build)


# survey


def _make_survey(run: Run, scratch: Path) -> Record:
    return survey_room.survey(_pinned_tree(run, scratch), order=run.order)


# names


def _other_names(run: Run) -> set[str]:
    """Neutral names of the other cases in the folder."""
    orders = (path for path in run.case.root.parent.glob("*/order.toml") if path != run.case.order)
    return {read_order(path).product.name for path in orders}


def _make_names(run: Run, scratch: Path) -> Record:
    """The names; beside them what else the source shows, which gates and replies are held against."""
    tree = _pinned_tree(run, scratch)
    names = names_room.decide_names(
        tree,
        run.order,
        survey=as_kind(Survey, run.results[Stage.SURVEY]),
        ask_registry=name_on_registry,
        taken=_other_names(run),
    )
    if isinstance(names, Names):
        knowing.keep_known(run, as_kind(Pin, run.results[Stage.PIN]), tree, names, scratch / "tree")
    return names


# reference


def _make_reference(run: Run, scratch: Path) -> Record:
    bench = as_kind(Bench, run.results[Stage.ENVIRONMENT])
    names = as_kind(Names, run.results[Stage.NAMES])
    return reference_room.make_reference(
        _pinned_tree(run, scratch),
        names,
        order=run.order,
        dest=scratch / "tree",
        note=run.note,
        run_tests=partial(
            run_installed_tests,
            tools=[site(tool, work=run.work, sandbox=run.sandbox) for tool in _tools(run)],
            site=site(bench.upstream_recipe, work=run.work, sandbox=run.sandbox),
            command=reference_room.renamed_command(run.order.testing.command, names),
            sandbox=run.sandbox,
            resources=[resource_mount(run.order.external, work=run.work)] if run.order.external else [],
        ),
    )


# spec


def _court(run: Run) -> Court:
    recorded = as_kind(Bench, run.results[Stage.ENVIRONMENT])
    return court(recorded, work=run.work, sandbox=run.sandbox, external=run.order.external)


def _desk(run: Run) -> Desk:
    return Desk(order=run.order, provider=run.provider, record=Ledger(run.case.ledger).append, note=run.note)


def _make_spec(run: Run, _scratch: Path) -> Record:
    reference = run.tree(Stage.REFERENCE)
    bench = _court(run)
    surface = survey_room.survey(reference, order=run.order)
    if isinstance(surface, Rejected):
        return surface
    paths = as_kind(Reference, run.results[Stage.REFERENCE]).product_paths
    ground = spec_findings.Ground(
        reference=reference,
        product_paths=paths,
        survey=surface,
        observe=partial(
            observe,
            reference,
            sandbox=run.sandbox,
            product_site=bench.product_site,
            product_paths=paths,
            clock=bench.clock,
            resources=bench.resources,
        ),
    )
    return spec_room.draft_spec(_desk(run), ground)


# tests


def _collect(run: Run, bench: Court, suite: Path) -> Mapping[str, tuple[str, ...]]:
    try:
        nodes = collect(suite, sandbox=run.sandbox, bench_site=bench.bench_site)
    except BadInput as error:
        raise tests_room.SuiteBroken([error.message, *error.details.values()]) from error
    return {node.id: node.clauses for node in nodes}


def _make_tests(run: Run, scratch: Path) -> Record:
    bench = _court(run)
    trial = scratch / "trial"
    trial.mkdir()
    where = tests_room.Range(
        reference=run.tree(Stage.REFERENCE),
        product_paths=as_kind(Reference, run.results[Stage.REFERENCE]).product_paths,
        scratch=trial,
        collect=partial(_collect, run, bench),
        judge=bench.judge,
    )
    spec = as_kind(Spec, run.results[Stage.SPEC])
    return tests_room.draft_suite(_desk(run), spec, where, dest=scratch / "tree")


# the list


def _inputs_environment(run: Run) -> Mapping[str, str]:
    return {
        **_earlier(run, Stage.PIN),
        "order": _order_part(run, "testing", "language"),
        "base": _digest(base_facts()),
        "locks": file_digest(run.case.locks) if run.case.locks.is_file() else "",
        **_external(run),
    }


def _inputs_survey(run: Run) -> Mapping[str, str]:
    return {**_earlier(run, Stage.PIN), "order": _order_part(run, "language")}


def _inputs_names(run: Run) -> Mapping[str, str]:
    return {
        **_earlier(run, Stage.PIN, Stage.SURVEY),
        "order": _order_part(run, "source", "product", "rename"),
        "known": knowing.DERIVED,
    }


def _inputs_reference(run: Run) -> Mapping[str, str]:
    earlier = _earlier(run, Stage.PIN, Stage.ENVIRONMENT, Stage.NAMES)
    return {**earlier, "order": _order_part(run, "testing"), **_external(run)}


def _inputs_spec(run: Run) -> Mapping[str, str]:
    return {
        **_earlier(run, Stage.REFERENCE, Stage.ENVIRONMENT),
        "order": _order_part(run, "product", "features", "floors", "attempts"),
        **_replies(run, Stage.SPEC),
        **_external(run),
    }


def _inputs_tests(run: Run) -> Mapping[str, str]:
    harness = {name: hashlib.sha256(data).hexdigest() for name, data in lib_files().items()}
    return {
        **_earlier(run, Stage.SPEC, Stage.REFERENCE, Stage.ENVIRONMENT),
        "documents": tree_digest(CHECKOUT / "templates" / "documents"),
        "harness": _digest(harness),
        "order": _order_part(run, "floors", "attempts"),
        **_replies(run, Stage.TESTS),
        **_external(run),
    }


STAGES: tuple[StageDefinition, ...] = (
    StageDefinition(
        stage=Stage.PIN,
        version=pin_room.VERSION,
        about="one commit in a local git store, licence, inventory",
        kinds=(Pin,),
        inputs=sourcing.inputs_pin,
        make=sourcing.make_pin,
        after=partial(sourcing.publish_suitability, Stage.PIN),
    ),
    StageDefinition(
        stage=Stage.ENVIRONMENT,
        version=environment_room.VERSION,
        about="locked environments; the upstream's tests pass inside, offline, twice",
        kinds=(Bench,),
        inputs=_inputs_environment,
        make=_make_environment,
        after=partial(sourcing.publish_suitability, Stage.ENVIRONMENT),
    ),
    StageDefinition(
        stage=Stage.SURVEY,
        version=survey_room.VERSION,
        about="the public interface",
        kinds=(Survey,),
        inputs=_inputs_survey,
        make=_make_survey,
    ),
    StageDefinition(
        stage=Stage.NAMES,
        version=names_room.VERSION,
        about="rename map, sensitive terms, checks of the neutral name",
        kinds=(Names,),
        inputs=_inputs_names,
        make=_make_names,
    ),
    StageDefinition(
        stage=Stage.REFERENCE,
        version=reference_room.VERSION,
        about="the source in neutral names; its renamed tests pass",
        kinds=(Reference,),
        inputs=_inputs_reference,
        make=_make_reference,
    ),
    StageDefinition(
        stage=Stage.SPEC,
        version=spec_room.VERSION,
        about="feature points, clauses, forms; every probe seen on the reference",
        kinds=(Spec,),
        inputs=_inputs_spec,
        make=_make_spec,
    ),
    StageDefinition(
        stage=Stage.TESTS,
        version=tests_room.VERSION,
        about="the hidden suite, frozen; it passes on the reference",
        kinds=(Suite,),
        inputs=_inputs_tests,
        make=_make_tests,
    ),
    StageDefinition(
        stage=Stage.GATES,
        version=gating.VERSION,
        about="receipts of all gates",
        kinds=(GateReport,),
        inputs=gating.inputs,
        make=gating.make,
        after=gating.publish,
    ),
    StageDefinition(
        stage=Stage.RELEASE,
        version=releasing.VERSION,
        about="the bundle",
        kinds=(Release,),
        inputs=releasing.inputs,
        make=releasing.make,
        after=releasing.publish,
    ),
)


def until(stages: Sequence[StageDefinition], last: Stage | None) -> tuple[StageDefinition, ...]:
    """The stages up to and including `last`."""
    if last is None:
        return tuple(stages)
    names = [definition.stage for definition in stages]
    return tuple(stages[: names.index(last) + 1])
