"""The overview of a specification: which values of the source it must and may leave open."""

from __future__ import annotations

import pytest

from authoring.overview import overview_findings
from taskpack.rendering import CHECKOUT
from taskpack.spec import NamedValue, Overview, Spec

BASE = CHECKOUT / "tests" / "gates" / "_base" / "case" / "provenance" / "spec.json"


def findings(*left_open: str) -> tuple[str, ...]:
    spec = Spec.from_bytes(BASE.read_bytes())
    values = tuple(NamedValue(value=value, reason="no caller sees it") for value in left_open)
    answer: Overview = spec.overview.model_copy(update={"left_open": values})
    forms = {form.name for form in spec.forms}
    return overview_findings(answer, forms=forms, unstated=("left-to-right",), elsewhere={"program-only"})


def test_a_value_of_the_feature_points_files_is_stated_or_left_open() -> None:
    assert findings() == ("`left-to-right` of the source is stated nowhere: state it or leave it open",)
    assert findings("left-to-right") == ()


def test_a_value_of_the_products_other_files_may_be_left_open_and_need_not() -> None:
    assert findings("left-to-right", "program-only") == ()


@pytest.mark.parametrize("value", ["made-up", ""])
def test_what_is_no_value_of_the_source_is_not_left_open(value: str) -> None:
    assert findings("left-to-right", value) == (f"left_open: `{value}` is stated, or no value of the source",)
