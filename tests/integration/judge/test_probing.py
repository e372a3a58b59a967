"""Probes: what the product shows, and whether that is what was said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from judge.probing import disagreement, observe
from taskpack.spec import Expected, Probe
from taskpack.verdict import CallOutcome, Observation


def probe(scenario: str, args: dict[str, Any], **expected: Any) -> Probe:
    return Probe(scenario=scenario, args=args, expected=Expected(**expected))


TOTAL = "import tally\n\ndef show(text):\n    return tally.total(text)\n"
PROBES = (
    ("sum", probe(TOTAL, {"text": "a 1"}, outcome="returned", value={"m": [["a", {"d": "1"}]]})),
    ("refusal", probe(TOTAL, {"text": "a"}, outcome="raised", error="tally.BadLine")),
    ("base", probe(TOTAL, {"text": "a"}, outcome="raised", error="ValueError")),
    ("wrong value", probe(TOTAL, {"text": "a 1"}, outcome="returned", value={"m": [["a", {"i": "1"}]]})),
    ("wrong error", probe(TOTAL, {"text": "a"}, outcome="raised", error="KeyError")),
    ("no error", probe(TOTAL, {"text": "a 1"}, outcome="raised", error="ValueError")),
    ("no function", probe("x = 1", {}, outcome="returned")),
    ("no Python", probe("def (", {}, outcome="returned")),
    ("bad argument", probe(TOTAL, {"text": 1}, outcome="returned")),
    ("large", probe("def show():\n    return 'x' * 5000\n", {}, outcome="returned", value="x")),
    ("no such name", probe("import tally\n\ndef show():\n    return tally.nothing\n", {}, outcome="returned")),
)


@pytest.mark.sandbox
def test_each_probe_is_observed_and_compared(sandbox: Sandbox, workspace: Path) -> None:
    seen = observe(workspace, PROBES, sandbox=sandbox, product_site=None, product_paths=("src",))
    assert set(seen) == {key for key, _ in PROBES}
    said = {key: disagreement(seen[key], item.expected) for key, item in PROBES}
    assert [said["sum"], said["refusal"], said["base"]] == [None, None, None]
    assert said["wrong value"] == "differs at ['a']: seen Decimal('1'), expected int 1"
    assert "tally.BadLine" in str(said["wrong error"])
    assert said["no error"] == "expected outcome raised, seen returned"
    assert seen["no function"].outcome is CallOutcome.MALFORMED
    assert seen["no Python"].outcome is CallOutcome.MALFORMED
    assert "no wire value" in seen["bad argument"].message
    assert seen["large"].outcome is CallOutcome.LIMIT
    assert "AttributeError" in str(said["no such name"])


def test_an_expected_value_that_is_none_is_a_disagreement() -> None:
    seen = Observation(outcome=CallOutcome.RETURNED, value=None)
    assert "no wire value" in str(disagreement(seen, Expected(outcome="returned", value={"i": 1})))
    assert disagreement(seen, Expected(outcome="returned", value=None)) is None
