import hashlib
import io

import brinseal
from brinseal.url_safe import WebPackerMixin


def kept_by_default(kind, key):
    packer = {"WebPackerMixin": WebPackerMixin}.get(kind, getattr(brinseal, kind, None))(key)
    return {
        "keys": [packer.secret_keys, packer.secret_key],
        "salt": packer.salt,
        "text": packer.is_text_serializer,
        "rest": [packer.serializer_kwargs, packer.sealer_options, packer.fallback_sealers],
    }


def bases_of(kind):
    made = {"WebPackerMixin": WebPackerMixin}.get(kind, getattr(brinseal, kind, None))
    return [made.mro().count(base) for base in (brinseal.Packer, brinseal.TimedPacker, WebPackerMixin)]


def defaults_of_a_timed_packer(key):
    timed = brinseal.TimedPacker
    return {
        "sealers": [id(timed.default_sealer), id(timed(key).sealer), id(brinseal.ClockSealer)],
        "serializers": [id(timed.default_serializer), id(timed(key).serializer), id(brinseal.Packer.default_serializer)],
        "sealed": timed.default_sealer(key).seal(b"value"),
    }


def packed(kind, key, obj, salt=None, settings={}):
    return getattr(brinseal, kind)(key, **settings).dumps(obj, salt)


def packed_in_order(kind, keys, salt, kwargs, options, fallbacks, obj):
    packer = getattr(brinseal, kind)(keys, salt, None, kwargs, None, options, fallbacks)
    return {
        "dumped": packer.dumps(obj),
        "shown": [packer.secret_keys, packer.salt],
        "rest": [packer.serializer_kwargs, packer.sealer_options, packer.fallback_sealers],
    }


def packed_with_own_parts(kind, key, salt, obj, digest, serializer):
    raw = type("Raw", (), {"dumps": bytes, "loads": bytes})
    base = getattr(brinseal, kind)
    strong = type("Strong", (base("k").sealer,), {"default_digest_method": getattr(hashlib, digest)})
    chosen = {"raw": raw, "json": brinseal.Packer.default_serializer}[serializer]
    own = type("Own", (base,), {"default_sealer": strong, "default_serializer": chosen})
    return [
        base(key, salt, chosen, None, strong).dumps(obj),
        base(secret_key=key, salt=salt, serializer=chosen, sealer=strong).dumps(obj=obj),
        own(key, salt).dumps(obj),
    ]


def loaded(kind, key, text, places=[], names={}, settings={}):
    return getattr(brinseal, kind)(key, **settings).loads(text, *places, **names)


def loaded_with_time(kind, key, text, max_age=None, salt=None, settings={}):
    packer = getattr(brinseal, kind)(key, **settings)
    pair = packer.loads(text, max_age, True, salt)
    return [len(pair), pair[:1], pair[1].isoformat()]


def loaded_by_name(kind, key, text, max_age, salt):
    packer = getattr(brinseal, kind)(key)
    pair = packer.loads(s=text, salt=salt, with_timestamp=True, max_age=max_age)
    return [
        pair[:1],
        pair[1].isoformat(),
        packer.loads(s=text, with_timestamp=False, salt=salt),
        packer.loads_unverified(salt=salt, s=text, max_age=max_age),
    ]


def loaded_by_own_calendar(kind, key, text, shift, with_timestamp):
    base = brinseal.ClockSealer
    later = lambda self, ts: base.timestamp_to_datetime(self, ts + shift)
    sealer = type("Later", (base,), {"timestamp_to_datetime": later})
    given = getattr(brinseal, kind)(key, sealer=sealer).loads(text, with_timestamp=with_timestamp)
    shown = {True: lambda: [given[0], given[1].isoformat()], False: lambda: given}
    return shown[with_timestamp]()


