"""FP-01: adding up."""

from decimal import Decimal

import pytest
from F01_helpers import ledger

from judge.harness import clause, same


@clause("FP-01.N1")
def test_each_name_gets_the_sum_of_its_amounts(product, inputs):
    text, sums = ledger(inputs)
    seen = product.call("totals", text=text)
    assert same(seen.value, sums)


@clause("FP-01.N2")
@pytest.mark.parametrize("amount", ["1", "-1.50", "0.00"])
def test_amounts_keep_their_exact_text(product, inputs, amount):
    name = inputs.word()
    seen = product.call("rows", text=f"{name} {amount}")
    assert same(seen.value, [(name, Decimal(amount))])


@clause("FP-01.B1")
def test_no_lines_have_no_sums(product):
    assert same(product.call("totals", text="").value, {})


@clause("FP-01.E1")
def test_a_line_without_an_amount_is_refused_with_its_number(product, inputs):
    name = inputs.word()
    good = product.call("totals", text=f"{name} 1\n{name} 2")
    assert same(good.value, {name: Decimal(3)})
    bad = product.call("totals", text=f"{name} 1\n{name}")
    assert bad.error.is_a("tally.BadLine")
    assert bad.error.is_a("ValueError")
    assert same(bad.error.attrs["number"], 2)
