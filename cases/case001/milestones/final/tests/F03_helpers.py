"""Oracle of FP-03, built from the clauses with hmac, hashlib, base64 and datetime alone."""
import base64
import hashlib
import hmac
from datetime import datetime, timedelta, timezone

DEFAULT_SALT = b"brinseal.Sealer"
LAST = 253402300799
TOP = 2**64 - 1
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def raw(data):
    return data.encode("utf-8") if isinstance(data, str) else data


def digest_of(data, name="sha1"):
    return getattr(hashlib, name)(data).digest()


def hmac_of(key, value, name="sha1"):
    return hmac.new(key, value, getattr(hashlib, name)).digest()


def b64(data):
    return base64.urlsafe_b64encode(raw(data)).rstrip(b"=")


def padded(code):
    return code + b"=" * (-len(code) % 4)


def derived_key(key, salt=DEFAULT_SALT, way="infix-concat", digest="sha1"):
    key, salt = raw(key), raw(salt)
    if way == "infix-concat":
        return digest_of(salt + b"sealer" + key, digest)
    if way == "concat":
        return digest_of(salt + key, digest)
    if way == "hmac":
        return hmac_of(key, salt, digest)
    return key


def signature(value, key, salt=DEFAULT_SALT, way="infix-concat", digest="sha1", mac_digest=None):
    return b64(hmac_of(derived_key(key, salt, way, digest), raw(value), mac_digest or digest))


def signed(body, key, sep=b".", **settings):
    """The body under a right signature, without a time being added."""
    return raw(body) + raw(sep) + signature(body, key, **settings)


def shortest(number):
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def stamp(number):
    return b64(shortest(number))


def stamp_of_width(number, width):
    """The number written in so many bytes, zero bytes in front."""
    return b64(number.to_bytes(width, "big"))


def dated(value, number, sep=b"."):
    return raw(value) + raw(sep) + stamp(number)


def sealed(value, number, key, sep=b".", **settings):
    """What a ClockSealer makes of the value at that time."""
    return signed(dated(value, number, sep), key, sep, **settings)


def moment(number):
    """The time in the written form that an aware datetime in UTC gives by isoformat."""
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=number)).isoformat()


def fresh_time(random):
    return random.integer(86400, 4000000000)


def refused_stamp(random):
    """Letters of the alphabet whose number is one more than a multiple of four."""
    length = 4 * random.integer(0, 3) + 1
    return "".join(random.choice(ALPHABET) for _ in range(length)).encode("ascii")


def long_stamp(random):
    """More than eight bytes."""
    return b64(random.token(random.integer(9, 14)))


def long_stamp_of_zeros(random):
    """Nine bytes that begin with zero bytes and stand for a time of today."""
    return stamp_of_width(fresh_time(random), 9)


def wrong_signatures(random, body, key):
    """Signatures of the body that are not right: altered, foreign, cut, not decodable, empty."""
    right = base64.urlsafe_b64decode(padded(signature(body, key)))
    place = random.integer(0, 19)
    altered = right[:place] + bytes([right[place] ^ (1 << random.integer(0, 7))]) + right[place + 1:]
    return [b64(altered), signature(body, random.token(9)), b64(right[:-1]), b"AAAAA", b""]
