"""What is wrong with a drafted feature point, found by form first and by running it then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from authoring.spec_findings import FeatureDraft, Ground, compared, feature_findings, scenario_roots
from taskpack.order import Order, read_order
from taskpack.rendering import render
from taskpack.spec import (
    Carrier,
    Clause,
    ClauseKind,
    Evidence,
    Expected,
    Form,
    FormKind,
    Probe,
)
from taskpack.survey import Survey, Symbol, SymbolKind
from taskpack.verdict import CallOutcome, Observation

SCENARIO = "import brinseal\n\ndef run(text):\n    return brinseal.total(text)\n"


def clause(number: int, kind: ClauseKind = ClauseKind.NORMAL, **change: object) -> Clause:
    letter = {ClauseKind.NORMAL: "N", ClauseKind.BOUNDARY: "B", ClauseKind.ERROR: "E"}[kind]
    fields: dict[str, object] = {
        "id": f"FP-01.{letter}{number}",
        "kind": kind,
        "text": "The total is given.",
        "carrier": Carrier.VALUE,
        "forms": ("total",),
        "evidence": (Evidence(path="src/brinseal/a.py", first_line=1, last_line=2),),
        "probe": Probe(scenario=SCENARIO, args={"text": "1"}, expected=Expected(outcome="returned", value="1")),
    }
    return Clause.model_validate(fields | change)


TOTAL = Form(name="total", kind=FormKind.FUNCTION, role="sum", signature="total(text)")


def draft_of(*clauses: Clause, forms: tuple[Form, ...] = (TOTAL,)) -> FeatureDraft:
    return FeatureDraft(entry="The caller uses total and supplies text of any kind.", clauses=clauses, forms=forms)


GOOD = (clause(1), clause(1, ClauseKind.BOUNDARY), clause(1, ClauseKind.ERROR))


@pytest.fixture
def order(checkout: Path) -> Order:
    return read_order(checkout / "cases/case001/order.toml")


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    path = tmp_path / "src/brinseal/a.py"
    path.parent.mkdir(parents=True)
    path.write_text("one\ntwo\n")
    return tmp_path


def find(order: Order, reference: Path, answer: FeatureDraft, *, seen: object = "1") -> tuple[tuple[str, ...], int]:
    ran: list[str] = []

    def observe(probes: Sequence[tuple[str, Probe]]) -> Mapping[str, Observation]:
        ran.extend(name for name, _ in probes)
        return {name: Observation(outcome=CallOutcome.RETURNED, value=seen) for name, _ in probes}

    symbol = Symbol(
        name="total", kind=SymbolKind.FUNCTION, signature="", path="src/brinseal/a.py", line=1, exported=True
    )
    ground = Ground(
        reference=reference,
        product_paths=("src",),
        survey=Survey(import_root="brinseal", symbols=(symbol,)),
        observe=observe,
    )
    found = feature_findings(answer, wanted=order.features[0], floor=3, known=(), ground=ground, order=order)
    return found, len(ran)


def test_a_good_draft_is_run_and_has_no_findings(order: Order, reference: Path) -> None:
    assert find(order, reference, draft_of(*GOOD)) == ((), 3)


def test_a_probe_that_disagrees_goes_back_with_the_observation(order: Order, reference: Path) -> None:
    found, _ = find(order, reference, draft_of(*GOOD), seen="2")
    assert len(found) == 3
    assert "FP-01.N1" in found[0]
    assert "'2'" in found[0]


@pytest.mark.parametrize(
    ("bad", "finding"),
    [
        ((clause(2), *GOOD[1:]), "must be FP-01.N1"),
        (GOOD[:2], "no error clause"),
        ((clause(1, text="No full stop"), *GOOD[1:]), "full stop"),
        ((clause(1, text="This is what the tests check."), *GOOD[1:]), "talks of tests"),
        ((clause(1, text="Uses `_secret` inside."), *GOOD[1:]), "private"),
        ((clause(1, forms=("sum",)), *GOOD[1:]), "form sum is used by a clause and not defined"),
        ((clause(1, forms=()), *GOOD[1:]), "names no form"),
        ((clause(1, evidence=()), *GOOD[1:]), "no evidence"),
        ((clause(1, evidence=(Evidence(path="src/brinseal/a.py", first_line=2, last_line=9),)), *GOOD[1:]), "not in the reference"),
        ((clause(1, evidence=(Evidence(path="../a.py", first_line=1, last_line=1),)), *GOOD[1:]), "not in the reference"),
    ],
    ids=["id", "kinds", "stop", "talk", "private", "form", "formless", "bare", "lines", "outside"],
)  # fmt: skip
def test_a_fault_of_form_is_found_and_nothing_is_run(
    order: Order, reference: Path, bad: tuple[Clause, ...], finding: str
) -> None:
    found, ran = find(order, reference, draft_of(*bad))
    assert any(finding in text for text in found), found
    assert ran == 0


def test_too_few_clauses_are_counted(order: Order, reference: Path) -> None:
    found, _ = find(order, reference, draft_of(*GOOD[:2]))
    assert "2 clauses, at least 3 are wanted" in found


def test_a_form_that_the_import_root_does_not_offer_is_named(order: Order, reference: Path) -> None:
    other = Form(name="hidden", kind=FormKind.FUNCTION, role="x", signature="hidden()")
    bad = (clause(1, forms=("total", "hidden")), *GOOD[1:])
    found, _ = find(order, reference, draft_of(*bad, forms=(TOTAL, other)))
    assert any("form hidden: neither" in text for text in found)


def test_operators_of_the_interface_are_used_through_their_functions_and_the_request_says_so(order: Order) -> None:
    names = ("Mark", "Mark.__lt__", "Mark.__eq__", "Mark.__len__", "count")
    assert compared(names) == ("eq", "lt")
    assert "operator" in scenario_roots("tally", names)
    assert "operator" not in scenario_roots("tally", ("Mark", "Mark.__len__"))
    rule = render("prompts/_scenario.md.j2", order=order, compared=compared(names))
    assert "`operator.eq(one, other)`. Allowed are `eq`, `lt`," in rule
    assert "operator." not in render("prompts/_scenario.md.j2", order=order, compared=())
