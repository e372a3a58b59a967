"""The gate runner: cheapest first, requirements before those who need them, and never a stop at the first failure."""

from __future__ import annotations

import dataclasses
from graphlib import CycleError

import pytest

from taskpack.errors import BadInput, NoSpace, RepowrightError, SandboxFailed, SandboxUnavailable
from taskpack.gate import Gate, GateResult, GateRun, blocking, failed, passed, receipt, released, run_gates
from taskpack.receipt import GateVerdict, Input


def gate(
    code: str, answer: GateResult | Exception | None = None, *, cost: int = 1, requires: tuple[str, ...] = ()
) -> Gate[list[str]]:
    def check(subject: list[str]) -> GateResult:
        subject.append(code)
        if isinstance(answer, Exception):
            raise answer
        return answer or passed("fine")

    return Gate(code=code, holds="x", version=3, cost=cost, remedy="y", check=check, requires=requires)


def verdicts(runs: tuple[GateRun, ...]) -> dict[str, str]:
    return {run.code: run.result.verdict.value for run in runs}


def test_the_cheapest_runs_first_and_equals_by_code() -> None:
    seen: list[str] = []
    run_gates([gate("C", cost=9), gate("B", cost=2), gate("A", cost=2)], seen)
    assert seen == ["A", "B", "C"]


def test_a_requirement_runs_before_whoever_needs_it_however_dear() -> None:
    seen: list[str] = []
    run_gates([gate("A", cost=1, requires=("B",)), gate("B", cost=100)], seen)
    assert seen == ["B", "A"]


def test_a_failure_does_not_stop_the_others() -> None:
    seen: list[str] = []
    runs = run_gates([gate("A", failed("no", evidence=["x"])), gate("B"), gate("C")], seen)
    assert seen == ["A", "B", "C"]
    assert verdicts(runs) == {"A": "fail", "B": "pass", "C": "pass"}


def test_who_needs_a_failed_gate_is_skipped_with_that_reason_and_so_on_down() -> None:
    seen: list[str] = []
    runs = run_gates(
        [gate("A", failed("no", evidence=[])), gate("B", requires=("A",)), gate("C", requires=("B",)), gate("D")], seen
    )
    assert verdicts(runs) == {"A": "fail", "B": "skip", "C": "skip", "D": "pass"}
    assert {run.code: run.result.message for run in runs}["C"] == "needs B to pass first"
    assert "B" not in seen


def test_a_requirement_that_is_not_in_the_run_skips() -> None:
    (run,) = run_gates([gate("A", requires=("ELSEWHERE",))], [])
    assert run.result.verdict is GateVerdict.SKIP
    assert run.result.message == "needs ELSEWHERE to pass first"


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), BadInput("oh")])
def test_a_check_that_raises_fails_with_its_traceback(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    runs = run_gates([gate("A", error), gate("B")], [])
    assert verdicts(runs) == {"A": "fail", "B": "pass"}
    assert runs[0].result.message == f"the check itself raised {type(error).__name__}: oh"
    assert any("raise answer" in line for line in runs[0].result.evidence)
    assert "gate A raised" in caplog.text


@pytest.mark.parametrize("kind", [SandboxFailed, SandboxUnavailable, NoSpace])
def test_a_fault_of_the_machinery_is_no_answer(kind: type[RepowrightError]) -> None:
    with pytest.raises(kind):
        run_gates([gate("A", kind("not the case's fault"))], [])


def test_every_answer_is_seen_as_it_comes() -> None:
    seen: list[str] = []
    run_gates([gate("A"), gate("B", requires=("C",)), gate("C")], [], watch=lambda run: seen.append(run.code))
    assert seen == ["A", "C", "B"]


def test_gates_that_require_each_other_are_a_fault() -> None:
    with pytest.raises(CycleError):
        run_gates([gate("A", requires=("B",)), gate("B", requires=("A",))], [])


def test_two_gates_of_one_code_are_a_fault() -> None:
    with pytest.raises(ValueError, match="two gates are called A"):
        run_gates([gate("A"), gate("A", failed("hidden", evidence=[]))], [])


@pytest.mark.parametrize(
    ("answers", "is_released"),
    [
        ([], False),
        ([passed("a")], True),
        ([passed("a"), failed("b", evidence=[])], False),
        ([passed("a"), GateResult(verdict=GateVerdict.SKIP, message="no engine")], False),
    ],
)
def test_only_a_run_in_which_every_gate_passed_is_released(answers: list[GateResult], is_released: bool) -> None:
    runs = [GateRun(code=str(number), version=1, result=answer) for number, answer in enumerate(answers)]
    assert released(runs) is is_released


@pytest.mark.parametrize(
    ("verdict", "is_optional", "is_released"),
    [
        (GateVerdict.PASS, True, True),
        (GateVerdict.SKIP, True, True),
        (GateVerdict.SKIP, False, False),
        (GateVerdict.FAIL, True, False),
        (GateVerdict.FAIL, False, False),
    ],
)
def test_only_the_skip_of_an_optional_gate_does_not_stop_release(
    verdict: GateVerdict, is_optional: bool, is_released: bool
) -> None:
    answer = GateResult(verdict=verdict, message="as it is")
    runs = run_gates([gate("A"), dataclasses.replace(gate("B", answer), optional=is_optional)], [])
    assert [run.optional for run in runs] == [False, is_optional]
    assert released(runs) is is_released
    assert [run.code for run in blocking(runs)] == ([] if is_released else ["B"])


def test_nothing_but_skips_is_not_released() -> None:
    skipped = GateResult(verdict=GateVerdict.SKIP, message="nothing to ask")
    assert not released(run_gates([dataclasses.replace(gate("A", skipped), optional=True)], []))


def test_a_receipt_holds_the_answer_with_inputs_by_name() -> None:
    answer = passed("fine", inputs=[Input(name="b", digest="2"), Input(name="a", digest="1")])
    (run,) = run_gates([gate("A", answer)], [])
    made = receipt(run, command="repowright x", backend="local", base="preview:x", engine="0.1.0")
    assert (made.code, made.gate_version, made.verdict) == ("A", 3, GateVerdict.PASS)
    assert [item.name for item in made.inputs] == ["a", "b"]
