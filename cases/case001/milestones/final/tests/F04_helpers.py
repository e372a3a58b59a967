"""Oracle of FP-04, built from the clauses with json, zlib, hmac, hashlib and base64 alone."""
import base64
import datetime
import hashlib
import hmac
import json
import zlib

NOW = 1700000000
LAST = 253402300799


def raw(data):
    return data.encode("utf-8") if isinstance(data, str) else data


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def padded(code):
    return code + b"=" * (-len(code) % 4)


def signature(value, key, salt="brinseal", way="infix-concat", digest="sha1"):
    make, key, salt = getattr(hashlib, digest), raw(key), raw(salt)
    if way == "infix-concat":
        key = make(salt + b"sealer" + key).digest()
    elif way == "concat":
        key = make(salt + key).digest()
    elif way == "hmac":
        key = hmac.new(key, salt, make).digest()
    return b64(hmac.new(key, raw(value), make).digest())


def stamp(moment):
    """The written form of a number of seconds."""
    return b64(moment.to_bytes((moment.bit_length() + 7) // 8, "big"))


def plainly(value, key, sep=".", **settings):
    """A value sealed without a time."""
    return raw(value) + raw(sep) + signature(value, key, **settings)


def timed(value, key, moment=NOW, sep=".", **settings):
    """A value sealed at a moment."""
    return plainly(raw(value) + raw(sep) + stamp(moment), key, sep, **settings)


def iso(moment):
    start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (start + datetime.timedelta(seconds=moment)).isoformat()


def shown(when):
    """A time of sealing in the form of ISO 8601, and anything else as it is."""
    return when.isoformat() if isinstance(when, datetime.datetime) else when


def standard(obj, **settings):
    return json.dumps(obj, **settings).encode("utf-8")


def compact(obj, **settings):
    return json.dumps(obj, **{"separators": (",", ":"), "ensure_ascii": False, **settings}).encode("utf-8")


def gain(data):
    return len(data) - len(zlib.compress(data))


def web(data):
    """The payload for URLs of serialized bytes."""
    return b"." + b64(zlib.compress(data)) if gain(data) >= 2 else b64(data)


def squeezed(data, level=6):
    """A compressed payload, whatever is gained."""
    return b"." + b64(zlib.compress(data, level))


def opened(payload):
    """The serialized bytes of a payload for URLs."""
    if payload[:1] == b".":
        return zlib.decompress(base64.urlsafe_b64decode(padded(payload[1:])))
    return base64.urlsafe_b64decode(padded(payload))


def of_other_formats(data):
    """Compressed bytes in the formats gzip and raw deflate."""
    forms = []
    for bits in (31, -15):
        machine = zlib.compressobj(6, zlib.DEFLATED, bits)
        forms.append(machine.compress(data) + machine.flush())
    return forms


def cut_short(random, data):
    """A compressed payload of which the end is missing."""
    packed = zlib.compress(data)
    return b"." + b64(packed[: random.randint(1, len(packed) - 1)])


def small_object(random):
    """An object without a dot in its JSON, which is too varied to be compressed."""
    return {random.word(4): [random.text(3), random.randint(0, 99)], "n": None}


def large_object(random):
    """An object that gains much by compression."""
    return {"\u00fc" + random.word(5): [random.text(4), random.randint(-99, 99)] * 15, "b": True, "a": [None]}


def text_with_gain(random, wanted):
    """A text whose compact JSON gets shorter by exactly so many bytes when it is compressed."""
    for _ in range(500):
        head, letter = random.word(random.randint(1, 8)), random.word(1)
        for count in range(40):
            if gain(compact(head + letter * count)) == wanted:
                return head + letter * count
    raise LookupError(wanted)


def text_longer_in_bytes(random):
    """A text that gains by compression as bytes, but would not when its characters were counted."""
    letter = random.choice("\u00e9\u0436\u03b1\u00fc")
    for count in range(2, 40):
        data = compact(letter * count)
        if gain(data) >= 2 and gain(data) < len(data) - len(data.decode("utf-8")) + 2:
            return letter * count
    raise LookupError(letter)


def without_repeats(items):
    kept = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def form_of(kind):
    """What makes the payload of a class of packer."""
    return standard if kind in ("Packer", "TimedPacker") else lambda obj, **names: web(compact(obj, **names))


def seal_of(kind):
    return timed if kind.startswith("Timed") else lambda value, key, moment, **settings: plainly(value, key, **settings)


def packed_by_hand(kind, obj, key, moment=NOW, **settings):
    return seal_of(kind)(form_of(kind)(obj), key, moment, **settings).decode("utf-8")
