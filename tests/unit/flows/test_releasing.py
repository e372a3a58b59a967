"""What a release does not claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.releasing import PARITY, not_checked
from taskpack.layout import CaseFolder
from taskpack.receipt import GateVerdict, Receipt
from taskpack.release import GateReport


@pytest.mark.parametrize(("verdict", "claimed"), [(GateVerdict.PASS, True), (GateVerdict.SKIP, False)])
def test_parity_is_claimed_where_its_gate_passed_and_nowhere_else(
    verdict: GateVerdict, claimed: bool, tmp_path: Path
) -> None:
    report = GateReport.model_construct(
        receipts=(Receipt.model_construct(code="REF-PARITY", verdict=verdict),), base="rootfs:1"
    )
    assert (PARITY in not_checked(CaseFolder(root=tmp_path), report)) != claimed
