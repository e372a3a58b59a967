"""What the answers of validation's gates depend on, as receipts record it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from judge.subject import Subject
from taskpack.files import file_digest, tree_digest
from taskpack.mutant import KillMatrix
from taskpack.receipt import Input
from validation.reading import suite_digest

_ROOT = Path(__file__).resolve().parent.parent
_HOSTILE = "validation/hostile/python"
_OURS = ("validation.", "environments.languages.python.", "environments.shims.", "neutralize.")
_PLUMBING = frozenset({"validation.inputs", "validation.reading", "validation.trials"})
"""They read records and ask for verdicts. What a gate makes of that is its `version`."""

_HELPERS = {
    "REF-PASS": ("validation.workspaces",),
    "REF-FORK": ("validation.parity",),
    "REF-PARITY": ("validation.parity",),
    "PKG-ROUNDTRIP": ("validation.roundtrip", "judge.submission", "judge.workspace"),
    "NEU-DENYLIST": (
        "validation.denylist",
        "neutralize.submitted.scan",
        *("judge.masking", "judge.submission", "judge.workspace"),
        *("environments.covers", "environments.denied", "environments.denied_inside"),
        *("environments.languages.python.strip", "taskpack.denylist", "taskpack.requested"),
    ),
    "ENV-ORACLE": ("validation.probe", "environments.offered", "environments.offered_inside"),
    "STR-VACUOUS": ("validation.variants",),
    "STR-CONTROLS": ("validation.variants",),
    "STR-VARIANTS": ("validation.variants",),
    "FAIR-STORED": ("validation.stored",),
    "STR-MUTANTS": ("validation.matrix",),
    "STR-CLAUSE": ("validation.matrix",),
    "SEC-RUNNER": ("validation.hostile.apply",),
    "SEC-SHADOW": ("validation.hostile.apply",),
}
"""The modules that make what a gate judges; what they import of ours belongs to them."""


def judged_inputs(subject: Subject) -> tuple[Input, ...]:
    """The suite and the reference."""
    return (
        Input(name="reference", digest=tree_digest(subject.reference)),
        Input(name="suite", digest=suite_digest(subject.case)),
    )


def stored_inputs(subject: Subject) -> tuple[Input, ...]:
    """The stored controls, where there are any."""
    controls = subject.case.controls
    return (Input(name="controls", digest=tree_digest(controls)),) if controls.is_dir() else ()


def matrix_inputs(matrix: KillMatrix, floor: int) -> tuple[Input, ...]:
    return (
        Input(name="kill_matrix", digest=matrix.digest()),
        Input(name="floors.mutants", digest=str(floor)),
    )


def helper_inputs(code: str, *, hostile: tuple[str, ...] = ()) -> tuple[Input, ...]:
    """The code that makes a gate's candidates, and hostile ones by name: another operator table, another question."""
    modules = sorted(_reached(_HELPERS[code]))
    return (
        *(Input(name=f"helper {module}", digest=file_digest(_file(module))) for module in modules),
        *(Input(name=f"hostile {name}", digest=tree_digest(_ROOT / _HOSTILE / name)) for name in hostile),
    )


def helper_digests() -> dict[str, str]:
    """Name -> digest of every helper of every gate of validation, as receipts name them."""
    everyone = tuple(path.parent.name for path in sorted((_ROOT / _HOSTILE).glob("*/candidate.toml")))
    every = [each for code in _HELPERS for each in helper_inputs(code, hostile=everyone)]
    return {each.name: each.digest for each in sorted(every, key=lambda each: each.name)}


@cache
def _reached(modules: tuple[str, ...]) -> frozenset[str]:
    """The modules and all that they import of ours, plumbing left out."""
    found: set[str] = set()
    left = list(modules)
    while left:
        module = left.pop()
        if module not in found | _PLUMBING:
            found.add(module)
            left += _imported(_file(module))
    return frozenset(found)


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        yield from (name for name in names if name.startswith(_OURS) and _file(name).is_file())


def _file(module: str) -> Path:
    return _ROOT / f"{module.replace('.', '/')}.py"
