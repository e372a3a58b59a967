import hashlib
import io

from brinseal import BrokenPayload, BrokenSeal, Packer, Sealer


def packed_by_default(keys, obj):
    return Packer(keys).dumps(obj)


def packed_by_name(keys, obj):
    packer = Packer(secret_key=keys, salt=b"brinseal", serializer=None, sealer=None)
    return packer.dumps(obj=obj, salt=None)


def loaded(key, sealed):
    return Packer(key).loads(sealed)


def loaded_in_each_form(keys, sealed, extra):
    packer = Packer(keys)
    return {
        "text": packer.loads(sealed),
        "bytes": packer.loads(sealed.encode("utf-8")),
        "extra": packer.loads(sealed, **extra),
        "named": packer.loads(s=sealed.encode("utf-8"), salt=None, **extra),
    }


def there_and_back(key, obj, options):
    packer = Packer(key, serializer_kwargs=options)
    sealed = packer.dumps(obj)
    return [sealed, packer.loads(sealed), packer.loads(sealed.encode("utf-8"))]


def shown_by_default(keys, obj):
    packer = Packer(keys)
    return {
        "keys": [packer.secret_keys, packer.secret_key],
        "salt": packer.salt,
        "serializer": [packer.serializer.dumps(obj), packer.serializer.JSONEncoder().encode(obj), packer.is_text_serializer],
        "sealer": [id(packer.sealer), id(Sealer)],
        "default salt of the sealer": packer.sealer(keys).salt,
        "rest": [packer.sealer_options, packer.serializer_kwargs, packer.fallback_sealers],
    }


def shown_as_given(keys, salt, kwargs, options, fallbacks):
    write = staticmethod(lambda obj, **kwargs: repr(obj).encode("utf-8"))
    serializer, sealer = type("Binary", (), {"dumps": write}), type("Own", (Sealer,), {})
    packer = Packer(keys, salt, serializer, kwargs, sealer, options, fallbacks)
    return {
        "keys": [packer.secret_keys, packer.secret_key],
        "salt": packer.salt,
        "serializer": [[id(packer.serializer), id(serializer)], packer.is_text_serializer],
        "sealer": [id(packer.sealer), id(sealer)],
        "rest": [packer.serializer_kwargs, packer.sealer_options, packer.fallback_sealers],
    }


def shown_by_form(form, keys):
    make = {"list": list, "tuple": tuple, "iterator": iter, "dict": dict.fromkeys}[form]
    packer = Packer(make(keys))
    return [packer.secret_keys, packer.secret_key]


def keys_after_a_change(keys, extra):
    packer, other = Packer(keys), Packer(keys)
    keys.append(extra)
    other.secret_keys.append(extra)
    return [packer.secret_keys, packer.secret_key, other.secret_key]


def dicts_when_empty(key, empty, extra):
    first = Packer(key, serializer_kwargs=empty, sealer_options=empty)
    shown = [dict(first.serializer_kwargs), dict(first.sealer_options)]
    plain = Packer(key)
    plain.sealer_options.update(extra)
    plain.serializer_kwargs.update(extra)
    last = Packer(key)
    return [shown, last.serializer_kwargs, last.sealer_options, last.fallback_sealers]


def salted_calls(key, own, salt, sealed, obj):
    packer, first, second = Packer(key, own), io.StringIO(), io.StringIO()
    packer.dump(obj, first, salt)
    packer.dump(obj, f=second, salt=salt)
    return {
        "dumps": [packer.dumps(obj, salt), packer.dumps(obj, salt=salt)],
        "dump": [first.getvalue(), second.getvalue()],
        "loads": [packer.loads(sealed, salt), packer.loads(sealed, salt=salt)],
        "load": [packer.load(io.StringIO(sealed), salt), packer.load(io.StringIO(sealed), salt=salt)],
        "flagged": [packer.loads_unverified(sealed, salt), packer.loads_unverified(sealed, salt=salt)],
        "file": [packer.load_unverified(io.StringIO(sealed), salt), packer.load_unverified(f=io.StringIO(sealed), salt=salt)],
        "sealer": [packer.make_sealer(salt).salt, packer.make_sealer(salt=salt).salt],
        "unsealers": [each.salt for each in [*packer.iter_unsealers(salt), *packer.iter_unsealers(salt=salt)]],
        "after": [packer.salt, packer.dumps(obj)],
    }


