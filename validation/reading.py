"""The records of a case that the gates look at, and the digests of what they judge."""

from __future__ import annotations

from pathlib import Path

from judge import judging
from taskpack.errors import CaseNotFound
from taskpack.layout import CaseFolder
from taskpack.mutant import KillMatrix
from taskpack.order import Order, read_order
from taskpack.spec import Spec
from taskpack.suite import TestManifest


def order_of(case: CaseFolder) -> Order:
    return read_order(case.order)


def spec_of(case: CaseFolder) -> Spec:
    return Spec.from_bytes(_bytes(case.spec), where=str(case.spec))


def manifest_of(case: CaseFolder) -> TestManifest:
    return judging.read_manifest(case.suite)


def matrix_of(case: CaseFolder) -> KillMatrix | None:
    """The stored kill matrix; None when there is none."""
    if not case.kill_matrix.is_file():
        return None
    return KillMatrix.from_bytes(case.kill_matrix.read_bytes(), where=str(case.kill_matrix))


def suite_digest(case: CaseFolder) -> str:
    """Over the hidden tests and their manifest; what is made from them (the kill matrix) stays out."""
    return judging.suite_digest(case.suite)


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise CaseNotFound(
            f"the case has no {path.name}",
            details={"looked for": str(path)},
            remedy="run the stage that makes it: repowright author CASE",
        )
    return path.read_bytes()
