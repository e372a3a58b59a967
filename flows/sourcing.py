"""The pin stage in a run, and the suitability verdict on its way from a stage into the case."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from authoring import pin as pin_room
from environments.languages.python.fetch import fetch_sdist
from flows.run import Run
from taskpack.files import file_digest, write_bytes
from taskpack.outcome import Stage
from taskpack.pin import Resolution
from taskpack.record import Record, to_json
from taskpack.suitability import Suitability, Suitable


def inputs_pin(run: Run) -> Mapping[str, str]:
    """The source, what its name was resolved to, and what is accepted."""
    order = run.order.model_dump(mode="json", include={"source", "licences", "language"})
    resolution = run.case.resolution
    return {
        "order": hashlib.sha256(to_json(order)).hexdigest(),
        "resolution": file_digest(resolution) if resolution.is_file() else "",
    }


def make_pin(run: Run, scratch: Path) -> Record:
    """The pin; a resolution goes into the case before anything is made from it."""
    path = run.case.resolution
    known = Resolution.from_bytes(path.read_bytes(), where=str(path)) if path.is_file() else None
    return pin_room.pin(
        run.order,
        work=run.work,
        fetch=lambda source, dest: fetch_sdist(source, dest, sandbox=run.sandbox),
        known=known,
        keep=lambda resolution: write_bytes(path, resolution.to_bytes()),
        note=run.note,
        report=partial(keep_suitability, run, scratch),
    )


def keep_suitability(run: Run, scratch: Path, verdict: Suitability) -> None:
    """Put the verdict beside the stage's result, and tell people unless it is the good one."""
    write_bytes(scratch / "tree" / "suitability.json", verdict.to_bytes())
    if verdict.verdict is not Suitable.USABLE:
        run.note(f"    {verdict.verdict}: {verdict.summary}")


def publish_suitability(stage: Stage, run: Run, _result: Record) -> None:
    """The verdict is for the author to read, also when the source was turned away."""
    made = run.tree(stage) / "suitability.json"
    if made.is_file() and (
        not run.case.suitability.is_file() or run.case.suitability.read_bytes() != made.read_bytes()
    ):
        write_bytes(run.case.suitability, made.read_bytes())