def loaded_under(operation, key, own, salt, sealed):
    form = {"load": io.StringIO, "load_unverified": io.StringIO}.get(operation, str)
    return getattr(Packer(key, own), operation)(form(sealed), salt)


def salts_of_unsealers(keys, own, salt, fallbacks):
    packer = Packer(keys, own, fallback_sealers=fallbacks)
    return [[each.salt for each in packer.iter_unsealers(given)] for given in (salt, None)]


def through_serializer(kind, key, obj):
    write = {
        "text": str,
        "bytes": lambda obj: str(obj).encode("utf-8"),
        "raw": bytes,
        "text for {} only": lambda obj: str(obj).encode("utf-8") if obj else str(obj),
        "bytes for {} only": lambda obj: str(obj) if obj else str(obj).encode("utf-8"),
    }[kind]
    members = {"dumps": staticmethod(write), "loads": staticmethod(lambda payload: [payload])}
    packer = Packer(key, serializer=type("Shown", (), members)())
    sealed = packer.dumps(obj)
    return [packer.is_text_serializer, sealed, packer.loads(sealed)]


def handed_to_serializer(kind, key, sealed):
    write = {"text": str, "bytes": lambda obj: str(obj).encode("utf-8")}[kind]
    members = {"dumps": staticmethod(write), "loads": staticmethod(lambda payload: [payload])}
    packer = Packer(key, serializer=type("Shown", (), members))
    return [packer.loads(sealed), packer.loads_unverified(sealed)]


def serializer_calls(key, objs, options):
    calls = []
    write = lambda self, *args, **kwargs: [calls.append(["dumps", list(args), kwargs]), str(args[0])][-1]
    read = lambda self, *args, **kwargs: [calls.append(["loads", list(args), kwargs]), args[0]][-1]
    recorder = type("Recorder", (), {"dumps": write, "loads": read})()
    packer = Packer(key, serializer=recorder, serializer_kwargs=options)
    built = list(calls)
    made = [packer.dumps(obj) for obj in objs]
    packed = list(calls)
    back = [packer.loads(sealed) for sealed in made]
    return {"built": built, "packed": packed, "all": calls, "back": back}


def serializer_calls_by(operation, key, argument, options):
    calls = []
    write = lambda self, *args, **kwargs: [calls.append(["dumps", list(args), kwargs]), str(args[0])][-1]
    read = lambda self, *args, **kwargs: [calls.append(["loads", list(args), kwargs]), args[0]][-1]
    recorder = type("Recorder", (), {"dumps": write, "loads": read})()
    packers = [Packer(key, serializer=recorder, serializer_kwargs=options) for time in range(2)]
    more = {"dump": [io.StringIO()]}.get(operation, [])
    form = {"load": io.StringIO, "load_unverified": io.StringIO}.get(operation, type(argument))
    getattr(packers[1], operation)(form(argument), *more)
    return calls


def payload_of(key, obj, options):
    packer = Packer(key, serializer_kwargs=options)
    return [packer.dump_payload(obj), packer.dump_payload(obj=obj), packer.dumps(obj)]


def payload_by(kind, key, obj, options):
    write = lambda obj, head="": head + str(obj)
    kinds = {"text": write, "utf-16": lambda obj, head="": write(obj, head).encode("utf-16-le")}
    serializer = type("Headed", (), {"dumps": staticmethod(kinds[kind])})
    return Packer(key, serializer=serializer, serializer_kwargs=options).dump_payload(obj)


def payload_loaded(payload):
    packer = Packer("secret-key")
    return [packer.load_payload(payload), packer.load_payload(payload=payload, serializer=None)]


