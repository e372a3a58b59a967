# feature: F02
"""FP-02 Pack objects into sealed text.

Deliberately not pinned: the wording of messages, private names, how results are computed, whether a
salt reaches a caller's own method as text or as bytes or resolved, whether empty dicts are kept, what
is tried after a sealer accepted, kinds of arguments that no clause names, what an error of a sealer
other than BrokenSeal leads to, and the type of the error that a payload which is not bytes causes.
"""
import json

import pytest
from judge.harness import clause, same
from F02_helpers import (
    SALT,
    fresh_object,
    packed,
    raw,
    sealed,
    signature,
    unescaped,
    with_other_letter,
)

SEALER_SALT = b"brinseal.Sealer"
WAYS = ["infix-concat", "concat", "hmac", "none"]


def text(data):
    return data.decode("utf-8")


# N1 -------------------------------------------------------------------------------------------


@clause("FP-02.N1")
def test_named_objects_are_written_as_json_and_sealed(product):
    rows = [
        ({"b": "caf\u00e9", "a": [1, 2.5, None, True]}, '{"b": "caf\\u00e9", "a": [1, 2.5, null, true]}'),
        ([], "[]"),
        (None, "null"),
        ("x.\u20ac/<>", '"x.\\u20ac/<>"'),
        ({"z": {"k": []}, "m": [1, [2, 3]], "a": {}}, '{"z": {"k": []}, "m": [1, [2, 3]], "a": {}}'),
        (-12345678901234567890, "-12345678901234567890"),
    ]
    for obj, written in rows:
        seen = product.call("packed_by_default", keys="secret-key", obj=obj)
        code = text(signature(written, "secret-key", SALT))
        assert same(len(code), 27)
        assert same(seen.value, written + "." + code)

    obj = {"b": "caf\u00e9", "a": [1, 2.5, None, True]}
    seen = product.call("packed_by_name", keys=b"secret-key", obj=obj)
    whole = '{"b": "caf\\u00e9", "a": [1, 2.5, null, true]}.FOk_SmF-68YyHVPWEcVKb7mNh3s'
    assert same(seen.value, whole)


@clause("FP-02.N1", "FP-02.N15", by="oracle")
def test_a_fresh_object_is_sealed_with_the_newest_key(product, inputs):
    obj = fresh_object(inputs)
    for keys in (inputs.text(9), inputs.token(30), [inputs.text(5), inputs.token(6)]):
        newest = keys[-1] if isinstance(keys, list) else keys
        assert same(product.call("packed_by_default", keys=keys, obj=obj).value, packed(obj, newest))
        assert same(product.call("packed_by_name", keys=keys, obj=obj).value, packed(obj, newest))


# N2 -------------------------------------------------------------------------------------------


@clause("FP-02.N2")
def test_named_sealed_text_is_loaded_from_text_and_bytes(product):
    rows = [{"a.b": [1, "x.\ny."]}, "....", [], False, None]
    for obj in rows:
        extra = {"max_age": 0, "with_timestamp": True, "serializer": 5, "payload": None, "f": "x"}
        seen = product.call("loaded_in_each_form", keys="secret-key", sealed=packed(obj, "secret-key"), extra=extra)
        assert same(seen.value, {"text": obj, "bytes": obj, "extra": obj, "named": obj})

    rows = [
        ((1, (2, ()), [3]), [1, [2, []], [3]]),
        ({1: "a", -20: {3: None}}, {"1": "a", "-20": {"3": None}}),
        ({2.5: ("x",)}, {"2.5": ["x"]}),
        ([{0: (0,)}], [{"0": [0]}]),
    ]
    for obj, back in rows:
        seen = product.call("there_and_back", key="secret-key", obj=obj, options=None)
        assert same(seen.value, [packed(obj, "secret-key"), back, back])


@clause("FP-02.N2", by="answer")
def test_fresh_sealed_text_is_loaded_whatever_the_further_keywords(product, inputs):
    key, obj = inputs.text(8), fresh_object(inputs)
    for extra in ({}, {inputs.word(9): inputs.text(4), "key_" + inputs.word(3): None}):
        seen = product.call("loaded_in_each_form", keys=[b"old", key], sealed=packed(obj, key), extra=extra)
        assert same(seen.value, {"text": obj, "bytes": obj, "extra": obj, "named": obj})


@clause("FP-02.N2", "FP-02.E1", by="oracle")
def test_a_changed_seal_is_not_loaded(product, inputs):
    key, obj = inputs.text(8), [inputs.integer(10, 99), "a.b"]
    right = packed(obj, key)
    assert same(product.call("loaded", key=key, sealed=right).value, obj)
    payload = raw(json.dumps(obj))
    changed = [with_other_letter(inputs, right), right[:-1], packed(obj, key + "x"), right[:-27]]
    for wrong in changed:
        refused = product.call("loaded", key=key, sealed=wrong)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], payload)
    refused = product.call("loaded", key=key, sealed=raw("[0" + right[1:]))
    assert refused.error.is_a("brinseal.BrokenSeal")
    assert same(refused.error.attrs["payload"], b"[0" + payload[1:])


# N3 -------------------------------------------------------------------------------------------


@clause("FP-02.N3", "FP-02.N10")
def test_the_defaults_are_shown_and_not_shared(product):
    for keys in ("k\u00e9y", b"raw\xff", ["old", b"new"], ""):
        seen = product.call("shown_by_default", keys=keys, obj={"a": [1, 2]})
        held = [raw(key) for key in keys] if isinstance(keys, list) else [raw(keys)]
        classes = seen.value["sealer"]
        assert same(classes[0], classes[1])
        expected = {
            "keys": [held, held[-1]],
            "salt": b"brinseal",
            "serializer": ['{"a": [1, 2]}', '{"a": [1, 2]}', True],
            "sealer": classes,
            "default salt of the sealer": b"brinseal.Sealer",
            "rest": [{}, {}, []],
        }
        assert same(seen.value, expected)

    for empty in (None, {}):
        seen = product.call("dicts_when_empty", key="secret-key", empty=empty, extra={"sep": "!"})
        assert same(seen.value, [[{}, {}], {}, {}, []])

    seen = product.call("defaults_of_the_class", obj={"a": ["\u00e9"]})
    classes = seen.value["sealer"]
    assert same(classes[0], classes[1])
    assert same(seen.value["serializer"], ['{"a": ["\\u00e9"]}'] * 2)
    assert same(seen.value["fallbacks"], [])


@clause("FP-02.N3", by="answer")
def test_what_is_given_by_position_is_shown(product, inputs):
    for salt in (inputs.text(7), inputs.token(7)):
        keys = [inputs.text(6), inputs.token(6), inputs.word(6)]
        kwargs, options = {inputs.word(4): inputs.integer(0, 9)}, {inputs.word(5): inputs.text(3)}
        fallbacks = [{"sep": inputs.word(2)}, {}]
        seen = product.call(
            "shown_as_given", keys=keys, salt=salt, kwargs=kwargs, options=options, fallbacks=fallbacks
        )
        sealer, (serializer, is_text) = seen.value["sealer"], seen.value["serializer"]
        assert same(sealer[0], sealer[1])
        assert same(serializer[0], serializer[1])
        assert same(is_text, False)
        assert same(seen.value["keys"], [[raw(key) for key in keys], raw(keys[2])])
        assert same(seen.value["salt"], raw(salt))
        assert same(seen.value["rest"], [kwargs, options, fallbacks])


@clause("FP-02.N3", by="answer")
def test_keys_come_from_any_iterable_into_a_list_of_its_own(product, inputs):
    rows = ["list", "tuple", "iterator", "dict"]
    for form in rows:
        keys = [inputs.text(6), inputs.token(6), inputs.word(6)]
        seen = product.call("shown_by_form", form=form, keys=keys)
        assert same(seen.value, [[raw(key) for key in keys], raw(keys[2])])

    keys, extra = [inputs.token(6), inputs.token(6)], inputs.token(6)
    seen = product.call("keys_after_a_change", keys=keys, extra=extra)
    assert same(seen.value, [keys, keys[1], extra])


