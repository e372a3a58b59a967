# feature: F03
"""FP-03 Seal with the time and refuse what is too old.

Deliberately not pinned: the wording of messages, private names, how results are computed, how often the
clock is read, numbers below 0 and above 2**64 - 1 as ages of a seal, encodings that base64_decode leaves
open, fractions of a second in timestamp_to_datetime, and which of its errors datetime raises between
253402300801 and 2**63 - 1.
"""
import pytest
from judge.harness import clause, same
from F03_helpers import (
    LAST,
    TOP,
    dated,
    derived_key,
    digest_of,
    fresh_time,
    hmac_of,
    long_stamp,
    long_stamp_of_zeros,
    moment,
    padded,
    raw,
    refused_stamp,
    sealed,
    shortest,
    signature,
    signed,
    stamp,
    stamp_of_width,
    wrong_signatures,
)

WAYS = ["infix-concat", "concat", "hmac", "none"]
NOW = 1700000000


# N1 -------------------------------------------------------------------------------------------


@clause("FP-03.N1")
def test_a_clock_sealer_is_a_sealer_with_its_defaults(product):
    for key in ("k\u00e9y", b"\xffkey"):
        seen = product.at(1700000000.5).call("kept_by_default", key=key)
        assert same(
            seen.value,
            {
                "sealers among its bases": 1,
                "keys": [[raw(key)], raw(key)],
                "salt": b"brinseal.Sealer",
                "sep": b".",
                "way": "infix-concat",
                "digest": digest_of(b"data"),
                "none": [b"brinseal.Sealer", "infix-concat"],
            },
        )


@clause("FP-03.N1", by="oracle")
def test_arguments_in_their_order_are_kept(product, inputs):
    keys, salt, sep = [inputs.text(6), inputs.token(9)], inputs.text(7), "\u00a7" + inputs.word(2)
    for way in WAYS:
        seen = product.call(
            "kept_as_given", keys=keys, salt=salt, sep=sep, way=way, digest="sha256", mac_digest="sha512"
        )
        assert same(
            seen.value,
            {
                "keys": [[raw(keys[0]), keys[1]], keys[1]],
                "salt": raw(salt),
                "sep": raw(sep),
                "way": way,
                "digest": digest_of(b"data", "sha256"),
                "algorithm": hmac_of(b"k", b"v", "sha512"),
                "signature": signature(b"v", keys[1], salt, way, "sha256", "sha512"),
            },
        )


@clause("FP-03.N1", by="oracle")
@pytest.mark.parametrize("way", WAYS)
def test_the_single_steps_are_those_of_a_sealer(product, inputs, way):
    keys, salt = [inputs.token(8), inputs.text(9)], inputs.token(6)
    given, value = inputs.text(5), inputs.text(12)
    for digest in ("sha1", "sha384"):
        right = [signature(value, key, salt, way, digest) for key in keys]
        wrong = [signature(dated(value, NOW), keys[1], salt, way, digest)]
        wrong += [signature(value, keys[1] + "x", salt, way, digest)]
        seen = product.at(1700000000.5).call(
            "bare_steps", keys=keys, salt=salt, way=way, digest=digest, given=given, value=value, sigs=right + wrong
        )
        assert same(
            seen.value,
            {
                "keys": [derived_key(keys[1], salt, way, digest), derived_key(given, salt, way, digest)],
                "signature": right[1],
                "verified": [True, True, False, False],
            },
        )


@clause("FP-03.N1", "FP-03.N2", by="oracle")
def test_a_subclass_sets_its_own_defaults(product, inputs):
    key, value, time = inputs.token(8), inputs.text(9), fresh_time(inputs)
    for way, digest in (("hmac", "sha256"), ("concat", "sha512")):
        seen = product.at(time + 0.25).call("made_in_subclass", key=key, value=value, way=way, digest=digest)
        whole = sealed(value, time, key, way=way, digest=digest)
        assert same(seen.value, [way, derived_key(key, way=way, digest=digest), whole, raw(value)])


# N2 -------------------------------------------------------------------------------------------


@clause("FP-03.N2")
def test_a_named_sample_is_sealed_with_its_time(product):
    seen = product.at(1700000000.25).call("sealed_now", key="key", value="caf\u00e9")
    assert same(seen.value, b"caf\xc3\xa9.ZVPxAA.C5xVo6ooeKLxdptEaPvGNfPLddY")
    seen = product.at(1700000001.0).call("sealed_now", key="key", value=b"caf\xc3\xa9")
    assert same(seen.value, signed(b"caf\xc3\xa9.ZVPxAQ", "key"))


@clause("FP-03.N2", "FP-03.N3", by="rows")
@pytest.mark.parametrize(
    "time, written",
    [(1, b"AQ"), (255, b"_w"), (256, b"AQA"), (65535, b"__8"), (4227858168, b"-__--A"), (4294967296, b"AQAAAAA")],
    ids=["one", "one byte", "two bytes", "full bytes", "both signs", "five bytes"],
)
def test_a_time_is_written_in_its_shortest_bytes(product, time, written):
    seen = product.call("sealed_by_own_clock", key="secret-key", value="value", clock=time)
    assert same(seen.value, signed(b"value." + written, "secret-key"))


@clause("FP-03.N2", by="oracle")
def test_every_setting_takes_part_in_a_timed_seal(product, inputs):
    rows = [(".", "infix-concat", "sha1"), (b"::", "concat", "sha256")]
    rows += [("\u00a7", "hmac", "sha512"), (b"\xff", "none", "sha1")]
    for sep, way, digest in rows:
        keys, salt, time = [inputs.token(7), inputs.text(8)], inputs.token(6), fresh_time(inputs)
        for value in (inputs.text(11), inputs.token(12)):
            seen = product.at(time + 0.75).call(
                "sealed_under", keys=keys, value=value, salt=salt, sep=sep, way=way, digest=digest
            )
            assert same(seen.value, sealed(value, time, keys[1], sep, salt=salt, way=way, digest=digest))