def payload_loaded_with(payload, own, given):
    tagged = lambda name, write: {"dumps": staticmethod(write), "loads": staticmethod(lambda payload: [name, payload])}
    kinds = {
        "none": None,
        "text": type("Text", (), tagged("text", str)),
        "bytes": type("Bytes", (), tagged("bytes", lambda obj: str(obj).encode("utf-8"))),
        "empty": type("Empty", (list,), tagged("empty", str))(),
    }
    packer, given = Packer("secret-key", serializer=kinds[own]), kinds[given]
    return [packer.load_payload(payload, given), packer.load_payload(payload=payload, serializer=given)]


def payload_loaded_after_a_turn(payload):
    state = [str]
    members = {"dumps": lambda self, obj: state[-1](obj), "loads": lambda self, payload: [payload]}
    serializer = type("Turning", (), members)()
    packer = Packer("secret-key", serializer=serializer)
    before = packer.load_payload(payload, serializer)
    state.append(bytes)
    return [before, packer.load_payload(payload, serializer)]


def sealer_calls(keys, salt, options, obj):
    calls = []
    note = lambda args, kwargs: calls.append([[list(each) for each in args], kwargs])
    make = lambda *args, **kwargs: [note(args, kwargs), Sealer(*args, **kwargs)][-1]
    packer = Packer(keys, sealer=make, sealer_options=options)
    built = list(calls)
    made = [packer.make_sealer(), packer.make_sealer(salt), packer.make_sealer(salt=salt)]
    seals = [sealer.seal("v") for sealer in made]
    return {"built": built, "seals": seals, "dumps": packer.dumps(obj), "calls": calls}


def sealers_made(key, obj, extra):
    packer = Packer(key)
    first, second = packer.make_sealer(), packer.make_sealer()
    first.secret_keys.append(extra)
    return [[id(first), id(second)], second.secret_keys, packer.make_sealer().secret_keys, packer.dumps(obj)]


def sealed_by_own(kind, key, obj, left, right):
    bare = type("Bare", (), {"seal": lambda self, value: left + value + right})
    derived = type("Derived", (Sealer,), {"seal": lambda self, value: Sealer.seal(self, left + value + right)})
    kinds = {"bare": lambda keys, **options: bare(), "derived": derived}
    return Packer(key, sealer=kinds[kind]).dumps(obj)


def defaults_of_the_class(obj):
    return {
        "serializer": [Packer.default_serializer.dumps(obj), Packer.default_serializer.JSONEncoder().encode(obj)],
        "sealer": [id(Packer.default_sealer), id(Sealer)],
        "fallbacks": Packer.default_fallback_sealers,
    }


def in_a_subclass(case, key, obj, head, way, fallbacks):
    members = {"dumps": staticmethod(lambda obj: head + str(obj)), "loads": staticmethod(lambda payload: [payload])}
    own = {"default_sealer": type("Own", (Sealer,), {"default_key_derivation": way})}
    own.update(default_serializer=type("Headed", (), members), default_fallback_sealers=fallbacks)
    given = {
        "left out": {},
        "none": {"serializer": None, "sealer": None, "fallback_sealers": None},
        "given": {"serializer": Packer.default_serializer, "sealer": Sealer, "fallback_sealers": []},
    }[case]
    packer = type("Mine", (Packer,), own)(key, **given)
    seps = [each.sep for each in packer.iter_unsealers()]
    return [packer.is_text_serializer, packer.dumps(obj), packer.loads(packer.dumps(obj)), packer.fallback_sealers, seps]


def default_fallbacks_at_work(key, sealed, entries, given):
    mine = type("Mine", (Packer,), {"default_fallback_sealers": entries})
    first = mine(key)
    cleared = mine(key)
    cleared.fallback_sealers.clear()
    packers = [first, cleared, mine(key), mine(key, fallback_sealers=given), Packer(key)]
    return [packer.loads_unverified(sealed) for packer in packers]


