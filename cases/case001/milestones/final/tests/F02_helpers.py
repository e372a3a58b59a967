"""Oracle of FP-02, built from the clauses with json, hmac, hashlib and base64 alone."""
import base64
import hashlib
import hmac
import json

SALT = b"brinseal"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def raw(data):
    return data.encode("utf-8") if isinstance(data, str) else data


def derived_key(key, salt, way, digest):
    make, key, salt = getattr(hashlib, digest), raw(key), raw(salt)
    if way == "infix-concat":
        return make(salt + b"sealer" + key).digest()
    if way == "concat":
        return make(salt + key).digest()
    if way == "hmac":
        return hmac.new(key, salt, make).digest()
    return key


def signature(payload, key, salt=SALT, way="infix-concat", digest="sha1"):
    mac = hmac.new(derived_key(key, salt, way, digest), raw(payload), getattr(hashlib, digest)).digest()
    return base64.urlsafe_b64encode(mac).rstrip(b"=")


def sealed(payload, key, salt=SALT, sep=".", way="infix-concat", digest="sha1"):
    """The bytes of a payload under a seal."""
    return raw(payload) + raw(sep) + signature(payload, key, salt, way, digest)


def packed(obj, key, salt=SALT, **settings):
    """The text that packs an object with the standard library's json."""
    return sealed(json.dumps(obj), key, salt, **settings).decode("utf-8")


def unescaped(obj):
    """JSON that leaves characters beyond ASCII as they are."""
    return json.dumps(obj, ensure_ascii=False)


def fresh_object(inputs):
    """A nested object that JSON gives back as it was."""
    return {
        inputs.word(4): [inputs.integer(-10**15, 10**15), inputs.text(6) + ".\u00e9", None],
        "b." + inputs.text(5): {"z": True, "": inputs.integer(-99, 99) / 8, "a": []},
        "a" + inputs.word(2): {"deep": [[{}, [inputs.word(3), False]], "\u20ac\n\""]},
    }


def with_other_letter(inputs, whole):
    """A sealed value with one character of its signature, not the last, changed."""
    place = len(whole) - inputs.integer(2, 26)
    letter = inputs.choice(ALPHABET.replace(whole[place], ""))
    return whole[:place] + letter + whole[place + 1:]