# N4 -------------------------------------------------------------------------------------------


def calls_under(key, own, salt, obj):
    whole = packed(obj, key, salt)
    return {
        "dumps": [whole, whole],
        "dump": [whole, whole],
        "loads": [obj, obj],
        "load": [obj, obj],
        "flagged": [(True, obj), (True, obj)],
        "file": [(True, obj), (True, obj)],
        "sealer": [raw(salt), raw(salt)],
        "unsealers": [raw(salt), raw(salt)],
        "after": [raw(own), packed(obj, key, own)],
    }


@clause("FP-02.N4")
def test_a_salt_for_one_call(product):
    for salt in ("tw\u00f6", b"\xfftwo", "one"):
        shared = {"key": "secret-key", "own": "one", "obj": [7]}
        seen = product.call("salted_calls", salt=salt, sealed=packed([7], "secret-key", salt), **shared)
        assert same(seen.value, calls_under("secret-key", "one", salt, [7]))


@clause("FP-02.N4", "FP-02.N11", "FP-02.N13", by="oracle")
def test_a_fresh_salt_for_one_call(product, inputs):
    for salt in (inputs.text(7), inputs.token(7)):
        key, own, obj = inputs.token(8), inputs.text(6), fresh_object(inputs)
        seen = product.call("salted_calls", key=key, own=own, salt=salt, sealed=packed(obj, key, salt), obj=obj)
        assert same(seen.value, calls_under(key, own, salt, obj))

    own, salt = inputs.text(6), inputs.text(7)
    seen = product.call(
        "salts_of_unsealers", keys=["k1", "k2"], own=own, salt=salt, fallbacks=[{"sep": "!"}, {}]
    )
    assert same(seen.value, [[raw(salt)] * 5, [raw(own)] * 5])


