from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from neutralize.lists.shipped import shipped
from neutralize.names import decide_names
from taskpack.order import Order
from taskpack.outcome import Reason, Rejected
from taskpack.rename import Names
from taskpack.survey import Survey, Symbol, SymbolKind

SURVEY = Survey(
    import_root="oldtally",
    symbols=tuple(
        Symbol(name=name, kind=SymbolKind.METHOD, signature="", path="src/oldtally/counter.py", line=1, exported=True)
        for name in ("Counter.recount_all", "Counter.mark_rows", "count")
    ),
)


def decided(upstream: Path, order: Order, *, registry: bool | None = False, **more: Any) -> Names | Rejected:
    return decide_names(upstream, order, survey=SURVEY, ask_registry=lambda _: registry, **more)


def product(order: Order, **changes: str) -> Order:
    return order.model_copy(update={"product": order.product.model_copy(update=changes)})


def line(names: Names | Rejected, start: str) -> str:
    assert isinstance(names, Names), names
    return next(line for line in names.checks if line.startswith(start))


def test_every_check_leaves_a_line_and_a_replay_gives_the_same_bytes(upstream: Path, order: Order) -> None:
    names = decided(upstream, order)
    assert isinstance(names, Names)
    assert names.to_bytes() == decided(upstream, order).to_bytes()
    assert [row.partition(":")[0] for row in names.checks] == [
        "keyword", "library", "word", "pypi", "npm", "npm scope", "debian", "command", "near", "cases", "offensive",
        "overlap", "styles", "source", "order", "registry", "kept", "unused"
    ]  # fmt: skip


def test_a_silent_registry_is_recorded_as_unknown(upstream: Path, order: Order) -> None:
    assert line(decided(upstream, order, registry=None), "registry") == "registry: unknown, it did not answer"
    assert line(decided(upstream, order), "registry") == "registry: free, it has no project vexsum"


def test_the_record_says_of_every_list_what_it_answers_and_its_date(upstream: Path, order: Order) -> None:
    names = decided(upstream, order)
    for rule, filter_ in shipped().filters.items():
        answer = "free" if filter_.head.whole else "unknown"
        assert line(names, f"{rule}:").startswith(f"{rule}: {answer}, not among ")
        assert filter_.head.date in line(names, f"{rule}:")
    assert shipped().most_used.head.date in line(names, "near:")


def test_the_record_shows_the_name_in_every_style(upstream: Path, order: Order) -> None:
    assert line(decided(upstream, order), "styles") == (
        "styles: free, module vexsum, snake vex_sum, kebab vex-sum, dotted vex.sum, pascal VexSum, camel vexSum, "
        "screaming VEX_SUM, cli vex-sum, env VEX_SUM_, domain vexsum.example"
    )


@pytest.mark.parametrize("spelled", ["vexsum", "Vexsum", "VEX_SUM", "vex-sum", "VexSum", "vexSum", "vex.sum"])
def test_a_name_that_the_source_holds_in_any_style_is_refused(upstream: Path, order: Order, spelled: str) -> None:
    (upstream / "src/oldtally/more.py").write_text(f"note = '{spelled}'\n")
    refused = decided(upstream, order)
    assert isinstance(refused, Rejected)
    assert refused.reason is Reason.MAP_NOT_INVERTIBLE
    assert refused.evidence[0].where == "src/oldtally/more.py:1"


def test_public_names_that_stay_and_renames_without_a_place_are_written_down(upstream: Path, order: Order) -> None:
    table = order.rename.model_copy(update={"identifiers": {"recount_all": "sum_lines", "nowhere": "elsewhere"}})
    names = decided(upstream, order.model_copy(update={"rename": table}))
    assert line(names, "kept").endswith(": mark_rows")
    assert line(names, "unused").endswith(": nowhere")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("logging", Reason.NAME_TAKEN),
        ("print", Reason.NAME_TAKEN),
        ("while", Reason.NAME_TAKEN),
        ("basket", Reason.NAME_TAKEN),
        ("fulltally", Reason.NAME_TAKEN),
        ("xbrassy", Reason.NAME_TAKEN),
        ("finally", Reason.NAME_TAKEN),
        ("strconv", Reason.NAME_TAKEN),
        ("lodash", Reason.NAME_TAKEN),
        ("requestz", Reason.NAME_TAKEN),
        ("coreutils", Reason.NAME_TAKEN),
        ("debuild", Reason.NAME_TAKEN),
        ("theorem", Reason.NAME_TAKEN),
    ],
)
def test_a_name_that_is_in_use_or_near_the_upstreams_is_refused(
    upstream: Path, order: Order, name: str, reason: Reason
) -> None:
    refused = decided(upstream, product(order, name=name))
    assert isinstance(refused, Rejected)
    assert refused.reason is reason, refused


def test_a_name_that_the_registry_or_another_case_has_is_refused(upstream: Path, order: Order) -> None:
    for refused in (decided(upstream, order, registry=True), decided(upstream, order, taken=("vexsum",))):
        assert isinstance(refused, Rejected)
        assert refused.reason is Reason.NAME_TAKEN


def test_the_registry_is_asked_about_one_name_and_only_when_all_else_holds(upstream: Path, order: Order) -> None:
    asked: list[str] = []

    def ask(name: str) -> bool:
        asked.append(name)
        return False

    decide_names(upstream, product(order, name="fulltally"), survey=SURVEY, ask_registry=ask)
    assert asked == []
    decide_names(upstream, order, survey=SURVEY, ask_registry=ask)
    assert asked == ["vexsum"]


def test_an_order_whose_own_words_name_the_upstream_is_refused(upstream: Path, order: Order) -> None:
    refused = decided(upstream, product(order, summary="Counts as pyoldtallyhelper did."))
    assert isinstance(refused, Rejected)
    assert refused.reason is Reason.IDENTITY_LEFT
    assert "product.summary" in refused.evidence[0].where