def default_fallbacks_shown(key, entries, extra):
    mine = type("Mine", (Packer,), {"default_fallback_sealers": entries})
    first, plain = mine(key), Packer(key)
    first.fallback_sealers.append(extra)
    plain.fallback_sealers.append(extra)
    return {
        "changed": [first.fallback_sealers, plain.fallback_sealers],
        "later": [mine(key).fallback_sealers, Packer(key).fallback_sealers],
        "classes": [mine.default_fallback_sealers, Packer.default_fallback_sealers],
        "empty": mine(key, fallback_sealers=[]).fallback_sealers,
    }


def with_an_empty_serializer(key, obj, head):
    members = {"dumps": lambda self, obj: head + str(obj), "loads": lambda self, payload: [payload]}
    packer = Packer(key, serializer=type("Empty", (list,), members)())
    return [packer.dumps(obj), packer.loads(packer.dumps(obj))]


def written_by_dump(kind, key, obj, salt):
    written = []
    sink = type("Sink", (), {"write": lambda self, piece: written.append(piece)})()
    write = {"text": str, "bytes": lambda obj: str(obj).encode("utf-8")}[kind]
    packer = Packer(key, serializer=type("Shown", (), {"dumps": staticmethod(write)}))
    returned = [packer.dump(obj, sink), packer.dump(obj, sink, salt), packer.dump(obj=obj, f=sink, salt=salt)]
    return [returned, written]


def file_after_dump(key, obj, before):
    packer, text = Packer(key), io.StringIO()
    text.write(before)
    packer.dump(obj, text)
    packer.dump(obj, text)
    binary = io.BytesIO()
    members = {"dumps": staticmethod(lambda obj: bytes(str(obj), "utf-8")), "loads": staticmethod(bytes.decode)}
    raw = Packer(key, serializer=type("Raw", (), members))
    raw.dump(obj, binary)
    return [text.getvalue(), binary.getvalue(), raw.load(io.BytesIO(binary.getvalue()))]


def read_from(key, salt, before, sealed):
    packer = Packer(key)
    files = [io.StringIO(before + sealed), io.BytesIO((before + sealed).encode("utf-8"))]
    files += [io.StringIO(before + sealed), io.BytesIO((before + sealed).encode("utf-8"))]
    [each.read(len(before)) for each in files]
    loaded = [packer.load(files[0], salt), packer.load(f=files[1], salt=salt)]
    return [loaded, [packer.load_unverified(files[2], salt), packer.load_unverified(f=files[3], salt=salt)]]


def binary_read_from(key, sealed):
    members = {"dumps": staticmethod(lambda obj: str(obj).encode("utf-8")), "loads": staticmethod(lambda payload: [payload])}
    packer = Packer(key, serializer=type("Binary", (), members))
    text = sealed.decode("utf-8")
    loaded = [packer.load(io.StringIO(text)), packer.load(io.BytesIO(sealed))]
    return [loaded, [packer.load_unverified(io.StringIO(text)), packer.load_unverified(io.BytesIO(sealed))]]


def reads_made(key, sealed):
    calls = []
    read = lambda self, *args, **kwargs: [calls.append([list(args), kwargs]), sealed][-1]
    source = type("Source", (), {"read": read})()
    packer = Packer(key)
    return [packer.load(source), packer.load_unverified(source), calls]


def flagged(keys, values):
    packer = Packer(keys)
    return [packer.loads_unverified(value) for value in values]


def flagged_by_form(key, options, sealed, salt):
    packer = Packer(key, sealer_options=options)
    return [
        packer.loads_unverified(sealed),
        packer.loads_unverified(sealed.encode("utf-8")),
        packer.loads_unverified(s=sealed, salt=salt),
        packer.load_unverified(io.BytesIO(sealed.encode("utf-8")), salt),
    ]


def unsealers(keys, options, fallbacks, salt):
    packer = Packer(keys, sealer_options=options, fallback_sealers=fallbacks)
    return [[each.secret_keys, each.salt, each.sep, each.key_derivation] for each in packer.iter_unsealers(salt)]


def unsealers_one_by_one(keys, fallbacks, count):
    unsealers = Packer(keys, fallback_sealers=fallbacks).iter_unsealers()
    taken = [next(unsealers) for step in range(count)]
    return [[[each.secret_keys, each.sep] for each in taken], len(list(unsealers))]