@clause("FP-02.N4", "FP-02.E1", by="oracle")
@pytest.mark.parametrize("operation", ["loads", "load"])
def test_what_was_sealed_under_one_salt_is_refused_under_another(product, inputs, operation):
    key, own, salt, obj = inputs.text(8), inputs.token(5), inputs.text(6), [inputs.text(4)]
    shared = {"operation": operation, "key": key, "own": own}
    for given, right, wrong in ((None, own, salt), (salt, salt, own), (own, own, SALT)):
        seen = product.call("loaded_under", salt=given, sealed=packed(obj, key, right), **shared)
        assert same(seen.value, obj)
        refused = product.call("loaded_under", salt=given, sealed=packed(obj, key, wrong), **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")


# N5 -------------------------------------------------------------------------------------------


@clause("FP-02.N5")
def test_text_and_binary_serializers_of_a_named_object(product):
    whole = sealed("\u00e9.1", "secret-key")
    rows = [
        ("text", True, text(whole), "\u00e9.1"),
        ("bytes", False, whole, b"\xc3\xa9.1"),
        ("text for {} only", True, text(whole), "\u00e9.1"),
        ("bytes for {} only", False, whole, b"\xc3\xa9.1"),
    ]
    for kind, is_text, packed_as, handed in rows:
        seen = product.call("through_serializer", kind=kind, key="secret-key", obj="\u00e9.1")
        assert same(seen.value, [is_text, packed_as, [handed]])


@clause("FP-02.N5", "FP-02.N2", "FP-02.N10", by="oracle")
def test_fresh_serializers_are_fed_from_text_and_from_bytes(product, inputs):
    key, obj = inputs.text(8), b"\xff\x00." + inputs.token(20) + b".\xe9"
    seen = product.call("through_serializer", kind="raw", key=key, obj=obj)
    assert same(seen.value, [False, sealed(obj, key), [obj]])
    word = inputs.text(12) + "\u00fc"
    seen = product.call("through_serializer", kind="text", key=key, obj=word)
    assert same(seen.value, [True, text(sealed(word, key)), [word]])

    key, word = inputs.token(8), "\u00e9." + inputs.text(10)
    whole = sealed(word, key)
    for kind, handed in (("text", word), ("bytes", raw(word))):
        for given in (whole, text(whole)):
            seen = product.call("handed_to_serializer", kind=kind, key=key, sealed=given)
            assert same(seen.value, [[handed], (True, [handed])])

    key, head = inputs.text(6), inputs.text(4)
    seen = product.call("with_an_empty_serializer", key=key, obj=12, head=head)
    assert same(seen.value, [text(sealed(head + "12", key)), [head + "12"]])


# N6, N7, N8 -----------------------------------------------------------------------------------


@clause("FP-02.N6")
def test_calls_of_the_serializer_for_a_named_object(product):
    options = {"indent": 1, "mode": "x"}
    seen = product.call("serializer_calls", key="secret-key", objs=[5, [6]], options=options)
    built = [["dumps", [{}], {}]]
    made = built + [["dumps", [5], options], ["dumps", [[6]], options]]
    whole = made + [["loads", ["5"], {}], ["loads", ["[6]"], {}]]
    assert same(seen.value, {"built": built, "packed": made, "all": whole, "back": ["5", "[6]"]})


@clause("FP-02.N6", by="oracle")
@pytest.mark.parametrize(
    "operation",
    ["dump_payload", "dumps", "dump", "load_payload", "loads", "load", "loads_unverified", "load_unverified"],
)
def test_each_operation_calls_the_serializer_once(product, inputs, operation):
    key, word = inputs.text(8), inputs.text(9)
    for options in ({inputs.word(5): inputs.integer(0, 9), "sort_keys": None}, None):
        argument, call = (word, ["dumps", [word], options or {}])
        if operation.startswith("load"):
            argument = raw(word) if operation == "load_payload" else text(sealed(word, key))
            call = ["loads", [word], {}]
        seen = product.call("serializer_calls_by", operation=operation, key=key, argument=argument, options=options)
        assert same(seen.value, [["dumps", [{}], {}], ["dumps", [{}], {}], call])


@clause("FP-02.N7", "FP-02.N8")
def test_named_payloads_are_made_and_loaded_without_a_seal(product):
    obj = {"b": "\u00e9", "a": 1}
    plain = b'{"b": "\\u00e9", "a": 1}'
    seen = product.call("payload_of", key="secret-key", obj=obj, options=None)
    assert same(seen.value, [plain, plain, text(sealed(plain, "secret-key"))])
    options = {"ensure_ascii": False, "sort_keys": True, "separators": [",", ":"]}
    tuned = b'{"a":1,"b":"\xc3\xa9"}'
    seen = product.call("payload_of", key="secret-key", obj=obj, options=options)
    assert same(seen.value, [tuned, tuned, text(sealed(tuned, "secret-key"))])

    rows = [(b'"\xc3\xa9."', "\u00e9."), (b"[1, 2.5]", [1, 2.5]), (b" null", None), (b"{\"a\": {}}", {"a": {}})]
    for payload, obj in rows:
        assert same(product.call("payload_loaded", payload=payload).value, [obj, obj])


@clause("FP-02.N7", "FP-02.N8", by="oracle")
def test_fresh_payloads_are_made_and_loaded(product, inputs):
    key, obj = inputs.text(8), fresh_object(inputs)
    for options in ({"indent": inputs.integer(1, 4)}, {"sort_keys": True}, {"ensure_ascii": False}):
        payload = raw(json.dumps(obj, **options))
        seen = product.call("payload_of", key=key, obj=obj, options=options)
        assert same(seen.value, [payload, payload, text(sealed(payload, key))])

    head, word = inputs.text(4), "\u00e9" + inputs.text(7)
    for kind, encoding in (("text", "utf-8"), ("utf-16", "utf-16-le")):
        seen = product.call("payload_by", kind=kind, key="secret-key", obj=word, options={"head": head})
        assert same(seen.value, (head + word).encode(encoding))
        seen = product.call("payload_by", kind=kind, key="secret-key", obj=word, options={})
        assert same(seen.value, word.encode(encoding))

    obj = fresh_object(inputs)
    assert same(product.call("payload_loaded", payload=raw(json.dumps(obj))).value, [obj, obj])
    assert same(product.call("payload_loaded", payload=raw(unescaped(obj))).value, [obj, obj])

    word = "\u00e9" + inputs.text(8)
    seen = product.call("payload_loaded_after_a_turn", payload=raw(word))
    assert same(seen.value, [[word], [raw(word)]])


@clause("FP-02.N8", by="answer")
@pytest.mark.parametrize("own", ["none", "text", "bytes"])
def test_a_serializer_given_for_a_payload_takes_the_place_of_the_own(product, inputs, own):
    word = str(inputs.integer(100, 999))
    handed = {"none": int(word), "text": ["text", word], "bytes": ["bytes", raw(word)], "empty": ["empty", word]}
    for given in ("none", "text", "bytes", "empty"):
        seen = product.call("payload_loaded_with", payload=raw(word), own=own, given=given)
        expected = handed[own] if given == "none" else handed[given]
        assert same(seen.value, [expected, expected])


# N9 -------------------------------------------------------------------------------------------


def calls_of_the_sealer(keys, salt, options, obj):
    held = [[raw(key) for key in keys]]
    salts = [SALT, salt, salt, SALT]
    settings = {"sep": options["sep"], "way": options["key_derivation"]}
    return {
        "built": [],
        "seals": [sealed("v", keys[-1], given, **settings) for given in salts[:3]],
        "dumps": packed(obj, keys[-1], **settings),
        "calls": [[held, {"salt": given, **options}] for given in salts],
    }


@clause("FP-02.N9")
def test_calls_of_the_sealer_for_a_named_object(product):
    options = {"sep": ":", "key_derivation": "hmac"}
    arguments = {"keys": ["old", "new"], "salt": b"s", "options": options, "obj": 3}
    seen = product.call("sealer_calls", **arguments)
    assert same(seen.value, calls_of_the_sealer(**arguments))


@clause("FP-02.N9", by="oracle")
def test_fresh_options_reach_the_sealer(product, inputs):
    for way in WAYS:
        options = {"sep": "!" + inputs.word(2), "key_derivation": way}
        keys = [inputs.text(5), inputs.token(6), inputs.text(7)]
        arguments = {"keys": keys, "salt": inputs.token(5), "options": options, "obj": fresh_object(inputs)}
        seen = product.call("sealer_calls", **arguments)
        assert same(seen.value, calls_of_the_sealer(**arguments))


@clause("FP-02.N9", by="oracle")
def test_dumps_seals_with_a_sealer_newly_made(product, inputs):
    key, obj = inputs.token(7), [inputs.text(5)]
    seen = product.call("sealers_made", key=key, obj=obj, extra=inputs.token(6))
    ids = seen.value[0]
    assert same(len(set(ids)), 2)
    assert same(seen.value[1:], [[key], [key], packed(obj, key)])

    key, obj, left, right = inputs.text(7), [inputs.integer(0, 99)], b"<" + raw(inputs.word(3)), b"\xc3\xa9>"
    shared = {"key": key, "obj": obj, "left": left, "right": right}
    value = left + raw(json.dumps(obj)) + right
    assert same(product.call("sealed_by_own", kind="bare", **shared).value, text(value))
    assert same(product.call("sealed_by_own", kind="derived", **shared).value, text(sealed(value, key)))


# N10 ------------------------------------------------------------------------------------------


@clause("FP-02.N10", by="oracle")
@pytest.mark.parametrize("case", ["left out", "none", "given"])
def test_a_subclass_sets_what_holds_for_the_left_out(product, inputs, case):
    key, obj, head, way = inputs.text(8), [inputs.integer(0, 99)], inputs.text(3), inputs.choice(WAYS[1:])
    fallbacks = [{"sep": "!" + inputs.word(2)}, {"sep": "::"}]
    seen = product.call("in_a_subclass", case=case, key=key, obj=obj, head=head, way=way, fallbacks=fallbacks)
    written = head + str(obj)
    own = [True, text(sealed(written, key, way=way)), [written], fallbacks]
    own.append([b".", raw(fallbacks[0]["sep"]), b"::"])
    given = [True, packed(obj, key), obj, [], [b"."]]
    assert same(seen.value, given if case == "given" else own)


@clause("FP-02.N10", "FP-02.N12", by="oracle")
def test_default_fallbacks_become_a_list_of_each_packer(product, inputs):
    key, obj = inputs.token(8), [inputs.text(5)]
    shared = {"key": key, "sealed": packed(obj, key, way="hmac"), "entries": [{"key_derivation": "hmac"}]}
    for given, right in (([], False), (None, True), ([{"key_derivation": "none"}], False)):
        seen = product.call("default_fallbacks_at_work", given=given, **shared)
        assert same(seen.value, [(True, obj), (False, obj), (True, obj), (right, obj), (False, obj)])

    entries, extra = [{"sep": inputs.word(3)}, {}], {"salt": inputs.text(3)}
    seen = product.call("default_fallbacks_shown", key="secret-key", entries=entries, extra=extra)
    assert same(
        seen.value,
        {
            "changed": [entries + [extra], [extra]],
            "later": [entries, []],
            "classes": [entries, []],
            "empty": [],
        },
    )


# N11 ------------------------------------------------------------------------------------------


@clause("FP-02.N11")
def test_a_file_is_written_and_read_by_one_call(product):
    for kind, form in (("text", text), ("bytes", bytes)):
        seen = product.call("written_by_dump", kind=kind, key="secret-key", obj=["\u00e9"], salt="s")
        own, other = form(sealed("['\u00e9']", "secret-key")), form(sealed("['\u00e9']", "secret-key", b"s"))
        assert same(seen.value, [[None, None, None], [own, other, other]])

    for whole in (packed([1, "x"], "secret-key"), raw(packed([1, "x"], "secret-key"))):
        seen = product.call("reads_made", key="secret-key", sealed=whole)
        assert same(seen.value, [[1, "x"], (True, [1, "x"]), [[[], {}], [[], {}]]])


@clause("FP-02.N11", by="oracle")
def test_files_of_both_kinds_are_used_from_where_they_stand(product, inputs):
    key, obj, before = inputs.token(8), [inputs.integer(0, 99)], inputs.text(5)
    seen = product.call("file_after_dump", key=key, obj=obj, before=before)
    whole = packed(obj, key)
    assert same(seen.value, [before + whole + whole, sealed(str(obj), key), str(obj)])

    key, obj, before = inputs.text(8), fresh_object(inputs), inputs.word(5) + "."
    salt = inputs.text(6)
    seen = product.call("read_from", key=key, salt=salt, before=before, sealed=packed(obj, key, salt))
    assert same(seen.value, [[obj, obj], [(True, obj), (True, obj)]])
    word = "\u00e9" + inputs.text(5)
    seen = product.call("binary_read_from", key=key, sealed=sealed(word, key))
    assert same(seen.value, [[[raw(word)]] * 2, [(True, [raw(word)])] * 2])


# N12, B4 --------------------------------------------------------------------------------------


@clause("FP-02.N12", "FP-02.B4")
def test_named_seals_are_flagged_and_loaded_if_they_can_be(product):
    right = packed([1], "secret-key")
    values = [right, raw(right), "[1].", "[2]" + right[3:], b"[3].\xff", "[4].abcde", packed([5], "other")]
    values += [packed("a.b", "secret-key")[:-1], packed([6], "secret-key", "other")]
    values += [packed([7], "secret-key", way="hmac")]
    values += [right + "AA"]
    seen = product.call("flagged", keys="secret-key", values=values)
    expected = [(True, [1]), (True, [1]), (False, [1]), (False, [2]), (False, [3]), (False, [4]), (False, [5])]
    expected += [(False, "a.b"), (False, [6]), (False, [7]), (False, [1])]
    assert same(seen.value, expected)

    values = ["", b"", "[1]", ".", "..", ".AAAA", "{nope.AAAA", b'"\xff".AAAA', "[1].[2].AAAA", "[1].AAAA", b"[1].\xff"]
    seen = product.call("flagged", keys="secret-key", values=values)
    assert same(seen.value, [(False, None)] * 9 + [(False, [1])] * 2)
    seen = product.call("flagged_in_files", key="secret-key", values=["", "[1]", ".AAAA", "{nope.AAAA", "[1].AAAA"])
    assert same(seen.value, ([(False, None)] * 4 + [(False, [1])]) * 2)

    rows = [
        ("json", [b"[1].A", b"[.A", b"\xff.A"], [[1], None, None]),
        ("lookup", [b"known.A", b"unknown.A", b".A"], ["known", None, None]),
        ("bytes", [b"\xff.A", b".A", b"\xff"], [[b"\xff"], [b""], None]),
        ("digits", [b"12.A", b"1x.A", b".A"], [12, None, None]),
        ("mute", [b"known.A", b".A", b"known"], [None, None, None]),
    ]
    for kind, values, loaded in rows:
        seen = product.call("flagged_by_serializer", kind=kind, key="secret-key", values=values)
        assert same(seen.value, [(False, obj) for obj in loaded])


@clause("FP-02.N12", "FP-02.N9", "FP-02.B4", by="oracle")
def test_fresh_seals_are_flagged_and_loaded_if_they_can_be(product, inputs):
    keys, obj = [inputs.text(6), inputs.token(7)], fresh_object(inputs)
    right = [packed(obj, key) for key in keys]
    wrong = [packed(obj, inputs.token(6)), with_other_letter(inputs, right[1]), right[0][:-27]]
    wrong += [packed(obj, keys[1], inputs.text(4)), packed(obj, keys[1], digest="sha256"), right[1][:-10]]
    seen = product.call("flagged", keys=keys, values=right + wrong)
    assert same(seen.value, [(True, obj)] * 2 + [(False, obj)] * len(wrong))

    key, obj, salt = inputs.text(8), ["a:b.c", inputs.text(4)], inputs.text(5)
    options = {"sep": ":", "key_derivation": "concat"}
    own = packed(obj, key, sep=":", way="concat")
    seen = product.call("flagged_by_form", key=key, options=options, sealed=own, salt=salt)
    assert same(seen.value, [(True, obj), (True, obj), (False, obj), (False, obj)])
    other = packed(obj, key, salt, sep=":", way="concat")
    seen = product.call("flagged_by_form", key=key, options=options, sealed=other, salt=salt)
    assert same(seen.value, [(False, obj), (False, obj), (True, obj), (True, obj)])
    seen = product.call("flagged_by_form", key=key, options=options, sealed=packed(obj, key, sep=":"), salt=None)
    assert same(seen.value, [(False, obj)] * 4)

    word, number = inputs.word(8), inputs.integer(100, 999)
    values = [word, word + ".AAAA", sealed(word, inputs.text(4)), sealed(b"\xff" + inputs.token(4), "other")]
    values += [sealed("", "other"), sealed(str(number), "other"), "%d." % number]
    seen = product.call("flagged", keys="secret-key", values=values)
    assert same(seen.value, [(False, None)] * 5 + [(False, number)] * 2)
    values = [word, word + ".", text(sealed(word, "other")), text(sealed(str(number), "other"))]
    seen = product.call("flagged_in_files", key="secret-key", values=values)
    assert same(seen.value, ([(False, None)] * 3 + [(False, number)]) * 2)


# N13, N14 -------------------------------------------------------------------------------------


@clause("FP-02.N13", "FP-02.N14")
def test_unsealers_of_named_settings_and_entries(product):
    fallbacks = [{"sep": ":"}, {"sep": "!", "key_derivation": "hmac"}]
    shared = {"keys": ["k1", "k2"], "options": None, "fallbacks": fallbacks}
    for given, salt in (("x", b"x"), (None, b"brinseal")):
        seen = product.call("unsealers", salt=given, **shared)
        expected = [
            [[b"k1", b"k2"], salt, b".", "infix-concat"],
            [[b"k1"], salt, b":", "infix-concat"],
            [[b"k2"], salt, b":", "infix-concat"],
            [[b"k1"], salt, b"!", "hmac"],
            [[b"k2"], salt, b"!", "hmac"],
        ]
        assert same(seen.value, expected)

    entries = [["alone", {"key_derivation": "hmac"}], ["alone", {}], ["paired", {"sep": "!"}]]
    entries += [["class", None], ["paired", {}]]
    shared = {"keys": ["k"], "ways": ["concat", "none"], "entries": entries, "salt": "s"}
    seen = product.call("entries_built", options={"sep": ":"}, **shared)
    rows = [(b":", "concat"), (b".", "hmac"), (b".", "concat"), (b"!", "none"), (b":", "none"), (b".", "none")]
    assert same(seen.value, [[[b"k"], b"s", sep, way] for sep, way in rows])
    seen = product.call("entries_built", options=None, **shared)
    rows = [(b".", "concat"), (b".", "hmac"), (b".", "concat"), (b"!", "none"), (b".", "none"), (b".", "none")]
    assert same(seen.value, [[[b"k"], b"s", sep, way] for sep, way in rows])


@clause("FP-02.N13", "FP-02.N14", by="answer")
def test_unsealers_are_built_one_by_one(product, inputs):
    keys = [inputs.token(5), inputs.token(6), inputs.token(7)]
    seps = ["!" + inputs.word(2), ":" + inputs.word(2)]
    whole = [[keys, b"."]] + [[[key], raw(sep)] for sep in seps for key in keys]
    for count in (1, 2, 5, 7):
        seen = product.call("unsealers_one_by_one", keys=keys, fallbacks=[{"sep": sep} for sep in seps], count=count)
        assert same(seen.value, [whole[:count], 7 - count])

    keys, salt = [inputs.token(5), inputs.token(6)], inputs.token(4)
    options = {"sep": "!" + inputs.word(2)}
    fallbacks = [{"key_derivation": "concat"}, {}, {"sep": ":", "digest_method": None}]
    seen = product.call("unsealer_calls", keys=keys, salt=salt, options=options, fallbacks=fallbacks)
    later = [[[key], {"salt": salt, **each}] for each in fallbacks for key in keys]
    assert same(seen.value, [0, 7, [keys], {"salt": salt, **options}, later])


@clause("FP-02.N14", by="answer")
def test_fresh_entries_in_any_order(product, inputs):
    keys, salt, ways = [inputs.token(5), inputs.token(6)], inputs.text(4), inputs.sample(WAYS, 3)
    own, alone, paired = ["!" + inputs.word(2) for sep in range(3)]
    options = {"sep": own, "key_derivation": ways[2]}
    rows = [
        (["alone", {"sep": alone}], raw(alone), ways[0]),
        (["paired", {"sep": paired}], raw(paired), ways[1]),
        (["class", None], raw(own), ways[2]),
        (["alone", {}], b".", ways[0]),
        (["paired", {"key_derivation": "none"}], b".", "none"),
    ]
    inputs.shuffle(rows)
    seen = product.call(
        "entries_built", keys=keys, ways=ways, options=options, entries=[row[0] for row in rows], salt=salt
    )
    later = [[[key], raw(salt), sep, way] for entry, sep, way in rows for key in keys]
    assert same(seen.value, [[keys, raw(salt), raw(own), ways[2]]] + later)


# N15 ------------------------------------------------------------------------------------------


@clause("FP-02.N15")
def test_named_keys_and_fallbacks_are_taken(product):
    values = [packed("x", key, digest=digest) for digest in ("sha1", "sha512") for key in ("old", "new")]
    shared = {"keys": ["old", "new"], "options": None, "digest": "sha512", "values": values, "obj": "x"}
    seen = product.call("rotated", fallbacks=[], **shared)
    assert same(seen.value, {"dumps": packed("x", "new"), "loads": ["x"] * 4, "flagged": [(True, "x")] * 4})


@clause("FP-02.N15", "FP-02.E1", by="oracle")
def test_fresh_keys_and_fallbacks_are_taken_and_no_others(product, inputs):
    keys, obj = [inputs.text(5), inputs.token(6), inputs.text(7)], fresh_object(inputs)
    ways = [{"way": "concat", "sep": "!"}, {"way": "hmac"}, {"digest": "sha256"}]
    values = [packed(obj, key, **way) for way in ways for key in keys]
    seen = product.call(
        "rotated",
        keys=keys,
        options={"key_derivation": "concat", "sep": "!"},
        fallbacks=[{"key_derivation": "hmac"}],
        digest="sha256",
        values=values,
        obj=obj,
    )
    newest = packed(obj, keys[2], **ways[0])
    assert same(seen.value, {"dumps": newest, "loads": [obj] * 9, "flagged": [(True, obj)] * 9})

    keys, obj = [inputs.text(5), inputs.token(6)], [inputs.text(5)]
    shared = {"keys": keys, "options": {"key_derivation": "concat"}, "fallbacks": [{"key_derivation": "hmac"}]}
    for key in keys:
        for way in ("concat", "hmac"):
            assert same(product.call("loaded_among", sealed=packed(obj, key, way=way), **shared).value, obj)
    wrong = [packed(obj, inputs.text(7), way="hmac"), packed(obj, keys[0]), packed(obj, keys[1], way="none")]
    for whole in wrong:
        refused = product.call("loaded_among", sealed=whole, **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], raw(json.dumps(obj)))


