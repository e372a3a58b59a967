# feature: F04
"""FP-04 Pack with the time, and for URLs.

Deliberately not pinned: the wording of messages, private names, how often a sealer is asked, the objects
that are handed to overridden methods beside what the clauses name, what follows the end of compressed
bytes, base64_decode of characters outside its alphabet, what a value without a time gives when a
separator stands in its payload, and classes of packer whose overridden parts no clause describes.
"""
import re

import pytest
from judge.harness import clause, same
from F04_helpers import (
    LAST,
    NOW,
    b64,
    compact,
    cut_short,
    form_of,
    gain,
    iso,
    large_object,
    of_other_formats,
    opened,
    packed_by_hand,
    padded,
    plainly,
    raw,
    seal_of,
    shown,
    signature,
    small_object,
    squeezed,
    stamp,
    standard,
    text_longer_in_bytes,
    text_with_gain,
    timed,
    web,
    without_repeats,
)

WEB = ["WebPacker", "TimedWebPacker"]
CLOCKED = ["TimedPacker", "TimedWebPacker"]
LONG = "a" * 100
DAY = 86400


# N1 -------------------------------------------------------------------------------------------


@clause("FP-04.N1", "FP-04.N5", "FP-04.N10", "FP-04.N11")
def test_the_packers_are_built_with_the_defaults_of_a_packer(product):
    for kind in ("TimedPacker", "WebPacker", "TimedWebPacker", "WebPackerMixin"):
        expected = {"keys": [[b"k\xc3\xa9y"], b"k\xc3\xa9y"], "salt": b"brinseal", "text": True, "rest": [{}, {}, []]}
        assert same(product.call("kept_by_default", kind=kind, key="k\u00e9y").value, expected)
    assert same(product.call("bases_of", kind="WebPacker").value[0], 1)
    assert same(product.call("bases_of", kind="TimedPacker").value[:2], [1, 1])
    assert same(product.call("bases_of", kind="TimedWebPacker").value, [1, 1, 1])
    assert same(product.call("bases_of", kind="WebPackerMixin").value[::2], [1, 1])


@clause("FP-04.N1")
def test_a_timed_packer_seals_with_a_clock_sealer_and_writes_json(product):
    seen = product.at(NOW + 0.9).call("defaults_of_a_timed_packer", key="key").value
    assert same(seen["sealers"], [seen["sealers"][0]] * 3)
    assert same(seen["serializers"], [seen["serializers"][0]] * 3)
    assert same(seen["sealed"], timed(b"value", "key", salt="brinseal.Sealer"))


@clause("FP-04.N1")
def test_named_samples_are_packed_with_the_time(product):
    sample = '["\\u00e9", 1].ZVPxAA.jmza40ZynRwL_EnGguZk0ZDqBj4'
    for moment in (NOW, NOW + 0.25, NOW + 0.99):
        assert same(product.at(moment).call("packed", kind="TimedPacker", key="key", obj=["\u00e9", 1]).value, sample)
    later = product.at(NOW + 1.0).call("packed", kind="TimedPacker", key="key", obj=["\u00e9", 1])
    assert same(later.value, timed('["\\u00e9", 1]', "key", NOW + 1).decode("ascii"))
    assert same(later.value.split(".")[1], "ZVPxAQ")


@clause("FP-04.N1", "FP-04.N5", "FP-04.N10", by="oracle")
@pytest.mark.parametrize("kind", ["TimedPacker", "WebPacker", "TimedWebPacker"])
def test_every_argument_has_its_place_and_its_part(product, inputs, kind):
    keys, salt, moment = [inputs.token(6), inputs.text(6)], inputs.text(7), inputs.integer(10**9, 4 * 10**9)
    obj = {"b": inputs.text(5), "a": inputs.integer(0, 99)}
    kwargs, options = {"sort_keys": True, "ensure_ascii": True}, {"key_derivation": "hmac", "sep": "!"}
    payload = form_of(kind)(obj, **kwargs)
    seen = product.at(moment + 0.5).call(
        "packed_in_order", kind=kind, keys=keys, salt=salt, kwargs=kwargs, options=options, fallbacks=[{}], obj=obj
    )
    expected = seal_of(kind)(payload, keys[1], moment, salt=salt, way="hmac", sep="!").decode("ascii")
    assert same(
        seen.value,
        {"dumped": expected, "shown": [[raw(key) for key in keys], raw(salt)], "rest": [kwargs, options, [{}]]},
    )


@clause("FP-04.N1", "FP-04.N9", "FP-04.N10", by="oracle")
@pytest.mark.parametrize("kind", ["TimedPacker", "WebPacker", "TimedWebPacker"])
def test_an_own_serializer_and_an_own_class_of_sealer_are_used(product, inputs, kind):
    for serializer, obj in (("raw", inputs.token(9)), ("raw", inputs.token(1) * 60), ("json", [inputs.text(5), 1])):
        key, salt = inputs.token(8), inputs.text(5)
        data = obj if serializer == "raw" else standard(obj)
        payload = data if kind == "TimedPacker" else web(data)
        sealed = seal_of(kind)(payload, key, NOW, salt=salt, digest="sha256")
        expected = sealed if serializer == "raw" else sealed.decode("ascii")
        seen = product.at(NOW + 0.25).call(
            "packed_with_own_parts", kind=kind, key=key, salt=salt, obj=obj, digest="sha256", serializer=serializer
        )
        assert same(seen.value, [expected] * 3)


@clause("FP-04.N1", "FP-04.N5", "FP-04.N10", by="oracle")
@pytest.mark.parametrize("kind", ["TimedPacker", "WebPacker", "TimedWebPacker"])
def test_a_salt_for_one_call_of_dumps_seals_under_it(product, inputs, kind):
    key, obj, salt = inputs.text(7), small_object(inputs), inputs.text(5)
    for given in (salt, raw(salt), ""):
        seen = product.at(NOW + 0.5).call("packed", kind=kind, key=key, obj=obj, salt=given)
        assert same(raw(seen.value), raw(packed_by_hand(kind, obj, key, salt=given)))
        settings = {"salt": inputs.text(4)}
        seen = product.at(NOW + 0.5).call("packed", kind=kind, key=key, obj=obj, salt=given, settings=settings)
        assert same(raw(seen.value), raw(packed_by_hand(kind, obj, key, salt=given)))


# N2 -------------------------------------------------------------------------------------------


@clause("FP-04.N2")
def test_loads_takes_its_arguments_in_their_order(product):
    own = timed('{"a": [1]}', "key").decode("ascii")
    other = timed('{"a": [1]}', "key", salt="other").decode("ascii")
    bench = product.at(NOW + 10.9)
    shared = {"kind": "TimedPacker", "key": "key"}
    for text, places in ((own, []), (own, [10]), (own, [10, False]), (own, [None, False, None]), (other, [10, False, "other"])):
        assert same(bench.call("loaded", text=text, places=places, **shared).value, {"a": [1]})
    assert bench.call("loaded", text=own, places=[9], **shared).error.is_a("brinseal.SealExpired")
    assert bench.call("loaded", text=own, places=[10, False, "other"], **shared).error.is_a("brinseal.BrokenTimeSeal")
    assert bench.call("loaded", text=other, places=[10], **shared).error.is_a("brinseal.BrokenTimeSeal")
    seen = bench.call("loaded_by_name", text=other, max_age=10, salt="other", **shared)
    assert same(seen.value, [({"a": [1]},), "2023-11-14T22:13:20+00:00", {"a": [1]}, (True, {"a": [1]})])


@clause("FP-04.N2")
def test_a_time_comes_along_with_any_object(product):
    rows = [("null", None), ("0", 0), ('""', ""), ("[]", []), ("false", False), ('"a.b"', "a.b"), ('"\u00e9"', "\u00e9")]
    for payload, obj in rows:
        text = timed(payload, "key").decode("utf-8")
        seen = product.at(NOW + 5.0).call("loaded_with_time", kind="TimedPacker", key="key", text=text)
        assert same(seen.value, [2, (obj,), "2023-11-14T22:13:20+00:00"])
        assert same(product.at(NOW + 5.0).call("loaded", kind="TimedPacker", key="key", text=text).value, obj)