# N3, E10 --------------------------------------------------------------------------------------


@clause("FP-03.N3")
def test_named_integers_are_written_and_read(product):
    numbers = [0, 1, 255, 256, 1700000000, 2**63, 18446744073709551615]
    strings = [b"", b"\x01", b"\xff", b"\x01\x00", b"eS\xf1\x00", b"\x80" + b"\x00" * 7, b"\xff" * 8]
    assert same(product.call("integers_written", numbers=numbers).value, strings)
    assert same(product.call("integers_read", strings=strings).value, numbers)
    zeros = [b"\x00", b"\x00" * 8, b"\x00\x01", b"\x00\x00\x00\x00eS\xf1\x00", b"\x00" + b"\xff" * 7]
    assert same(product.call("integers_read", strings=zeros).value, [0, 0, 1, 1700000000, 2**56 - 1])


@clause("FP-03.N3", by="oracle")
def test_fresh_integers_of_every_width(product, inputs):
    numbers = [inputs.integer(256**width, 256 ** (width + 1) - 1) for width in range(8)]
    limits = [256**width - offset for width in range(1, 8) for offset in (1, 0)]
    seen = product.call("integers_there_and_back", numbers=numbers + limits)
    assert same(seen.value, [[shortest(number), number] for number in numbers + limits])
    longer = [b"\x00" * inputs.integer(1, 8 - len(shortest(number))) + shortest(number) for number in numbers[:7]]
    assert same(product.call("integers_read", strings=longer).value, numbers[:7])


@clause("FP-03.E10", "FP-03.N3")
def test_what_is_no_integer_of_eight_bytes_is_not_written(product):
    for number in (-1, 2**64, 2**64 + 5, 1.0, 1.5, 0.0, "1", b"1", None):
        assert product.call("integers_written", numbers=[number]).error.is_a("struct.error")
    assert same(product.call("integers_written", numbers=[0, TOP, 1]).value, [b"", b"\xff" * 8, b"\x01"])


@clause("FP-03.E10", "FP-03.N3", by="answer")
def test_more_than_eight_bytes_are_not_read(product, inputs):
    number = inputs.integer(2**56, TOP)
    eight = shortest(number)
    for string in (b"\x00" + eight, eight + b"\x00", b"\x00" * 9, inputs.token(30)):
        assert product.call("integers_read", strings=[string]).error.is_a("struct.error")
    assert same(product.call("integers_read", strings=[eight, b"\x00" + eight[:7]]).value, [number, number >> 8])


@clause("FP-03.E10", "FP-03.N5", by="oracle")
def test_a_clock_that_gives_no_fit_integer_stops_sealing(product, inputs):
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    for clock in (-1, -time, 2**64, time + 0.5, float(time), None):
        refused = product.call("sealed_by_own_clock", key=key, value=value, clock=clock)
        assert refused.error.is_a("struct.error")
    for clock in (time, TOP):
        seen = product.call("sealed_by_own_clock", key=key, value=value, clock=clock)
        assert same(seen.value, sealed(value, clock, key))


# N4, N5 ---------------------------------------------------------------------------------------


@clause("FP-03.N4")
def test_a_fraction_of_the_present_second_is_cut_off(product):
    rows = [(0.0, 0), (0.875, 0), (1.0, 1), (1700000000.0, 1700000000), (1700000000.25, 1700000000)]
    rows += [(1700000000.5, 1700000000), (1700000001.5, 1700000001), (1700000001.875, 1700000001)]
    for told, second in rows:
        assert same(product.at(told).call("present_time", key="secret-key").value, second)


@clause("FP-03.N4", by="answer")
def test_a_fresh_present_second(product, inputs):
    for fraction in (0.0, 0.125, 0.75, 0.984375):
        time = fresh_time(inputs)
        assert same(product.at(time + fraction).call("present_time", key=inputs.token(5)).value, time)


@clause("FP-03.N5", "FP-03.N2", by="oracle")
def test_the_own_clock_of_a_subclass_is_what_seal_writes(product, inputs):
    key, value = inputs.token(8), inputs.text(9)
    clocks = [fresh_time(inputs), 1000, 0, inputs.integer(2**40, 2**60), 1001]
    seen = product.at(1700000000.5).call("sealed_as_time_goes", key=key, value=value, clocks=clocks)
    assert same(seen.value, [sealed(value, clock, key) for clock in clocks])


@clause("FP-03.N5", "FP-03.N9")
def test_an_age_is_told_by_the_own_clock_of_a_subclass(product):
    whole = sealed(b"v", 1000, "key")
    clocks = [1004, 1005, 1006, 1000, 999, 0, 1005, -1000, 2**70]
    seen = product.at(1002.5).call("ages_as_time_goes", key="key", sealed=whole, max_age=5, clocks=clocks)
    assert same(seen.value, [True, True, False, True, False, False, True, False, False])


@clause("FP-03.N5", "FP-03.E7", by="answer")
def test_the_own_clock_stands_in_place_of_the_present_time(product, inputs):
    key, value, clock = inputs.token(7), inputs.text(9), fresh_time(inputs)
    limit = inputs.integer(1, 1000)
    whole = sealed(value, clock - limit, key)
    shared = {"key": key, "sealed": whole, "max_age": limit}
    for told in (clock - limit + 0.5, clock + 70000.5):
        seen = product.at(told).call("opened_by_own_clock", clock=clock, **shared)
        assert same(seen.value, [raw(value), True])
        refused = product.at(told).call("opened_by_own_clock", clock=clock + 1, **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], raw(value))


@clause("FP-03.N5", "FP-03.N7", by="answer")
def test_without_a_limit_the_clock_is_not_called(product, inputs):
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    whole = sealed(value, time, key)
    for name, expected in (("opened_without_a_clock", raw(value)), ("validated_without_a_clock", True)):
        for options in ({}, {"max_age": None}):
            assert same(product.call(name, key=key, sealed=whole, options=options).value, expected)
        refused = product.call(name, key=key, sealed=whole, options={"max_age": 0})
        assert refused.error.is_a("AttributeError")
    assert same(product.call("dated_without_a_clock", key=key, sealed=whole).value, [raw(value), moment(time)])