@clause("FP-02.N15", "FP-02.E2", by="answer")
def test_the_first_that_does_not_refuse_gives_the_payload(product, inputs):
    first, second = inputs.integer(100, 499), inputs.integer(500, 999)
    one, two = raw(str(first)), raw(str(second))
    rows = [([one, two], first), ([None, two, one], second), ([None, None, one], first), ([two, None], second)]
    for answers, expected in rows:
        seen = product.call("first_that_accepts", key="secret-key", answers=answers, sealed=packed(7, "other"))
        assert same(seen.value, [expected, (True, expected)])

    number = inputs.integer(10, 99)
    for operation in ("loads", "loads_unverified"):
        shared = {"operation": operation, "key": "secret-key"}
        refused = product.call("unloadable_then_loadable", sealed="{" + inputs.word(4), **shared)
        assert refused.error.is_a("brinseal.BrokenPayload")
        seen = product.call("unloadable_then_loadable", sealed=raw(str(number)), **shared)
        assert same(seen.value, number if operation == "loads" else (True, number))


# N16 ------------------------------------------------------------------------------------------


@clause("FP-02.N16")
def test_a_subclass_overrides_the_making_of_the_payload(product):
    for payload in ("\u00e9<5.", b"\xc3\xa9<5."):
        seen = product.call("with_own_dump_payload", key="secret-key", salt="s", obj=2, payload=payload)
        own, other = sealed(payload * 2, "secret-key"), sealed(payload * 2, "secret-key", "s")
        assert same(seen.value, [text(own), text(other), text(other)])


