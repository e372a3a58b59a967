"""Gate NEU-DENYLIST where the real sandbox covers what is banned."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import Subject
from taskpack.gate import GateResult
from taskpack.layout import CaseFolder
from taskpack.receipt import GateVerdict
from tests.integration.validation.conftest import FIXTURES
from validation.gates import GATES
from validation.selftest import lay_out

pytestmark = pytest.mark.sandbox

MakeSubject = Callable[[CaseFolder, Path], Subject]


@pytest.fixture
def check(make_subject: MakeSubject, tmp_path: Path) -> Callable[..., GateResult]:
    """The gate on a side of its fixture, with more import roots banned."""

    def checked(side: str, *banned: str) -> GateResult:
        case, reference = lay_out(FIXTURES / "_base", FIXTURES / "NEU-DENYLIST" / side, tmp_path / side)
        listed = json.loads(case.denylist.read_text())
        case.denylist.write_text(json.dumps(listed | {"import_ban": [*banned, *listed["import_ban"]]}))
        return next(gate for gate in GATES if gate.code == "NEU-DENYLIST").check(make_subject(case, reference))

    return checked


def test_a_ban_that_only_the_masks_hold_against_the_reference_fails_on_verdicts_alone(check) -> None:
    result = check("defect")
    assert (result.verdict, result.message) == (GateVerdict.FAIL, "the denylist stops a right workspace")
    assert not any("denylist:" in line for line in result.evidence)
    assert any("passed without the list and failed behind it" in line for line in result.evidence)


def test_a_ban_that_no_right_workspace_meets_passes_though_something_is_covered(check) -> None:
    result = check("twin", "tomllib")
    assert result.verdict is GateVerdict.PASS, result.evidence


@pytest.mark.parametrize(("root", "fact"), [("json", "driver loads"), ("_sre", "compiled into")])
def test_a_ban_that_cannot_be_covered_fails_with_what_needs_it(check, root: str, fact: str) -> None:
    result = check("twin", root)
    assert (result.verdict, result.message) == (GateVerdict.FAIL, "nothing can be judged behind the denylist")
    assert fact in " ".join(result.evidence)