# N6, E9 ---------------------------------------------------------------------------------------


@clause("FP-03.N6")
def test_named_times(product):
    numbers = [1700000000, 0, 1, -1, 951782400, 2**31, LAST, -62135596800]
    assert same(
        product.call("written_times", numbers=numbers).value,
        [
            "2023-11-14T22:13:20+00:00",
            "1970-01-01T00:00:00+00:00",
            "1970-01-01T00:00:01+00:00",
            "1969-12-31T23:59:59+00:00",
            "2000-02-29T00:00:00+00:00",
            "2038-01-19T03:14:08+00:00",
            "9999-12-31T23:59:59+00:00",
            "0001-01-01T00:00:00+00:00",
        ],
    )
    seen = product.call("pieces_of_a_time", number=1700000000)
    assert same(seen.value, [2023, 11, 14, 22, 13, 20, 0, "2023-11-14T22:13:20+00:00"])


@clause("FP-03.N6", by="oracle")
def test_fresh_times(product, inputs):
    numbers = [fresh_time(inputs), -fresh_time(inputs), inputs.integer(2**33, LAST), inputs.integer(-62135596800, 0)]
    seen = product.at(1700000000.5).call("written_times", numbers=numbers)
    assert same(seen.value, [moment(number) for number in numbers])


@clause("FP-03.E9", "FP-03.N6", by="answer")
def test_a_time_beyond_the_last_one_is_an_error_of_datetime(product, inputs):
    rows = [(LAST + 1, "ValueError"), (2**63, "OverflowError"), (inputs.integer(2**63, TOP), "OverflowError")]
    for number, kind in rows:
        assert product.call("written_times", numbers=[number]).error.is_a(kind)
    assert same(product.call("written_times", numbers=[LAST]).value, ["9999-12-31T23:59:59+00:00"])


# N7, N8 ---------------------------------------------------------------------------------------


@clause("FP-03.N7")
def test_without_a_limit_every_age_is_accepted(product):
    bodies = [b"v.ZVPxAA", b"v.AQ", b"v.ZWMzAA", b"v.", "caf\u00e9.ZVPxAA"]
    seals = [signed(body, "key") for body in bodies]
    for told in (1700000000.0, 1800000000.5, 0.0):
        seen = product.at(told).call("opened_each", key="key", sep=".", sealed_values=seals)
        assert same(seen.value, [b"v", b"v", b"v", b"v", b"caf\xc3\xa9"])


@clause("FP-03.N7", "FP-03.N8", "FP-03.N9", by="answer")
def test_the_arguments_have_their_order_and_their_names(product, inputs):
    key, value, time = inputs.token(7), inputs.token(9), fresh_time(inputs)
    shared = {"key": key, "sealed": sealed(value, time, key)}
    old = product.at(time + 5.5)
    for arguments in ([], [None], [None, False], [5], [5, False]):
        assert same(old.call("opened_in_order", arguments=arguments, **shared).value, value)
    assert same(product.at(time - 86399.5).call("opened_in_order", arguments=[], **shared).value, value)
    refused = old.call("opened_in_order", arguments=[4], **shared)
    assert refused.error.is_a("brinseal.SealExpired")
    assert same(old.call("opened_by_name", max_age=5, **shared).value, value)
    assert old.call("opened_by_name", max_age=4, **shared).error.is_a("brinseal.SealExpired")


@clause("FP-03.N8")
def test_a_named_value_comes_with_its_time(product):
    shared = {"key": "key", "sealed": signed(b"v.ZVPxAA", "key")}
    for told in (1700000000.75, 1700009999.5, 1600000000.0):
        seen = product.at(told).call("opened_with_its_time", options={}, **shared)
        assert same(seen.value, [b"v", "2023-11-14T22:13:20+00:00"])
    seen = product.at(1700000000.75).call("opened_with_its_time", options={"max_age": 0}, **shared)
    assert same(seen.value, [b"v", "2023-11-14T22:13:20+00:00"])


@clause("FP-03.N8", "FP-03.E7", by="answer")
def test_with_its_time_a_value_keeps_to_the_limit(product, inputs):
    key, value, time, limit = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.integer(1, 900)
    shared = {"key": key, "sealed": sealed(value, time, key), "max_age": limit}
    seen = product.at(time + limit + 0.5).call("opened_in_order_with_its_time", **shared)
    assert same(seen.value, [raw(value), moment(time)])
    for told in (time + limit + 1.0, time - 0.5):
        refused = product.at(told).call("opened_in_order_with_its_time", **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], raw(value))


@clause("FP-03.N8", "FP-03.E7", "FP-03.E8", by="answer")
def test_a_subclass_tells_the_time_in_its_own_way(product, inputs):
    key, value, time, tag = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.word(5)
    shared = {"key": key, "sep": "!", "tag": tag}
    for number in (time, LAST + 1, 0):
        seen = product.call("opened_with_own_times", sealed=sealed(value, number, key, "!"), options={}, **shared)
        assert same(seen.value, [raw(value), [tag, number]])
    whole = sealed(value, time, key, "!")
    for told in (time + 9.5, time - 0.5):
        refused = product.at(told).call("opened_with_own_times", sealed=whole, options={"max_age": 8}, **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["sealed_at"], [tag, time])
        assert same(refused.error.attrs["payload"], raw(value))


# N9, B1, B2 -----------------------------------------------------------------------------------


@clause("FP-03.N9", "FP-03.E7", "FP-03.E8")
def test_both_sides_of_a_limit(product):
    shared = {"key": "key", "sep": ".", "sealed": signed(b"v.ZVPxAA", "key"), "options": {"max_age": 30}}
    for told in (1700000000.0, 1700000001.0, 1700000029.5, 1700000030.0):
        assert same(product.at(told).call("opened", **shared).value, b"v")
    for told in (1700000031.0, 1700000031.5, 1699999999.0, 1600000000.0, 1800000000.0):
        refused = product.at(told).call("opened", **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], b"v")