@clause("FP-02.N16", by="oracle")
def test_a_subclass_overrides_the_making_of_sealers(product, inputs):
    keys, tag, salt, obj = [inputs.token(5), inputs.token(6)], inputs.token(3), inputs.token(4), [inputs.text(5)]
    whole = packed(obj, keys[0], tag + salt)
    seen = product.call(
        "with_own_make_sealer", key=keys, tag=tag, salt=salt, fallbacks=[{"sep": "!"}], sealed=whole, obj=obj
    )
    later = [[[key], salt, b"!"] for key in keys]
    assert same(
        seen.value,
        {
            "dumps": whole,
            "unsealers": [[keys[:1], tag + salt, b"."]] + later,
            "loads": obj,
            "flagged": (True, obj),
        },
    )


@clause("FP-02.N16", "FP-02.E1", by="oracle")
def test_a_subclass_overrides_the_unsealers(product, inputs):
    own, others, salt = inputs.text(5), [inputs.text(6), inputs.text(7)], inputs.token(4)
    obj = [inputs.text(4)]
    shared = {"key": own, "others": others, "salt": salt}
    for other in others:
        seen = product.call("with_own_iter_unsealers", sealed=packed(obj, other, salt), **shared)
        assert same(seen.value, obj)
    for wrong in (packed(obj, own, salt), packed(obj, others[0])):
        refused = product.call("with_own_iter_unsealers", sealed=wrong, **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
    values = [packed(obj, key, salt) for key in (own, *others)]
    seen = product.call("flagged_with_own_iter_unsealers", values=values, **shared)
    assert same(seen.value, [(False, obj), (True, obj), (True, obj)])


@clause("FP-02.N16", "FP-02.B4", by="oracle")
def test_a_subclass_overrides_the_loading_of_the_payload_or_refuses(product, inputs):
    key, tag, payload = inputs.text(6), inputs.text(3), b"<" + inputs.token(6)
    right, wrong = sealed(payload, key), sealed(payload, key + "x")
    seen = product.call("with_own_load_payload", key=key, tag=tag, right=right, wrong=wrong)
    back = [tag, payload]
    expected = {"loads": back, "load": back, "right": [(True, back)] * 2, "wrong": [(False, back)] * 2}
    assert same(seen.value, expected)

    key, other, word = inputs.text(6), inputs.text(7), str(inputs.integer(100, 999))
    values = [sealed(word, other, b"brinseal.Sealer"), sealed(word, key), b"{." + raw(word), raw(word)]
    seen = product.call("with_refusing_loads", key=key, other=other, values=values)
    assert same(seen.value, [(True, [raw(word)]), (False, int(word)), (False, None), (False, None)])


@clause("FP-02.N16", by="answer")
def test_the_other_methods_build_on_dumps_and_loads(product, inputs):
    tag, content, salt = inputs.text(3), inputs.token(9), inputs.token(4)
    seen = product.call("with_own_loads", key="secret-key", tag=tag, content=content, salt=salt)
    back = [tag, content, salt]
    assert same(seen.value, {"load": back, "loads_unverified": (True, back), "load_unverified": (True, back)})

    tag, content, salt = inputs.text(3), inputs.token(9), inputs.token(4)
    seen = product.call("with_own_dumps", key="secret-key", tag=tag, obj=[content], salt=salt)
    assert same(seen.value, tag + str([[content], salt]))
    seen = product.call("with_own_loads_unverified", key="secret-key", tag=tag, content=content, salt=salt)
    assert same(seen.value, (tag, [content, salt]))


# B1 -------------------------------------------------------------------------------------------


def without_a_salt(keys, fallbacks, obj):
    return {
        "salts": [None, SEALER_SALT, [SEALER_SALT] * (1 + len(fallbacks) * len(keys))],
        "dumps": [packed(obj, keys[-1], SEALER_SALT)] * 2,
        "loads": obj,
        "flagged": (True, obj),
    }


@clause("FP-02.B1")
def test_a_named_packer_without_a_salt(product):
    whole = packed([1], "secret-key", b"brinseal.Sealer")
    seen = product.call("without_a_salt", keys=["secret-key"], fallbacks=[{}], sealed=whole, obj=[1])
    assert same(seen.value, without_a_salt(["secret-key"], [{}], [1]))


@clause("FP-02.B1", by="oracle")
def test_a_fresh_packer_without_a_salt(product, inputs):
    keys, obj = [inputs.text(5), inputs.token(6)], fresh_object(inputs)
    fallbacks = [{"key_derivation": "hmac"}, {"sep": "!"}]
    for whole in (
        packed(obj, keys[0], SEALER_SALT),
        packed(obj, keys[1], SEALER_SALT, way="hmac"),
        packed(obj, keys[0], SEALER_SALT, sep="!"),
    ):
        seen = product.call("without_a_salt", keys=keys, fallbacks=fallbacks, sealed=whole, obj=obj)
        assert same(seen.value, without_a_salt(keys, fallbacks, obj))


@clause("FP-02.B1", by="oracle")
def test_the_salt_is_handed_on_be_it_none_or_empty(product, inputs):
    salt = inputs.token(5)
    rows = [(None, None, None), (b"", None, b""), (salt, b"", b"")]
    rows += [(None, salt, salt), (salt, None, salt), (None, b"", b"")]
    for own, given, handed in rows:
        seen = product.call("salts_handed_on", key="secret-key", salt=own, given=given, fallbacks=[{}])
        assert same(seen.value, [{"salt": handed}] * 3)

    key, obj = inputs.text(6), [inputs.text(4)]
    rows = [("", None, b""), (b"", None, b""), ("own", "", b"own"), (b"own", b"", b"own"), (None, "", None)]
    for own, salt, shown in rows:
        whole = packed(obj, key, b"")
        seen = product.call("with_empty_salt", key=key, own=own, salt=salt, sealed=whole, obj=obj)
        assert same(seen.value, {"salts": [shown, b"", b""], "dumps": whole, "loads": obj, "flagged": (True, obj)})


# B2 -------------------------------------------------------------------------------------------


@clause("FP-02.B2", by="oracle")
def test_what_is_kept_may_be_changed_or_replaced(product, inputs):
    for fallbacks in ([], [{"sep": inputs.word(3)}]):
        options, kwargs, extra = {"sep": inputs.text(3)}, {inputs.word(4): 1}, {"x" + inputs.word(5): inputs.text(2)}
        seen = product.call(
            "kept_themselves", key="secret-key", options=options, kwargs=kwargs, fallbacks=fallbacks, extra=extra
        )
        assert same(seen.value, [{**options, **extra}, {**kwargs, **extra}, fallbacks + [extra]])

    key, word = inputs.text(6), inputs.text(5)
    for way in WAYS[1:]:
        seen = product.call("with_kinds_set", key=key, way=way, obj=word)
        assert same(seen.value, [sealed(word, key, way=way), [raw(word)], [raw(word)]])

    keys, obj = [inputs.token(5), inputs.token(6), inputs.token(7)], [inputs.text(4)]
    for key, kept in ((keys[0], keys[1:]), (keys[2], keys[:2])):
        seen = product.call("keys_replaced", keys=keys, kept=kept, sealed=packed(obj, key))
        assert same(seen.value, [(True, obj), (False, obj), kept[-1]])


@clause("FP-02.B2")
def test_named_settings_are_looked_at_late(product):
    obj = {"b": 1, "a": 2}
    later = {"options": {"sep": "!"}, "kwargs": {"sort_keys": True}, "fallback": {}, "key": b"new"}
    elsewhere = packed(obj, b"new", SEALER_SALT)
    seen = product.call(
        "changed_from_outside",
        keys=["old"],
        options={"sep": ":"},
        kwargs={"indent": None},
        later=later,
        sealed=elsewhere,
        obj=obj,
    )
    before = [packed(obj, "old", SEALER_SALT, sep=":"), (False, None)]
    after = text(sealed('{"a": 2, "b": 1}', "new", SEALER_SALT, sep="!"))
    assert same(seen.value, before + [after, (True, obj), b"new"])

    rows = [
        ({"nope": 1}, {"nope": 2, "salt": b"x", "sep": ""}, [5, None, "text", {"sep": "a"}]),
        ({"obj": 1}, {"secret_key": 3}, [(1, 2, 3), {1: 2}]),
    ]
    for kwargs, options, fallbacks in rows:
        seen = product.call("unchecked", key="secret-key", kwargs=kwargs, options=options, fallbacks=fallbacks)
        assert same(seen.value, [kwargs, options, fallbacks])


@clause("FP-02.B2", by="oracle")
def test_attributes_set_later_count(product, inputs):
    obj = {"b": [1, inputs.text(3)], "a": 2}
    for way in ("concat", "hmac"):
        keys, salt = [inputs.token(5), inputs.token(6)], inputs.token(4)
        attributes = {
            "secret_keys": keys,
            "salt": salt,
            "sealer_options": {"sep": "!", "key_derivation": way},
            "serializer_kwargs": {"sort_keys": True},
            "fallback_sealers": [{"sep": ":"}],
        }
        whole = text(sealed(json.dumps(obj, sort_keys=True), keys[1], salt, sep="!", way=way))
        old = packed(obj, keys[0], salt, sep=":")
        seen = product.call("with_attributes_set", key="first", attributes=attributes, sealed=old, obj=obj)
        shown = [[keys, salt, b"!"], [keys[:1], salt, b":"], [keys[1:], salt, b":"]]
        assert same(seen.value, [shown, whole, obj])


# B3 -------------------------------------------------------------------------------------------


@clause("FP-02.B3")
def test_a_packer_without_keys_yields_its_own_sealer_only(product):
    values = [packed([5], ""), packed([5], "key"), "[5].", "[5]", b"\xff"]
    for fallbacks in ([], [{}, {"sep": "!"}]):
        seen = product.call("held_without_keys", keys=[], options=None, fallbacks=fallbacks, values=values)
        flags = [(False, [5])] * 3 + [(False, None)] * 2
        assert same(seen.value, [[], [[[], b"."]], flags])


@clause("FP-02.B3", "FP-02.E1", by="oracle")
def test_without_keys_all_is_refused_and_nothing_packed(product, inputs):
    obj, sep = [inputs.text(5)], "!" + inputs.word(2)
    values = [packed(obj, key, sep=sep) for key in ("", inputs.token(5), inputs.text(5))]
    shared = {"options": {"sep": sep}, "fallbacks": [{"sep": sep}], "values": values}
    seen = product.call("held_without_keys", keys=[], **shared)
    assert same(seen.value, [[], [[[], raw(sep)]], [(False, obj)] * 3])
    seen = product.call("held_without_keys", keys=[""], **shared)
    assert same(seen.value, [[b""], [[[b""], raw(sep)]] * 2, [(True, obj), (False, obj), (False, obj)]])

    obj, key = [inputs.text(5)], inputs.text(5)
    shared = {"options": None, "fallbacks": [{}, {"sep": ":"}]}
    payload = raw(json.dumps(obj))
    values = [(raw(packed(obj, key)), payload), (raw(packed(obj, "")), payload), (b"5.", b"5"), (b"", None)]
    for whole, payload in values:
        refused = product.call("loaded_among", keys=[], sealed=whole, **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], payload)
    assert same(product.call("loaded_among", keys=[key], sealed=raw(packed(obj, key)), **shared).value, obj)

    key, obj = inputs.text(5), [inputs.text(4)]
    assert product.call("newest_key", keys=[]).error.is_a("IndexError")
    assert same(product.call("newest_key", keys=["old", key]).value, raw(key))
    assert product.call("packed_by_default", keys=[], obj=obj).error.is_a("IndexError")
    assert same(product.call("packed_by_default", keys=[key], obj=obj).value, packed(obj, key))


