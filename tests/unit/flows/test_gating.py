"""What a run says of a gate as soon as it has an answer."""

from __future__ import annotations

from types import SimpleNamespace

from flows.gating import _note
from taskpack.gate import GateResult, GateRun
from taskpack.receipt import GateVerdict


def said(verdict: GateVerdict) -> list[str]:
    lines: list[str] = []
    result = GateResult(verdict=verdict, message="a message", evidence=tuple("abcdefgh"))
    _note(SimpleNamespace(note=lines.append), GateRun(code="DOC-STATED", version=1, result=result))  # type: ignore[arg-type]
    return lines


def test_a_gate_that_fails_is_told_at_once_with_its_first_evidence() -> None:
    assert said(GateVerdict.FAIL) == ["    DOC-STATED: fail, a message", *(f"      {each}" for each in "abcde")]


def test_of_a_gate_that_passes_its_message_is_enough() -> None:
    assert said(GateVerdict.PASS) == ["    DOC-STATED: pass, a message"]
