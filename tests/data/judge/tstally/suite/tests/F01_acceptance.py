"""FP-01: adding up."""

from F01_helpers import ledger, text_of

from judge.harness import clause, same
from taskpack.wire.kinds import Obj


@clause("FP-01.N1")
def test_each_name_gets_the_sum_of_its_amounts(product, inputs):
    text, _, sums = ledger(inputs)
    assert same(product.call("totals", text=text).value, sums)


@clause("FP-01.N2")
def test_sums_are_exact_beyond_safe_numbers(product, inputs):
    name, one, other = inputs.word(), inputs.getrandbits(90) + 2**90, inputs.getrandbits(70)
    seen = product.call("totals", text=text_of([(name, one), (name, other)]))
    assert same(seen.value, {name: one + other})


@clause("FP-01.N3")
def test_rows_keep_the_order_of_the_lines(product, inputs):
    text, rows, _ = ledger(inputs, names=6)
    seen = product.call("F01.rows", text=text)
    assert same(seen.value, [Obj("tstally.Row", (), {"name": name, "amount": amount}) for name, amount in rows])


@clause("FP-01.N4")
def test_names_come_once_as_they_are_met(product, inputs):
    text, rows, _ = ledger(inputs)
    assert same(product.call("namesOf", text=text).value, list(dict.fromkeys(name for name, _ in rows)))


@clause("FP-01.N5")
def test_a_text_may_come_later(product, inputs):
    text, _, sums = ledger(inputs)
    assert same(product.call("loaded", text=text).value, sums)


@clause("FP-01.B1")
def test_no_lines_have_no_sums(product):
    assert same(product.call("totals", text="").value, {})


@clause("FP-01.E1")
def test_a_line_without_an_amount_is_refused_with_its_number(product, inputs):
    name = inputs.word()
    good = product.call("totals", text=f"{name} 1\n{name} 2")
    assert same(good.value, {name: 3})
    bad = product.call("totals", text=f"{name} 1\n{name}")
    assert bad.error.is_a("tstally.LineError")
    assert bad.error.is_a("SyntaxError")
    assert same(bad.error.attrs["number"], 2.0)
    assert same(bad.error.attrs["line"], name)


@clause("FP-01.E2")
def test_a_row_that_is_not_there_is_a_range_error(product, inputs):
    text, rows, _ = ledger(inputs)
    there = product.call("nameAt", text=text, place=len(rows) - 1)
    assert same(there.value, rows[-1][0])
    beyond = product.call("nameAt", text=text, place=len(rows))
    assert beyond.error.builtin == "RangeError"
    assert same(beyond.error.message, f"no row {len(rows)}")