# B5 -------------------------------------------------------------------------------------------


@clause("FP-02.B5")
def test_the_last_separator_of_named_fallbacks_counts(product):
    values = ["1!.:AA", "1:.!AA", "2:AA", "3.AA", "4.5:AA!AA", "6!AA", "7:8:AA.", b"9:"]
    shared = {"key": "secret-key", "values": values}
    seen = product.call("flagged_among", fallbacks=[{"sep": "!"}, {"sep": ":"}], **shared)
    loaded = [None, 1, 2, None, 4.5, None, None, 9]
    assert same(seen.value, [(False, obj) for obj in loaded])
    seen = product.call("flagged_among", fallbacks=[{"sep": ":"}, {"sep": "!"}], **shared)
    loaded = [1, None, None, None, None, 6, None, None]
    assert same(seen.value, [(False, obj) for obj in loaded])


@clause("FP-02.B5", "FP-02.E1", by="answer")
def test_the_last_refusal_comes_out_as_it_is(product, inputs):
    key, left, right = inputs.text(6), inputs.text(4), inputs.word(4)
    shared = {"keys": [b"old", key], "options": {"sep": ";"}}
    rows = [
        ([{"sep": "!"}, {"sep": ":"}], None),
        ([{"sep": ":"}, {"sep": "!"}], raw(left)),
        ([], raw(left + "!" + right)),
    ]
    whole = left + "!" + right + ";A"
    for fallbacks, expected in rows:
        refused = product.call("loaded_among", fallbacks=fallbacks, sealed=whole, **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], expected)
    seen = product.call("loaded_among", fallbacks=[{"sep": ":"}], sealed=packed([left], key, sep=";"), **shared)
    assert same(seen.value, [left])

    keys = [str(inputs.integer(100, 999)) for key in range(3)]
    for tags in (["1"], ["3", "1", "2"]):
        shared = {"keys": keys, "tags": tags, "sealed": packed([0], "other")}
        refused = product.call("refused_in_turn", operation="loads", **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["message"], tags[-1])
        assert same(refused.error.attrs["payload"], raw(tags[-1] + keys[2]))
        seen = product.call("refused_in_turn", operation="loads_unverified", **shared)
        assert same(seen.value, (False, int(tags[-1] + keys[2])))


