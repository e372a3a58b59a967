import hashlib

import brinseal
from brinseal import BrokenData, BrokenSeal, HmacAlgorithm, NullAlgorithm, Sealer
from brinseal import as_bytes, base64_decode, base64_encode
from brinseal.sealer import SealAlgorithm


def kept_by_default(key):
    sealer = Sealer(key)
    return [sealer.secret_keys, sealer.secret_key, sealer.salt, sealer.sep, sealer.key_derivation]


def kept_as_given(keys, salt, sep, way):
    sealer = Sealer(keys, salt, sep, way)
    return [sealer.secret_keys, sealer.secret_key, sealer.salt, sealer.sep, sealer.key_derivation]


def keys_from(form, keys):
    make = {"list": list, "tuple": tuple, "iterator": iter, "dict": dict.fromkeys}[form]
    sealer = Sealer(make(keys))
    return [sealer.secret_keys, sealer.secret_key]


def keys_after_a_change(keys, extra):
    sealer = Sealer(keys)
    other = Sealer(keys)
    keys.append(extra)
    other.secret_keys.append(extra)
    return sealer.secret_keys


def newest_key(keys):
    return Sealer(keys).secret_key


def signature_and_seal(key, value):
    sealer = Sealer(key)
    return [sealer.get_signature(value), sealer.seal(value)]


def sealed_under(key, value, salt, sep, way, digest):
    sealer = Sealer(key, salt, sep, way, getattr(hashlib, digest))
    return [sealer.get_signature(value), sealer.seal(value)]


def seals_of_many(key, digest, values):
    sealer = Sealer(key, digest_method=getattr(hashlib, digest))
    seals = [sealer.seal(value) for value in values]
    return {
        "signatures": [sealer.get_signature(value) for value in values],
        "seals": seals,
        "back": [sealer.unseal(sealed) for sealed in seals],
    }


def unsealed_under(key, sealed, salt, sep, way, digest):
    sealer = Sealer(
        secret_key=key,
        salt=salt,
        sep=sep,
        key_derivation=way,
        digest_method=getattr(hashlib, digest),
        algorithm=None,
    )
    return sealer.unseal(signed_value=sealed)


def validated_under(key, sealed, salt, sep, way, digest):
    sealer = Sealer(key, salt, sep, way, getattr(hashlib, digest), None)
    return sealer.validate(signed_value=sealed)


def unsealed(key, sep, sealed):
    return Sealer(key, sep=sep).unseal(sealed)


def unsealed_and_validated(key, sep, sealed):
    sealer = Sealer(key, sep=sep)
    return [sealer.unseal(sealed), sealer.validate(sealed)]


def there_and_back(key, sep, value):
    sealer = Sealer(key, sep=sep)
    sealed = sealer.seal(value)
    return [sealed, sealer.unseal(sealed)]


def there_and_back_as_text(key, sep, value):
    sealer = Sealer(key, sep=sep)
    sealed = sealer.seal(value)
    return [sealed, sealer.unseal(sealed), sealer.unseal(sealed.decode("utf-8"))]


def derived_by_default(keys, salt, given):
    return {
        "name": Sealer.default_key_derivation,
        "left out": Sealer(keys, salt).derive_key(),
        "none": Sealer(keys, salt, key_derivation=None).derive_key(None),
        "named": Sealer(keys, salt, key_derivation="infix-concat").derive_key(),
        "given": Sealer(keys, salt).derive_key(given),
        "by name": Sealer(keys, salt).derive_key(secret_key=given),
    }


def derived_under(keys, salt, way, digest, given):
    sealer = Sealer(keys, salt, key_derivation=way, digest_method=getattr(hashlib, digest))
    return [sealer.derive_key(), sealer.derive_key(None), sealer.derive_key(given)]


def derived_in_subclass(key, salt, way, other_way):
    other = type("OtherSealer", (Sealer,), {"default_key_derivation": way})
    return [
        other(key, salt).key_derivation,
        other(key, salt).derive_key(),
        other(key, salt, key_derivation=None).derive_key(),
        other(key, salt, key_derivation=other_way).derive_key(),
        Sealer(key, salt).derive_key(),
    ]


def sealed_in_subclass(key, salt, value, sealed, way):
    other = type("OtherSealer", (Sealer,), {"default_key_derivation": way})
    return [
        other.default_key_derivation,
        other(key, salt).get_signature(value),
        other(key, salt).seal(value),
        other(key, salt).unseal(sealed),
        Sealer(key, salt).validate(sealed),
    ]


def hmac_in_subclass(key, value, digest):
    other = type("OtherHmac", (HmacAlgorithm,), {"default_digest_method": getattr(hashlib, digest)})
    raw = other(digest_method=None).get_signature(key, value)
    sealer = Sealer(key, algorithm=other())
    return [raw, other().verify_signature(key, value, raw), sealer.seal(value), HmacAlgorithm().get_signature(key, value)]


