# feature: F01
"""FP-01 Seal a value and take it back.

Deliberately not pinned: the wording of messages, private names, how results are computed, whether
keys are tried on after one was right, arguments of kinds that no clause names, numbers or None among
the entries of a list of keys, base64_decode of characters outside its alphabet within bytes, and the
answers of a sealer with a custom algorithm whose signatures the documents do not describe. BrokenHeader
is left to FP-04, since nothing in the product raises it by itself.
"""
import pytest
from judge.harness import clause, same
from F01_helpers import (
    ALPHABET,
    DEFAULT_SALT,
    REFUSED_RUN,
    accented,
    b64,
    bytes_of,
    code_of_length,
    codes_ending_in_each_letter,
    derived_key,
    digest_of,
    hmac_of,
    other_spellings,
    padded,
    raw,
    raw_signature,
    sealed,
    signature,
    spelling_of_other_bytes,
    values_for_each_last_letter,
    with_one_bit_flipped,
)

# RFC 2202 and RFC 4231: key, value, HMAC by SHA-1, HMAC by SHA-256.
PUBLISHED_HMACS = [
    (
        b"\x0b" * 20,
        b"Hi There",
        "b617318655057264e28bc0b6fb378c8ef146be00",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "125d7342b9ac11cd91a39af48aa17b4f63f175d3",
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
]
WAYS = ["infix-concat", "concat", "hmac", "none"]
# Separators that are refused, each with one that is accepted.
SEPARATORS = [
    [("", "."), (b"", b"\x00")],
    [("a", "a."), (b"z", b"zz"), ("A", "AA"), ("Z", "Za"), ("m", "\u00e9")],
    [("0", "00"), ("9", "90"), (b"-", b"--"), ("_", "_-"), ("=", "==")],
    [("abc", "acb"), ("zA", "az"), (b"Z0", b"0Z"), ("9-", "-9"), ("_=", "=_")],
    [(REFUSED_RUN, REFUSED_RUN + "="), (raw(REFUSED_RUN[1:]), raw("." + REFUSED_RUN)), (REFUSED_RUN[:-1], "+")],
]
ENCODINGS = [
    ("n\u00e9", "latin-1", "strict", b"n\xe9"),
    ("n\u00e9", "ascii", "ignore", b"n"),
    ("n\u00e9", "ascii", "replace", b"n?"),
    ("n\u00e9", "utf-16-le", "strict", b"n\x00\xe9\x00"),
    (b"\xff\xc3", "ascii", "strict", b"\xff\xc3"),
]


# N1 -------------------------------------------------------------------------------------------


@clause("FP-01.N1")
def test_a_single_key_and_the_defaults_are_kept(product):
    for key in ("secret-key", "k\u00e9y", b"raw\xff\x00key", "", b""):
        seen = product.call("kept_by_default", key=key)
        assert same(seen.value, [[raw(key)], raw(key), b"brinseal.Sealer", b".", "infix-concat"])


@clause("FP-01.N1", by="answer")
def test_given_settings_are_kept_as_bytes(product, inputs):
    for way in WAYS:
        keys = [inputs.text(9), inputs.token(7), inputs.word(5)]
        salt = inputs.text(6)
        seen = product.call("kept_as_given", keys=keys, salt=salt, sep="\u00a7:", way=way)
        assert same(seen.value, [[raw(key) for key in keys], raw(keys[2]), raw(salt), b"\xc2\xa7:", way])
        seen = product.call("kept_as_given", keys=keys[:2], salt=raw(salt), sep=b"\xff", way=way)
        assert same(seen.value, [[raw(keys[0]), keys[1]], keys[1], raw(salt), b"\xff", way])


@clause("FP-01.N1", by="answer")
def test_the_list_of_keys_is_the_sealers_own(product, inputs):
    keys = [inputs.token(8), inputs.token(8)]
    seen = product.call("keys_after_a_change", keys=keys, extra=b"later")
    assert same(seen.value, keys)


# N2 -------------------------------------------------------------------------------------------


@clause("FP-01.N2")
def test_a_seal_is_value_separator_and_signature(product):
    for value in ("value", "caf\u00e9", b"\x00\xff", b"two.dots.", ""):
        seen = product.call("signature_and_seal", key="secret-key", value=value)
        code = signature(value, "secret-key")
        assert same(len(seen.value[0]), 27)
        assert same(seen.value, [code, raw(value) + b"." + code])


@clause("FP-01.N2", "FP-01.N6", by="oracle")
@pytest.mark.parametrize(
    "digest, letters", [("sha1", ALPHABET[::4]), ("sha384", ALPHABET)], ids=["sha1", "sha384"]
)
def test_a_signature_keeps_whatever_character_it_ends_in(product, inputs, digest, letters):
    for key in ("secret-key", inputs.token(12)):
        values = values_for_each_last_letter(key, digest, letters)
        codes = [signature(value, key, digest=digest) for value in values]
        seen = product.call("seals_of_many", key=key, digest=digest, values=values)
        assert same(
            seen.value,
            {
                "signatures": codes,
                "seals": [raw(value) + b"." + code for value, code in zip(values, codes)],
                "back": [raw(value) for value in values],
            },
        )


@clause("FP-01.N2", "FP-01.N5", "FP-01.N6", by="oracle")
@pytest.mark.parametrize("way", WAYS)
def test_every_setting_takes_part_in_a_seal_and_its_opening(product, inputs, way):
    for digest, value in (("sha1", inputs.text(30)), ("sha256", inputs.token(25))):
        key, salt = inputs.token(150), inputs.token(9)
        settings = {"key": key, "salt": salt, "sep": b"::", "way": way, "digest": digest}
        code, whole = signature(value, key, salt, way, digest), sealed(value, key, b"::", salt, way, digest)
        assert same(product.call("sealed_under", value=value, **settings).value, [code, whole])
        assert same(product.call("unsealed_under", sealed=whole, **settings).value, raw(value))
        assert same(product.call("validated_under", sealed=whole, **settings).value, True)


# N3 -------------------------------------------------------------------------------------------


@clause("FP-01.N3", "FP-01.N2", "FP-01.B2")
def test_a_sealed_text_comes_back_as_bytes(product):
    rows = [
        ("a::", "\u00fcber a:"),
        ("==", "a=b="),
        (".a", "ends in ."),
        ("\u00a7", "\u00a7\u00e2"),
        (".", "a.b.c"),
        (".", "..."),
        (".", ".a"),
        (".", "a."),
        (".", ""),
    ]
    for sep, value in rows:
        seen = product.call("there_and_back_as_text", key="secret-key", sep=sep, value=value)
        assert same(seen.value, [sealed(value, "secret-key", sep), raw(value), raw(value)])


@clause("FP-01.N3", by="oracle")
def test_fresh_bytes_come_back_whole(product, inputs):
    for sep in (b".", b"\xff\xfe", b"a.b"):
        key = inputs.token(12)
        value = inputs.token(15) + sep + inputs.token(15) + sep[:1]
        seen = product.call("there_and_back", key=key, sep=sep, value=value)
        assert same(seen.value, [sealed(value, key, sep), value])


@clause("FP-01.N3", "FP-01.B2", by="answer")
def test_what_was_sealed_elsewhere_is_taken_as_bytes_and_as_text(product, inputs):
    key = inputs.text(10)
    for value in (inputs.text(30), "." * inputs.integer(4, 40), ".".join(inputs.text(3) for _ in range(6)), ""):
        whole = sealed(value, key)
        assert same(product.call("unsealed", key=key, sep=".", sealed=whole).value, raw(value))
        assert same(product.call("unsealed", key=key, sep=b".", sealed=whole.decode("utf-8")).value, raw(value))


# N4, N5 ---------------------------------------------------------------------------------------


@clause("FP-01.N4")
def test_the_default_derivation_of_a_named_sample(product):
    seen = product.call("derived_by_default", keys=["old", b"new"], salt="account", given="\u00e9lse")
    newest, given = digest_of(b"accountsealernew"), digest_of(b"accountsealer\xc3\xa9lse")
    assert same(
        seen.value,
        {
            "name": "infix-concat",
            "left out": newest,
            "none": newest,
            "named": newest,
            "given": given,
            "by name": given,
        },
    )


@clause("FP-01.N4", "FP-01.N5", by="oracle")
@pytest.mark.parametrize("way", WAYS)
def test_each_derivation_takes_the_given_key_or_the_last(product, inputs, way):
    for digest, given in (("sha1", inputs.text(9)), ("blake2s", inputs.token(90)), ("sha512", ""), ("sha224", b"")):
        keys = [inputs.token(8), inputs.text(8), inputs.text(80)]
        salt = inputs.text(11)
        seen = product.call("derived_under", keys=keys, salt=salt, way=way, digest=digest, given=given)
        newest = derived_key(keys[2], salt, way, digest)
        assert same(seen.value, [newest, newest, derived_key(given, salt, way, digest)])


@clause("FP-01.N5")
def test_the_other_derivations_of_a_named_sample(product):
    shared = {"keys": "secret-key", "salt": "account", "digest": "sha1", "given": b"else"}
    seen = product.call("derived_under", way="concat", **shared)
    newest = digest_of(b"accountsecret-key")
    assert same(seen.value, [newest, newest, digest_of(b"accountelse")])
    seen = product.call("derived_under", way="hmac", **shared)
    newest = hmac_of(b"secret-key", b"account")
    assert same(seen.value, [newest, newest, hmac_of(b"else", b"account")])
    seen = product.call("derived_under", way="none", **shared)
    assert same(seen.value, [b"secret-key", b"secret-key", b"else"])


@clause("FP-01.N5", by="oracle")
def test_the_salt_plays_no_part_under_none(product, inputs):
    key, value = inputs.text(12), inputs.text(12)
    shared = {"key": key, "value": value, "sep": ".", "digest": "sha256"}
    expected = [b64(hmac_of(raw(key), raw(value), "sha256"))]
    expected.append(raw(value) + b"." + expected[0])
    for salt in (inputs.token(8), b"", None):
        assert same(product.call("sealed_under", salt=salt, way="none", **shared).value, expected)


@clause("FP-01.N4", "FP-01.N5", by="oracle")
@pytest.mark.parametrize("way", ["concat", "hmac", "none"])
def test_a_subclass_seals_by_its_own_default_derivation(product, inputs, way):
    key, salt, value = inputs.token(9), inputs.text(9), inputs.text(12)
    whole = sealed(value, key, salt=salt, way=way)
    seen = product.call("sealed_in_subclass", key=key, salt=salt, value=value, sealed=whole, way=way)
    assert same(seen.value, [way, signature(value, key, salt, way), whole, raw(value), False])
    for other in WAYS:
        seen = product.call("derived_in_subclass", key=key, salt=salt, way=way, other_way=other)
        own = derived_key(key, salt, way)
        assert same(seen.value, [way, own, own, derived_key(key, salt, other), derived_key(key, salt)])


# N6 -------------------------------------------------------------------------------------------


@clause("FP-01.N6", by="oracle")
def test_the_digest_is_the_given_one_or_the_class_attribute(product, inputs):
    rows = [("sha256", "sha512"), ("blake2b", "sha224")]
    for digest, other in rows:
        key, value = inputs.token(10), inputs.token(20)
        seen = product.call("digest_chosen", key=key, value=value, digest=digest, other_digest=other)
        assert same(
            seen.value,
            {
                "plain": sealed(value, key),
                "none": sealed(value, key),
                "given": sealed(value, key, digest=digest),
                "subclass": sealed(value, key, digest=other),
                "subclass none": sealed(value, key, digest=other),
                "subclass given": sealed(value, key, digest=digest),
                "subclass key": derived_key(key, digest=other),
                "subclass back": value,
            },
        )


@clause("FP-01.N6")
def test_the_digest_in_use_is_shown(product):
    seen = product.call("digest_in_use", data=b"value", digest="sha384", other_digest="sha256")
    plain, given, other = digest_of(b"value"), digest_of(b"value", "sha384"), digest_of(b"value", "sha256")
    assert same(seen.value, [plain, plain, given, other, given])


# N7 -------------------------------------------------------------------------------------------


@clause("FP-01.N7", by="oracle")
def test_an_own_algorithm_makes_the_signature(product, inputs):
    for way in ("infix-concat", "hmac", "none"):
        key, value, tag = inputs.text(8), inputs.text(14), b"\xfb\xff" + inputs.token(inputs.integer(1, 5))
        seen = product.call("sealed_by_joining", key=key, value=value, tag=tag, way=way, digest="sha256")
        code = b64(derived_key(key, way=way, digest="sha256") + tag + raw(value))
        assert same(
            seen.value,
            {
                "signature": code,
                "sealed": raw(value) + b"." + code,
                "back": raw(value),
                "kept": b"k" + tag + b"v",
            },
        )


@clause("FP-01.N7", by="oracle")
def test_an_own_algorithm_accepts_its_own_signature_only(product, inputs):
    key, value, tag = inputs.token(8), inputs.token(14), inputs.token(3)
    right = derived_key(key) + tag + value
    seen = product.call("checked_by_joining", key=key, tag=tag, sealed=value + b"." + b64(right))
    assert same(seen.value, True)
    for wrong in (right[:-1], right + b"\x00", raw_signature(value, key), b""):
        seen = product.call("checked_by_joining", key=key, tag=tag, sealed=value + b"." + b64(wrong))
        assert same(seen.value, False)


@clause("FP-01.N7", "FP-01.N11", "FP-01.N12", by="oracle")
def test_a_check_is_left_to_the_algorithm(product, inputs):
    key, value = inputs.text(8), inputs.text(14)
    right = raw_signature(value, key)
    first = raw(value) + b"." + b64(b"m1" + right)
    respelled = b64(b"zz" + right)
    shared = {"key": key, "value": value, "mark": b"m1"}
    seen = product.call("checked_behind_a_mark", sig=respelled, sealed=raw(value) + b"." + respelled, **shared)
    assert same(seen.value, [first, True, True])
    for wrong in (b64(b"m1" + with_one_bit_flipped(right, 19)), b64(right)):
        seen = product.call("checked_behind_a_mark", sig=wrong, sealed=raw(value) + b"." + wrong, **shared)
        assert same(seen.value, [first, False, False])


@clause("FP-01.N7", "FP-01.N8", by="oracle")
def test_with_an_algorithm_the_digest_serves_the_derivation_only(product, inputs):
    for way in ("infix-concat", "hmac"):
        key, value = inputs.token(8), inputs.token(14)
        seen = product.call(
            "sealed_by_hmac_algorithm", key=key, value=value, way=way, digest="sha256", mac_digest="sha512"
        )
        strong = sealed(value, key, way=way, digest="sha256", mac_digest="sha512")
        plain = sealed(value, key, way=way, digest="sha256", mac_digest="sha1")
        assert same(seen.value, [strong, plain, value])


# N8, N9 ---------------------------------------------------------------------------------------


@clause("FP-01.N8", by="oracle")
def test_an_hmac_algorithm_gives_the_raw_hmac(product, inputs):
    rows = [("sha512", "sha256"), ("sha224", "blake2s")]
    for digest, other in rows:
        for key, value in ((b"key", b"message"), (inputs.token(200), inputs.token(40)), (b"", b"")):
            seen = product.call("raw_hmac", key=key, value=value, digest=digest, other_digest=other)
            assert same(
                seen.value,
                {
                    "plain": hmac_of(key, value),
                    "none": hmac_of(key, value),
                    "given": hmac_of(key, value, digest),
                    "by name": hmac_of(key, value, digest),
                    "subclass": hmac_of(key, value, other),
                    "subclass given": hmac_of(key, value, digest),
                    "default": digest_of(value),
                },
            )


@clause("FP-01.N8")
def test_published_vectors_of_the_raw_hmac(product):
    for key, value, sha1, sha256 in PUBLISHED_HMACS:
        seen = product.call("raw_hmac", key=key, value=value, digest="sha256", other_digest="sha256").value
        assert same([seen[name] for name in ("plain", "none")], [bytes.fromhex(sha1)] * 2)
        assert same([seen[name] for name in ("given", "by name", "subclass")], [bytes.fromhex(sha256)] * 3)


@clause("FP-01.N8", "FP-01.N7", "FP-01.N9", by="oracle")
def test_a_subclass_sets_its_own_default_digest_of_the_hmac(product, inputs):
    for digest in ("sha256", "sha512"):
        key, value = inputs.token(9), inputs.token(15)
        seen = product.call("hmac_in_subclass", key=key, value=value, digest=digest)
        whole = sealed(value, key, mac_digest=digest)
        assert same(seen.value, [hmac_of(key, value, digest), True, whole, hmac_of(key, value)])


@clause("FP-01.N7", "FP-01.N9", "FP-01.B3")
def test_the_base_leaves_the_signature_to_subclasses(product):
    refused = product.call("raw_signature_by", kind="base", key=b"key", value=b"value")
    assert refused.error.is_a("NotImplementedError")
    rows = [("own", b"valuekey"), ("hmac", hmac_of(b"key", b"value")), ("null", b"")]
    for kind, expected in rows:
        assert same(product.call("raw_signature_by", kind=kind, key=b"key", value=b"value").value, expected)
    refused = product.call("sealed_by_named_algorithm", kind="base", key="key", value="value")
    assert refused.error.is_a("NotImplementedError")
    seen = product.call("sealed_by_named_algorithm", kind="hmac", key="key", value="value")
    assert same(seen.value, sealed("value", "key"))
    seen = product.call("sealed_by_named_algorithm", kind="null", key="key", value="value")
    assert same(seen.value, b"value.")


@clause("FP-01.N9", by="oracle")
def test_the_inherited_check_goes_by_the_objects_own_signature(product, inputs):
    key, value = inputs.token(7), inputs.token(9)
    refused = product.call("raw_checks_by", kind="base", key=key, value=value, sigs=[value + key])
    assert refused.error.is_a("NotImplementedError")
    for kind, right in (("own", value + key), ("hmac", hmac_of(key, value))):
        last = len(right) - 1
        wrong = [right[:-1], right + b"\x00", b"", right[1:], with_one_bit_flipped(right, last), b64(right)]
        seen = product.call("raw_checks_by", kind=kind, key=key, value=value, sigs=[right] + wrong)
        assert same(seen.value, [True] + [False] * len(wrong))
    sigs = [b"", b"\x00", hmac_of(key, value), b""]
    seen = product.call("raw_checks_by", kind="null", key=key, value=value, sigs=sigs)
    assert same(seen.value, [True, False, False, True])


@clause("FP-01.N9", "FP-01.N8")
def test_the_inherited_check_uses_the_digest_of_the_object(product):
    right = hmac_of(b"key", b"message", "sha256")
    sigs = [right, hmac_of(b"key", b"message"), right[:20], hmac_of(b"message", b"key", "sha256")]
    seen = product.call("raw_checks_by_hmac_with", digest="sha256", key=b"key", value=b"message", sigs=sigs)
    assert same(seen.value, [True, False, False, False])


# N10, N11 -------------------------------------------------------------------------------------


@clause("FP-01.N10", "FP-01.N1")
@pytest.mark.parametrize("form", ["list", "tuple", "iterator", "dict"])
def test_any_iterable_of_keys_is_a_ring(product, form):
    keys, others = ["key-1", b"key-2\xff", "k\u00e9y-3", "key-4"], ["key-", "key-1key-2", "key-5", ""]
    seen = product.call("keys_from", form=form, keys=keys)
    assert same(seen.value, [[raw(key) for key in keys], b"key-4"])
    seen = product.call("ring_at_work", form=form, keys=keys, value="caf\u00e9", others=others)
    assert same(
        seen.value,
        {
            "signature": signature("caf\u00e9", "key-4"),
            "sealed": sealed("caf\u00e9", "key-4"),
            "unsealed": [b"caf\xc3\xa9"] * 4,
            "validated": [True] * 4,
            "verified": [True] * 4,
            "others": [False] * 4,
            "others verified": [False] * 4,
        },
    )


@clause("FP-01.N10", "FP-01.N11", "FP-01.E3", by="oracle")
def test_a_ring_takes_old_seals_and_refuses_foreign_ones(product, inputs):
    keys = [inputs.token(9), inputs.text(9), inputs.token(9)]
    value = inputs.token(20)
    for key in keys:
        assert same(product.call("ring_unsealed", keys=keys, sealed=sealed(value, key)).value, value)
    refused = product.call("ring_unsealed", keys=keys[1:], sealed=sealed(value, keys[0]))
    assert refused.error.is_a("brinseal.BrokenSeal")
    assert same(refused.error.attrs["payload"], value)
    for settings in ({"salt": b"other"}, {"way": "concat"}, {"digest": "sha256"}):
        refused = product.call("ring_unsealed", keys=keys, sealed=sealed(value, keys[2], **settings))
        assert refused.error.is_a("brinseal.BrokenSeal")
    sigs = [signature(value, key) for key in keys] + [signature(value, inputs.token(8)), b"AAAAA"]
    seen = product.call("verified", keys=keys, value=value, sigs=sigs)
    assert same(seen.value, [True, True, True, False, False])


@clause("FP-01.N11")
def test_a_signature_is_right_or_not(product):
    rows = ["caf\u00e9", b"\xfe\x00raw"]
    for value in rows:
        right = signature(value, "secret-key")
        sigs = [
            right,
            right.decode("ascii"),
            signature(raw(value) + b"!", "secret-key"),
            signature(value, "secret-kez"),
            b"",
            "",
            "A",
            b"A",
            right + b"AA",
        ]
        seen = product.call("verified", keys="secret-key", value=value, sigs=sigs)
        assert same(seen.value, [True, True] + [False] * 7)


@clause("FP-01.N11", by="oracle")
def test_every_bit_of_a_fresh_signature_counts(product, inputs):
    key, value = inputs.token(8), inputs.token(18)
    right = raw_signature(value, key)
    wrong = [with_one_bit_flipped(right, place, inputs.integer(0, 7)) for place in range(20)]
    wrong += [right[:-1], right[1:], right[:10], right + b"\x00", b"\x00" + right, right + right, right[::-1]]
    seen = product.call("verified", keys=[b"old", key], value=value, sigs=[b64(right)] + [b64(sig) for sig in wrong])
    assert same(seen.value, [True] + [False] * len(wrong))


@clause("FP-01.N11", "FP-01.N7", by="oracle")
def test_keys_are_tried_from_the_newest_to_the_oldest(product, inputs):
    keys = [inputs.token(5), inputs.token(6), inputs.token(7)]
    value = inputs.text(9)
    newest_first = [derived_key(key) for key in reversed(keys)]
    for key, answer in ((keys[0], True), (b"foreign", False)):
        sig = raw_signature(value, key)
        seen = product.call("checks_that_were_made", keys=keys, value=value, sig=b64(sig))
        made = [[tried, raw(value), sig] for tried in newest_first]
        assert same(seen.value, [answer, made])
    sig = raw_signature(value, keys[2])
    seen = product.call("checks_that_were_made", keys=keys, value=value, sig=b64(sig).decode("ascii"))
    assert same(seen.value[0], True)
    assert same(seen.value[1][0], [newest_first[0], raw(value), sig])


# N12 ------------------------------------------------------------------------------------------


@clause("FP-01.N12")
def test_validating_named_samples(product):
    good = sealed("value", "secret-key")
    values = [good, good.decode("ascii"), b"V" + good[1:], "value", b"", ".", b"value.", "value.A", good + b".", b"." + good]
    seen = product.call("validated", key="secret-key", sep=".", sealed_values=values)
    assert same(seen.value, [True, True] + [False] * 8)


@clause("FP-01.N12", "FP-01.E3", by="oracle")
def test_validating_agrees_with_unsealing_on_fresh_values(product, inputs):
    key, value = inputs.token(8), inputs.token(16)
    good = sealed(value, key, b"::")
    seen = product.call("unsealed_and_validated", key=key, sep="::", sealed=good)
    assert same(seen.value, [value, True])
    changed = [with_one_bit_flipped(good, place, inputs.integer(0, 7)) for place in range(16)]
    foreign = [sealed(value, key, b"."), sealed(value, inputs.token(9), b"::"), value]
    seen = product.call("validated", key=key, sep="::", sealed_values=[good] + changed + foreign)
    assert same(seen.value, [True] + [False] * 19)
    refused = product.call("unsealed_and_validated", key=key, sep="::", sealed=changed[0])
    assert refused.error.is_a("brinseal.BrokenSeal")


@clause("FP-01.N2", "FP-01.N8", "FP-01.N9", "FP-01.N11", "FP-01.N12", "FP-01.N13", "FP-01.N14", by="oracle")
def test_arguments_may_be_given_by_name(product, inputs):
    key, value = inputs.text(9), inputs.token(14)
    code, whole = signature(value, key), sealed(value, key)
    seen = product.call("called_by_name", key=key, value=value, code=code, whole=whole)
    right = hmac_of(raw(key), value)
    expected = [code, whole, True, True, code, raw_signature(value, key), value, raw(key), right, True]
    assert same(seen.value, expected)


# N13, N14, E6 ---------------------------------------------------------------------------------


@clause("FP-01.N13")
def test_encoding_and_decoding_named_samples(product):
    rows = [
        (b"\xfb\xff\xfe\xf8\x00", b"-__--AA"),
        ("\u00fcb", b"w7xi"),
        (b"", b""),
        ("", b""),
        (b"a", b"YQ"),
        ("ab", b"YWI"),
        (b"abc", b"YWJj"),
        ("???", b"Pz8_"),
        ("\x7f\x7f\x7f", b"f39_"),
        ("\x00\x00\x00", b"AAAA"),
        (b"\xff" * 6, b"________"),
        (b"\xfb\xef\xbe" * 2, b"--------"),
    ]
    seen = product.call("encoded", strings=[string for string, _ in rows])
    assert same(seen.value, [code for _, code in rows])
    strings = [b"-__-AA", "-__-AA", b"-__-AA==", "-__-AA==", "\u00e9-__-AA", "-__\u00e9\u00e9-AA", "", b"", "YWI=", "YWI"]
    seen = product.call("decoded", strings=strings)
    assert same(seen.value, [b"\xfb\xff\xfe\x00"] * 6 + [b"", b"", b"ab", b"ab"])


@clause("FP-01.N13", by="oracle")
def test_every_length_is_encoded_and_decoded(product, inputs):
    data = [inputs.token(length) for length in range(1, 30)] + [b"\xff" * 7, b"\xfb\xef\xbe" * 3]
    codes = [b64(item) for item in data]
    assert same(product.call("encoded", strings=data).value, codes)
    assert same(product.call("decoded", strings=codes).value, data)
    assert same(product.call("decoded", strings=[padded(code).decode("ascii") for code in codes]).value, data)
    assert same(product.call("decoded", strings=[accented(inputs, code) for code in codes]).value, data)


@clause("FP-01.N13", by="oracle")
@pytest.mark.parametrize("whole_groups", [0, 1, 6], ids=["short", "middle", "long"])
def test_an_encoding_keeps_whatever_character_it_ends_in(product, inputs, whole_groups):
    codes = codes_ending_in_each_letter(inputs, whole_groups)
    data = [bytes_of(code) for code in codes]
    assert same(product.call("encoded", strings=data).value, codes)
    assert same(product.call("decoded", strings=codes).value, data)
    assert same(product.call("decoded", strings=[padded(code) for code in codes]).value, data)


@clause("FP-01.N14", by="oracle")
def test_bytes_from_text_and_bytes_by_default(product, inputs):
    fresh, token = inputs.text(15) + "\u20ac", inputs.token(15)
    seen = product.call("turned_by_default", strings=["n\u00e9", b"\xff\x00", "", b"", fresh, token])
    assert same(seen.value, [b"n\xc3\xa9", b"\xff\x00", b"", b"", raw(fresh), token])
    for encoding, errors in (("utf-16-be", "strict"), ("latin-1", "backslashreplace"), ("ascii", "xmlcharrefreplace")):
        seen = product.call("turned_with", string=fresh, encoding=encoding, errors=errors)
        assert same(seen.value, [fresh.encode(encoding, errors)] * 2)
        assert same(product.call("turned_with", string=token, encoding=encoding, errors=errors).value, [token, token])


@clause("FP-01.N14")
def test_bytes_with_an_encoding_and_error_handling(product):
    for string, encoding, errors, expected in ENCODINGS:
        seen = product.call("turned_with", string=string, encoding=encoding, errors=errors)
        assert same(seen.value, [expected, expected])


@clause("FP-01.N14", by="answer")
def test_text_that_cannot_be_encoded_is_refused(product, inputs):
    word = inputs.word(6)
    for encoding, letter in (("ascii", "\u00e9"), ("latin-1", "\u20ac")):
        refused = product.call("turned_strictly", string=word + letter, encoding=encoding)
        assert refused.error.is_a("UnicodeEncodeError")
        seen = product.call("turned_strictly", string=word, encoding=encoding)
        assert same(seen.value, word.encode("ascii"))
    refused = product.call("turned_from_a_code", code=0xD800, tail=word)
    assert refused.error.is_a("UnicodeEncodeError")
    assert same(product.call("turned_from_a_code", code=0xE9, tail=word).value, b"\xc3\xa9" + raw(word))
    refused = product.call("turned_from_a_code", code=0xD800, tail=word, encoding="latin-1")
    assert refused.error.is_a("UnicodeEncodeError")
    seen = product.call("turned_from_a_code", code=0xD800, tail=word, errors="surrogatepass")
    assert same(seen.value, b"\xed\xa0\x80" + raw(word))


@clause("FP-01.E6", "FP-01.N13", "FP-01.E7")
def test_one_character_too_many_cannot_be_decoded(product):
    rows = [
        ("YWJjZ", "YWJj", b"abc"),
        ("-____", "-___", b"\xfb\xff\xff"),
        (b"A", b"", b""),
    ]
    for code, whole, expected in rows:
        refused = product.call("decoded_one", string=code)
        assert refused.error.is_a("brinseal.BrokenData")
        assert refused.error.is_a("Exception")
        assert not refused.error.is_a("brinseal.BrokenSeal")
        assert not refused.error.is_a("brinseal.BrokenPayload")
        assert same(product.call("decoded_one", string=whole).value, expected)


@clause("FP-01.E6", by="answer")
def test_a_fresh_code_with_one_character_too_many(product, inputs):
    data = inputs.token(3 * inputs.integer(2, 12))
    code = b64(data)
    refused = product.call("decoded_one", string=code + code_of_length(inputs, 1).encode("ascii"))
    assert refused.error.is_a("brinseal.BrokenData")
    assert not refused.error.is_a("brinseal.BrokenSeal")
    assert same(product.call("decoded_one", string=code).value, data)


# B1, B2, B3, B4, B5 ---------------------------------------------------------------------------


@clause("FP-01.B1")
def test_no_salt_is_the_default_and_an_empty_one_is_empty(product):
    seen = product.call("salts_and_keys", key="secret-key", salts=[None, "", b""], value="value")
    default = [b"brinseal.Sealer", digest_of(b"brinseal.Sealersealersecret-key"), sealed("value", "secret-key")]
    empty = [b"", digest_of(b"sealersecret-key"), sealed("value", "secret-key", salt=b"")]
    assert same(seen.value, [default, empty, empty])


@clause("FP-01.B1", "FP-01.N1", by="oracle")
def test_salts_with_a_fresh_key(product, inputs):
    key, value, salt = inputs.token(8), inputs.token(8), inputs.text(8)
    salts = [b"", None, salt, raw(salt)]
    seen = product.call("salts_and_keys", key=key, salts=salts, value=value)
    kept = [b"", DEFAULT_SALT, raw(salt), raw(salt)]
    assert same(seen.value, [[item, derived_key(key, item), sealed(value, key, salt=item)] for item in kept])


@clause("FP-01.B3")
def test_a_null_algorithm_writes_nothing_and_takes_nothing(product):
    rows = [
        (".", b"value", b"made.elsewhere"),
        (".", b"", b""),
        (".", b"a.b", b"..."),
        ("::", b"a::b", b"x:"),
    ]
    for sep, value, foreign in rows:
        seen = product.call("null_at_work", key="secret-key", sep=sep, value=value, foreign=foreign + raw(sep))
        expected = {"raw": b"", "sealed": value + raw(sep), "back": value, "foreign": foreign, "validated": True}
        assert same(seen.value, expected)


@clause("FP-01.B3", "FP-01.E2", "FP-01.E3", by="answer")
def test_a_null_algorithm_refuses_a_signature_of_bytes(product, inputs):
    key, value, other = inputs.text(8), inputs.text(7) + ".x", inputs.token(9)
    seen = product.call("null_at_work", key=key, sep="!", value=other, foreign=value + "!")
    expected = {"raw": b"", "sealed": other + b"!", "back": other, "foreign": raw(value), "validated": True}
    assert same(seen.value, expected)
    tails = [b64(inputs.token(inputs.integer(1, 40))), b"AA", signature(value, key)]
    values = [raw(value) + b"." + tail for tail in tails]
    seen = product.call("null_validated", key=key, sealed_values=values + [raw(value) + b"."])
    assert same(seen.value, [False, False, False, True])
    for refused_value in values:
        refused = product.call("null_unsealed", key=key, sealed=refused_value)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], raw(value))
    bare = product.call("null_unsealed", key=key, sealed=inputs.word(7))
    assert bare.error.is_a("brinseal.BrokenSeal")
    assert same(bare.error.attrs["payload"], None)
    assert same(product.call("null_unsealed", key=key, sealed=raw(value) + b".").value, raw(value))