# E1 -------------------------------------------------------------------------------------------


@clause("FP-02.E1")
def test_named_values_are_refused_with_their_payload(product):
    rows = [
        ("[1].AAAA", b"[1]"),
        ("[1].[2].", b"[1].[2]"),
        (".A", b""),
        ("", None),
        ("[1]", None),
        ("{nope.AAAA", b"{nope"),
    ]
    for operation in ("loads", "load"):
        for whole, payload in rows:
            refused = product.call("opened", operation=operation, key="secret-key", content=whole)
            assert refused.error.is_a("brinseal.BrokenSeal")
            assert refused.error.is_a("brinseal.BrokenData")
            assert same(refused.error.attrs["payload"], payload)
        seen = product.call("opened", operation=operation, key="secret-key", content=packed([1], "secret-key"))
        assert same(seen.value, [1])


@clause("FP-02.E1", by="oracle")
@pytest.mark.parametrize("operation", ["loads", "load bytes"])
def test_fresh_bytes_are_refused_with_their_payload(product, inputs, operation):
    key, payload = inputs.text(7), b"\xff." + inputs.token(8)
    for whole, left in ((sealed(payload, key + "x"), payload), (payload + b".A", payload), (b"\xfe", None), (b"", None)):
        refused = product.call("opened", operation=operation, key=key, content=whole)
        assert refused.error.is_a("brinseal.BrokenSeal")
        assert same(refused.error.attrs["payload"], left)
    obj = fresh_object(inputs)
    assert same(product.call("opened", operation=operation, key=key, content=raw(packed(obj, key))).value, obj)

    word = inputs.text(6)
    shared = {"key": key, "payload": raw(word), "sealed": sealed(word, key)}
    refused = product.call("loads_made", operation="loads", **shared)
    assert refused.error.is_a("brinseal.BrokenSeal")
    assert same(refused.error.attrs["calls"], [])
    assert same(product.call("loads_made", operation="loads_unverified", **shared).value, (False, word))


# E2 -------------------------------------------------------------------------------------------


@clause("FP-02.E2")
def test_named_payloads_cannot_be_loaded(product, inputs):
    for operation, expected in (("loads", [1]), ("loads_unverified", (True, [1]))):
        shared = {"keys": "secret-key", "options": None, "fallbacks": [{}, {"sep": ":"}], "operation": operation}
        for payload in (b'"\xff"', b"{nope", b""):
            refused = product.call("operated", argument=sealed(payload, "secret-key"), **shared)
            assert refused.error.is_a("brinseal.BrokenPayload")
            assert refused.error.is_a("brinseal.BrokenData")
            assert same(refused.error.is_a("brinseal.BrokenSeal"), False)
        seen = product.call("operated", argument=sealed("[1]", "secret-key"), **shared)
        assert same(seen.value, expected)

    number = inputs.integer(10, 99)
    for payload in (None, number, str(number)):
        refused = product.call("payload_of_any_kind", payload=payload)
        assert refused.error.is_a("brinseal.BrokenPayload")
    assert same(product.call("payload_of_any_kind", payload=raw(str(number))).value, number)


@clause("FP-02.E2", by="answer")
@pytest.mark.parametrize("operation", ["load_payload", "loads", "load", "loads_unverified", "load_unverified"])
def test_whatever_a_serializer_raises_is_a_broken_payload(product, inputs, operation):
    key, word = inputs.text(6), inputs.text(7)
    content = raw(word) if operation == "load_payload" else sealed(word, key)
    shared = {"operation": operation, "key": key, "content": content}
    for kind in ("key", "zero", "seal", "payload", "mute"):
        refused = product.call("with_serializer", kind=kind, **shared)
        assert refused.error.is_a("brinseal.BrokenPayload")
        assert same(refused.error.is_a("brinseal.BrokenSeal"), False)
    seen = product.call("with_serializer", kind="good", **shared)
    assert same(seen.value, (True, [word]) if operation.endswith("unverified") else [word])
    content = b"\xff" if operation == "load_payload" else sealed(b"\xff", key)
    refused = product.call("with_serializer", kind="good", operation=operation, key=key, content=content)
    assert refused.error.is_a("brinseal.BrokenPayload")


@clause("FP-02.E2", by="oracle")
@pytest.mark.parametrize("operation", ["load_payload", "loads", "load", "loads_unverified", "load_unverified"])
def test_the_original_error_of_a_broken_payload_is_kept(product, inputs, operation):
    key, word = inputs.text(6), inputs.word(7)
    shared = {"operation": operation, "key": key}
    form = raw if operation == "load_payload" else lambda payload: sealed(payload, key)
    rows = [
        ("number", word, "ValueError"),
        ("key", word, "KeyError"),
        ("zero", word, "ZeroDivisionError"),
        ("number", b"\xff" + inputs.token(3), "UnicodeDecodeError"),
    ]
    for kind, payload, name in rows:
        refused = product.call("with_serializer", kind=kind, content=form(payload), **shared)
        assert refused.error.is_a("brinseal.BrokenPayload")
        assert same(repr(refused.error.attrs["original_error"]).count(name), 1)
    seen = product.call("with_serializer", kind="number", content=form("17"), **shared)
    assert same(seen.value, (True, 17) if operation.endswith("unverified") else 17)


@clause("FP-02.E2", by="answer")
@pytest.mark.parametrize("operation", ["load_payload", "loads", "load", "loads_unverified", "load_unverified"])
def test_the_original_error_is_the_cause_as_well(product, inputs, operation):
    key, obj = inputs.text(6), fresh_object(inputs)
    form = raw if operation == "load_payload" else lambda payload: sealed(payload, key)
    shared = {"operation": operation, "key": key}
    for payload, name in (("{" + inputs.word(4), "JSONDecodeError"), (b"\xff" + inputs.token(3), "UnicodeDecodeError")):
        refused = product.call("refused_back", given=form(payload), **shared)
        assert refused.error.is_a("brinseal.BrokenPayload")
        assert same(refused.error.attrs["cause"].count(name), 1)
        assert same(refused.error.attrs["ids"][0], refused.error.attrs["ids"][1])
    seen = product.call("refused_back", given=form(json.dumps(obj)), **shared)
    assert same(seen.value, (True, obj) if operation.endswith("unverified") else obj)


# E3 -------------------------------------------------------------------------------------------


@clause("FP-02.E3", by="answer")
def test_a_broken_payload_shows_what_it_was_built_with(product, inputs):
    for message in ("bad", "", inputs.text(9)):
        cause = inputs.text(5)
        seen = product.call("payload_errors", message=message, cause=cause)
        assert same(seen.value, [[message, message, None], [message, message, cause], [message, message, cause]])


@clause("FP-02.E3")
def test_a_broken_payload_is_broken_data(product):
    refused = product.call("thrown_payload_error", message="bad", times=1)
    assert refused.error.is_a("brinseal.BrokenPayload")
    assert refused.error.is_a("brinseal.BrokenData")
    assert same(refused.error.is_a("brinseal.BrokenSeal"), False)
    assert same(refused.error.attrs["message"], "bad")
    assert same(product.call("thrown_payload_error", message="bad", times=0).value, [])


# E4 -------------------------------------------------------------------------------------------


