"""The release stage: the bundle, made from the case that the gates looked at."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from flows.assembly import as_kind
from flows.run import Run
from flows.settings import engine_version
from taskpack.bundle import write_bundle
from taskpack.files import publish_folder
from taskpack.layout import CaseFolder
from taskpack.outcome import Stage
from taskpack.receipt import GateVerdict
from taskpack.record import Record
from taskpack.release import GateReport
from taskpack.scratch import temporary_folder

VERSION = 2

PARITY = "parity between sandbox back ends: verdicts were made by one back end only"
CLEAN_ROOM = "clean-room implementations: none is stored in controls/clean_room, so none was judged"
PREVIEW = (
    "the base is a preview: the host's own toolchain, not a root file system built from a recipe; it was not searched"
    " for copies of the product, nor for what does its work"
)


def not_checked(case: CaseFolder, report: GateReport) -> tuple[str, ...]:
    """What no gate looked at. Printed with every release, so that silence is not taken for a check."""
    compared = any(one.code == "REF-PARITY" and one.verdict is GateVerdict.PASS for one in report.receipts)
    parity = () if compared else (PARITY,)
    clean_room = () if (case.controls / "clean_room" / "app").is_dir() else (CLEAN_ROOM,)
    preview = (PREVIEW,) if report.base.startswith("preview:") else ()
    return (*parity, *clean_room, *preview)


def inputs(run: Run) -> Mapping[str, str]:
    return {str(Stage.GATES): run.results[Stage.GATES].digest(), "engine": engine_version()}


def make(run: Run, scratch: Path) -> Record:
    report = as_kind(GateReport, run.results[Stage.GATES])
    case = CaseFolder(root=run.tree(Stage.GATES) / run.case.id)
    bundle = scratch / "tree"
    bundle.mkdir()
    return write_bundle(
        case,
        bundle,
        engine=engine_version(),
        backend=report.backend,
        base=report.base,
        gates=[one.code for one in report.receipts if one.verdict is GateVerdict.PASS],
        not_checked=not_checked(case, report),
    )


def bundle_folder(run: Run) -> Path:
    """Where a person finds the bundle of the last release."""
    return run.work.releases / run.case.id / run.keys[Stage.RELEASE].digest[:12]


def publish(run: Run, _result: Record) -> None:
    """Put the bundle where people look for it; a bundle that is there already is the same one."""
    dest = bundle_folder(run)
    if dest.is_dir():
        return
    with temporary_folder(run.work.releases, prefix=".part-") as scratch:
        copy = scratch / "bundle"
        shutil.copytree(run.tree(Stage.RELEASE), copy)
        publish_folder(copy, dest)
