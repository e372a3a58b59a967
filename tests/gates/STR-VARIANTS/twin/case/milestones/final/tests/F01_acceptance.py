# feature: F01
"""FP-01 sums, shares and tags. The wording of messages and private names are not pinned."""

from F01_helpers import as_text, tag_by_hand
from judge.harness import clause, same


@clause("FP-01.N1")
def test_a_sum_is_exact(product, inputs):
    cents = [inputs.integer(100, 99_999) for _ in range(12)]
    seen = product.call("total_of", texts=[as_text(each) for each in cents])
    assert same(seen.value, as_text(sum(cents)))


@clause("FP-01.N1")
def test_a_sum_below_zero_keeps_its_sign(product):
    seen = product.call("total_of", texts=["1.00", "-2.05"])
    assert same(seen.value, "-1.05")


@clause("FP-01.N2")
def test_shares_differ_by_a_cent_and_larger_ones_come_first(product, inputs):
    share, few, more = inputs.integer(2, 50), inputs.integer(1, 3), inputs.integer(4, 6)
    expected = [share + 1] * few + [share] * more
    seen = product.call("shares_of", cents=sum(expected), parts=few + more)
    assert same(seen.value, expected)


@clause("FP-01.N3")
def test_a_tag_is_the_keyed_digest_in_hexadecimal(product, inputs):
    text, key = inputs.token(9).hex(), inputs.token(16)
    seen = product.call("tag_of", text=text, key=key)
    assert same(seen.value, tag_by_hand(text, key))


@clause("FP-01.B1")
def test_missing_decimals_count_as_zeros(product):
    seen = product.call("total_of", texts=["2", "0.5"])
    assert same(seen.value, "2.50")


@clause("FP-01.E1", "FP-01.N1")
def test_three_decimals_are_refused_and_two_are_not(product):
    refused = product.call("total_of", texts=["1.005"])
    assert refused.error.is_a("tally.BadAmount")
    taken = product.call("total_of", texts=["1.05"])
    assert same(taken.value, "1.05")


@clause("FP-01.E2", "FP-01.N2")
def test_no_parts_are_refused_and_one_is_not(product):
    refused = product.call("shares_of", cents=5, parts=0)
    assert refused.error.is_a("tally.BadParts")
    taken = product.call("shares_of", cents=5, parts=1)
    assert same(taken.value, [5])
