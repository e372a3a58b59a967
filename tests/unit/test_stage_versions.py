"""The rule that the golden test of stage versions goes by; the stages themselves run in `tests/integration/kills`."""

from __future__ import annotations

from dataclasses import replace

from tests.golden_stages import StageOutput, forgotten_bump, read_golden, same
from tests.tiny import STAGES

KNOWN = StageOutput(version=1, inputs="a", code="c", output="x")


def test_another_result_from_the_same_inputs_under_the_same_version_is_a_forgotten_bump() -> None:
    assert forgotten_bump(KNOWN, replace(KNOWN, output="y"))


def test_another_version_or_other_inputs_may_give_another_result() -> None:
    assert not forgotten_bump(KNOWN, KNOWN)
    assert not forgotten_bump(KNOWN, replace(KNOWN, output="y", version=2))
    assert not forgotten_bump(KNOWN, replace(KNOWN, output="y", inputs="b"))
    assert not forgotten_bump(KNOWN, replace(KNOWN, output="y", code="d"))
    assert not forgotten_bump(None, KNOWN)


def test_a_row_is_old_when_anything_but_the_code_is_another() -> None:
    assert same(KNOWN, KNOWN)
    assert same(KNOWN, replace(KNOWN, code="d"))
    for field in ("inputs", "output"):
        assert not same(KNOWN, replace(KNOWN, code="d", **{field: "z"}))
    assert not same(KNOWN, replace(KNOWN, version=2))
    assert not same(None, KNOWN)


def test_the_golden_file_has_a_row_for_every_stage() -> None:
    assert tuple(sorted(read_golden())) == tuple(sorted(STAGES))