@clause("FP-01.B4", "FP-01.N11")
def test_the_spelling_of_a_signature_does_not_matter(product):
    right = signature("value", "secret-key")
    text = right.decode("ascii")
    good = [right + b"=", text + "=", "\u00e9" + text, text[:5] + "\u00e9" + text[5:] + "\u20ac", "\u00e9" + text + "="]
    good += other_spellings(right, 2)
    bad = [spelling_of_other_bytes(right, 2), padded(spelling_of_other_bytes(right, 2))]
    seen = product.call("verified", keys="secret-key", value=b"value", sigs=good + bad)
    assert same(seen.value, [True] * len(good) + [False, False])


@clause("FP-01.B4", by="oracle")
def test_fresh_signatures_in_other_spellings(product, inputs):
    rows = [("sha1", 2), ("sha512", 4)]
    for digest, spare in rows:
        key, value = inputs.token(8), inputs.token(12)
        right = signature(value, key, digest=digest)
        good = [right, padded(right), accented(inputs, right)] + other_spellings(right, spare)
        bad = [spelling_of_other_bytes(right, spare), accented(inputs, b64(b"\x00" + raw_signature(value, key, digest=digest)))]
        seen = product.call("verified_with", digest=digest, key=key, value=value, sigs=good + bad)
        assert same(seen.value, [True] * len(good) + [False, False])


