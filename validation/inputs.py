"""What the answers of validation's gates depend on, as receipts record it."""

from __future__ import annotations

from pathlib import Path

from judge.subject import Subject
from taskpack.files import file_digest, tree_digest
from taskpack.mutant import KillMatrix
from taskpack.receipt import Input
from validation.reading import suite_digest


def judged_inputs(subject: Subject) -> tuple[Input, ...]:
    """The suite and the reference."""
    return (
        Input(name="reference", digest=tree_digest(subject.reference)),
        Input(name="suite", digest=suite_digest(subject.case)),
    )


def matrix_inputs(matrix: KillMatrix, floor: int) -> tuple[Input, ...]:
    return (
        Input(name="kill_matrix", digest=matrix.digest()),
        Input(name="floors.mutants", digest=str(floor)),
    )


def helper_inputs(*files: str | None) -> tuple[Input, ...]:
    """The code that makes the candidates: another operator table asks another question."""
    return tuple(Input(name=f"helper {Path(file).stem}", digest=file_digest(Path(file))) for file in files if file)
