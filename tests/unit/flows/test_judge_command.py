"""What `repowright judge` shows of a verdict."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from flows.commands.judge import _check_suite, first_of
from taskpack.errors import BadInput
from taskpack.layout import CaseFolder


def test_twenty_causes_are_shown_and_the_rest_is_counted() -> None:
    causes = [f"cause {number}" for number in range(22)]
    assert first_of(causes[:20]) == causes[:20]
    assert first_of(causes) == [*causes[:20], "and 2 more, which --json gives"]
    assert first_of([]) == []


def test_a_suite_that_is_not_the_one_of_the_gates_is_refused(checkout: Path, tmp_path: Path) -> None:
    case = CaseFolder(root=tmp_path / "case001")
    shutil.copytree(checkout / "cases/case001/milestones", case.root / "milestones")
    _check_suite(case)
    lost = next(case.tests.glob("scenarios/F01.*"))
    lost.unlink()
    with pytest.raises(BadInput, match="not the one whose gates have passed"):
        _check_suite(case)
    case.kill_matrix.unlink()
    _check_suite(case)