@clause("FP-01.B5", "FP-01.N1")
def test_none_or_a_number_is_no_secret_key(product):
    for key in (None, 0, 5, 1.5):
        refused = product.call("kept_by_default", key=key)
        assert refused.error.is_a("TypeError")
        text = str(key)
        seen = product.call("kept_by_default", key=text)
        assert same(seen.value, [[raw(text)], raw(text), DEFAULT_SALT, b".", "infix-concat"])


@clause("FP-01.B5", by="oracle")
def test_without_keys_nothing_is_right(product, inputs):
    seen = product.call("keys_from", form="list", keys=["only"])
    assert same(seen.value, [[b"only"], b"only"])
    assert same(product.call("keys_after_a_change", keys=[], extra=b"later").value, [])
    value, bare = inputs.token(9), inputs.word(9)
    sigs = [signature(value, ""), signature(value, "key"), b"", b"A"]
    assert same(product.call("verified", keys=[], value=value, sigs=sigs).value, [False] * 4)
    assert same(product.call("verified", keys=["key"], value=value, sigs=sigs).value, [False, True, False, False])
    values = [sealed(value, ""), sealed(value, "key"), value + b".", raw(bare), b""]
    assert same(product.call("validated", key=[], sep=".", sealed_values=values).value, [False] * 5)
    assert same(
        product.call("validated", key=["key"], sep=".", sealed_values=values).value, [False, True, False, False, False]
    )