@clause("FP-03.N9", by="relation")
def test_what_was_sealed_then_is_opened_within_the_limit(product, inputs):
    key, value, time, limit = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.integer(2, 100000)
    whole = product.at(time + 0.5).call("sealed_now", key=key, value=value).value
    for age in (0, 1, inputs.integer(1, limit), limit):
        seen = product.at(time + age + 0.25).call("opened", key=key, sep=".", sealed=whole, options={"max_age": limit})
        assert same(seen.value, raw(value))
    for age in (-1, limit + 1, limit + inputs.integer(2, 900)):
        refused = product.at(time + age + 0.25).call(
            "opened", key=key, sep=".", sealed=whole, options={"max_age": limit}
        )
        assert refused.error.is_a("brinseal.SealExpired")


@clause("FP-03.B1", "FP-03.E7")
def test_named_limits_of_zero_and_below(product):
    whole = signed(b"v.ZVPxAA", "key")
    limits = [0, 0.0, None, -1, -5, -0.5, 1]
    rows = [
        (1700000000.875, [True, True, True, False, False, False, True]),
        (1700000001.0, [False, False, True, False, False, False, True]),
        (1699999999.5, [False, False, True, False, False, False, False]),
        (1699999995.0, [False, False, True, False, False, False, False]),
    ]
    for told, expected in rows:
        seen = product.at(told).call("validated_by_limits", key="key", sealed=whole, limits=limits)
        assert same(seen.value, expected)


@clause("FP-03.B1", by="answer")
def test_a_limit_of_zero_opens_only_in_the_second_of_sealing(product, inputs):
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    shared = {"key": key, "sep": "!", "sealed": sealed(value, time, key, "!")}
    for told in (time + 0.0, time + 0.75):
        assert same(product.at(told).call("opened", options={"max_age": 0}, **shared).value, raw(value))
    rows = [(time + 1.0, 0), (time - 0.5, 0), (time + 0.5, -1), (time - 2.0, -2), (time - 2.0, -5), (time - 5.0, -2)]
    for told, limit in rows:
        refused = product.at(told).call("opened", options={"max_age": limit}, **shared)
        assert refused.error.is_a("brinseal.SealExpired")


@clause("FP-03.B2", "FP-03.N10")
def test_a_limit_may_have_a_fraction_and_an_age_has_none(product):
    whole = signed(b"v.ZVPxAA", "key")
    limits = [10, 10.0, 10.5, 9.5, 9.75, 9, 10.875, 11]
    rows = [
        (1700000010.9, [True, True, True, False, False, False, True, True]),
        (1700000011.0, [False, False, False, False, False, False, False, True]),
        (1700000009.9, [True, True, True, True, True, True, True, True]),
    ]
    for told, expected in rows:
        seen = product.at(told).call("validated_by_limits", key="key", sealed=whole, limits=limits)
        assert same(seen.value, expected)


@clause("FP-03.B2", "FP-03.E7", by="answer")
def test_fresh_limits_with_fractions(product, inputs):
    key, value, time, age = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.integer(1, 5000)
    shared = {"key": key, "sep": ".", "sealed": sealed(value, time, key)}
    late = product.at(time + age + 0.875)
    for limit in (age + 0.0, age + 0.25, age):
        assert same(late.call("opened", options={"max_age": limit}, **shared).value, raw(value))
    for limit in (age - 0.25, age - 0.75, age - 1):
        assert late.call("opened", options={"max_age": limit}, **shared).error.is_a("brinseal.SealExpired")


# N10 ------------------------------------------------------------------------------------------


@clause("FP-03.N10")
def test_validating_named_samples(product):
    bodies = [b"v.ZVPw9g", b"v.ZVPw9Q", b"v.ZVPxAQ", b"v", b"v.A", b"v.AAAAAAAAAAAA"]
    seals = [signed(body, "key") for body in bodies] + [b"v.ZVPw9g", b"", b"v.ZVPw9g.", b"v.ZVPw9g.AAAA"]
    now = product.at(1700000000.5)
    seen = now.call("validated_within", key="key", sealed_values=seals, max_age=10)
    assert same(seen.value, [True] + [False] * 9)
    seen = now.call("validated", key="key", sep=".", sealed_values=seals)
    assert same(seen.value, [True, True, True] + [False] * 7)


@clause("FP-03.N10", by="answer")
def test_validating_fresh_values(product, inputs):
    key, value, time, limit = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.integer(1, 900)
    body = dated(value, time - limit)
    wrong = [body + b"." + sig for sig in wrong_signatures(inputs, body, key)]
    wrong += [signed(raw(value) + b"." + refused_stamp(inputs), key), signed(b"a." + long_stamp(inputs), key)]
    seals = [signed(body, key)] + [sealed(value, when, key) for when in (time, time + 1, time - limit - 1)]
    now = product.at(time + 0.5)
    seen = now.call("validated_within", key=key, sealed_values=seals + wrong, max_age=limit)
    assert same(seen.value, [True, True, False, False] + [False] * 7)
    seen = now.call("validated", key=key, sep=".", sealed_values=seals + wrong)
    assert same(seen.value, [True, True, True, True] + [False] * 7)


@clause("FP-03.N10", "FP-03.N1", by="answer")
def test_a_ring_of_keys_opens_and_validates(product, inputs):
    keys, value, time = [inputs.token(5), inputs.token(6), inputs.text(7)], inputs.text(9), fresh_time(inputs)
    seals = [sealed(value, time, key) for key in keys]
    foreign = [sealed(value, time, inputs.token(8)), sealed(value, time, keys[2], salt=b"other")]
    foreign += [sealed(value, time, keys[2], ":")]
    seals += [whole.decode("utf-8") for whole in seals]
    seen = product.call("opened_each", key=keys, sep=".", sealed_values=seals)
    assert same(seen.value, [raw(value)] * 6)
    seen = product.at(time + 3.5).call("validated_within", key=keys, sealed_values=seals + foreign, max_age=3)
    assert same(seen.value, [True] * 6 + [False] * 3)
    refused = product.call("opened_each", key=keys[1:], sep=".", sealed_values=seals[:1])
    assert refused.error.is_a("brinseal.BrokenTimeSeal")


