"""FP-01: adding up."""

from F01_helpers import ledger, text_of

from judge.harness import clause, same
from taskpack.wire.kinds import Obj


@clause("FP-01.N1")
def test_each_name_gets_the_sum_of_its_amounts(product, inputs):
    text, _, sums = ledger(inputs)
    assert same(product.call("Totals", text=text).value, sums)


@clause("FP-01.N2")
def test_sums_are_exact_beyond_machine_size(product, inputs):
    name, one, other = inputs.word(), inputs.getrandbits(90) + 2**90, inputs.getrandbits(70)
    seen = product.call("Totals", text=text_of([(name, one), (name, other)]))
    assert same(seen.value, {name: one + other})


@clause("FP-01.N3")
def test_rows_keep_the_order_of_the_lines(product, inputs):
    text, rows, _ = ledger(inputs, names=6)
    seen = product.call("F01.Rows", text=text)
    assert same(seen.value, [Obj("gotally.Row", (), {"Name": name, "Amount": amount}) for name, amount in rows])


@clause("FP-01.B1")
def test_no_lines_have_no_sums(product):
    assert same(product.call("Totals", text="").value, {})


@clause("FP-01.E1")
def test_a_line_without_an_amount_is_refused_with_its_number(product, inputs):
    name = inputs.word()
    good = product.call("Totals", text=f"{name} 1\n{name} 2")
    assert same(good.value, {name: 3})
    bad = product.call("Totals", text=f"{name} 1\n{name}")
    assert bad.error.is_a("*gotally.LineError")
    assert bad.error.is_a("gotally.ErrNoAmount")
    assert same(bad.error.attrs["Number"], 2)
    assert same(bad.error.attrs["Line"], name)


@clause("FP-01.E2")
def test_a_row_that_is_not_there_is_a_panic(product, inputs):
    text, rows, _ = ledger(inputs)
    there = product.call("NameAt", text=text, place=len(rows) - 1)
    assert same(there.value, rows[-1][0])
    beyond = product.call("NameAt", text=text, place=len(rows))
    assert beyond.error.is_a("panic")
    assert same(beyond.error.message, f"no row {len(rows)}")