@clause("FP-01.B5", "FP-01.E2", "FP-01.E3", by="answer")
def test_without_keys_unsealing_is_refused(product, inputs):
    value = inputs.token(9)
    for whole, payload in ((sealed(value, "key"), value), (sealed(value, ""), value), (b"bare", None)):
        refused = product.call("ring_unsealed", keys=[], sealed=whole)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], payload)
    assert same(product.call("ring_unsealed", keys=["key"], sealed=sealed(value, "key")).value, value)


@clause("FP-01.B5", "FP-01.N4", by="oracle")
def test_without_keys_nothing_can_be_made(product, inputs):
    key, value, way = inputs.text(8), inputs.text(8), inputs.choice(WAYS)
    assert product.call("newest_key", keys=[]).error.is_a("IndexError")
    assert same(product.call("newest_key", keys=["old", key]).value, raw(key))
    rows = [
        ("derive_key", [], derived_key(key, way=way)),
        ("get_signature", [value], signature(value, key, way=way)),
        ("seal", [value], sealed(value, key, way=way)),
    ]
    for operation, arguments, expected in rows:
        shared = {"way": way, "operation": operation, "arguments": arguments}
        assert product.call("operated", keys=[], **shared).error.is_a("IndexError")
        assert same(product.call("operated", keys=["old", key], **shared).value, expected)
    seen = product.call("operated", keys=[], way=way, operation="derive_key", arguments=[key])
    assert same(seen.value, derived_key(key, way=way))