def digest_chosen(key, value, digest, other_digest):
    given = getattr(hashlib, digest)
    other = type("OtherSealer", (Sealer,), {"default_digest_method": getattr(hashlib, other_digest)})
    return {
        "plain": Sealer(key).seal(value),
        "none": Sealer(key, digest_method=None).seal(value),
        "given": Sealer(key, digest_method=given).seal(value),
        "subclass": other(key).seal(value),
        "subclass none": other(key, digest_method=None).seal(value),
        "subclass given": other(key, digest_method=given).seal(value),
        "subclass key": other(key).derive_key(),
        "subclass back": other(key).unseal(other(key).seal(value)),
    }


def digest_in_use(data, digest, other_digest):
    given = getattr(hashlib, digest)
    other = type("OtherSealer", (Sealer,), {"default_digest_method": getattr(hashlib, other_digest)})
    return [
        Sealer.default_digest_method(data).digest(),
        Sealer("key").digest_method(data).digest(),
        Sealer("key", digest_method=given).digest_method(data).digest(),
        other("key").digest_method(data).digest(),
        other("key", digest_method=given).digest_method(data).digest(),
    ]


def sealed_by_joining(key, value, tag, way, digest):
    sign = lambda self, key, value: key + tag + value
    joined = type("Joined", (SealAlgorithm,), {"get_signature": sign})()
    sealer = Sealer(key, key_derivation=way, digest_method=getattr(hashlib, digest), algorithm=joined)
    return {
        "signature": sealer.get_signature(value),
        "sealed": sealer.seal(value),
        "back": sealer.unseal(sealer.seal(value)),
        "kept": sealer.algorithm.get_signature(b"k", b"v"),
    }


def checked_by_joining(key, sealed, tag):
    sign = lambda self, key, value: key + tag + value
    joined = type("Joined", (SealAlgorithm,), {"get_signature": sign})()
    return Sealer(key, algorithm=joined).validate(sealed)


def checked_behind_a_mark(key, value, sig, sealed, mark):
    sign = lambda self, key, value: mark + HmacAlgorithm().get_signature(key, value)
    check = lambda self, key, value, sig: HmacAlgorithm().verify_signature(key, value, sig[len(mark):])
    members = {"get_signature": sign, "verify_signature": check}
    sealer = Sealer(key, algorithm=type("Marked", (SealAlgorithm,), members)())
    return [
        sealer.seal(value),
        sealer.verify_signature(value, sig),
        sealer.validate(sealed),
    ]


def sealed_by_hmac_algorithm(key, value, way, digest, mac_digest):
    mac = HmacAlgorithm(getattr(hashlib, mac_digest))
    sealer = Sealer(key, key_derivation=way, digest_method=getattr(hashlib, digest), algorithm=mac)
    plain = Sealer(key, key_derivation=way, digest_method=getattr(hashlib, digest), algorithm=HmacAlgorithm())
    return [sealer.seal(value), plain.seal(value), sealer.unseal(sealer.seal(value))]


def sealed_by_named_algorithm(kind, key, value):
    kinds = {"base": SealAlgorithm, "hmac": HmacAlgorithm, "null": NullAlgorithm}
    return Sealer(key, algorithm=kinds[kind]()).seal(value)


def checks_that_were_made(keys, value, sig):
    seen = []
    check = lambda self, key, value, sig: (
        seen.append([key, value, sig]),
        HmacAlgorithm.verify_signature(self, key, value, sig),
    )[-1]
    watcher = type("Watcher", (HmacAlgorithm,), {"verify_signature": check})()
    answer = Sealer(keys, algorithm=watcher).verify_signature(value, sig)
    return [answer, seen]


def raw_hmac(key, value, digest, other_digest):
    other = type("OtherHmac", (HmacAlgorithm,), {"default_digest_method": getattr(hashlib, other_digest)})
    return {
        "plain": HmacAlgorithm().get_signature(key, value),
        "none": HmacAlgorithm(None).get_signature(key, value),
        "given": HmacAlgorithm(getattr(hashlib, digest)).get_signature(key, value),
        "by name": HmacAlgorithm(digest_method=getattr(hashlib, digest)).get_signature(key, value),
        "subclass": other().get_signature(key, value),
        "subclass given": other(getattr(hashlib, digest)).get_signature(key, value),
        "default": HmacAlgorithm.default_digest_method(value).digest(),
    }


def raw_signature_by(kind, key, value):
    sign = lambda self, key, value: value + key
    joined = type("Joined", (SealAlgorithm,), {"get_signature": sign})
    kinds = {"base": SealAlgorithm, "hmac": HmacAlgorithm, "null": NullAlgorithm, "own": joined}
    return kinds[kind]().get_signature(key, value)


def raw_checks_by(kind, key, value, sigs):
    sign = lambda self, key, value: value + key
    joined = type("Joined", (SealAlgorithm,), {"get_signature": sign})
    kinds = {"base": SealAlgorithm, "hmac": HmacAlgorithm, "null": NullAlgorithm, "own": joined}
    algorithm = kinds[kind]()
    return [algorithm.verify_signature(key, value, sig) for sig in sigs]


