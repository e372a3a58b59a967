"""An order that cannot be read: one error that names every field that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskpack.errors import BadInput, CaseNotFound
from taskpack.order import read_order


@pytest.fixture
def order(tmp_path: Path, checkout: Path) -> Path:
    path = tmp_path / "case001" / "order.toml"
    path.parent.mkdir()
    path.write_bytes((checkout / "cases/case001/order.toml").read_bytes())
    return path


def test_a_name_that_is_misspelt_is_told_beside_the_one_that_is_missing_for_it(order: Path) -> None:
    order.write_text(order.read_text().replace("expected =", "expectd ="))
    with pytest.raises(BadInput) as caught:
        read_order(order)
    assert caught.value.message == f"{order} is not a readable order"
    assert caught.value.details == {
        "testing.expected": "Field required",
        "testing.expectd": "Extra inputs are not permitted",
    }


def test_all_wrong_fields_are_told_at_once(order: Path) -> None:
    order.write_text(order.read_text().replace("schema_version = 1", 'schema_version = 7\ncolour = "red"'))
    with pytest.raises(BadInput) as caught:
        read_order(order)
    assert set(caught.value.details) == {"schema_version", "colour"}


@pytest.mark.parametrize("text", ["name = \nx = 1", "= 1", "\x00"])
def test_what_is_no_toml_is_told_with_its_line(order: Path, text: str) -> None:
    order.write_text(text)
    with pytest.raises(BadInput, match="is not TOML") as caught:
        read_order(order)
    assert "line 1" in caught.value.details["fact"]


def test_a_case_without_an_order_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(CaseNotFound, match="case001 has no order"):
        read_order(tmp_path / "case001" / "order.toml")