# E1 -------------------------------------------------------------------------------------------


@clause("FP-01.E1")
@pytest.mark.parametrize("rows", SEPARATORS, ids=["empty", "letters", "signs", "pieces", "whole"])
def test_a_separator_out_of_the_run_is_refused(product, rows):
    for piece, other in rows:
        refused = product.call("separator_kept", sep=piece)
        assert refused.error.is_a("ValueError")
        assert same(product.call("separator_kept", sep=other).value, raw(other))


@clause("FP-01.E1", by="answer")
@pytest.mark.parametrize("length", [1, 2, 7, 40])
def test_fresh_separators_inside_and_outside_the_run(product, inputs, length):
    start = inputs.randint(0, len(REFUSED_RUN) - length)
    piece = REFUSED_RUN[start:start + length]
    refused = product.call("separator_kept_in_place", sep=piece)
    assert refused.error.is_a("ValueError")
    refused = product.call("separator_kept_in_place", sep=raw(piece))
    assert refused.error.is_a("ValueError")
    place = inputs.randint(1, len(ALPHABET) - 2)
    backwards = REFUSED_RUN[place] + REFUSED_RUN[place - 1]
    skipping = REFUSED_RUN[place - 1] + REFUSED_RUN[place + 1]
    for other in (piece + piece, piece + "!", "\u00e9" + piece, backwards, raw(skipping), b"\xff" + inputs.token(2)):
        assert same(product.call("separator_kept_in_place", sep=other).value, raw(other))