def loaded_by_dates(kind, way, key, text, dates):
    base = brinseal.ClockSealer
    dated = lambda self, ts: base.timestamp_to_datetime(self, dates[str(ts)])
    sealer = type("Dated", (base,), {"timestamp_to_datetime": dated})
    return getattr(getattr(brinseal, kind)(key, sealer=sealer), way)(text)


def unverified(kind, key, text, places=[], names={}, settings={}):
    return getattr(brinseal, kind)(key, **settings).loads_unverified(text, *places, **names)


def unverified_many(kind, key, calls, settings={}):
    packer = getattr(brinseal, kind)(key, **settings)
    return [packer.loads_unverified(text, *places) for text, *places in calls]


def loaded_in_turn(kind, key, calls):
    packer = getattr(brinseal, kind)(key)
    return [packer.loads(text, *places) for text, *places in calls]


def loaded_over(keys, texts, max_age, settings):
    packer = brinseal.TimedPacker(keys, **settings)
    pairs = [packer.loads(text, max_age, True) for text in texts]
    return {
        "loaded": [[obj, when.isoformat()] for obj, when in pairs],
        "unverified": [packer.loads_unverified(text, max_age) for text in texts],
    }


def ages_asked(keys, text, max_age, options, fallbacks, way):
    asked = []
    base = brinseal.ClockSealer
    ask = lambda self, signed_value, max_age=None, with_timestamp=False: (
        asked.append([self.secret_key, self.key_derivation, max_age]),
        base.unseal(self, signed_value, max_age, with_timestamp),
    )[1]
    sealer = type("Asked", (base,), {"unseal": ask})
    packer = brinseal.TimedPacker(keys, sealer=sealer, sealer_options=options, fallback_sealers=fallbacks)
    return [getattr(packer, way)(text, max_age), asked]


def loaded_through_own_sealers(kind, way, keys, salt, text):
    asked = []
    chosen = lambda self, salt=None: (
        asked.append(salt),
        iter([brinseal.ClockSealer(key, salt=salt) for key in keys]),
    )[1]
    own = type("Own", (getattr(brinseal, kind),), {"iter_unsealers": chosen})
    return [getattr(own("unused"), way)(text, salt=salt), asked[0]]


def dated_by_the_first(key, text, shifts, max_age):
    base = brinseal.ClockSealer
    shifted = lambda shift: type(
        "Shifted", (base,), {"timestamp_to_datetime": lambda self, ts: base.timestamp_to_datetime(self, ts + shift)}
    )
    fallbacks = [(shifted(shift), {}) for shift in shifts]
    packer = brinseal.TimedPacker(key, sealer_options={"key_derivation": "hmac"}, fallback_sealers=fallbacks)
    obj, when = packer.loads(text, max_age, with_timestamp=True)
    return [obj, when.isoformat()]


def checks_of_unsealers(kind, keys, salt, text, max_age, settings):
    packer = getattr(brinseal, kind)(keys, **settings)
    return [sealer.validate(text, max_age=max_age) for sealer in packer.iter_unsealers(salt)]


def loaded_by_clocks(kind, way, key, text, clocks, max_age, options):
    at = lambda clock: type("At", (brinseal.ClockSealer,), {"get_timestamp": lambda self: clock})
    fallbacks = [(at(clock), {}) for clock in clocks[1:]]
    packer = getattr(brinseal, kind)(
        key, sealer=at(clocks[0]), sealer_options=options, fallback_sealers=fallbacks
    )
    return getattr(packer, way)(text, max_age)


def loaded_beside_plain(kind, way, key, text, own, others, names={}):
    kinds = {
        "plain": brinseal.Sealer,
        "clock": brinseal.ClockSealer,
        "hmac clock": (brinseal.ClockSealer, {"key_derivation": "hmac"}),
    }
    fallbacks = [kinds[name] for name in others]
    packer = getattr(brinseal, kind)(key, sealer=kinds[own], fallback_sealers=fallbacks)
    return getattr(packer, way)(text, **names)