def raw_checks_by_hmac_with(digest, key, value, sigs):
    algorithm = HmacAlgorithm(getattr(hashlib, digest))
    return [algorithm.verify_signature(key, value, sig) for sig in sigs]


def ring_at_work(form, keys, value, others):
    make = {"list": list, "tuple": tuple, "iterator": iter, "dict": dict.fromkeys}[form]
    ring = Sealer(make(keys))
    return {
        "signature": ring.get_signature(value),
        "sealed": ring.seal(value),
        "unsealed": [ring.unseal(Sealer(key).seal(value)) for key in keys],
        "validated": [ring.validate(Sealer(key).seal(value)) for key in keys],
        "verified": [ring.verify_signature(value, Sealer(key).get_signature(value)) for key in keys],
        "others": [ring.validate(Sealer(key).seal(value)) for key in others],
        "others verified": [ring.verify_signature(value, Sealer(key).get_signature(value)) for key in others],
    }


def ring_unsealed(keys, sealed):
    return Sealer(keys).unseal(sealed)


def verified(keys, value, sigs):
    sealer = Sealer(keys)
    return [sealer.verify_signature(value, sig) for sig in sigs]


def verified_with(digest, key, value, sigs):
    sealer = Sealer(key, digest_method=getattr(hashlib, digest))
    return [sealer.verify_signature(value, sig) for sig in sigs]


def validated(key, sep, sealed_values):
    sealer = Sealer(key, sep=sep)
    return [sealer.validate(sealed) for sealed in sealed_values]


def encoded(strings):
    return [base64_encode(string) for string in strings]


def decoded(strings):
    return [base64_decode(string) for string in strings]


def decoded_one(string):
    return base64_decode(string)


def turned_by_default(strings):
    return [as_bytes(string) for string in strings]


def turned_with(string, encoding, errors):
    return [as_bytes(string, encoding, errors), as_bytes(string, encoding=encoding, errors=errors)]


def turned_strictly(string, encoding):
    return as_bytes(string, encoding)


def turned_from_a_code(code, tail, **settings):
    return as_bytes(chr(code) + tail, **settings)


def called_by_name(key, value, code, whole):
    sealer, mac, raw_key = Sealer(secret_key=key), HmacAlgorithm(), as_bytes(s=key)
    right = mac.get_signature(key=raw_key, value=value)
    return [
        sealer.get_signature(value=value),
        sealer.seal(value=value),
        sealer.verify_signature(value=value, sig=code),
        sealer.validate(signed_value=whole),
        base64_encode(string=base64_decode(string=code)),
        base64_decode(string=code),
        sealer.unseal(signed_value=whole),
        raw_key,
        right,
        mac.verify_signature(key=raw_key, value=value, sig=right),
    ]


def salts_and_keys(key, salts, value):
    sealers = [Sealer(key, salt) for salt in salts]
    return [[sealer.salt, sealer.derive_key(), sealer.seal(value)] for sealer in sealers]


def null_at_work(key, sep, value, foreign):
    sealer = Sealer(key, sep=sep, algorithm=NullAlgorithm())
    return {
        "raw": NullAlgorithm().get_signature(key.encode("utf-8"), value),
        "sealed": sealer.seal(value),
        "back": sealer.unseal(sealer.seal(value)),
        "foreign": sealer.unseal(foreign),
        "validated": sealer.validate(foreign),
    }


def null_unsealed(key, sealed):
    return Sealer(key, algorithm=NullAlgorithm()).unseal(sealed)


def null_validated(key, sealed_values):
    sealer = Sealer(key, algorithm=NullAlgorithm())
    return [sealer.validate(sealed) for sealed in sealed_values]


def separator_kept(sep):
    return Sealer("secret-key", sep=sep).sep


def separator_kept_in_place(sep):
    return Sealer("secret-key", b"salt", sep).sep


def name_kept(way):
    return Sealer("secret-key", key_derivation=way).key_derivation


def operated(keys, way, operation, arguments):
    return getattr(Sealer(keys, key_derivation=way), operation)(*arguments)


def operated_on_a_code(key, operation, code, tail):
    return getattr(Sealer(key), operation)(chr(code) + tail)


def errors_shown(message, payload):
    data = BrokenData(message)
    bare = BrokenSeal(message)
    full = BrokenSeal(message, payload)
    named = BrokenSeal(message=message, payload=payload)
    return {
        "data": [data.message, str(data), BrokenData(message=message).message],
        "bare": [bare.message, str(bare), bare.payload],
        "full": [full.message, str(full), full.payload],
        "named": [named.message, str(named), named.payload],
    }


def payload_loaded(key, payload):
    return brinseal.Packer(key).load_payload(payload)


def unsealed_with_time(key, sealed, max_age):
    return brinseal.ClockSealer(key).unseal(sealed, max_age)
