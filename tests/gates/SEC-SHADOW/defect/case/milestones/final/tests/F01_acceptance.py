# feature: F01
"""FP-01 sums, shares and tags. The wording of messages and private names are not pinned."""

from F01_helpers import as_text, tag_by_hand
from judge.harness import clause, same


@clause("FP-01.N1")
def test_a_sum_is_exact(product, inputs):
    cents = [inputs.integer(100, 99_999) for _ in range(12)]
    seen = product.call("total_is", texts=[as_text(each) for each in cents], expected=as_text(sum(cents)))
    assert same(seen.value, True)


@clause("FP-01.N1")
def test_a_sum_below_zero_keeps_its_sign(product):
    seen = product.call("total_is", texts=["1.00", "-2.05"], expected="-1.05")
    assert same(seen.value, True)


@clause("FP-01.N2")
def test_shares_differ_by_a_cent_and_larger_ones_come_first(product, inputs):
    share, few, more = inputs.integer(2, 50), inputs.integer(1, 3), inputs.integer(4, 6)
    expected = [share + 1] * few + [share] * more
    seen = product.call("shares_are", cents=sum(expected), parts=few + more, expected=expected)
    assert same(seen.value, True)


@clause("FP-01.N3")
def test_a_tag_is_the_keyed_digest_in_hexadecimal(product, inputs):
    text, key = inputs.token(9).hex(), inputs.token(16)
    seen = product.call("tag_is", text=text, key=key, expected=tag_by_hand(text, key))
    assert same(seen.value, True)


@clause("FP-01.B1")
def test_missing_decimals_count_as_zeros(product):
    seen = product.call("total_is", texts=["2", "0.5"], expected="2.50")
    assert same(seen.value, True)


@clause("FP-01.E1", "FP-01.N1")
def test_three_decimals_are_refused_and_two_are_not(product):
    refused = product.call("total_is_refused", texts=["1.005"])
    assert same(refused.value, True)
    taken = product.call("total_is", texts=["1.05"], expected="1.05")
    assert same(taken.value, True)


@clause("FP-01.E2", "FP-01.N2")
def test_no_parts_are_refused_and_one_is_not(product):
    refused = product.call("split_is_refused", cents=5, parts=0)
    assert same(refused.value, True)
    taken = product.call("shares_are", cents=5, parts=1, expected=[5])
    assert same(taken.value, True)