@clause("FP-04.N2", "FP-04.N10", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_fresh_objects_come_back_with_their_time(product, inputs, kind):
    for obj in (small_object(inputs), large_object(inputs)):
        key, salt, moment = inputs.text(9), inputs.text(5), inputs.integer(0, 4 * 10**9)
        text = packed_by_hand(kind, obj, key, moment, salt=salt)
        shared = {"kind": kind, "key": key, "salt": raw(salt)}
        late = product.at(moment + 7.5)
        assert same(late.call("loaded_with_time", text=text, **shared).value, [2, (obj,), iso(moment)])
        assert same(late.call("loaded_with_time", text=raw(text), max_age=7, **shared).value, [2, (obj,), iso(moment)])
        refused = late.call("loaded_with_time", text=text, max_age=6, **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        refused = late.call("loaded_with_time", text=text, max_age=7, kind=kind, key=key)
        assert refused.error.is_a("brinseal.BrokenTimeSeal")


@clause("FP-04.N2", "FP-04.N10", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_the_time_is_the_one_that_the_sealer_gives(product, inputs, kind):
    key, obj, shift = inputs.token(9), small_object(inputs), inputs.integer(1, 10**6)
    text = packed_by_hand(kind, obj, key)
    shared = {"kind": kind, "key": key, "text": text, "shift": shift}
    seen = product.at(NOW + 1.0).call("loaded_by_own_calendar", with_timestamp=True, **shared)
    assert same(seen.value, [obj, iso(NOW + shift)])
    assert same(product.at(NOW + 1.0).call("loaded_by_own_calendar", with_timestamp=False, **shared).value, obj)


@clause("FP-04.N2", "FP-04.B1", by="answer")
def test_what_one_call_was_told_does_not_bind_the_next(product, inputs):
    key, objs = inputs.text(8), [small_object(inputs) for _ in range(3)]
    texts = [packed_by_hand("TimedPacker", obj, key, salt=salt) for obj, salt in zip(objs, ("s", "brinseal", "t"))]
    calls = [[texts[0], 10, False, "s"], [texts[1]], [texts[2], None, False, b"t"], [texts[1], 11]]
    seen = product.at(NOW + 10.0).call("loaded_in_turn", kind="TimedPacker", key=key, calls=calls)
    assert same(seen.value, [objs[0], objs[1], objs[2], objs[1]])
    calls = [[texts[1], 9], [texts[1]], [texts[1], 10, "s"], [texts[1], 10], [texts[0]], [texts[0], None, "s"]]
    seen = product.at(NOW + 10.0).call("unverified_many", kind="TimedPacker", key=key, calls=calls)
    verdicts = [(False, 1), (True, 1), (False, 1), (True, 1), (False, 0), (True, 0)]
    assert same(seen.value, [(verdict, objs[place]) for verdict, place in verdicts])


# N3 -------------------------------------------------------------------------------------------


@clause("FP-04.N3")
def test_loads_unverified_tells_and_loads_named_samples(product):
    right = "[1, 2].ZVPxAA.huubxrVAI0EvBxMbIlY0IxPQLtE"
    wrong = timed("[1, 2]", "kez")
    other = timed("[1, 2]", "key", salt="other")
    calls = [
        [right], [right, 10], [right, None], [right, None, None], [right, 9], [right, -1], [right, 10, "other"],
        [wrong], [wrong, 10], [other, 10, b"other"], [other, 10, "other"], [other, 9, "other"], [other, 10],
    ]
    seen = product.at(NOW + 10.5).call("unverified_many", kind="TimedPacker", key="key", calls=calls)
    verdicts = [True] * 4 + [False] * 5 + [True] * 2 + [False] * 2
    assert same(seen.value, [(verdict, [1, 2]) for verdict in verdicts])


@clause("FP-04.N3", "FP-04.N10", by="oracle")
@pytest.mark.parametrize("kind", CLOCKED)
def test_loads_unverified_gives_the_object_without_the_time(product, inputs, kind):
    for obj in (small_object(inputs), large_object(inputs)):
        key, moment = inputs.token(8), inputs.integer(10**6, 4 * 10**9)
        payload, text = form_of(kind)(obj), packed_by_hand(kind, obj, key, moment)
        body = payload + b"." + stamp(moment) + b"."
        strange = [body, body + b"A", body + b"AAAA", body + signature(payload, key), body + signature(body, key)]
        strange += [timed(payload, inputs.token(9), moment), timed(payload, key, moment, salt=inputs.text(5))]
        strange += [payload + b"." + stamp(moment + 1) + b"." + raw(text).rsplit(b".", 1)[1]]
        calls = [[text], [raw(text), 3], [text, 2]] + [[given] for given in strange]
        seen = product.at(moment + 3.75).call("unverified_many", kind=kind, key=key, calls=calls)
        assert same(seen.value, [(True, obj), (True, obj)] + [(False, obj)] * 9)


# N4 -------------------------------------------------------------------------------------------


@clause("FP-04.N4")
def test_a_dict_as_fallback_stands_for_a_clock_sealer(product):
    options = {"key_derivation": "hmac"}
    settings = {"fallback_sealers": [{"key_derivation": "concat"}, options], "sealer_options": {"sep": ":"}}
    texts = [
        timed('["x"]', "new", NOW, sep=":"),
        timed('["x"]', "old", NOW - 1, sep=":"),
        timed('["x"]', "old", NOW - 2, way="hmac"),
        timed('["x"]', "new", NOW - 10, way="concat"),
    ]
    shared = {"keys": ["old", "new"], "settings": settings}
    seen = product.at(NOW + 0.5).call("loaded_over", texts=texts, max_age=10, **shared)
    moments = [[["x"], iso(NOW - back)] for back in (0, 1, 2, 10)]
    assert same(seen.value, {"loaded": moments, "unverified": [(True, ["x"])] * 4})
    refused = product.at(NOW + 0.5).call("loaded_over", texts=texts, max_age=9, **shared)
    assert refused.error.is_a("brinseal.SealExpired")
    for stranger in (timed('["x"]', "new"), timed('["x"]', "new", sep=":", way="hmac"), timed('["x"]', "odd", way="hmac")):
        refused = product.at(NOW + 0.5).call("loaded_over", texts=[stranger], max_age=10, **shared)
        assert refused.error.is_a("brinseal.BrokenSeal")


@clause("FP-04.N4", by="oracle")
@pytest.mark.parametrize("kind", CLOCKED)
def test_every_key_goes_with_every_fallback(product, inputs, kind):
    keys, obj = [inputs.token(7), inputs.text(7), inputs.token(7)], small_object(inputs)
    settings = {"fallback_sealers": [{"key_derivation": way} for way in ("hmac", "concat", "none")]}
    calls = []
    for key in keys:
        for way in ("infix-concat", "hmac", "concat", "none"):
            calls.append([timed(form_of(kind)(obj), key, NOW - inputs.integer(0, 5), way=way), 5])
    seen = product.at(NOW + 0.25).call("unverified_many", kind=kind, key=keys, calls=calls, settings=settings)
    assert same(seen.value, [(True, obj)] * 12)
    text = timed(form_of(kind)(obj), inputs.token(8), way="hmac")
    seen = product.at(NOW + 0.25).call("unverified_many", kind=kind, key=keys, calls=[[text]], settings=settings)
    assert same(seen.value, [(False, obj)])


@clause("FP-04.N4", by="answer")
def test_every_sealer_is_given_the_same_greatest_age(product, inputs):
    keys, obj, limit = [inputs.token(6), inputs.token(7)], small_object(inputs), inputs.integer(50, 500)
    fallbacks = [{"key_derivation": "concat"}, {"key_derivation": "none"}]
    text = timed(standard(obj), keys[1], way="none")
    order = [[keys[1], "hmac"]] + [[key, way] for way in ("concat", "none") for key in keys]
    shared = {"keys": keys, "text": text, "options": {"key_derivation": "hmac"}, "fallbacks": fallbacks}
    for max_age in (limit, None):
        for way, expected in (("loads", obj), ("loads_unverified", (True, obj))):
            seen = product.at(NOW + 50.0).call("ages_asked", max_age=max_age, way=way, **shared).value
            assert same(seen[0], expected)
            assert same(without_repeats(seen[1]), [item + [max_age] for item in order])


@clause("FP-04.N4", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_an_own_choice_of_sealers_is_gone_through(product, inputs, kind):
    keys, salt, obj = [inputs.token(6), inputs.text(6), inputs.token(6)], inputs.token(5), small_object(inputs)
    for key in keys:
        text = packed_by_hand(kind, obj, key, salt=salt)
        shared = {"kind": kind, "keys": keys, "salt": salt}
        seen = product.at(NOW + 1.0).call("loaded_through_own_sealers", way="loads", text=text, **shared)
        assert same(seen.value, [obj, salt])
        seen = product.at(NOW + 1.0).call("loaded_through_own_sealers", way="loads_unverified", text=text, **shared)
        assert same(seen.value, [(True, obj), salt])
    text = packed_by_hand(kind, obj, "unused", salt=salt)
    refused = product.at(NOW + 1.0).call("loaded_through_own_sealers", way="loads", text=text, **shared)
    assert refused.error.is_a("brinseal.BrokenTimeSeal")


@clause("FP-04.N4", "FP-04.N2", by="answer")
def test_the_time_comes_from_the_first_sealer_that_accepts(product, inputs):
    key, obj, shifts = inputs.text(8), small_object(inputs), [inputs.integer(1, 999) * DAY, inputs.integer(1, 999)]
    for order in (shifts, shifts[::-1]):
        seen = product.at(NOW + 2.0).call(
            "dated_by_the_first", key=key, text=timed(standard(obj), key), shifts=order, max_age=2
        )
        assert same(seen.value, [obj, iso(NOW + order[0])])
        own = timed(standard(obj), key, way="hmac")
        seen = product.at(NOW + 2.0).call("dated_by_the_first", key=key, text=own, shifts=order, max_age=2)
        assert same(seen.value, [obj, iso(NOW)])


@clause("FP-04.N4")
@pytest.mark.parametrize("kind", CLOCKED)
def test_the_sealers_of_a_timed_packer_know_ages(product, kind):
    settings = {"sealer_options": {"key_derivation": "concat"}, "fallback_sealers": [{}, {"key_derivation": "hmac"}]}
    rows = [
        (timed("1", "new", way="concat"), None, 10, [True, False, False, False, False]),
        (timed("1", "old", salt="s"), "s", 10, [False, True, False, False, False]),
        (timed("1", "new", salt="s"), b"s", 10, [False, False, True, False, False]),
        (timed("1", "new", way="hmac"), None, 10, [False, False, False, False, True]),
        (timed("1", "new", way="hmac"), None, 9, [False] * 5),
        (timed("1", "new", salt="s"), None, 10, [False] * 5),
    ]
    for text, salt, max_age, expected in rows:
        seen = product.at(NOW + 10.0).call(
            "checks_of_unsealers", kind=kind, keys=["old", "new"], salt=salt, text=text, max_age=max_age, settings=settings
        )
        assert same(seen.value, expected)


# N5 -------------------------------------------------------------------------------------------


@clause("FP-04.N5")
def test_named_samples_are_packed_for_urls(product):
    rows = [
        ({"a": [1, "\u00e9"]}, "eyJhIjpbMSwiw6kiXX0.1FQt2qLbXeEjVijENlDv66wrmlA"),
        ([1], plainly(b"WzFd", "key").decode("ascii")),
        (None, plainly(b"bnVsbA", "key").decode("ascii")),
        (LONG, plainly(web(b'"' + raw(LONG) + b'"'), "key").decode("ascii")),
    ]
    for obj, expected in rows:
        assert same(product.call("packed", kind="WebPacker", key="key", obj=obj).value, expected)
    assert same(product.call("packed", kind="WebPacker", key="key", obj=[1], salt="s").value, plainly(b"WzFd", "key", salt="s").decode("ascii"))


@clause("FP-04.N5", by="oracle")
def test_fresh_objects_are_packed_for_urls_and_come_back(product, inputs):
    objs = [small_object(inputs), large_object(inputs), inputs.text(5), inputs.integer(-(10**9), 10**9)]
    for key, salt in ((inputs.text(9), inputs.text(4)), (inputs.token(9), "")):
        seen = product.call("objects_back", kind="WebPacker", key=key, objs=objs, settings={"salt": salt})
        texts = [packed_by_hand("WebPacker", obj, key, salt=salt) for obj in objs]
        assert same(seen.value, {"texts": texts, "back": objs})
        wrong = [[text, salt + "x"] for text in texts]
        seen = product.call("unverified_many", kind="WebPacker", key=key, calls=[[text, salt] for text in texts] + wrong)
        assert same(seen.value, [(True, obj) for obj in objs] + [(False, obj) for obj in objs])


@clause("FP-04.N5", by="relation")
@pytest.mark.parametrize("kind", WEB)
def test_what_is_packed_for_urls_needs_no_escape(product, inputs, kind):
    objs = ["???\u00ff\u00fe\u00bf>>>~~~" + inputs.text(9), [inputs.text(3) for _ in range(40)] * 2, large_object(inputs)]
    objs += ["\u07ff\uffff" * inputs.integer(1, 4), inputs.text(60) + "?~?~"]
    seen = product.at(inputs.integer(10**9, 4 * 10**9) + 0.5).call("objects_back", kind=kind, key=inputs.token(9), objs=objs)
    assert same(seen.value["back"], objs)
    odd = [text for text in seen.value["texts"] if not re.fullmatch(r"\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){1,2}", text)]
    assert same(odd, [])


# N6 -------------------------------------------------------------------------------------------


@clause("FP-04.N6")
@pytest.mark.parametrize("kind", ["WebPacker", "TimedWebPacker", "WebPackerMixin"])
def test_the_compact_serializer_of_each_class(product, kind):
    obj = {"b": "\u00e9\U0001f600", "a": [1, 7, None]}
    rows = [
        ({"sort_keys": True}, '{"a":[1,7,null],"b":"\u00e9\U0001f600"}'),
        ({"ensure_ascii": True}, '{"b":"\\u00e9\\ud83d\\ude00","a":[1,7,null]}'),
        ({"separators": [", ", "="]}, '{"b"="\u00e9\U0001f600", "a"=[1, 7, null]}'),
        ({"separators": None}, '{"b": "\u00e9\U0001f600", "a": [1, 7, null]}'),
        ({"indent": 1}, '{\n "b":"\u00e9\U0001f600",\n "a":[\n  1,\n  7,\n  null\n ]\n}'),
    ]
    for names, expected in rows:
        plain = '{"b":"\u00e9\U0001f600","a":[1,7,null]}'
        seen = product.call("compact_texts", kind=kind, objs=[obj], names=names)
        assert same(seen.value, [[plain, expected, plain]])
    assert same(product.call("compact_loaded", kind=kind, text=' { "a" : [1, 7] , "b":"\\u00e9\u00e9"}').value, {"a": [1, 7], "b": "\u00e9\u00e9"})
    assert product.call("compact_loaded", kind=kind, text='{"a":').error.is_a("ValueError")


@clause("FP-04.N6", by="oracle")
@pytest.mark.parametrize("kind", WEB)
def test_keywords_of_a_packer_prevail_over_the_compact_ones(product, inputs, kind):
    rows = [{"ensure_ascii": True}, {"separators": [";", inputs.word(2)], "sort_keys": True}, {"indent": 2}, {}]
    for kwargs in rows:
        obj = {inputs.word(3): inputs.text(3), "a": ["\u00e9", 1]}
        seen = product.call("payloads_and_settings", kind=kind, key="key", obj=obj, kwargs=kwargs)
        assert same(
            seen.value,
            {
                "payloads": [web(compact(obj, **kwargs)), web(compact(obj))],
                "serialized": compact(obj).decode("utf-8"),
                "kwargs": [kwargs, {}],
            },
        )


# N7, B2 ---------------------------------------------------------------------------------------


@clause("FP-04.N7", "FP-04.B2")
def test_payloads_of_named_samples(product):
    objs = ["a", LONG, "x" * 11, "x" * 12, {"a": "\u00e9"}, []]
    for kind in WEB + ["WebPackerMixin"]:
        seen = product.call("payloads", kind=kind, key="key", objs=objs).value
        assert same(seen[0], b"ImEi")
        assert same(seen[1][:3], b".eJ")
        assert same(opened(seen[1]), b'"' + b"a" * 100 + b'"')
        assert same(seen[2], b"Inh4eHh4eHh4eHh4Ig")
        assert same(seen[3][:3], b".eJ")
        assert same(opened(seen[3]), b'"xxxxxxxxxxxx"')
        assert same(seen[4:], [b"eyJhIjoiw6kifQ", b"W10"])


@clause("FP-04.N7", by="oracle")
@pytest.mark.parametrize("kind", WEB + ["WebPackerMixin"])
def test_payloads_of_fresh_objects(product, inputs, kind):
    objs = [small_object(inputs), large_object(inputs), [inputs.text(12)] * 30, inputs.text(1), inputs.word(200)]
    seen = product.call("payloads", kind=kind, key=inputs.token(5), objs=objs)
    assert same(seen.value, [web(compact(obj)) for obj in objs])


@clause("FP-04.N7", "FP-04.B2", by="oracle")
def test_bytes_are_counted_and_not_characters(product, inputs):
    objs = [text_longer_in_bytes(inputs) for _ in range(4)]
    seen = product.call("payloads", kind="WebPacker", key="key", objs=objs)
    assert same([payload[:1] for payload in seen.value], [b"."] * 4)
    assert same(seen.value, [web(compact(obj)) for obj in objs])


@clause("FP-04.B2", by="oracle")
@pytest.mark.parametrize("kind", WEB)
def test_a_gain_of_two_bytes_is_the_least(product, inputs, kind):
    gains = [-4, -1, 0, 1, 2, 3, 4]
    objs = [text_with_gain(inputs, wanted) for wanted in gains]
    seen = product.call("payloads", kind=kind, key="key", objs=objs).value
    plain = [b64(compact(obj)) for obj in objs[:4]]
    assert same(seen, plain + [squeezed(compact(obj)) for obj in objs[4:]])
    assert same([gain(opened(payload)) for payload in seen], gains)


# N8, B3, B4 -----------------------------------------------------------------------------------


@clause("FP-04.N8")
def test_named_payloads_are_loaded(product):
    rows = [
        (b"eyJhIjpbMV19", {"a": [1]}),
        (squeezed(b'"' + raw(LONG) + b'"'), LONG),
        (b64('"\u00e9?~"'.encode("utf-8")), "\u00e9?~"),
        (b64(b'"\\u00e9"'), "\u00e9"),
    ]
    for kind in WEB + ["WebPackerMixin"]:
        for payload, expected in rows:
            assert same(product.call("payload_loaded", kind=kind, key="key", payload=payload).value, expected)
        for payload in (b"IC4i", b"_w", squeezed(b"\xff\xff"), squeezed(b"{"), b""):
            refused = product.call("payload_loaded", kind=kind, key="key", payload=payload)
            assert refused.error.is_a("brinseal.BrokenPayload")


@clause("FP-04.B3")
def test_the_first_byte_alone_tells_what_is_compressed(product):
    data, long = b"[1]", b'"' + raw(LONG) + b'"'
    given = [squeezed(data), squeezed(data, 0), squeezed(long, 9), b64(long), padded(b64(long)), padded(b64(b"[1]\n"))]
    given += [b"." + padded(squeezed(data)[1:]), b64(b" [1]"), b64(b"[1]")]
    back = [[1], [1], LONG, LONG, LONG, [1], [1], [1], [1]]
    for kind in WEB:
        assert same(product.call("payloads_loaded", kind=kind, key="key", given=given).value, back)
        calls = [[seal_of(kind)(payload, "key", NOW)] for payload in given]
        assert same(product.at(NOW + 1.0).call("loaded_in_turn", kind=kind, key="key", calls=calls).value, back)


@clause("FP-04.B3", by="answer")
@pytest.mark.parametrize("kind", WEB)
def test_any_level_and_any_length_is_loaded(product, inputs, kind):
    key, objs, given = inputs.token(6), [], []
    for level in range(10):
        objs.append(inputs.choice([small_object, large_object])(inputs))
        packed = squeezed(compact(objs[-1]), level)
        given.append(inputs.choice([packed, b"." + padded(packed[1:])]))
    for _ in range(6):
        objs.append(large_object(inputs))
        given.append(inputs.choice([b64, lambda data: padded(b64(data))])(compact(objs[-1])))
    assert same(product.call("payloads_loaded", kind=kind, key=key, given=given).value, objs)
    calls = [[seal_of(kind)(payload, key, NOW).decode("ascii")] for payload in given]
    assert same(product.at(NOW + 0.5).call("loaded_in_turn", kind=kind, key=key, calls=calls).value, objs)


@clause("FP-04.B4", "FP-04.N8")
def test_a_serializer_by_its_place_is_used_and_by_its_name_is_not(product):
    rows = [
        ("none", "raw", {"place": b"[1]", "name": [1], "own": [1]}),
        ("none", "marked", {"place": ["marked", "[1]"], "name": [1], "own": [1]}),
        ("raw", "marked", {"place": ["marked", "[1]"], "name": b"[1]", "own": b"[1]"}),
        ("marked", "raw", {"place": b"[1]", "name": ["marked", "[1]"], "own": ["marked", "[1]"]}),
        ("raw", "none", {"place": b"[1]", "name": b"[1]", "own": b"[1]"}),
    ]
    for kind in WEB:
        for own, other, expected in rows:
            seen = product.call("loaded_with_serializer", kind=kind, key="key", own=own, payload=b"WzFd", other=other)
            assert same(seen.value, expected)


@clause("FP-04.B4", "FP-04.N8", by="answer")
def test_a_serializer_by_its_place_gets_the_decompressed_bytes(product, inputs):
    for obj in (small_object(inputs), large_object(inputs)):
        for payload in (b64(compact(obj)), squeezed(compact(obj))):
            shared = {"kind": inputs.choice(WEB), "key": inputs.text(5), "payload": payload, "own": "none"}
            seen = product.call("loaded_with_serializer", other="raw", **shared)
            assert same(seen.value, {"place": compact(obj), "name": obj, "own": obj})
            seen = product.call("loaded_with_serializer", other="marked", **shared)
            assert same(seen.value, {"place": ["marked", compact(obj).decode("utf-8")], "name": obj, "own": obj})


# N9 -------------------------------------------------------------------------------------------


@clause("FP-04.N9")
def test_given_serializers_take_the_place_of_the_compact_one(product):
    obj = {"a": ["\u00e9", 1]}
    for kind in WEB:
        seen = product.at(NOW + 0.5).call(
            "packed_with_own_parts", kind=kind, key="key", salt="s", obj=obj, digest="sha1", serializer="json"
        )
        payload = b64(b'{"a": ["\\u00e9", 1]}')
        assert same(seen.value, [seal_of(kind)(payload, "key", NOW, salt="s").decode("ascii")] * 3)
        seen = product.at(NOW + 0.5).call(
            "packed_with_own_parts", kind=kind, key="key", salt="s", obj=b"\xff\x00.", digest="sha1", serializer="raw"
        )
        assert same(seen.value, [seal_of(kind)(b"_wAu", "key", NOW, salt="s")] * 3)


@clause("FP-04.N9", by="oracle")
@pytest.mark.parametrize("kind", WEB)
@pytest.mark.parametrize("text", ["text", "bytes"])
def test_a_given_serializer_gets_what_was_decoded(product, inputs, kind, text):
    for obj in (small_object(inputs), large_object(inputs)):
        written = "#" + standard(obj, ensure_ascii=False, sort_keys=True).decode("utf-8")
        payload = web(raw(written))
        sealed = seal_of(kind)(payload, "key", NOW)
        for given in (payload, b64(raw(written)), squeezed(raw(written), 1)):
            seen = product.at(NOW + 0.75).call(
                "what_a_serializer_gets",
                kind=kind,
                key="key",
                obj=obj,
                text=text,
                given=given,
                names={"ensure_ascii": False, "sort_keys": True},
            )
            got, dumped = (written, sealed.decode("ascii")) if text == "text" else (raw(written), sealed)
            assert same(seen.value, [text == "text", payload, dumped, [got], obj])


# N10 ------------------------------------------------------------------------------------------


@clause("FP-04.N10")
def test_named_samples_are_packed_with_the_time_for_urls(product):
    bench = product.at(NOW + 0.25)
    seen = bench.call("objects_back", kind="TimedWebPacker", key="key", objs=[{"a": 1}, LONG])
    texts = ["eyJhIjoxfQ.ZVPxAA.RqPpLAeIWxTubLQs8wga43nUpeQ", packed_by_hand("TimedWebPacker", LONG, "key")]
    assert same(seen.value, {"texts": texts, "back": [{"a": 1}, LONG]})
    late = product.at(NOW + 10.0)
    for text, obj in zip(texts, [{"a": 1}, LONG]):
        shared = {"kind": "TimedWebPacker", "key": "key", "text": text}
        assert same(late.call("loaded_with_time", max_age=10, **shared).value, [2, (obj,), "2023-11-14T22:13:20+00:00"])
        assert late.call("loaded_with_time", max_age=9, **shared).error.is_a("brinseal.SealExpired")
        assert same(late.call("unverified", places=[10], **shared).value, (True, obj))
        assert same(late.call("unverified", places=[9], **shared).value, (False, obj))
        assert same(late.call("unverified", places=[10, "other"], **shared).value, (False, obj))
        assert late.call("loaded", places=[10, False, "other"], **shared).error.is_a("brinseal.BrokenTimeSeal")
        assert same(late.call("loaded", places=[10, False, b"brinseal"], **shared).value, obj)


# N11 ------------------------------------------------------------------------------------------


@clause("FP-04.N11")
@pytest.mark.parametrize("kind", ["Packer", "TimedPacker"])
def test_a_mixture_encodes_what_the_other_class_makes(product, kind):
    for obj in ({"a": 1}, LONG):
        seen = product.at(NOW + 0.5).call("packed_by_mixture", kind=kind, key="key", mark=b"#", obj=obj)
        payload = web(b"#" + compact(obj))
        assert same(seen.value, [payload, seal_of(kind)(payload, "key", NOW).decode("ascii"), obj, (True, obj)])


@clause("FP-04.N11", by="oracle")
@pytest.mark.parametrize("kind", ["Packer", "TimedPacker"])
def test_a_mixture_seals_as_the_other_class_does(product, inputs, kind):
    for obj in (small_object(inputs), large_object(inputs)):
        key, salt, mark = inputs.token(8), inputs.text(6), inputs.word(3).encode("ascii")
        payload = web(compact(obj))
        text = seal_of(kind)(payload, key, NOW, salt=salt, way="hmac", sep="~").decode("ascii")
        options = {"key_derivation": "hmac", "sep": "~"}
        shared = {"kind": kind, "key": key, "salt": salt, "options": options, "obj": obj}
        bench = product.at(NOW + 0.25)
        assert same(bench.call("sealed_by_mixture", text=text, **shared).value, [text, obj, (True, obj)])
        foreign = seal_of(kind)(payload, key, NOW, salt=salt, sep="~").decode("ascii")
        assert bench.call("sealed_by_mixture", text=foreign, **shared).error.is_a("brinseal.BrokenSeal")
        seen = bench.call("packed_by_mixture", kind=kind, key=key, mark=mark, obj=obj)
        assert same(seen.value[0], web(mark + compact(obj)))
        assert same(seen.value[2:], [obj, (True, obj)])


@clause("FP-04.N11", "FP-04.B4", by="answer")
def test_a_mixture_hands_decoded_bytes_and_arguments_on(product, inputs):
    data, mark = inputs.token(20), inputs.text(4)
    for payload in (b64(data), squeezed(data)):
        for places in ([], [inputs.text(3)], [1, None]):
            seen = product.call("handed_on_by_mixture", payload=payload, places=places, names={"mark": mark})
            assert same(seen.value, [data, places, mark])


# B1 -------------------------------------------------------------------------------------------


@clause("FP-04.B1", "FP-04.E1")
@pytest.mark.parametrize("kind", CLOCKED)
def test_ages_at_both_sides_of_each_limit(product, kind):
    text = packed_by_hand(kind, [1], "key")
    rows = [
        (0.0, 0, True), (0.99, 0, True), (1.0, 0, False), (-1.0, 0, False), (-0.01, 0, False),
        (10.99, 10, True), (11.0, 10, False), (-1.0, 10, False), (0.0, 10, True), (0.5, -1, False),
    ]
    for shift, max_age, right in rows:
        shared = {"kind": kind, "key": "key", "text": text, "places": [max_age]}
        seen = product.at(NOW + shift).call("loaded", **shared)
        if right:
            assert same(seen.value, [1])
        else:
            assert seen.error.is_a("brinseal.SealExpired")
        seen = product.at(NOW + shift).call("unverified", **shared)
        assert same(seen.value, (right, [1]))
    assert same(product.at(NOW + 0.5).call("loaded", kind=kind, key="key", text=text, places=[0]).value, [1])


@clause("FP-04.B1", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_fresh_ages_at_both_sides_of_a_limit(product, inputs, kind):
    key, obj, limit = inputs.text(7), small_object(inputs), inputs.integer(2, 10**6)
    moment = inputs.integer(10**9, 4 * 10**9)
    text = packed_by_hand(kind, obj, key, moment)
    shared = {"kind": kind, "key": key, "text": text}
    for age in (0, 1, limit - 1, limit):
        assert same(product.at(moment + age + 0.75).call("loaded", places=[limit], **shared).value, obj)
        assert same(product.at(moment + age + 0.75).call("unverified", names={"max_age": limit}, **shared).value, (True, obj))
    for age in (limit + 1, -1):
        assert product.at(moment + age + 0.25).call("loaded", names={"max_age": limit}, **shared).error.is_a("brinseal.SealExpired")
        assert same(product.at(moment + age + 0.25).call("unverified", places=[limit], **shared).value, (False, obj))


@clause("FP-04.B1", by="answer")
def test_without_a_limit_no_age_matters(product, inputs):
    key, obj, kind = inputs.token(7), small_object(inputs), inputs.choice(CLOCKED)
    for moment in (0, inputs.integer(1, 10**8), NOW, NOW + inputs.integer(1, 10**9), LAST - 1, LAST):
        shared = {"kind": kind, "key": key, "text": packed_by_hand(kind, obj, key, moment)}
        assert same(product.at(NOW + 0.5).call("loaded_with_time", **shared).value, [2, (obj,), iso(moment)])
        assert same(product.at(NOW + 0.5).call("unverified", **shared).value, (True, obj))


# B5 -------------------------------------------------------------------------------------------


@clause("FP-04.B5")
@pytest.mark.parametrize("sep", ["~", "::", "\u00a7"], ids=["tilde", "colons", "section"])
def test_a_separator_stands_for_the_dots_but_not_for_the_mark(product, sep):
    settings = {"sealer_options": {"sep": sep}}
    for kind in WEB:
        bench = product.at(NOW + 0.5)
        seen = bench.call("objects_back", kind=kind, key="key", objs=[LONG, [1]], settings=settings)
        texts = [packed_by_hand(kind, obj, "key", sep=sep) for obj in (LONG, [1])]
        assert same(seen.value, {"texts": texts, "back": [LONG, [1]]})
        assert same([text.split(sep)[0][:3] for text in seen.value["texts"]], [".eJ", "WzF"])
        assert same(bench.call("payloads", kind=kind, key="key", objs=[[1]], settings=settings).value, [b"WzFd"])
        dotted = packed_by_hand(kind, [1], "key")
        assert same(bench.call("unverified", kind=kind, key="key", text=dotted, settings=settings).value, (False, None))


@clause("FP-04.B5", by="oracle")
def test_fresh_objects_under_other_separators(product, inputs):
    for kind, sep in (("WebPacker", "~"), ("TimedWebPacker", "!"), ("TimedWebPacker", "|.|")):
        key, objs = inputs.token(8), [small_object(inputs), large_object(inputs)]
        settings = {"sealer_options": {"sep": sep}}
        seen = product.at(NOW + 0.5).call("objects_back", kind=kind, key=key, objs=objs, settings=settings)
        texts = [packed_by_hand(kind, obj, key, sep=sep) for obj in objs]
        assert same(seen.value, {"texts": texts, "back": objs})


# B6 -------------------------------------------------------------------------------------------


@clause("FP-04.B6")
def test_unverified_objects_of_incomplete_seals(product):
    calls = [["[1].ZVPxAA", 10], [plainly("[1]", "key"), 10], ["[1].ZVPxAA"], [plainly("[1]", "key")], ["[1]."], [plainly("[1]", "odd")]]
    seen = product.at(NOW + 5.0).call("unverified_many", kind="TimedPacker", key="key", calls=calls)
    assert same(seen.value, [(False, [1])] * 6)
    calls = [["WzFd.ZVPxAA", 10], [plainly("WzFd", "key"), 10], ["WzFd.ZVPxAA"], [plainly("WzFd", "key")]]
    seen = product.at(NOW + 5.0).call("unverified_many", kind="TimedWebPacker", key="key", calls=calls)
    assert same(seen.value, [(False, [1])] * 4)
    calls = [[""], ["nothing"], ["[1]", 10], [timed("[1", "odd")], [timed(b"\xff", "odd"), 5], [timed("", "odd")]]
    calls += [[timed("[1", "key"), 4], [timed(b"\xff", "key"), 4], [timed("", "key"), 4]]
    seen = product.at(NOW + 5.0).call("unverified_many", kind="TimedPacker", key="key", calls=calls)
    assert same(seen.value, [(False, None)] * 9)
    broken = [b"zWzFd", b".zWzF", b".", b"ew", squeezed(b"[1]")[:-4]]
    calls = [["WzFd"], [b"", 3]] + [[timed(payload, "odd")] for payload in broken] + [[timed(payload, "key"), 4] for payload in broken]
    seen = product.at(NOW + 5.0).call("unverified_many", kind="TimedWebPacker", key="key", calls=calls)
    assert same(seen.value, [(False, None)] * 12)


@clause("FP-04.B6", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_unverified_fresh_objects_of_incomplete_seals(product, inputs, kind):
    key, obj, moment = inputs.token(7), small_object(inputs), inputs.integer(10**9, 2 * 10**9)
    payload = form_of(kind)(obj)
    cut = timed(payload, key, moment).rsplit(b".", 1)[0]
    calls = [[cut], [cut.decode("ascii"), 10], [plainly(payload, key)], [plainly(payload, key), 10], [plainly(payload, inputs.token(5))]]
    seen = product.at(moment + 2.0).call("unverified_many", kind=kind, key=key, calls=calls)
    assert same(seen.value, [(False, obj)] * 5)
    odd = inputs.word(8) + "!"
    right = timed(b64(b"{") if kind == "TimedWebPacker" else raw(odd), key, moment)
    calls = [[odd], [payload], [right, 1], [timed(payload, key, moment), 2]]
    seen = product.at(moment + 2.0).call("unverified_many", kind=kind, key=key, calls=calls)
    assert same(seen.value, [(False, None)] * 3 + [(True, obj)])


# E1 -------------------------------------------------------------------------------------------


@clause("FP-04.E1")
def test_an_expired_seal_shows_its_payload_and_its_time(product):
    rows = [
        ("TimedPacker", '{"a": "x.y"}', {"a": "x.y"}),
        ("TimedWebPacker", b"WzFd", [1]),
        ("TimedWebPacker", web(compact(LONG)), LONG),
    ]
    for kind, payload, obj in rows:
        text = timed(payload, "key").decode("ascii")
        for moment in (NOW + 11.0, NOW - 1.0):
            refused = product.at(moment).call("loaded", kind=kind, key="key", text=text, places=[10])
            assert refused.error.is_a("brinseal.SealExpired")
            assert same(refused.error.attrs["payload"], raw(payload))
            assert same(shown(refused.error.attrs["sealed_at"]), "2023-11-14T22:13:20+00:00")
        assert same(product.at(NOW + 10.0).call("loaded", kind=kind, key="key", text=text, places=[10]).value, obj)


@clause("FP-04.E1", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_fresh_expired_seals_show_their_payload_and_their_time(product, inputs, kind):
    for obj in (small_object(inputs), large_object(inputs)):
        key, moment, limit = inputs.text(8), inputs.integer(10**9, 2 * 10**9), inputs.integer(0, 10**5)
        shared = {"kind": kind, "key": key, "text": packed_by_hand(kind, obj, key, moment)}
        for age in (limit + 1, limit + inputs.integer(2, 10**8), -inputs.integer(1, 10**8)):
            refused = product.at(moment + age + 0.5).call("loaded", names={"max_age": limit}, **shared)
            assert refused.error.is_a("brinseal.SealExpired")
            assert same(refused.error.attrs["payload"], form_of(kind)(obj))
            assert same(shown(refused.error.attrs["sealed_at"]), iso(moment))
        assert same(product.at(moment + limit + 0.5).call("loaded", names={"max_age": limit}, **shared).value, obj)


@clause("FP-04.E1", by="answer")
def test_a_payload_is_not_loaded_before_its_age_is_known(product, inputs):
    for kind, payload in (("TimedPacker", inputs.token(6)), ("TimedWebPacker", b"zWzFd"), ("TimedWebPacker", b".AAAA")):
        key = inputs.token(5)
        shared = {"kind": kind, "key": key, "places": [5]}
        for moment in (NOW + 6.0, NOW - 1.0):
            refused = product.at(moment).call("loaded", text=timed(payload, key), **shared)
            assert refused.error.is_a("brinseal.SealExpired")
            assert same(refused.error.attrs["payload"], payload)
        right = timed(form_of(kind)([payload.hex()]), key)
        assert same(product.at(NOW + 5.0).call("loaded", text=right, **shared).value, [payload.hex()])


# E2 -------------------------------------------------------------------------------------------


@clause("FP-04.E2")
def test_an_expired_seal_ends_the_search(product):
    own, later = timed("[1]", "key", way="hmac"), timed("[1]", "key")
    rows = [
        (own, {"key_derivation": "hmac"}, [NOW + 11, NOW]),
        (later, {}, [NOW + 11, NOW]),
        (later, {}, [NOW - 1, NOW]),
        (later, {"key_derivation": "hmac"}, [NOW, NOW + 11, NOW]),
        (later, {"key_derivation": "hmac"}, [NOW, NOW - 1, NOW, NOW]),
    ]
    for text, options, clocks in rows:
        shared = {"kind": "TimedPacker", "key": "key", "text": text, "max_age": 10, "options": options}
        refused = product.at(NOW + 1.0).call("loaded_by_clocks", way="loads", clocks=clocks, **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        seen = product.at(NOW + 1.0).call("loaded_by_clocks", way="loads_unverified", clocks=clocks, **shared)
        assert same(seen.value, (False, [1]))
        right = [NOW + 10 for _ in clocks]
        assert same(product.at(NOW + 1.0).call("loaded_by_clocks", way="loads", clocks=right, **shared).value, [1])


@clause("FP-04.E2", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_a_fresh_expired_seal_is_not_saved_by_a_later_sealer(product, inputs, kind):
    key, obj, limit = inputs.text(6), small_object(inputs), inputs.integer(1, 500)
    text = packed_by_hand(kind, obj, key)
    for options, before in (({}, []), ({"key_derivation": "concat"}, [NOW])):
        shared = {"kind": kind, "key": key, "text": text, "max_age": limit, "options": options}
        late, fine = NOW + limit + inputs.integer(1, 99), NOW + limit
        refused = product.at(NOW + 1.0).call("loaded_by_clocks", way="loads", clocks=before + [late, fine], **shared)
        assert refused.error.is_a("brinseal.SealExpired")
        assert same(refused.error.attrs["payload"], form_of(kind)(obj))
        seen = product.at(NOW + 1.0).call("loaded_by_clocks", way="loads", clocks=before + [fine, late], **shared)
        assert same(seen.value, obj)
        seen = product.at(NOW + 1.0).call("loaded_by_clocks", way="loads_unverified", clocks=before + [late, fine], **shared)
        assert same(seen.value, (False, obj))


# E3 -------------------------------------------------------------------------------------------


@clause("FP-04.E3")
def test_a_wrong_seal_shows_its_payload_and_its_time(product):
    good = timed('["a.b"]', "key")
    rows = [
        (timed('["a.b"]', "kez"), b'["a.b"]', "2023-11-14T22:13:20+00:00"),
        (timed("nonsense", "kez"), b"nonsense", "2023-11-14T22:13:20+00:00"),
        (b'["a.b"].ZVPxAA.', b'["a.b"]', "2023-11-14T22:13:20+00:00"),
        (b'["a.b"].ZVPxAQ.' + good.rsplit(b".", 1)[1], b'["a.b"]', "2023-11-14T22:13:21+00:00"),
        (timed("[1]", "key", salt="other"), b"[1]", "2023-11-14T22:13:20+00:00"),
        (plainly("[1, 2]", "key"), b"[1, 2]", None),
    ]
    for text, payload, when in rows:
        for places in ([10], [None, True]):
            refused = product.at(NOW + 50.0).call("loaded", kind="TimedPacker", key="key", text=text, places=places)
            assert refused.error.is_a("brinseal.BrokenTimeSeal")
            assert same(refused.error.is_a("brinseal.SealExpired"), False)
            assert same(refused.error.attrs["payload"], payload)
            assert same(shown(refused.error.attrs["sealed_at"]), when)
    assert same(product.at(NOW + 50.0).call("loaded", kind="TimedPacker", key="key", text=good, places=[50]).value, ["a.b"])


@clause("FP-04.E3", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_fresh_wrong_seals_and_seals_without_a_time(product, inputs, kind):
    key, obj, moment = inputs.token(8), small_object(inputs), inputs.integer(10**9, 4 * 10**9)
    payload = form_of(kind)(obj)
    plain = {"TimedPacker": "Packer", "TimedWebPacker": "WebPacker"}[kind]
    text = product.call("packed", kind=plain, key=key, obj=obj).value
    for given, when in ((timed(payload, inputs.token(9), moment), iso(moment)), (text, None)):
        refused = product.at(moment + 1.0).call("loaded", kind=kind, key=key, text=given)
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.is_a("brinseal.SealExpired"), False)
        assert same(refused.error.attrs["payload"], payload)
        assert same(shown(refused.error.attrs["sealed_at"]), when)
    assert same(product.at(moment + 1.0).call("loaded", kind=kind, key=key, text=timed(payload, key, moment)).value, obj)


@clause("FP-04.E3", "FP-04.N4")
def test_the_refusal_of_the_last_sealer_counts(product):
    text = "[1]!ZVPxAA!x.ZVPxAQ.AAAA"
    rows = [
        ([], b"[1]!ZVPxAA!x", "2023-11-14T22:13:21+00:00"),
        ([{"sep": "!"}], b"[1]", "2023-11-14T22:13:20+00:00"),
        ([{"sep": "!"}, {}], b"[1]!ZVPxAA!x", "2023-11-14T22:13:21+00:00"),
        ([{}, {"sep": "!"}], b"[1]", "2023-11-14T22:13:20+00:00"),
    ]
    for fallbacks, payload, when in rows:
        shared = {"kind": "TimedPacker", "key": ["old", "new"], "settings": {"fallback_sealers": fallbacks}}
        refused = product.at(NOW + 5.0).call("loaded", text=text, **shared)
        assert refused.error.is_a("brinseal.BrokenTimeSeal")
        assert same(refused.error.attrs["payload"], payload)
        assert same(shown(refused.error.attrs["sealed_at"]), when)
        loaded = [1] if payload == b"[1]" else None
        assert same(product.at(NOW + 5.0).call("unverified", text=text, **shared).value, (False, loaded))
        assert same(product.at(NOW + 5.0).call("loaded", text=timed("[2]", "old"), **shared).value, [2])
    settings = {"fallback_sealers": [{"sep": "~"}]}
    refused = product.at(NOW + 5.0).call("loaded", kind="TimedPacker", key="key", text=text, settings=settings)
    assert refused.error.is_a("brinseal.BrokenSeal")
    assert same(refused.error.is_a("brinseal.BrokenTimeSeal"), False)
    assert same(refused.error.attrs["payload"], None)


# E4 -------------------------------------------------------------------------------------------


@clause("FP-04.E4")
@pytest.mark.parametrize("kind", CLOCKED)
def test_a_time_beyond_all_calendars_is_not_overlooked(product, kind):
    payload, bench = form_of(kind)([1]), product.at(NOW + 0.5)
    shared = {"kind": kind, "key": "key"}
    for moment, error in ((LAST + 1, "ValueError"), (2**63, "OverflowError"), (2**64 - 1, "OverflowError")):
        text = timed(payload, "key", moment)
        for places in ([], [None, True]):
            refused = bench.call("loaded", text=text, places=places, **shared)
            assert refused.error.is_a(error)
        assert bench.call("unverified", text=text, **shared).error.is_a(error)
        assert same(bench.call("unsealed_by_clock", key="key", salt="brinseal", text=text).value, payload)
    assert same(bench.call("loaded", text=timed(payload, "key", LAST), **shared).value, [1])
    assert same(bench.call("unverified", text=timed(payload, "key", LAST), **shared).value, (True, [1]))
    wrong = timed(payload, "odd", LAST + 1)
    assert same(bench.call("unverified", text=wrong, **shared).value, (False, [1]))


@clause("FP-04.E4", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_fresh_times_beyond_all_calendars(product, inputs, kind):
    key, obj = inputs.token(8), small_object(inputs)
    for moment in (LAST + inputs.integer(1, 10**6), LAST + inputs.integer(10**7, 10**9)):
        text = timed(form_of(kind)(obj), key, moment)
        assert product.at(NOW + 0.5).call("loaded", kind=kind, key=key, text=text).error.is_a("ValueError")
        assert product.at(NOW + 0.5).call("unverified", kind=kind, key=key, text=text).error.is_a("ValueError")
        for way, right in (("loads", obj), ("loads_unverified", (True, obj))):
            shared = {"kind": kind, "way": way, "key": key, "text": text}
            refused = product.at(NOW + 0.5).call("loaded_by_dates", dates={}, **shared)
            assert refused.error.is_a("KeyError")
            seen = product.at(NOW + 0.5).call("loaded_by_dates", dates={str(moment): NOW}, **shared)
            assert same(seen.value, right)
    last = timed(form_of(kind)(obj), key, LAST - inputs.integer(0, 10**6))
    assert same(product.at(NOW + 0.5).call("loaded", kind=kind, key=key, text=last).value, obj)
    assert same(product.at(NOW + 0.5).call("unverified", kind=kind, key=key, text=last).value, (True, obj))


@clause("FP-04.E4", "FP-04.N4", by="answer")
def test_a_time_beyond_all_calendars_ends_the_search(product, inputs):
    key, obj = inputs.text(6), small_object(inputs)
    text = packed_by_hand("TimedPacker", obj, key)
    shared = {"key": key, "text": text, "max_age": None}
    beyond = LAST - NOW + inputs.integer(1, 10**6)
    for shifts in ([beyond, 0], [beyond, 0, 0]):
        refused = product.at(NOW + 0.5).call("dated_by_the_first", shifts=shifts, **shared)
        assert refused.error.is_a("ValueError")
    seen = product.at(NOW + 0.5).call("dated_by_the_first", shifts=[0, beyond], **shared)
    assert same(seen.value, [obj, iso(NOW)])


# E5 -------------------------------------------------------------------------------------------


@clause("FP-04.E5")
def test_a_class_without_time_seals_but_cannot_be_loaded_with(product):
    for kind in CLOCKED:
        payload = form_of(kind)([1])
        seen = product.at(NOW + 0.5).call("packed_plainly", kind=kind, key="key", salt="s", obj=[1])
        assert same(seen.value, plainly(payload, "key", salt="s").decode("ascii"))
        for way, expected in (("loads", [1]), ("loads_unverified", (True, [1]))):
            shared = {"kind": kind, "way": way, "key": "key"}
            for text in (plainly(payload, "key"), timed(payload, "key"), b"nothing"):
                refused = product.at(NOW + 0.5).call("loaded_beside_plain", text=text, own="plain", others=["clock"], **shared)
                assert refused.error.is_a("TypeError")
            right = timed(payload, "key")
            seen = product.at(NOW + 0.5).call("loaded_beside_plain", text=right, own="clock", others=["plain"], **shared)
            assert same(seen.value, expected)


@clause("FP-04.E5", by="answer")
@pytest.mark.parametrize("way", ["loads", "loads_unverified"])
def test_a_fallback_without_time_is_refused_once_it_is_come_to(product, inputs, way):
    key, obj = inputs.text(7), small_object(inputs)
    right = {"loads": obj, "loads_unverified": (True, obj)}[way]
    bench, payload = product.at(NOW + 5.0), standard(obj)
    shared = {"kind": "TimedPacker", "way": way, "key": key, "own": "clock"}
    by_hmac = timed(payload, key, way="hmac")
    seen = bench.call("loaded_beside_plain", text=by_hmac, others=["hmac clock", "plain"], **shared)
    assert same(seen.value, right)
    for text, others in ((by_hmac, ["plain", "hmac clock"]), (plainly(payload, key), ["hmac clock", "plain"]), (timed(payload, "odd"), ["plain"])):
        refused = bench.call("loaded_beside_plain", text=text, others=others, **shared)
        assert refused.error.is_a("TypeError")
    seen = bench.call("loaded_beside_plain", text=timed(payload, key), others=["plain"], names={"max_age": 4}, **dict(shared, way="loads_unverified"))
    assert same(seen.value, (False, obj))


@clause("FP-04.E5", by="answer")
@pytest.mark.parametrize("way", ["loads", "loads_unverified"])
def test_an_own_unseal_has_to_take_both_keywords(product, inputs, way):
    key, obj = inputs.token(7), small_object(inputs)
    shared = {"way": way, "key": key, "text": timed(standard(obj), key)}
    for form in ("both", "any"):
        seen = product.at(NOW + 5.0).call("loaded_by_own_unseal", form=form, **shared)
        assert same(seen.value, {"loads": obj, "loads_unverified": (True, obj)}[way])
    for form in ("no time", "no age"):
        refused = product.at(NOW + 5.0).call("loaded_by_own_unseal", form=form, **shared)
        assert refused.error.is_a("TypeError")


# E6 -------------------------------------------------------------------------------------------


@clause("FP-04.E6")
@pytest.mark.parametrize("kind", CLOCKED)
def test_the_second_argument_of_load_is_an_age(product, kind):
    text, bench = packed_by_hand(kind, [1], "key"), product.at(NOW + 10.5)
    shared = {"kind": kind, "key": "key", "text": text}
    for places, names in (([], {}), ([10], {}), ([None], {}), ([], {"salt": 10}), ([11], {})):
        assert same(bench.call("from_file", way="load", places=places, names=names, **shared).value, [1])
    for places, names in (([9], {}), ([0], {}), ([], {"salt": 9})):
        refused = bench.call("from_file", way="load", places=places, names=names, **shared)
        assert refused.error.is_a("brinseal.SealExpired")
    early = product.at(NOW - 1.0)
    assert early.call("from_file", way="load", places=[10], **shared).error.is_a("brinseal.SealExpired")
    assert same(early.call("from_file", way="load", **shared).value, [1])
    for salt in ("brinseal", b"brinseal", "other"):
        refused = bench.call("from_file", way="load", places=[salt], **shared)
        assert refused.error.is_a("TypeError")
    other = packed_by_hand(kind, [1], "key", salt="other")
    refused = bench.call("from_file", way="load", kind=kind, key="key", text=other, places=["other"])
    assert refused.error.is_a("brinseal.BrokenTimeSeal")


@clause("FP-04.E6", by="answer")
@pytest.mark.parametrize("kind", CLOCKED)
def test_load_unverified_uses_its_salt_and_sets_no_limit(product, inputs, kind):
    key, salt, obj = inputs.text(8), inputs.text(5), small_object(inputs)
    own, other = packed_by_hand(kind, obj, key), packed_by_hand(kind, obj, key, salt=salt)
    shared = {"kind": kind, "way": "load_unverified", "key": key}
    for moment in (NOW + inputs.integer(1, 10**8), NOW - inputs.integer(1, 10**8), NOW):
        bench = product.at(moment + 0.5)
        assert same(bench.call("from_file", text=own, **shared).value, (True, obj))
        assert same(bench.call("from_file", text=other, places=[salt], **shared).value, (True, obj))
        assert same(bench.call("from_file", text=other, names={"salt": raw(salt)}, **shared).value, (True, obj))
        assert same(bench.call("from_file", text=other, **shared).value, (False, obj))
        assert same(bench.call("from_file", text=own, places=[salt], **shared).value, (False, obj))


# E7 -------------------------------------------------------------------------------------------


@clause("FP-04.E7")
@pytest.mark.parametrize("kind", CLOCKED)
def test_other_keywords_are_refused_by_the_packers_with_time(product, kind):
    text, bench = packed_by_hand(kind, [1], "key"), product.at(NOW + 10.0)
    shared = {"kind": kind, "key": "key", "text": text}
    for names in ({"extra": 1}, {"serializer": None}, {"max_age": 10, "age": 10}):
        assert bench.call("loaded", names=names, **shared).error.is_a("TypeError")
        assert bench.call("unverified", names=names, **shared).error.is_a("TypeError")
    for names in ({"with_timestamp": False}, {"with_timestamp": True}, {"max_age": 10, "with_timestamp": None}):
        assert bench.call("unverified", names=names, **shared).error.is_a("TypeError")
    seen = bench.call("loaded", names={"max_age": 10, "with_timestamp": False, "salt": "brinseal"}, **shared)
    assert same(seen.value, [1])
    assert same(bench.call("unverified", names={"max_age": 10, "salt": b"brinseal"}, **shared).value, (True, [1]))
    plain = {"TimedPacker": "Packer", "TimedWebPacker": "WebPacker"}[kind]
    seen = bench.call("loaded", kind=plain, key="key", text=packed_by_hand(plain, [1], "key"), names={"extra": 1})
    assert same(seen.value, [1])


@clause("FP-04.E7", by="answer")
def test_fresh_keywords_are_refused(product, inputs):
    kind, key, obj = inputs.choice(CLOCKED), inputs.token(7), small_object(inputs)
    for text in (packed_by_hand(kind, obj, key), packed_by_hand(kind, obj, "odd"), "nothing"):
        shared = {"kind": kind, "key": key, "text": text, "names": {inputs.word(9): inputs.choice([None, 1, "x"])}}
        assert product.at(NOW + 1.0).call("loaded", **shared).error.is_a("TypeError")
        assert product.at(NOW + 1.0).call("unverified", **shared).error.is_a("TypeError")
    shared = {"kind": kind, "key": key, "text": packed_by_hand(kind, obj, key), "names": {"max_age": 1}}
    assert same(product.at(NOW + 1.0).call("loaded", **shared).value, obj)
    assert same(product.at(NOW + 1.0).call("unverified", **shared).value, (True, obj))


# E8 -------------------------------------------------------------------------------------------


@clause("FP-04.E8")
@pytest.mark.parametrize("way", ["load_payload", "loads", "load", "loads_unverified", "load_unverified"])
def test_a_payload_that_cannot_be_decoded_is_broken(product, way):
    rows = [
        (b"zWzFd", "BrokenData'>"),
        (b"A", "BrokenData'>"),
        (b".zWzFd", "BrokenData'>"),
        (b".A", "BrokenData'>"),
        (b".", "error'>"),
        (b".WzFd", "error'>"),
        (squeezed(b"[1]")[:-4], "error'>"),
    ]
    right = {"loads_unverified": (True, [1]), "load_unverified": (True, [1])}.get(way, [1])
    for kind in WEB:
        bench = product.at(NOW + 0.5)
        for payload, cause in rows:
            given = payload if way == "load_payload" else seal_of(kind)(payload, "key", NOW)
            error = bench.call("taken_back", kind=kind, way=way, key="key", given=given).error
            assert error.is_a("brinseal.BrokenPayload")
            assert same(error.is_a("brinseal.BrokenSeal"), False)
            assert same(error.attrs["cause"].split(".")[-1], cause)
            assert same(error.attrs["ids"][0], error.attrs["ids"][1])
        given = b"WzFd" if way == "load_payload" else seal_of(kind)(b"WzFd", "key", NOW)
        assert same(bench.call("taken_back", kind=kind, way=way, key="key", given=given).value, right)


@clause("FP-04.E8", by="answer")
@pytest.mark.parametrize("kind", WEB)
def test_fresh_payloads_that_cannot_be_decompressed(product, inputs, kind):
    obj = large_object(inputs)
    good = squeezed(compact(obj))
    broken = [b"." + b64(data) for data in of_other_formats(compact(obj)) + [compact(obj)]]
    broken += [cut_short(inputs, compact(obj)) for _ in range(3)]
    for payload in broken:
        error = product.call("taken_back", kind=kind, way="load_payload", key="key", given=payload).error
        assert error.is_a("brinseal.BrokenPayload")
        assert same(error.attrs["cause"], "<class 'zlib.error'>")
        assert same(error.attrs["ids"][0], error.attrs["ids"][1])
    assert same(product.call("taken_back", kind=kind, way="load_payload", key="key", given=good).value, obj)


@clause("FP-04.E8", by="answer")
def test_fresh_payloads_that_are_no_base64(product, inputs):
    for kind in WEB:
        key, mark = inputs.token(6), inputs.choice([b"", b"."])
        payload = mark + inputs.word(4 * inputs.integer(0, 5) + 1).encode("ascii")
        text = seal_of(kind)(payload, key, NOW)
        for way, given in (("load_payload", payload), ("loads", text), ("loads_unverified", text)):
            error = product.at(NOW + 0.5).call("taken_back", kind=kind, way=way, key=key, given=given).error
            assert error.is_a("brinseal.BrokenPayload")
            assert same(error.attrs["cause"].split(".")[-1], "BrokenData'>")
            assert same(error.attrs["ids"][0], error.attrs["ids"][1])
        obj = small_object(inputs)
        seen = product.at(NOW + 0.5).call("taken_back", kind=kind, way="load_payload", key=key, given=web(compact(obj)))
        assert same(seen.value, obj)
        right = raw(packed_by_hand(kind, obj, key))
        assert same(product.at(NOW + 0.5).call("taken_back", kind=kind, way="loads", key=key, given=right).value, obj)


@clause("FP-04.E8", "FP-04.N4", by="answer")
@pytest.mark.parametrize("way", ["loaded", "unverified"])
def test_a_broken_payload_ends_the_search(product, inputs, way):
    key, obj = inputs.text(6), small_object(inputs)
    settings = {"fallback_sealers": [{"key_derivation": "hmac"}]}
    shared = {"kind": "TimedWebPacker", "key": key, "settings": settings}
    for payload in (b"." + b64(compact(obj)), b".", b64(b"{" + inputs.token(3))):
        refused = product.at(NOW + 0.5).call(way, text=seal_of("TimedWebPacker")(payload, key, NOW), **shared)
        assert refused.error.is_a("brinseal.BrokenPayload")
    right = {"loaded": obj, "unverified": (True, obj)}[way]
    seen = product.at(NOW + 0.5).call(way, text=packed_by_hand("TimedWebPacker", obj, key), **shared)
    assert same(seen.value, right)


# E9 -------------------------------------------------------------------------------------------


@clause("FP-04.E9")
@pytest.mark.parametrize("scenario", ["list", "map"])
def test_text_beyond_utf8_is_packed_only_when_it_is_escaped(product, scenario):
    escaped = {"settings": {"serializer_kwargs": {"ensure_ascii": True}}}
    head, tail = {"list": ("[", "]"), "map": ("{", ":1}")}[scenario]
    for kind in WEB:
        for code in (0xD800, 0xDFFF):
            shared = {"kind": kind, "key": "key", "code": code, "tail": "x"}
            payload = b64(('%s"\\u%04xx"%s' % (head, code, tail)).encode("ascii"))
            text = seal_of(kind)(payload, "key", NOW).decode("ascii")
            for way, right in (("dump_payload", payload), ("dumps", text)):
                if scenario == "list":
                    refused = product.at(NOW + 0.5).call("packed_code", way=way, **shared)
                    seen = product.at(NOW + 0.5).call("packed_code", way=way, **shared, **escaped)
                else:
                    refused = product.at(NOW + 0.5).call("packed_code_as_key", way=way, **shared)
                    seen = product.at(NOW + 0.5).call("packed_code_as_key", way=way, **shared, **escaped)
                assert refused.error.is_a("UnicodeEncodeError")
                assert same(seen.value, right)


@clause("FP-04.E9", by="oracle")
def test_fresh_text_beyond_utf8(product, inputs):
    for kind in WEB:
        code, tail, fine = inputs.integer(0xD800, 0xDFFF), inputs.word(4), inputs.integer(0xE000, 0xFFFD)
        shared = {"kind": kind, "way": "dump_payload", "key": inputs.token(5), "tail": tail}
        refused = product.call("packed_code", code=code, **shared)
        assert refused.error.is_a("UnicodeEncodeError")
        assert same(product.call("packed_code", code=fine, **shared).value, web(compact([chr(fine) + tail])))
        seen = product.at(NOW + 0.5).call("code_back", kind=kind, key="key", code=code, tail=tail)
        assert same(seen.value, [[code] + list(raw(tail))])


# E10 ------------------------------------------------------------------------------------------


@clause("FP-04.E10")
def test_a_payload_as_text_is_refused(product):
    for kind in WEB + ["WebPackerMixin"]:
        for payload in ("WzFd", "", "A", ".A", squeezed(b"[1]").decode("ascii")):
            refused = product.call("payload_loaded", kind=kind, key="key", payload=payload)
            assert refused.error.is_a("TypeError")
            assert same(refused.error.is_a("brinseal.BrokenData"), False)
        assert same(product.call("payload_loaded", kind=kind, key="key", payload=b"WzFd").value, [1])


@clause("FP-04.E10", by="answer")
def test_a_fresh_payload_as_text_is_refused(product, inputs):
    for obj in (small_object(inputs), large_object(inputs)):
        kind, payload = inputs.choice(WEB), web(compact(obj))
        for places in ([], [None]):
            shared = {"kind": kind, "key": "key", "places": places}
            refused = product.call("payload_loaded", payload=payload.decode("ascii"), **shared)
            assert refused.error.is_a("TypeError")
            assert same(refused.error.is_a("brinseal.BrokenPayload"), False)
            assert same(product.call("payload_loaded", payload=payload, **shared).value, obj)


# E11 ------------------------------------------------------------------------------------------


@clause("FP-04.E11")
def test_a_header_error_shows_what_it_was_built_with(product):
    seen = product.call("headers_shown", message="m", payload=b"WzFd", header={"a": 1}, reason="why")
    everything = ["m", b"WzFd", {"a": 1}, ["why"]]
    assert same(
        seen.value,
        {
            "full": everything,
            "named": everything,
            "bare": ["m", None, None, None],
            "part": ["m", None, {"a": 1}, None],
            "base": 1,
        },
    )


@clause("FP-04.E11", by="answer")
@pytest.mark.parametrize("kind", ["Packer", "WebPacker", "TimedPacker", "TimedWebPacker"])
def test_a_header_error_is_caught_by_loads_unverified(product, inputs, kind):
    key, obj = inputs.token(6), small_object(inputs)
    shared = {"kind": kind, "key": key, "text": packed_by_hand(kind, obj, key)}
    details, bench = ["m", form_of(kind)([1]), {"h": inputs.text(3)}], product.at(NOW + 0.5)
    seen = bench.call("loaded_behind_header", way="loads_unverified", details=details, **shared)
    assert same(seen.value, (False, [1]))
    seen = bench.call("loaded_behind_header", way="loads_unverified", details=["m"], **shared)
    assert same(seen.value, (False, None))
    seen = bench.call("loaded_behind_header", way="loads_unverified", details=["m", b"{"], **shared)
    assert same(seen.value, (False, None))
    seen = bench.call("loaded_behind_header", way="loads_unverified", details=[], **shared)
    assert same(seen.value, (True, obj))
    refused = bench.call("loaded_behind_header", way="loads", details=details, **shared)
    assert refused.error.is_a("brinseal.BrokenHeader")
    assert refused.error.is_a("brinseal.BrokenSeal")
    assert same(refused.error.is_a("brinseal.BrokenTimeSeal"), False)
    assert same([refused.error.attrs[name] for name in ("message", "payload", "header")], details)
    assert same(bench.call("loaded_behind_header", way="loads", details=[], **shared).value, obj)