def unsealer_calls(keys, salt, options, fallbacks):
    calls = []
    make = lambda *args, **kwargs: [calls.append([[*args], kwargs]), Sealer(*args, **kwargs)][-1]
    packer = Packer(keys, sealer=make, sealer_options=options, fallback_sealers=fallbacks)
    built = len(calls)
    made = len(list(packer.iter_unsealers(salt)))
    return [built, made, [list(each) for each in calls[0][0]], calls[0][1], calls[1:]]


def entries_built(keys, ways, options, entries, salt):
    own = type("Own", (Sealer,), {"default_key_derivation": ways[0]})
    other = type("Other", (Sealer,), {"default_key_derivation": ways[1]})
    make = {"alone": lambda data: data, "paired": lambda data: (other, data), "class": lambda data: other}
    fallbacks = [make[kind](data) for kind, data in entries]
    packer = Packer(keys, sealer=own, sealer_options=options, fallback_sealers=fallbacks)
    return [[each.secret_keys, each.salt, each.sep, each.key_derivation] for each in packer.iter_unsealers(salt)]


def rotated(keys, options, fallbacks, digest, values, obj):
    fallbacks = fallbacks + [{"digest_method": getattr(hashlib, digest)}]
    packer = Packer(keys, sealer_options=options, fallback_sealers=fallbacks)
    return {
        "dumps": packer.dumps(obj),
        "loads": [packer.loads(value) for value in values],
        "flagged": [packer.loads_unverified(value) for value in values],
    }


def loaded_among(keys, options, fallbacks, sealed):
    return Packer(keys, sealer_options=options, fallback_sealers=fallbacks).loads(sealed)


def first_that_accepts(key, answers, sealed):
    refuse = Sealer("nobody").unseal
    answer = lambda given: {"unseal": lambda self, signed_value: given if given else refuse(signed_value)}
    own, *others = [type("Answering", (Sealer,), answer(given)) for given in answers]
    packer = Packer(key, sealer=own, fallback_sealers=others)
    return [packer.loads(sealed), packer.loads_unverified(sealed)]


def with_own_dump_payload(key, salt, obj, payload):
    mine = type("Mine", (Packer,), {"dump_payload": lambda self, obj: payload[:0] + payload * obj})
    packer, f = mine(key), io.StringIO()
    packer.dump(obj, f, salt)
    return [packer.dumps(obj), packer.dumps(obj, salt), f.getvalue()]


def with_own_make_sealer(key, tag, salt, fallbacks, sealed, obj):
    make = lambda self, salt=None: Sealer(self.secret_keys[:1], salt=tag + salt)
    packer = type("Mine", (Packer,), {"make_sealer": make})(key, fallback_sealers=fallbacks)
    return {
        "dumps": packer.dumps(obj, salt),
        "unsealers": [[each.secret_keys, each.salt, each.sep] for each in packer.iter_unsealers(salt)],
        "loads": packer.loads(sealed, salt),
        "flagged": packer.loads_unverified(sealed, salt),
    }


def with_own_iter_unsealers(key, others, salt, sealed):
    each = lambda self, salt=None: iter([Sealer(other, salt=salt) for other in others])
    packer = type("Mine", (Packer,), {"iter_unsealers": each})(key)
    return packer.loads(sealed, salt)


def flagged_with_own_iter_unsealers(key, others, salt, values):
    each = lambda self, salt=None: iter([Sealer(other, salt=salt) for other in others])
    packer = type("Mine", (Packer,), {"iter_unsealers": each})(key)
    return [packer.loads_unverified(value, salt) for value in values]


def with_own_load_payload(key, tag, right, wrong):
    load = lambda self, payload, serializer=None: [tag, payload]
    packer = type("Mine", (Packer,), {"load_payload": load})(key)
    return {
        "loads": packer.loads(right),
        "load": packer.load(io.BytesIO(right)),
        "right": [packer.loads_unverified(right), packer.load_unverified(io.BytesIO(right))],
        "wrong": [packer.loads_unverified(wrong), packer.load_unverified(io.BytesIO(wrong))],
    }