# E2, E3 ---------------------------------------------------------------------------------------


@clause("FP-01.E2", "FP-01.E7")
def test_no_separator_no_payload(product):
    rows = [(".", "value"), (".", b""), (".", ""), ("::", "a:b.c")]
    for sep, value in rows:
        refused = product.call("unsealed", key="secret-key", sep=sep, sealed=value)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert refused.error.is_a("brinseal.BrokenData")
        assert refused.error.is_a("Exception")
        assert same(refused.error.attrs["payload"], None)
        good = sealed(value, "secret-key", sep)
        assert same(product.call("unsealed", key="secret-key", sep=sep, sealed=good).value, raw(value))


@clause("FP-01.E2", by="answer")
def test_a_fresh_signature_without_separator(product, inputs):
    key, value = inputs.text(8), inputs.word(12)
    refused = product.call("unsealed", key=key, sep="!", sealed=raw(value) + signature(value, key))
    assert refused.error.is_a("brinseal.BrokenSeal")
    assert same(refused.error.attrs["payload"], None)
    seen = product.call("unsealed", key=key, sep="!", sealed=sealed(value, key, "!"))
    assert same(seen.value, raw(value))


@clause("FP-01.E3", "FP-01.E7")
def test_a_wrong_signature_is_refused_with_its_payload(product):
    rows = [
        (".", b"a.Value", signature("a.value", "secret-key")),
        (".", b"value", signature("value", "other-key")),
        (".", b"value", b""),
        (".", b"value", b"A"),
        ("::", b"a::b:", b"AAAA"),
        (".", sealed("value", "secret-key"), b""),
    ]
    for sep, payload, tail in rows:
        refused = product.call("unsealed", key="secret-key", sep=sep, sealed=payload + raw(sep) + tail)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert refused.error.is_a("brinseal.BrokenData")
        assert same(refused.error.attrs["payload"], payload)
        good = sealed(payload, "secret-key", sep)
        assert same(product.call("unsealed", key="secret-key", sep=sep, sealed=good).value, payload)