# N11 ------------------------------------------------------------------------------------------


@clause("FP-03.N11")
def test_named_seals_cross_over(product):
    seen = product.at(1700000000.5).call(
        "across", key="key", salt=None, sep=".", way=None, digest="sha1", value="caf\u00e9", body=b"w.x.ZVPxAA"
    )
    assert same(
        seen.value,
        {
            "plain takes": b"caf\xc3\xa9.ZVPxAA",
            "plain validates": True,
            "timed takes": b"w.x",
            "timed takes at once": b"w.x",
        },
    )
    refused = product.at(1700000001.0).call(
        "across", key="key", salt=None, sep=".", way=None, digest="sha1", value="caf\u00e9", body=b"w.x.ZVPxAA"
    )
    assert refused.error.is_a("brinseal.SealExpired")


@clause("FP-03.N11", by="answer")
@pytest.mark.parametrize("way", WAYS)
def test_fresh_seals_cross_over_under_equal_settings(product, inputs, way):
    key, salt, time = inputs.token(7), inputs.token(6), fresh_time(inputs)
    for sep, digest in ((b"::", "sha256"), (b"\xff", "sha1")):
        value, other = inputs.token(9), inputs.text(8)
        seen = product.at(time + 0.5).call(
            "across", key=key, salt=salt, sep=sep, way=way, digest=digest, value=value, body=dated(other, time, sep)
        )
        assert same(
            seen.value,
            {
                "plain takes": dated(value, time, sep),
                "plain validates": True,
                "timed takes": raw(other),
                "timed takes at once": raw(other),
            },
        )


# B3, B4 ---------------------------------------------------------------------------------------


@clause("FP-03.B3", "FP-03.N2")
def test_the_time_zero_is_written_as_nothing(product):
    for told in (0.0, 0.875):
        seen = product.at(told).call("sealed_now", key="key", value=b"v")
        assert same(seen.value, b"v..68HB3uLbJishVBpoiVMwVb-ZiDc")
    assert same(product.at(1.0).call("sealed_now", key="key", value=b"v").value, signed(b"v.AQ", "key"))
    shared = {"key": "key", "sealed": b"v..68HB3uLbJishVBpoiVMwVb-ZiDc", "options": {"max_age": 0}}
    seen = product.at(0.5).call("opened_with_its_time", **shared)
    assert same(seen.value, [b"v", "1970-01-01T00:00:00+00:00"])


@clause("FP-03.B3", "FP-03.N9", by="answer")
def test_an_empty_timestamp_is_the_time_zero(product, inputs):
    key, value, age = inputs.token(7), inputs.text(9), inputs.integer(1, 5000)
    shared = {"key": key, "sep": "::", "sealed": signed(raw(value) + b"::", key, "::")}
    assert same(product.call("opened", options={}, **shared).value, raw(value))
    old = product.at(age + 0.5)
    assert same(old.call("opened", options={"max_age": age}, **shared).value, raw(value))
    assert old.call("opened", options={"max_age": age - 1}, **shared).error.is_a("brinseal.SealExpired")
    seen = product.call("opened_with_its_time", key=key, sealed=signed(b"." + raw(value) + b".", key), options={})
    assert same(seen.value, [b"." + raw(value), "1970-01-01T00:00:00+00:00"])


@clause("FP-03.B4")
def test_named_values_of_separators_come_back_whole(product):
    values = [b"", b".", b"a.b.", b"..", b"a::b::", b"::", b":", b"v.ZVPxAA", b"v::ZVPxAA"]
    for sep in (b".", b"::", b"..", b"a.b"):
        for time in (NOW, 0):
            seen = product.at(time + 0.5).call("there_and_back", key="key", sep=sep, values=values)
            seals = [sealed(value, time, "key", sep) for value in values]
            assert same(seen.value, [seals, values, [True] * 9])


@clause("FP-03.B4", by="oracle")
@pytest.mark.parametrize(
    "sep",
    [b"\xff", b"\xc2\xa7", b"-.", b".A", b"=:=", b"A A"],
    ids=["byte", "sign", "minus", "letter", "equals", "blank"],
)
def test_fresh_values_of_separators_come_back_whole(product, inputs, sep):
    key, time = inputs.token(7), fresh_time(inputs)
    values = [b"", sep, sep + sep, inputs.token(6) + sep, sep + inputs.token(6)]
    values += [inputs.token(4) + sep + inputs.token(4) + sep[:1]]
    seen = product.at(time + 0.5).call("there_and_back", key=key, sep=sep, values=values)
    assert same(seen.value, [[sealed(value, time, key, sep) for value in values], values, [True] * 6])


# B5, B6 ---------------------------------------------------------------------------------------


@clause("FP-03.B5")
def test_other_spellings_of_a_named_timestamp(product):
    bodies = [b"v.ZVPxAA==", b"v.AAAAAGVT8QA", b"v.AAAAAGVT8QA=", b"v.AGVT8QA", b"v.AAAAAAAAAAA", b"v.AA=="]
    seen = product.call("each_opened_with_its_time", key="key", sealed_values=[signed(body, "key") for body in bodies])
    now, zero = "2023-11-14T22:13:20+00:00", "1970-01-01T00:00:00+00:00"
    assert same(seen.value, [[b"v", when] for when in (now, now, now, now, zero, zero)])