def with_own_loads(key, tag, content, salt):
    load = lambda self, s, salt=None, **more: [tag, s, salt]
    packer = type("Mine", (Packer,), {"loads": load})(key)
    return {
        "load": packer.load(io.BytesIO(content), salt),
        "loads_unverified": packer.loads_unverified(content, salt),
        "load_unverified": packer.load_unverified(io.BytesIO(content), salt),
    }


def with_refusing_loads(key, other, values):
    load = lambda self, s, salt=None, **more: [Sealer(other).unseal(s)]
    packer = type("Mine", (Packer,), {"loads": load})(key)
    return [packer.loads_unverified(value) for value in values]


def with_own_dumps(key, tag, obj, salt):
    f = io.StringIO()
    packer = type("Mine", (Packer,), {"dumps": lambda self, obj, salt=None: tag + str([obj, salt])})(key)
    packer.dump(obj, f, salt)
    return f.getvalue()


def with_own_loads_unverified(key, tag, content, salt):
    load = lambda self, s, salt=None: (tag, [s, salt])
    packer = type("Mine", (Packer,), {"loads_unverified": load})(key)
    return packer.load_unverified(io.BytesIO(content), salt)


def without_a_salt(keys, fallbacks, sealed, obj):
    packer = Packer(keys, None, fallback_sealers=fallbacks)
    return {
        "salts": [packer.salt, packer.make_sealer().salt, [each.salt for each in packer.iter_unsealers()]],
        "dumps": [packer.dumps(obj), packer.dumps(obj, None)],
        "loads": packer.loads(sealed),
        "flagged": packer.loads_unverified(sealed),
    }


def salts_handed_on(key, salt, given, fallbacks):
    calls = []
    make = lambda *args, **kwargs: [calls.append(kwargs), Sealer(*args, **kwargs)][-1]
    packer = Packer(key, salt, sealer=make, fallback_sealers=fallbacks)
    packer.make_sealer(given)
    list(packer.iter_unsealers(given))
    return calls


def with_empty_salt(key, own, salt, sealed, obj):
    packer = Packer(key, own)
    return {
        "salts": [packer.salt, packer.make_sealer(salt).salt, next(packer.iter_unsealers(salt)).salt],
        "dumps": packer.dumps(obj, salt),
        "loads": packer.loads(sealed, salt),
        "flagged": packer.loads_unverified(sealed, salt),
    }


def kept_themselves(key, options, kwargs, fallbacks, extra):
    packer = Packer(key, serializer_kwargs=kwargs, sealer_options=options, fallback_sealers=fallbacks)
    packer.sealer_options.update(extra)
    packer.serializer_kwargs.update(extra)
    packer.fallback_sealers.append(extra)
    return [options, kwargs, fallbacks]


def changed_from_outside(keys, options, kwargs, later, sealed, obj):
    fallbacks = []
    packer = Packer(keys, None, None, kwargs, None, options, fallbacks)
    before = [packer.dumps(obj), packer.loads_unverified(sealed)]
    options.update(later["options"])
    kwargs.update(later["kwargs"])
    fallbacks.append(later["fallback"])
    packer.secret_keys.append(later["key"])
    after = [packer.dumps(obj), packer.loads_unverified(sealed), packer.secret_key]
    return before + after


def with_attributes_set(key, attributes, sealed, obj):
    packer = Packer(key)
    [setattr(packer, name, value) for name, value in attributes.items()]
    shown = [[each.secret_keys, each.salt, each.sep] for each in packer.iter_unsealers()]
    return [shown, packer.dumps(obj), packer.loads(sealed)]


def with_kinds_set(key, way, obj):
    packer = Packer(key)
    members = {"dumps": staticmethod(lambda obj: str(obj).encode("utf-8")), "loads": staticmethod(lambda payload: [payload])}
    packer.serializer, packer.is_text_serializer = type("Binary", (), members), False
    packer.sealer = type("Own", (Sealer,), {"default_key_derivation": way})
    return [packer.dumps(obj), packer.loads(packer.dumps(obj)), packer.load_payload(packer.dump_payload(obj))]