@clause("FP-02.E4")
@pytest.mark.parametrize("operation", ["dump_payload", "dumps", "dump"])
def test_what_json_cannot_write_is_refused(product, operation):
    expected = {"dump_payload": b"[1]", "dumps": packed([1], "secret-key"), "dump": None}[operation]
    shared = {"operation": operation, "key": "secret-key"}
    rows = [(None, [b"x"]), (None, {1, 2}), (None, {"a": [{b"b"}]}), ({"nope": 1}, [1]), (None, {(1, 2): 3})]
    for options, obj in rows:
        refused = product.call("dumped_with", options=options, obj=obj, **shared)
        assert refused.error.is_a("TypeError")
        assert same(refused.error.is_a("brinseal.BrokenData"), False)
    assert same(product.call("dumped_with", options=None, obj=[1], **shared).value, expected)


@clause("FP-02.E4", by="oracle")
@pytest.mark.parametrize("operation", ["dump_payload", "dumps", "dump"])
def test_what_a_serializer_raises_for_an_object_comes_out(product, inputs, operation):
    key, word = inputs.text(6), inputs.word(7)
    expected = {"dump_payload": raw(word), "dumps": text(sealed(word, key)), "dump": None}[operation]
    shared = {"operation": operation, "key": key, "obj": word}
    assert same(product.call("dumped_by", kind="good", **shared).value, expected)
    for kind, name in (("key", "KeyError"), ("zero", "ZeroDivisionError"), ("seal", "brinseal.BrokenSeal")):
        refused = product.call("dumped_by", kind=kind, **shared)
        assert refused.error.is_a(name)
    refused = product.call("dumped_in_a_circle", operation=operation, key=key, obj=[], times=1)
    assert refused.error.is_a("ValueError")
    expected = {"dump_payload": b"[]", "dumps": packed([], key), "dump": None}[operation]
    assert same(product.call("dumped_in_a_circle", operation=operation, key=key, obj=[], times=0).value, expected)


@clause("FP-02.E4", by="oracle")
def test_nothing_is_written_for_what_cannot_be_packed(product, inputs):
    key, word = inputs.text(6), inputs.text(5)
    for options, obj in ((None, [word, {word}]), ({"x" + inputs.word(5): 1}, word)):
        refused = product.call("dumped_to", kind="failing", key=key, options=options, obj=obj)
        assert refused.error.is_a("TypeError")
    refused = product.call("dumped_to", kind="failing", key=key, options=None, obj=[word])
    assert refused.error.is_a("KeyError")
    seen = product.call("dumped_to", kind="open", key=key, options=None, obj=[word])
    assert same(seen.value, [None, packed([word], key)])


# E5 -------------------------------------------------------------------------------------------


@clause("FP-02.E5")
def test_a_serializer_without_dumps_is_refused(product):
    for serializer in (5, "json", 0, {}, b"", False):
        refused = product.call("built_with", serializer=serializer, key="secret-key")
        assert refused.error.is_a("AttributeError")
    assert same(product.call("built_with", serializer=None, key="secret-key").value, [[b"secret-key"], True])


@clause("FP-02.E5", by="answer")
def test_a_serializer_that_raises_or_no_key_is_refused(product, inputs):
    key = inputs.text(6)
    rows = [
        ("mute", "AttributeError"),
        ("key", "KeyError"),
        ("zero", "ZeroDivisionError"),
        ("number", "ValueError"),
        ("seal", "brinseal.BrokenSeal"),
    ]
    for kind, name in rows:
        refused = product.call("built_by", kind=kind, key=key)
        assert refused.error.is_a(name)
    assert same(product.call("built_by", kind="good", key=key).value, [[raw(key)], True])

    for key in (None, 0, inputs.integer(1, 99), 2.5):
        refused = product.call("built_from", key=key)
        assert refused.error.is_a("TypeError")
    assert same(product.call("built_from", key=str(key)).value, [[b"2.5"], b"brinseal"])


# E6 -------------------------------------------------------------------------------------------


@clause("FP-02.E6", "FP-02.N13")
def test_named_options_that_a_sealer_refuses(product, inputs):
    rows = [
        ({"sep": "a"}, "ValueError"),
        ({"sep": ""}, "ValueError"),
        ({"nope": 1}, "TypeError"),
        ({"salt": b"x"}, "TypeError"),
        ({"secret_key": "x"}, "TypeError"),
    ]
    for options, name in rows:
        refused = product.call("made_under", key="secret-key", options=options, value="v")
        assert refused.error.is_a(name)
    seen = product.call("made_under", key="secret-key", options={"sep": "!"}, value="v")
    assert same(seen.value, sealed("v", "secret-key", sep="!"))

    sep = "!" + inputs.word(2)
    shared = {"key": ["k1", "k2"], "options": None, "fallbacks": [{"sep": sep}, {"sep": inputs.word(1)}]}
    for count in (1, 2, 3):
        assert same(product.call("stepped", count=count, **shared).value, [b".", raw(sep), raw(sep)][:count])
    refused = product.call("stepped", count=4, **shared)
    assert refused.error.is_a("ValueError")
    refused = product.call("stepped", key="k", options={"nope": 1}, fallbacks=[{}], count=1)
    assert refused.error.is_a("TypeError")


@clause("FP-02.E6", by="oracle")
@pytest.mark.parametrize("operation", ["dumps", "loads"])
def test_refused_options_leave_dumps_and_loads(product, inputs, operation):
    key, obj = inputs.text(6), [inputs.text(4)]
    whole = packed(obj, key)
    argument, expected = {"dumps": (obj, whole), "loads": (whole, obj)}[operation]
    shared = {"keys": key, "operation": operation, "argument": argument, "fallbacks": [{}]}
    assert same(product.call("operated", options=None, **shared).value, expected)
    rows = [({"sep": inputs.word(1)}, "ValueError"), ({"x" + inputs.word(6): 1}, "TypeError")]
    rows += [({"salt": inputs.text(3)}, "TypeError"), ({"secret_key": key}, "TypeError")]
    for options, name in rows:
        refused = product.call("operated", options=options, **shared)
        assert refused.error.is_a(name)


@clause("FP-02.E6", "FP-02.N15", by="oracle")
def test_a_refused_fallback_matters_only_when_it_is_reached(product, inputs):
    key, obj = inputs.text(6), [inputs.text(4)]
    rows = [({"sep": "a"}, "ValueError"), ({"nope": 1}, "TypeError"), ({"salt": b"x"}, "TypeError")]
    for bad, name in rows:
        fallbacks = [{"key_derivation": "hmac"}, bad, {"key_derivation": "concat"}]
        shared = {"keys": key, "options": None, "fallbacks": fallbacks}
        for way in ("infix-concat", "hmac"):
            seen = product.call("operated", operation="loads", argument=packed(obj, key, way=way), **shared)
            assert same(seen.value, obj)
        refused = product.call("operated", operation="loads", argument=packed(obj, key, way="concat"), **shared)
        assert refused.error.is_a(name)


# E7 -------------------------------------------------------------------------------------------


@clause("FP-02.E7", by="answer")
@pytest.mark.parametrize("operation", ["loads", "loads_unverified"])
def test_none_or_a_number_is_no_sealed_value(product, inputs, operation):
    obj = [inputs.text(4)]
    shared = {"keys": "secret-key", "options": None, "fallbacks": [{}], "operation": operation}
    for value in (None, 0, inputs.integer(1, 99), 2.5):
        refused = product.call("operated", argument=value, **shared)
        assert refused.error.is_a("TypeError")
    seen = product.call("operated", argument=packed(obj, "secret-key"), **shared)
    assert same(seen.value, obj if operation == "loads" else (True, obj))


@clause("FP-02.E7")
def test_a_lone_surrogate_is_no_sealed_value(product):
    whole = text(sealed('"\u00e9x"', "secret-key"))
    for operation, expected in (("loads", "\u00e9x"), ("loads_unverified", (True, "\u00e9x"))):
        shared = {"operation": operation, "key": "secret-key", "head": whole[:1], "tail": whole[2:]}
        for code in (0xD800, 0xDFFF):
            refused = product.call("opened_from_a_code", code=code, **shared)
            assert refused.error.is_a("UnicodeEncodeError")
        assert same(product.call("opened_from_a_code", code=0xE9, **shared).value, expected)