@clause("FP-03.B5", "FP-03.N9", by="answer")
def test_other_spellings_of_fresh_timestamps_have_their_age(product, inputs):
    key, value, limit = inputs.token(7), inputs.text(9), inputs.integer(1, 900)
    time = inputs.integer(2**24, 2**31)
    codes = [padded(stamp(time))] + [stamp_of_width(time, width) for width in (5, 7, 8)]
    codes += [padded(stamp_of_width(time, 8))]
    seals = [signed(raw(value) + b"." + code, key) for code in codes]
    for told, answer in ((time + limit + 0.5, True), (time + limit + 1.0, False), (time - 0.5, False)):
        seen = product.at(told).call("validated_within", key=key, sealed_values=seals, max_age=limit)
        assert same(seen.value, [answer] * 5)
    seen = product.call("each_opened_with_its_time", key=key, sealed_values=seals)
    assert same(seen.value, [[raw(value), moment(time)]] * 5)


@clause("FP-03.B6")
def test_named_times_beyond_the_last_one_are_accepted(product):
    bodies = [b"v.Ov_0QYA", b"v.f_________8", b"v.gAAAAAAAAAA", b"v.__________8"]
    numbered = [dated(b"v", number) for number in (LAST, LAST + 1, 2**63, TOP)]
    seals = [signed(body, "key") for body in bodies + numbered]
    seen = product.at(1700000000.5).call("opened_each", key="key", sep=".", sealed_values=seals)
    assert same(seen.value, [b"v"] * 8)
    assert same(product.at(1700000000.5).call("validated", key="key", sep=".", sealed_values=seals).value, [True] * 8)


@clause("FP-03.B6", "FP-03.E9", by="answer")
def test_fresh_times_beyond_the_last_one_are_accepted_without_a_limit(product, inputs):
    key, value = inputs.token(7), inputs.text(9)
    for number in (LAST + 1, inputs.integer(2**63, TOP)):
        kind = "ValueError" if number == LAST + 1 else "OverflowError"
        whole = sealed(value, number, key, "!")
        for options in ({}, {"max_age": None}):
            assert same(product.call("opened", key=key, sep="!", sealed=whole, options=options).value, raw(value))
        assert product.call("opened", key=key, sep="!", sealed=whole, options={"with_timestamp": True}).error.is_a(kind)


# E1, E2 ---------------------------------------------------------------------------------------


@clause("FP-03.E1")
def test_without_a_separator_there_is_no_payload(product):
    rows = [(".", b"nothing"), (".", b""), (".", ""), ("::", b"v:ZVPxAA:sig."), ("..", "a.b.c")]
    for sep, whole in rows:
        refused = product.at(1700000000.5).call("opened", key="key", sep=sep, sealed=whole, options={"max_age": 1})
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert not refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.attrs["payload"], None)
    whole = signed(b"v::ZVPxAA", "key", "::")
    seen = product.at(1700000000.5).call("opened", key="key", sep="::", sealed=whole, options={"max_age": 1})
    assert same(seen.value, b"v")


@clause("FP-03.E1", by="answer")
def test_fresh_parts_without_a_separator(product, inputs):
    key, value, time = inputs.token(7), inputs.word(9), fresh_time(inputs)
    whole = raw(value) + stamp(time) + signature(dated(value, time, "!"), key)
    for options in ({}, {"with_timestamp": True}):
        refused = product.call("opened", key=key, sep="!", sealed=whole, options=options)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert not refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.attrs["payload"], None)
    whole = sealed(value, time, key, "!")
    assert same(product.call("opened", key=key, sep="!", sealed=whole, options={}).value, raw(value))


@clause("FP-03.E2")
def test_a_seal_cut_off_with_its_separator(product):
    rows = [(".", b"v", b"ZVPxAA"), (".", b"v", b""), (".", b"", b""), (".", b"v", b"A"), ("::", b"a:b.c", b"ZVPxAA")]
    for sep, payload, tail in rows:
        shared = {"key": "key", "sep": sep, "options": {"max_age": 5}}
        refused = product.at(1700000000.5).call("opened", sealed=payload + raw(sep) + tail, **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert not refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.attrs["payload"], payload)
        whole = sealed(payload, NOW, "key", sep)
        assert same(product.at(1700000000.5).call("opened", sealed=whole, **shared).value, payload)


@clause("FP-03.E2", by="answer")
def test_a_fresh_wrong_signature_without_a_timestamp(product, inputs):
    key, value, time = inputs.token(7), inputs.word(9), fresh_time(inputs)
    for sig in wrong_signatures(inputs, value, key):
        refused = product.call("opened", key=key, sep=".", sealed=raw(value) + b"." + sig, options={})
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert not refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.attrs["payload"], raw(value))
    seen = product.call("opened", key=key, sep=".", sealed=sealed(value, time, key), options={})
    assert same(seen.value, raw(value))


# E3, E4 ---------------------------------------------------------------------------------------


@clause("FP-03.E3")
def test_a_wrong_signature_under_a_named_time(product):
    right = signature(b"a.b.ZVPxAA", "key")
    rows = [
        (b"a.b.ZVPxAA." + signature(b"a.b.ZVPxAA", "kez"), b"a.b", NOW),
        (b"a.c.ZVPxAA." + right, b"a.c", NOW),
        (b"a.b.ZVPxAQ." + right, b"a.b", NOW + 1),
        (b"a.b.ZVPxAA.", b"a.b", NOW),
        (b"a.b.ZVPxAA.A", b"a.b", NOW),
        (b".." + right, b"", 0),
        (b"a.b.Ov_0QX8." + right, b"a.b", LAST),
    ]
    for whole, payload, time in rows:
        refused = product.call("opened_by_a_writer_of_times", key="key", sep=".", sealed=whole, options={})
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert not refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], payload)
        assert same(refused.error.attrs["sealed_at"], moment(time))
    whole = b"a.b.ZVPxAA." + right
    seen = product.call("opened_by_a_writer_of_times", key="key", sep=".", sealed=whole, options={})
    assert same(seen.value, b"a.b")