def loaded_by_own_unseal(way, key, text, form):
    base = brinseal.ClockSealer
    forms = {
        "both": lambda self, signed_value, max_age=None, with_timestamp=False: base.unseal(
            self, signed_value, max_age, with_timestamp
        ),
        "any": lambda self, signed_value, **names: base.unseal(self, signed_value, **names),
        "no time": lambda self, signed_value, max_age=None: base.unseal(self, signed_value, max_age, True),
        "no age": lambda self, signed_value, with_timestamp=False: base.unseal(self, signed_value, None, with_timestamp),
    }
    sealer = type("Own", (base,), {"unseal": forms[form]})
    return getattr(brinseal.TimedPacker(key, sealer=sealer), way)(text)


def packed_plainly(kind, key, salt, obj):
    return getattr(brinseal, kind)(key, salt, sealer=brinseal.Sealer).dumps(obj)


def unsealed_by_clock(key, salt, text):
    return brinseal.ClockSealer(key, salt=salt).unseal(text)


def from_file(kind, way, key, text, places=[], names={}):
    return getattr(getattr(brinseal, kind)(key), way)(io.StringIO(text), *places, **names)


def compact_texts(kind, objs, names):
    made = {"WebPackerMixin": WebPackerMixin}.get(kind, getattr(brinseal, kind, None))
    dumps = made.default_serializer.dumps
    return [[dumps(obj), dumps(obj, **names), dumps(obj)] for obj in objs]


def compact_loaded(kind, text):
    made = {"WebPackerMixin": WebPackerMixin}.get(kind, getattr(brinseal, kind, None))
    return made.default_serializer.loads(text)


def payloads(kind, key, objs, settings={}):
    packer = {"WebPackerMixin": WebPackerMixin}.get(kind, getattr(brinseal, kind, None))(key, **settings)
    return [packer.dump_payload(obj) for obj in objs]


def payloads_and_settings(kind, key, obj, kwargs):
    packer = getattr(brinseal, kind)(key, serializer_kwargs=kwargs)
    plain = getattr(brinseal, kind)(key)
    return {
        "payloads": [packer.dump_payload(obj), plain.dump_payload(obj)],
        "serialized": packer.serializer.dumps(obj),
        "kwargs": [packer.serializer_kwargs, plain.serializer_kwargs],
    }


def payload_loaded(kind, key, payload, places=[]):
    made = {"WebPackerMixin": WebPackerMixin}.get(kind, getattr(brinseal, kind, None))
    return made(key).load_payload(payload, *places)


def payloads_loaded(kind, key, given):
    packer = getattr(brinseal, kind)(key)
    return [packer.load_payload(payload) for payload in given]


def objects_back(kind, key, objs, settings={}):
    packer = getattr(brinseal, kind)(key, **settings)
    texts = [packer.dumps(obj) for obj in objs]
    return {"texts": texts, "back": [packer.loads(text) for text in texts]}


def what_a_serializer_gets(kind, key, obj, text, given, names):
    seen = []
    json = brinseal.Packer.default_serializer
    form = {"text": str, "bytes": lambda written: written.encode("utf-8")}[text]
    own = {
        "dumps": lambda self, obj, **names: form("#" + json.dumps(obj, **names)),
        "loads": lambda self, payload: (seen.append(payload), json.loads(payload[1:]))[1],
    }
    packer = getattr(brinseal, kind)(key, serializer=type("Own", (), own)(), serializer_kwargs=names)
    back = packer.load_payload(given)
    return [packer.is_text_serializer, packer.dump_payload(obj), packer.dumps(obj), seen, back]


