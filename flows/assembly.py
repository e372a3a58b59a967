"""Putting a case together from the results of its stages. Pure copying and rendering: no decision is made here."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal, TypeVar

from authoring import pin as pin_room
from authoring.documents import render_documents, render_hardware
from authoring.hidden_tests import command_template
from flows import knowing
from flows.run import Run
from neutralize.denylist import denylist, sensitive_terms
from taskpack import casefiles
from taskpack.files import file_digest, walk, write_bytes
from taskpack.layout import CaseFolder
from taskpack.outcome import Stage
from taskpack.pin import Pin
from taskpack.recipe import Bench
from taskpack.record import to_json
from taskpack.rename import Names, Reference
from taskpack.spec import Spec

T = TypeVar("T")
Status = Literal["draft", "released"]

KEPT = (
    "order.toml",
    "provenance/replies",
    "provenance/refused",
    "provenance/ledger.jsonl",
    "provenance/waivers.json",
    "provenance/terms.toml",
    "provenance/locks.json",
    "provenance/resolution.json",
    "controls",
)
"""What an author or a provider writes into a case; everything else is made."""


def assemble(run: Run, dest: CaseFolder, *, status: Status) -> None:
    """Write the case into `dest` from finished stages: documents, manifests, suite, provenance."""
    pin, bench, names, spec = (
        as_kind(Pin, run.results[Stage.PIN]),
        as_kind(Bench, run.results[Stage.ENVIRONMENT]),
        as_kind(Names, run.results[Stage.NAMES]),
        as_kind(Spec, run.results[Stage.SPEC]),
    )
    _copy_kept(run.case.root, dest.root)
    documents = render_documents(spec, language=run.order.language)
    write_bytes(dest.prd, documents.prd.encode())
    write_bytes(dest.contract, documents.contract.encode())
    hardware = render_hardware(run.order)
    if hardware:
        write_bytes(dest.hardware, hardware.encode())
    shutil.copytree(run.tree(Stage.TESTS), dest.suite, dirs_exist_ok=True)
    write_bytes(dest.pin, pin.to_bytes())
    write_bytes(dest.bench, bench.to_bytes())
    write_bytes(dest.suitability, (run.tree(Stage.ENVIRONMENT) / "suitability.json").read_bytes())
    write_bytes(dest.names, names.to_bytes())
    write_bytes(dest.known, knowing.kept(run).read_bytes())
    write_bytes(dest.spec, spec.to_bytes())
    for name, text in pin_room.notices(pin, work=run.work).items():
        write_bytes(dest.notices / name, text)
    write_source(run, dest, bench=bench, names=names, status=status)


def write_source(run: Run, dest: CaseFolder, *, bench: Bench, names: Names, status: Status) -> None:
    """`source/`: manifest, lock, denylist, resources."""
    paths = as_kind(Reference, run.results[Stage.REFERENCE]).product_paths
    runner = casefiles.runner(run.order, bench.bench_recipe, test_command_template=command_template(paths))
    manifest = casefiles.manifest(run.order, runner, sensitive_terms=tuple(sensitive_terms(names.terms)), status=status)
    lock = casefiles.recipe_lock(run.order, runner, bench.bench_recipe)
    write_bytes(dest.manifest, to_json(manifest.model_dump(mode="json")))
    write_bytes(dest.recipe_lock, to_json(lock.model_dump(mode="json")))
    write_bytes(dest.denylist, to_json(denylist(run.order, names).model_dump(mode="json")))
    if run.order.external:
        write_bytes(dest.resources, run.order.external.to_harness())


MADE = ("public", "source", "milestones", "provenance")
"""Folders of a case that are ours: what does not belong there any more is removed. Other files are left alone."""


def publish(source: Path, case: CaseFolder) -> None:
    """Make `case` equal to the assembled `source`, file by file and atomically; what an author wrote stays."""
    wanted = {path.relative_to(source) for path in walk(source)}
    for relative in sorted(wanted):
        target = case.root / relative
        if _is_kept(relative):
            continue
        if not target.is_file() or file_digest(target) != file_digest(source / relative):
            write_bytes(target, (source / relative).read_bytes())
    for path in list(walk(case.root)):
        relative = path.relative_to(case.root)
        if relative.parts[0] in MADE and relative not in wanted and not _is_kept(relative):
            path.unlink()
    for top in MADE:
        for folder in sorted((path for path in (case.root / top).rglob("*") if path.is_dir()), reverse=True):
            if not any(folder.iterdir()):
                folder.rmdir()


def _copy_kept(source: Path, dest: Path) -> None:
    for path in walk(source):
        relative = path.relative_to(source)
        if _is_kept(relative) and path.is_file() and not path.is_symlink():
            write_bytes(dest / relative, path.read_bytes())


def _is_kept(relative: Path) -> bool:
    return any(relative.is_relative_to(name) for name in KEPT)


def as_kind(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"the stage gave {type(value).__name__}, {kind.__name__} is needed")
    return value
