"""The gates that judge in two ways, on their seeded defects and twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.choose import choose_sandbox
from environments.interface import Sandbox
from flows.bench import Court, subject
from judge.subject import Subject
from taskpack.gate import run_gates
from taskpack.layout import WorkFolder
from taskpack.receipt import GateVerdict
from taskpack.verdict import Judged, NodeReport, NodeResult, Verdict
from tests.integration.validation.conftest import FIXTURES
from validation.gates import GATES
from validation.parity import differences
from validation.selftest import Cramped, lay_out

pytestmark = pytest.mark.sandbox
BOTH = [gate for gate in GATES if gate.code in {"REF-PASS", "REF-FORK", "REF-PARITY"}]


@pytest.mark.full
@pytest.mark.parametrize(("code", "other"), [("REF-FORK", "REF-PARITY"), ("REF-PARITY", "REF-FORK")])
def test_a_gate_fails_alone_on_its_defect_and_passes_on_its_twin(
    code: str, other: str, tmp_path: Path, bench_site: Path
) -> None:
    sandbox: Sandbox = choose_sandbox(WorkFolder(root=tmp_path / "work"))
    courts = [
        Court(sandbox=one, bench_site=bench_site, product_site=None, seeds=tmp_path / "seeds")
        for one in (sandbox, Cramped(sandbox))
    ]

    def verdicts(name: str) -> dict[str, GateVerdict]:
        case, reference = lay_out(FIXTURES / "_base", FIXTURES / code / name, tmp_path / name)
        laid: Subject = subject(courts[0], case, reference, scratch=tmp_path / f"{name}-scratch", elsewhere=courts[1])
        return {run.code: run.result.verdict for run in run_gates(BOTH, laid)}

    assert verdicts("defect") == {"REF-PASS": GateVerdict.PASS, code: GateVerdict.FAIL, other: GateVerdict.PASS}
    assert set(verdicts("twin").values()) == {GateVerdict.PASS}


def test_without_another_way_to_judge_they_are_skipped_with_a_reason(tmp_path: Path) -> None:
    case, reference = lay_out(FIXTURES / "_base", None, tmp_path / "laid")

    def never(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        raise AssertionError(workspace, seed)

    lone = Subject(case=case, reference=reference, scratch=tmp_path, judge=never)
    for gate in BOTH[1:]:
        result = gate.check(lone)
        assert (result.verdict, bool(result.message)) == (GateVerdict.SKIP, True)


def test_differences_are_told_node_by_node() -> None:
    def verdict(**results: NodeResult) -> Verdict:
        nodes = tuple(NodeReport(id=name, result=result) for name, result in results.items())
        digest = "0" * 64
        return Verdict(
            outcome=Judged.JUDGED, reward=0, candidate=digest, suite=digest, seed="s", backend="b", base="b",
            nodes=nodes, causes=("x",),
        )  # fmt: skip

    one = verdict(a=NodeResult.PASSED, b=NodeResult.FAILED)
    two = verdict(a=NodeResult.FAILED, b=NodeResult.FAILED, c=NodeResult.EXTRA)
    assert differences(one, one, here="here", there="there") == ()
    assert differences(one, two, here="here", there="there") == (
        "a passed here and failed there",
        "c is not there here and extra there",
    )
    other = one.model_copy(update={"nodes": (one.nodes[0], one.nodes[1].model_copy(update={"cause": "another"}))})
    assert differences(one, other, here="here", there="there") == ()
    told = differences(one, other, here="here", there="there", causes=True)
    assert told == ("b failed here and failed (another) there",)