def keys_replaced(keys, kept, sealed):
    packer = Packer(keys)
    before = packer.loads_unverified(sealed)
    packer.secret_keys[:] = kept
    return [before, packer.loads_unverified(sealed), packer.secret_key]


def unchecked(key, kwargs, options, fallbacks):
    packer = Packer(key, serializer_kwargs=kwargs, sealer_options=options, fallback_sealers=fallbacks)
    return [packer.serializer_kwargs, packer.sealer_options, packer.fallback_sealers]


def held_without_keys(keys, options, fallbacks, values):
    packer = Packer(keys, sealer_options=options, fallback_sealers=fallbacks)
    held = [[each.secret_keys, each.sep] for each in packer.iter_unsealers()]
    return [packer.secret_keys, held, [packer.loads_unverified(value) for value in values]]


def newest_key(keys):
    return Packer(keys).secret_key


def flagged_in_files(key, values):
    packer = Packer(key)
    forms = [io.StringIO(value) for value in values] + [io.BytesIO(value.encode("utf-8")) for value in values]
    return [packer.load_unverified(each) for each in forms]


def flagged_by_serializer(kind, key, values):
    members = {
        "json": {"dumps": staticmethod(str), "loads": Packer.default_serializer.loads},
        "lookup": {"dumps": staticmethod(str), "loads": staticmethod(lambda payload: {"known": payload}[payload])},
        "bytes": {"dumps": staticmethod(bytes), "loads": staticmethod(lambda payload: [payload])},
        "digits": {"dumps": staticmethod(bytes), "loads": staticmethod(int)},
        "mute": {"dumps": staticmethod(str)},
    }[kind]
    packer = Packer(key, serializer=type("Serializer", (), members))
    return [packer.loads_unverified(value) for value in values]


def flagged_among(key, fallbacks, values):
    packer = Packer(key, fallback_sealers=fallbacks)
    return [packer.loads_unverified(value) for value in values]


def refused_in_turn(operation, keys, tags, sealed):
    error = lambda tag, sealer: BrokenSeal(tag, tag.encode("utf-8") + sealer.secret_key)
    refuse = lambda tag: {"unseal": lambda self, signed_value: (step for step in ()).throw(error(tag, self))}
    own, *others = [type("Refusing", (Sealer,), refuse(tag)) for tag in tags]
    packer = Packer(keys, sealer=own, fallback_sealers=others)
    return getattr(packer, operation)(sealed)


def opened(operation, key, content):
    form = {"load": io.StringIO, "load bytes": io.BytesIO}.get(operation, type(content))
    return getattr(Packer(key), operation.split()[0])(form(content))


def loads_made(operation, key, payload, sealed):
    calls = []
    read = lambda payload: [calls.append(payload), payload][-1]
    serializer = type("Recorder", (), {"dumps": staticmethod(str), "loads": staticmethod(read)})
    error = BrokenSeal("refused", payload)
    error.calls = calls
    own = type("Refusing", (Sealer,), {"unseal": lambda self, signed_value: (step for step in ()).throw(error)})
    return getattr(Packer(key, serializer=serializer, sealer=own), operation)(sealed)


