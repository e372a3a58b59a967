# feature: F01
"""FP-01 tables written as text. The wording of messages is not pinned."""

from judge.harness import clause, same


@clause("FP-01.N1")
def test_a_table_is_read(product, inputs):
    number = inputs.integer(1, 999)
    seen = product.call("table_of", text=f"a = {number}\n[b]\nc = [true, 'd']\n")
    assert same(seen.value, {"a": number, "b": {"c": [True, "d"]}})


@clause("FP-01.N2")
def test_numbers_are_read_by_the_caller(product):
    seen = product.call("texts_of", text="a = 1.50\n")
    assert same(seen.value, {"a": "1.50"})


@clause("FP-01.N3")
def test_a_file_is_read_as_bytes(product):
    seen = product.call("table_in", data=b"a = 'b'\n")
    assert same(seen.value, {"a": "b"})


@clause("FP-01.E1", "FP-01.N1")
def test_what_is_no_table_is_refused(product):
    refused = product.call("table_of", text="a = = 1\n")
    assert refused.error.is_a("tally.BadText")
    assert refused.error.is_a("ValueError")
    taken = product.call("table_of", text="a = 1\n")
    assert same(taken.value, {"a": 1})