@clause("FP-03.E3", by="answer")
def test_a_wrong_signature_comes_before_any_age(product, inputs):
    key, value, time, tag = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.word(4)
    body = dated(value, time)
    shared = {"key": key, "sep": ".", "tag": tag}
    foreign = wrong_signatures(inputs, body, key)
    rows = [(time + 0.5, 5), (time + 90.5, 5), (time - 9.5, 5), (time + 6.0, 5), (time + 0.0, -1)]
    for sig, (told, limit) in zip(foreign, rows):
        refused = product.at(told).call(
            "opened_with_own_times", sealed=(body + b"." + sig).decode("utf-8"), options={"max_age": limit}, **shared
        )
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert not refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], raw(value))
        assert same(refused.error.attrs["sealed_at"], [tag, time])
    right = {"sealed": signed(body, key), "options": {"max_age": 5}}
    seen = product.at(time + 5.5).call("opened_with_own_times", **right, **shared)
    assert same(seen.value, [raw(value), [tag, time]])


@clause("FP-03.E4")
def test_an_unproven_timestamp_that_tells_no_named_time(product):
    rows = [b"A", b"AAAAA", b"AAAAAAAAAAAA", b"AAAAAABlU_EA", b"Ov_0QYA", b"gAAAAAAAAAA", b"__________8"]
    for code in rows:
        whole = b"a.b." + code + b"." + signature("else", "key")
        refused = product.at(1700000000.5).call("opened", key="key", sep=".", sealed=whole, options={"max_age": 10})
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert not refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], b"a.b")
        assert same(refused.error.attrs["sealed_at"], None)
    whole = signed(b"a.b.ZVPxAA", "key")
    seen = product.at(1700000000.5).call("opened", key="key", sep=".", sealed=whole, options={"max_age": 10})
    assert same(seen.value, b"a.b")


@clause("FP-03.E4", by="answer")
def test_an_unproven_timestamp_that_tells_no_fresh_time(product, inputs):
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    codes = [refused_stamp(inputs), long_stamp(inputs), long_stamp_of_zeros(inputs)]
    codes += [stamp(inputs.integer(*ends)) for ends in ((LAST + 1, 2**40), (2**50, 2**62), (2**63, TOP))]
    for code in codes:
        whole = raw(value) + b"!" + code + b"!" + signature(value, key)
        refused = product.call("opened", key=key, sep="!", sealed=whole, options={"with_timestamp": False})
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.attrs["payload"], raw(value))
        assert same(refused.error.attrs["sealed_at"], None)
    whole = sealed(value, time, key, "!")
    seen = product.call("opened", key=key, sep="!", sealed=whole, options={"with_timestamp": False})
    assert same(seen.value, raw(value))


@clause("FP-03.E4", by="answer")
@pytest.mark.parametrize("kind", ["ValueError", "OSError", "OverflowError"])
def test_a_time_that_a_subclass_cannot_tell(product, inputs, kind):
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    refused = product.call("opened_where_times_fail", kind=kind, key=key, sealed=sealed(value, time, key + b"x"))
    assert refused.error.is_a("brinseal.BrokenTimeSeal")
    assert same(refused.error.attrs["payload"], raw(value))
    assert same(refused.error.attrs["sealed_at"], None)
    seen = product.call("opened_where_times_fail", kind=kind, key=key, sealed=sealed(value, time, key))
    assert same(seen.value, raw(value))


# E5, E6 ---------------------------------------------------------------------------------------


@clause("FP-03.E5")
def test_a_right_seal_without_a_time(product):
    rows = [(".", b"plain"), (".", b""), ("::", b"v.ZVPxAA"), ("..", b"a.b"), (".", b"ZVPxAA")]
    for sep, body in rows:
        shared = {"key": "key", "sep": sep, "options": {"max_age": 10}}
        refused = product.at(1700000000.5).call("opened", sealed=signed(body, "key", sep), **shared)
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert not refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], body)
        assert same(refused.error.attrs["sealed_at"], None)
        whole = sealed(body, NOW, "key", sep)
        assert same(product.at(1700000000.5).call("opened", sealed=whole, **shared).value, body)


@clause("FP-03.E5", "FP-03.N11", by="answer")
def test_a_fresh_value_that_a_plain_sealer_sealed(product, inputs):
    key, salt, word, time = inputs.token(7), inputs.text(6), inputs.word(9), fresh_time(inputs)
    shared = {"key": key, "salt": salt, "other_salt": salt}
    refused = product.call("plain_seal_opened", body=word, **shared)
    assert refused.error.is_a("brinseal.BrokenTimeSeal")
    assert same(refused.error.attrs["payload"], raw(word))
    assert same(refused.error.attrs["sealed_at"], None)
    assert same(product.call("plain_seal_opened", body=dated(word, time), **shared).value, raw(word))


@clause("FP-03.E6")
def test_a_right_seal_over_a_named_malformed_timestamp(product):
    rows = [b"A", b"AAAAA", b"ZVPxAAAAA", b"AAAAAAAAAAAA", b"AAAAAABlU_EA", b"AQAAAAAAAAAA"]
    for code in rows:
        whole = signed(b"a.b." + code, "key")
        refused = product.at(1700000000.5).call("opened", key="key", sep=".", sealed=whole, options={"max_age": 10})
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert not refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], b"a.b")
        assert same(refused.error.attrs["sealed_at"], None)
    whole = signed(b"a.b.AAAAAGVT8QA", "key")
    seen = product.at(1700000000.5).call("opened", key="key", sep=".", sealed=whole, options={"max_age": 10})
    assert same(seen.value, b"a.b")


@clause("FP-03.E6", by="answer")
def test_a_right_seal_over_a_fresh_malformed_timestamp(product, inputs):
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    for code in (refused_stamp(inputs), long_stamp(inputs), long_stamp_of_zeros(inputs)):
        for options in ({}, {"with_timestamp": True}):
            whole = signed(raw(value) + b"::" + code, key, "::")
            refused = product.call("opened", key=key, sep="::", sealed=whole, options=options)
            assert refused.error.is_a("brinseal.BrokenTimeSeal")
            assert same(refused.error.attrs["payload"], raw(value))
            assert same(refused.error.attrs["sealed_at"], None)
    seen = product.call("opened", key=key, sep="::", sealed=sealed(value, time, key, "::"), options={})
    assert same(seen.value, raw(value))


