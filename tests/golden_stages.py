"""What each stage gives for the tiny case, without what belongs to the machine, and whether it may have changed.

A result is kept under the digest of its inputs and its stage's `VERSION`. So what a stage gives may change only with one of
the two: else a work directory would go on giving out the old result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from taskpack.files import file_digest, walk
from taskpack.record import to_json
from taskpack.rendering import CHECKOUT
from tests.tiny import DATA, STAGES, Tiny

GOLDEN = CHECKOUT / "tests" / "data" / "stage_versions.json"
_LOCKS = CHECKOUT / "environments" / "languages" / "python" / "locks"
_MACHINE_FIELDS = frozenset({"backend", "base", "case_tree", "engine", "folder", "limits_by", "not_checked", "python"})
_MACHINE_INPUTS = frozenset({"backend", "base", "engine", "locks"})
_CODE_INPUTS = frozenset({"harness", "helpers"})
_MACHINE_FILES = ("provenance/bench.json", "provenance/locks.json", "provenance/receipts/", "source/", "bundle")
_MACHINE_GATES = frozenset({"ENV-ORACLE", "NEU-COPIES", "REF-PARITY"})
"""What they look at is the machine's: its engine, its base."""


@dataclass(frozen=True, kw_only=True)
class StageOutput:
    """One stage's row."""

    version: int
    inputs: str
    """Digest of what it was made from, our own code left out."""
    code: str
    """Digest of the code among its inputs: where that changes, nobody can have forgotten a version."""
    output: str
    """Digest of what it gave."""


def read_golden() -> dict[str, StageOutput]:
    return {stage: StageOutput(**row) for stage, row in json.loads(GOLDEN.read_bytes()).items()}


def write_golden(rows: Mapping[str, StageOutput]) -> None:
    GOLDEN.write_bytes(to_json({stage: vars(row) for stage, row in rows.items()}))


def forgotten_bump(known: StageOutput | None, now: StageOutput) -> bool:
    """Whether the same inputs give something else under the same version."""
    if known is None:
        return False
    return known.output != now.output and replace(known, output=now.output) == now


def same(known: StageOutput | None, now: StageOutput) -> bool:
    """Whether a golden row still says what is; code that was changed and gives the same needs no new row."""
    return known is not None and replace(known, code=now.code) == now


def outputs(tiny: Tiny) -> dict[str, StageOutput]:
    """A row for each stage of a finished run."""
    rows: dict[str, StageOutput] = {}
    for stage in STAGES:
        (folder,) = (tiny.work.stages / stage).glob("v*/*")
        inputs = json.loads((folder / "inputs.json").read_bytes())
        named = {name: value for name, value in inputs.items() if name not in _MACHINE_INPUTS}
        named |= {name: rows[name].output for name in inputs if name in rows}
        if stage == "environment":
            named["locks"] = [file_digest(path) for path in sorted([*_LOCKS.glob("*.txt"), DATA / "wheels.txt"])]
        rows[stage] = StageOutput(
            version=int(folder.parent.name.removeprefix("v")),
            inputs=_digest({name: value for name, value in named.items() if name not in _CODE_INPUTS}),
            code=_digest({name: value for name, value in named.items() if name in _CODE_INPUTS}),
            output=_digest(_given(stage, folder)),
        )
    return rows


def _given(stage: str, folder: Path) -> Any:
    result = json.loads((folder / "result.json").read_bytes())
    if stage == "gates":
        result["receipts"] = [_receipt(each) for each in result["receipts"] if each["code"] not in _MACHINE_GATES]
    if stage == "release":
        result["files"] = [[each["path"], each["audience"]] for each in result["files"]]
        result["archives"] = [[each["file"], each["audience"]] for each in result["archives"]]
        result["gates"] = [code for code in result["gates"] if code not in _MACHINE_GATES]
    return [_without(stage, result), _tree(folder / "tree") if stage != "release" else []]


def _receipt(receipt: dict[str, Any]) -> dict[str, Any]:
    """What it says without the digests of what it looked at, which are of this machine's environments too."""
    return {**receipt, "evidence": [], "inputs": [each["name"] for each in receipt["inputs"]]}


def _without(stage: str, value: Any) -> Any:
    """`value` without fields that another machine fills differently."""
    if isinstance(value, dict):
        gone = _MACHINE_FIELDS | ({"tree", "recipe"} if stage == "environment" else set())
        return {name: _without(stage, each) for name, each in value.items() if name not in gone}
    return [_without(stage, each) for each in value] if isinstance(value, list) else value


def _tree(root: Path) -> list[list[str]]:
    found = []
    for path in walk(root) if root.is_dir() else ():
        name = path.relative_to(root).as_posix()
        inner = name.partition("/")[2] if name.startswith("case") else name
        machine = inner.startswith(_MACHINE_FILES)
        found.append([name, "" if machine else file_digest(path)])
    return [row for row in found if not any(code in row[0] for code in _MACHINE_GATES)]


def _digest(value: Any) -> str:
    return hashlib.sha256(to_json(value)).hexdigest()