@clause("FP-01.E3", by="answer")
def test_a_fresh_text_that_was_changed(product, inputs):
    key, value = inputs.token(8), inputs.text(12) + ".\u00e9"
    tails = [b64(with_one_bit_flipped(raw_signature(value, key), inputs.integer(0, 19)))]
    tails += [signature(value, key)[:-3], code_of_length(inputs, 29).encode("ascii"), b""]
    for tail in tails:
        text = value + "." + tail.decode("ascii")
        refused = product.call("unsealed", key=key, sep=".", sealed=text)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], raw(value))
    good = value + "." + signature(value, key).decode("ascii")
    assert same(product.call("unsealed", key=key, sep=".", sealed=good).value, raw(value))


# E4, E5 ---------------------------------------------------------------------------------------


@clause("FP-01.E4", "FP-01.N1")
def test_an_unknown_derivation_is_refused_when_a_key_is_derived(product):
    for name in ("HMAC", "", "infix_concat", "None"):
        assert same(product.call("name_kept", way=name).value, name)
        shared = {"keys": "secret-key", "operation": "derive_key", "arguments": []}
        assert product.call("operated", way=name, **shared).error.is_a("TypeError")
        assert same(product.call("operated", way=None, **shared).value, derived_key("secret-key"))
        assert same(product.call("operated", way="none", **shared).value, b"secret-key")