def loaded_with_serializer(kind, key, own, payload, other):
    raw = type("Raw", (), {"dumps": bytes, "loads": bytes})
    json = brinseal.Packer.default_serializer
    marked = type("Marked", (), {"dumps": json.dumps, "loads": lambda text: ["marked", text]})
    kinds = {"raw": raw, "marked": marked, "none": None}
    packer = getattr(brinseal, kind)(key, serializer=kinds[own])
    return {
        "place": packer.load_payload(payload, kinds[other]),
        "name": packer.load_payload(payload, serializer=kinds[other]),
        "own": packer.load_payload(payload),
    }


def packed_by_mixture(kind, key, mark, obj):
    base = getattr(brinseal, kind)
    members = {
        "dump_payload": lambda self, obj: mark + base.dump_payload(self, obj),
        "load_payload": lambda self, payload, serializer=None: base.load_payload(self, payload[len(mark):], serializer),
    }
    marked = type("Marked", (base,), members)
    packer = type("Web", (WebPackerMixin, marked), {})(key)
    text = packer.dumps(obj)
    return [packer.dump_payload(obj), text, packer.loads(text), packer.loads_unverified(text)]


def sealed_by_mixture(kind, key, salt, options, text, obj):
    base = getattr(brinseal, kind)
    make = lambda self, salt=None: self.sealer(self.secret_keys, salt={None: self.salt}.get(salt, salt), **options)
    other = type("Other", (base,), {"make_sealer": make})
    packer = type("Web", (WebPackerMixin, other), {})(key, salt)
    return [packer.dumps(obj), packer.loads(text), packer.loads_unverified(text)]


def handed_on_by_mixture(payload, places, names):
    take = lambda self, payload, *places, **names: [payload, list(places), names["mark"]]
    other = type("Other", (brinseal.Packer,), {"load_payload": take})
    return type("Web", (WebPackerMixin, other), {})("key").load_payload(payload, *places, **names)


def taken_back(kind, way, key, given):
    def tell(self, kind, error, trace):
        if error:
            cause, original = getattr(error, "__cause__", None), getattr(error, "original_error", None)
            setattr(error, "cause", str(type(cause)))
            setattr(error, "ids", [id(cause), id(original)])

    watch = type("Watch", (), {"__enter__": lambda self: self, "__exit__": tell})()
    packer = getattr(brinseal, kind)(key)
    given = {"load": io.BytesIO, "load_unverified": io.BytesIO}.get(way, bytes)(given)
    with watch:
        return getattr(packer, way)(given)


def packed_code(kind, way, key, code, tail, settings={}):
    return getattr(getattr(brinseal, kind)(key, **settings), way)([chr(code) + tail])


def packed_code_as_key(kind, way, key, code, tail, settings={}):
    return getattr(getattr(brinseal, kind)(key, **settings), way)({chr(code) + tail: 1})


def code_back(kind, key, code, tail):
    packer = getattr(brinseal, kind)(key, serializer_kwargs={"ensure_ascii": True})
    back = packer.loads(packer.dumps([chr(code) + tail]))
    return [[ord(letter) for letter in text] for text in back]


def headers_shown(message, payload, header, reason):
    full = brinseal.BrokenHeader(message, payload, header, ValueError(reason))
    named = brinseal.BrokenHeader(original_error=ValueError(reason), header=header, payload=payload, message=message)
    bare = brinseal.BrokenHeader(message)
    part = brinseal.BrokenHeader(message, header=header)
    return {
        "full": [full.message, full.payload, full.header, list(full.original_error.args)],
        "named": [named.message, named.payload, named.header, list(named.original_error.args)],
        "bare": [bare.message, bare.payload, bare.header, bare.original_error],
        "part": [part.message, part.payload, part.header, part.original_error],
        "base": brinseal.BrokenHeader.mro().count(brinseal.BrokenSeal),
    }


def loaded_behind_header(kind, way, key, text, details):
    base = getattr(brinseal, kind)

    def loads(self, s, *places, **names):
        if details:
            raise brinseal.BrokenHeader(*details)
        return base.loads(self, s, *places, **names)

    return getattr(type("Headed", (base,), {"loads": loads})(key), way)(text)