def with_serializer(kind, operation, key, content):
    members = {
        "good": {"loads": staticmethod(lambda payload: [payload])},
        "key": {"loads": staticmethod(lambda payload: {}[payload])},
        "zero": {"loads": staticmethod(lambda payload: 1 // len(payload[:0]))},
        "number": {"loads": staticmethod(int)},
        "seal": {"loads": staticmethod(Sealer("nobody").unseal)},
        "payload": {"loads": staticmethod(Packer("nobody").load_payload)},
        "mute": {},
    }[kind]
    packer = Packer(key, serializer=type("Serializer", (), {"dumps": staticmethod(str), **members}))
    form = {"load": io.BytesIO, "load_unverified": io.BytesIO}.get(operation, bytes)
    return getattr(packer, operation)(form(content))


def unloadable_then_loadable(operation, key, sealed):
    own = type("Own", (Sealer,), {"unseal": lambda self, signed_value: signed_value})
    other = type("Other", (Sealer,), {"unseal": lambda self, signed_value: signed_value[:0] + b"7"})
    return getattr(Packer(key, sealer=own, fallback_sealers=[other]), operation)(sealed)


def payload_of_any_kind(payload):
    return Packer("secret-key").load_payload(payload)


def payload_errors(message, cause):
    bare, full = BrokenPayload(message), BrokenPayload(message, cause)
    named = BrokenPayload(message=message, original_error=cause)
    return [[error.message, str(error), error.original_error] for error in (bare, full, named)]


def thrown_payload_error(message, times):
    errors = [BrokenPayload(message)] * times
    return [(step for step in ()).throw(error) for error in errors]


def dumped_with(operation, key, options, obj):
    more = {"dump": [io.StringIO()]}.get(operation, [])
    return getattr(Packer(key, serializer_kwargs=options), operation)(obj, *more)


def dumped_in_a_circle(operation, key, obj, times):
    [obj.append(obj) for time in range(times)]
    more = {"dump": [io.StringIO()]}.get(operation, [])
    return getattr(Packer(key), operation)(obj, *more)


def dumped_by(kind, operation, key, obj):
    write = {
        "good": str,
        "key": lambda obj: {}[obj] if obj else str(obj),
        "zero": lambda obj: str(1 // len(obj[:0])) if obj else str(obj),
        "seal": lambda obj: Sealer("nobody").unseal(obj) if obj else str(obj),
    }[kind]
    packer = Packer(key, serializer=type("Serializer", (), {"dumps": staticmethod(write)}))
    more = {"dump": [io.StringIO()]}.get(operation, [])
    return getattr(packer, operation)(obj, *more)


def dumped_to(kind, key, options, obj):
    files = {"open": io.StringIO(), "failing": type("Failing", (), {"write": lambda self, piece: {}[piece]})()}
    packer = Packer(key, serializer_kwargs=options)
    return [packer.dump(obj, files[kind]), files["open"].getvalue()]


def built_with(serializer, key):
    packer = Packer(key, serializer=serializer)
    return [packer.secret_keys, packer.is_text_serializer]


def built_by(kind, key):
    members = {
        "good": {"dumps": staticmethod(str)},
        "mute": {"loads": staticmethod(str)},
        "key": {"dumps": staticmethod(lambda obj: {}[str(obj)])},
        "zero": {"dumps": staticmethod(lambda obj: 1 // len(obj))},
        "number": {"dumps": staticmethod(lambda obj: int(str(obj)))},
        "seal": {"dumps": staticmethod(lambda obj: Sealer("nobody").unseal(str(obj)))},
    }[kind]
    packer = Packer(key, serializer=type("Serializer", (), members))
    return [packer.secret_keys, packer.is_text_serializer]


def built_from(key):
    packer = Packer(key)
    return [packer.secret_keys, packer.salt]


def made_under(key, options, value):
    return Packer(key, sealer_options=options).make_sealer().seal(value)


def operated(keys, options, fallbacks, operation, argument):
    packer = Packer(keys, sealer_options=options, fallback_sealers=fallbacks)
    return getattr(packer, operation)(argument)


def stepped(key, options, fallbacks, count):
    unsealers = Packer(key, sealer_options=options, fallback_sealers=fallbacks).iter_unsealers()
    return [next(unsealers).sep for step in range(count)]


def opened_from_a_code(operation, key, head, code, tail):
    return getattr(Packer(key), operation)(head + chr(code) + tail)


def refused_back(operation, key, given):
    def tell(self, kind, error, trace):
        if error:
            cause, original = getattr(error, "__cause__", None), getattr(error, "original_error", None)
            setattr(error, "cause", str(type(cause)))
            setattr(error, "ids", [id(cause), id(original)])

    watch = type("Watch", (), {"__enter__": lambda self: self, "__exit__": tell})()
    packer = Packer(key)
    given = {"load": io.BytesIO, "load_unverified": io.BytesIO}.get(operation, bytes)(given)
    with watch:
        return getattr(packer, operation)(given)