@clause("FP-01.E4", by="oracle")
@pytest.mark.parametrize(
    "operation",
    ["derive_key", "get_signature", "seal", "verify_signature", "unseal", "validate"],
)
def test_each_operation_refuses_an_unknown_derivation(product, inputs, operation):
    key, value, given = inputs.text(8), inputs.text(9), inputs.text(7)
    name = inputs.word(11)
    code, whole = signature(value, key, way="hmac"), sealed(value, key, way="hmac")
    arguments, expected = {
        "derive_key": ([given], derived_key(given, way="hmac")),
        "get_signature": ([value], code),
        "seal": ([value], whole),
        "verify_signature": ([value, code], True),
        "unseal": ([whole], raw(value)),
        "validate": ([whole], True),
    }[operation]
    shared = {"keys": ["old", key], "operation": operation, "arguments": arguments}
    assert product.call("operated", way=name, **shared).error.is_a("TypeError")
    assert same(product.call("operated", way="hmac", **shared).value, expected)


@clause("FP-01.E4", "FP-01.N11", "FP-01.N12", "FP-01.E2", "FP-01.E3", by="answer")
def test_without_a_decoded_signature_no_key_is_derived(product, inputs):
    value, name = inputs.word(9), inputs.word(7)
    shared = {"keys": "secret-key", "way": name}
    seen = product.call("operated", operation="verify_signature", arguments=[value, "A"], **shared)
    assert same(seen.value, False)
    refused = product.call("operated", operation="verify_signature", arguments=[value, "AA"], **shared)
    assert refused.error.is_a("TypeError")
    for whole, payload in ((value + ".A", raw(value)), (value, None)):
        assert same(product.call("operated", operation="validate", arguments=[whole], **shared).value, False)
        refused = product.call("operated", operation="unseal", arguments=[whole], **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], payload)
    refused = product.call("operated", operation="validate", arguments=[value + ".AA"], **shared)
    assert refused.error.is_a("TypeError")


@clause("FP-01.E5")
@pytest.mark.parametrize("value", [None, 0, 42, 1.5], ids=["none", "zero", "integer", "fraction"])
def test_none_or_a_number_is_no_value(product, value):
    text = str(value)
    whole = sealed(text, "secret-key")
    rows = [("seal", text, whole), ("unseal", whole, raw(text)), ("validate", whole, True)]
    for operation, argument, expected in rows:
        shared = {"keys": "secret-key", "way": None, "operation": operation}
        refused = product.call("operated", arguments=[value], **shared)
        assert refused.error.is_a("TypeError")
        assert same(product.call("operated", arguments=[argument], **shared).value, expected)


@clause("FP-01.E5", by="oracle")
@pytest.mark.parametrize("operation", ["seal", "unseal", "validate"])
def test_a_lone_surrogate_is_refused(product, inputs, operation):
    key, word = inputs.text(8), inputs.word(6)
    value = "\u00e9" + word
    code = signature(value, key).decode("ascii")
    tail, expected = {
        "seal": (word, sealed(value, key)),
        "unseal": (word + "." + code, raw(value)),
        "validate": (word + "." + code, True),
    }[operation]
    for surrogate in (0xD800, 0xDFFF):
        refused = product.call("operated_on_a_code", key=key, operation=operation, code=surrogate, tail=tail)
        assert refused.error.is_a("UnicodeEncodeError")
    seen = product.call("operated_on_a_code", key=key, operation=operation, code=0xE9, tail=tail)
    assert same(seen.value, expected)


# E7 -------------------------------------------------------------------------------------------


@clause("FP-01.E7", by="answer")
def test_errors_show_what_they_were_built_with(product, inputs):
    for payload in (b"left", b"", None):
        for message in ("no good", inputs.text(12), ""):
            seen = product.call("errors_shown", message=message, payload=payload)
            assert same(
                seen.value,
                {
                    "data": [message, message, message],
                    "bare": [message, message, None],
                    "full": [message, message, payload],
                    "named": [message, message, payload],
                },
            )


@clause("FP-01.E7")
def test_the_other_errors_are_broken_data_too(product):
    refused = product.call("payload_loaded", key="secret-key", payload=b"[1")
    assert refused.error.is_a("brinseal.BrokenPayload")
    assert refused.error.is_a("brinseal.BrokenData")
    assert same(product.call("payload_loaded", key="secret-key", payload=b"[1]").value, [1])
    timed = sealed(b"value." + b64(b"\x01\x02\x03\x04"), "secret-key")
    rows = [("brinseal.BrokenTimeSeal", sealed(b"value", "secret-key"), None), ("brinseal.SealExpired", timed, 60)]
    for name, whole, max_age in rows:
        refused = product.call("unsealed_with_time", key="secret-key", sealed=whole, max_age=max_age)
        assert refused.error.is_a(name)
        assert refused.error.is_a("brinseal.BrokenData")
    assert same(product.call("unsealed_with_time", key="secret-key", sealed=timed, max_age=None).value, b"value")