# E7, E8, E9 -----------------------------------------------------------------------------------


@clause("FP-03.E7")
def test_what_is_too_old_has_expired(product):
    whole = signed(b"a.b.ZVPxAA", "key")
    for options in ({"max_age": 10}, {"max_age": 10, "with_timestamp": False}, {"max_age": 10, "with_timestamp": True}):
        refused = product.at(1700000011.0).call(
            "opened_by_a_writer_of_times", key="key", sep=".", sealed=whole, options=options
        )
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], b"a.b")
        assert same(refused.error.attrs["sealed_at"], "2023-11-14T22:13:20+00:00")
    seen = product.at(1700000010.5).call(
        "opened_by_a_writer_of_times", key="key", sep=".", sealed=whole, options={"max_age": 10}
    )
    assert same(seen.value, b"a.b")


@clause("FP-03.E7", "FP-03.E8", by="answer")
def test_a_fresh_value_has_expired_or_comes_from_the_future(product, inputs):
    key, value, time, limit = inputs.token(7), inputs.text(9), fresh_time(inputs), inputs.integer(1, 9000)
    shared = {"key": key, "sep": "!", "sealed": sealed(value, time, key, "!"), "options": {"max_age": limit}}
    for told in (time + limit + 1.0, time + limit + 80000.5, time - 0.25, time - 70000.5):
        refused = product.at(told).call("opened_by_a_writer_of_times", **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], raw(value))
        assert same(refused.error.attrs["sealed_at"], moment(time))
    assert same(product.at(time + limit + 0.75).call("opened_by_a_writer_of_times", **shared).value, raw(value))


@clause("FP-03.E8")
def test_no_limit_is_large_enough_for_the_future(product):
    whole = signed(b"v.ZVPxAA", "key")
    for told, limit in ((1699999999.0, 1), (1699999999.875, 10**12), (1.0, 1700000000), (1699999990.0, 1e30)):
        shared = {"key": "key", "sep": ".", "sealed": whole, "options": {"max_age": limit}}
        refused = product.at(told).call("opened_by_a_writer_of_times", **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], b"v")
        assert same(refused.error.attrs["sealed_at"], "2023-11-14T22:13:20+00:00")
        assert same(product.at(1700000000.0).call("opened_by_a_writer_of_times", **shared).value, b"v")


@clause("FP-03.E9")
def test_an_error_of_datetime_leaves_in_place_of_a_refusal(product):
    for name, expected in (("opened_with_its_time", [b"v", "9999-12-31T23:59:59+00:00"]), ("validated_one", True)):
        for number, kind in ((LAST + 1, "ValueError"), (2**63, "OverflowError")):
            whole = sealed(b"v", number, "key")
            refused = product.at(1700000000.5).call(name, key="key", sealed=whole, options={"max_age": 10})
            assert refused.error.is_a(kind)
        whole = sealed(b"v", LAST, "key")
        assert same(product.at(1700000000.5).call(name, key="key", sealed=whole, options={}).value, expected)


@clause("FP-03.E9", by="answer")
def test_a_refusal_by_age_that_no_datetime_shows(product, inputs):
    key, value, limit = inputs.token(7), inputs.text(9), inputs.integer(1, 900)
    shared = {"key": key, "max_age": limit}
    for number, kind in ((LAST + 1, "ValueError"), (inputs.integer(2**63, TOP), "OverflowError")):
        whole = sealed(value, number, key)
        for clock in (number + limit + 1, number - 1):
            refused = product.call("opened_by_own_clock", sealed=whole, clock=clock, **shared)
            assert refused.error.is_a(kind)
        seen = product.call("opened_by_own_clock", sealed=whole, clock=number + limit, **shared)
        assert same(seen.value, [raw(value), True])


# E11 ------------------------------------------------------------------------------------------


@clause("FP-03.E11")
def test_errors_show_what_they_were_built_with(product):
    for name in ("BrokenTimeSeal", "SealExpired"):
        seen = product.call("errors_shown", kind=name, message="m", payload=b"p", sealed_at=5)
        assert same(
            seen.value,
            [["m", None, None, "m"], ["m", b"p", None, "m"], ["m", None, 5, "m"], ["m", b"p", 5, "m"]],
        )


@clause("FP-03.E11", by="answer")
@pytest.mark.parametrize(
    "name, bases",
    [
        ("BrokenTimeSeal", ["BrokenTimeSeal", "BrokenSeal", "BrokenData"]),
        ("SealExpired", ["SealExpired", "BrokenTimeSeal", "BrokenSeal", "BrokenData"]),
    ],
    ids=["broken", "expired"],
)
def test_errors_are_raised_with_their_bases(product, inputs, name, bases):
    message, payload, sealed_at = inputs.text(9), inputs.token(8), inputs.integer(1, 2**40)
    key, value, time = inputs.token(7), inputs.text(9), fresh_time(inputs)
    shared = {"kind": name, "built_with": [message, payload, sealed_at], "key": key, "value": value, "clock": time}
    raised = product.call("sealed_by_a_failing_clock", times_raised=1, **shared)
    for base in bases:
        assert raised.error.is_a("brinseal." + base)
    assert same(raised.error.is_a("brinseal.SealExpired"), "SealExpired" in bases)
    assert same(raised.error.attrs["message"], message)
    assert same(raised.error.attrs["payload"], payload)
    assert same(raised.error.attrs["sealed_at"], sealed_at)
    seen = product.call("sealed_by_a_failing_clock", times_raised=0, **shared)
    assert same(seen.value, sealed(value, time, key))
    seen = product.call("errors_shown", kind=name, message=message, payload=payload, sealed_at=sealed_at)
    bare, full = [message, None, None, message], [message, payload, sealed_at, message]
    assert same([seen.value[0], seen.value[3]], [bare, full])
