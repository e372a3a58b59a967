import hashlib

import brinseal
from brinseal import ClockSealer, HmacAlgorithm, Sealer
from brinseal.encoding import bytes_to_int, int_to_bytes


def kept_by_default(key):
    sealer = ClockSealer(key)
    return {
        "sealers among its bases": ClockSealer.mro().count(Sealer),
        "keys": [sealer.secret_keys, sealer.secret_key],
        "salt": sealer.salt,
        "sep": sealer.sep,
        "way": sealer.key_derivation,
        "digest": sealer.digest_method(b"data").digest(),
        "none": [ClockSealer(key, None).salt, ClockSealer(key, key_derivation=None).key_derivation],
    }


def kept_as_given(keys, salt, sep, way, digest, mac_digest):
    given = [keys, salt, sep, way, getattr(hashlib, digest), HmacAlgorithm(getattr(hashlib, mac_digest))]
    sealer = ClockSealer(*given)
    return {
        "keys": [sealer.secret_keys, sealer.secret_key],
        "salt": sealer.salt,
        "sep": sealer.sep,
        "way": sealer.key_derivation,
        "digest": sealer.digest_method(b"data").digest(),
        "algorithm": sealer.algorithm.get_signature(b"k", b"v"),
        "signature": sealer.get_signature(b"v"),
    }


def bare_steps(keys, salt, way, digest, given, value, sigs):
    sealer = ClockSealer(keys, salt=salt, key_derivation=way, digest_method=getattr(hashlib, digest))
    return {
        "keys": [sealer.derive_key(), sealer.derive_key(given)],
        "signature": sealer.get_signature(value),
        "verified": [sealer.verify_signature(value, sig) for sig in sigs],
    }


def made_in_subclass(key, value, way, digest):
    members = {"default_key_derivation": way, "default_digest_method": getattr(hashlib, digest)}
    other = type("Other", (ClockSealer,), members)(key)
    return [other.key_derivation, other.derive_key(), other.seal(value), other.unseal(other.seal(value))]


def sealed_now(key, value):
    return ClockSealer(key).seal(value)


def sealed_under(keys, value, salt, sep, way, digest):
    sealer = ClockSealer(keys, salt, sep, way, getattr(hashlib, digest))
    return sealer.seal(value)


def integers_written(numbers):
    return [int_to_bytes(number) for number in numbers]


def integers_read(strings):
    return [bytes_to_int(string) for string in strings]


def integers_there_and_back(numbers):
    return [[int_to_bytes(number), bytes_to_int(int_to_bytes(number))] for number in numbers]


def present_time(key):
    return ClockSealer(key).get_timestamp()


def sealed_by_own_clock(key, value, clock):
    other = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: clock})
    return other(key).seal(value)


def sealed_as_time_goes(key, value, clocks):
    ticks = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: self.hands})(key)
    seals = []
    for clock in clocks:
        ticks.hands = clock
        seals.append(ticks.seal(value))
    return seals


def ages_as_time_goes(key, sealed, max_age, clocks):
    ticks = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: self.hands})(key)
    answers = []
    for clock in clocks:
        ticks.hands = clock
        answers.append(ticks.validate(sealed, max_age))
    return answers


def opened_by_own_clock(key, sealed, clock, max_age):
    other = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: clock})(key)
    return [other.unseal(sealed, max_age), other.validate(sealed, max_age)]


def opened_without_a_clock(key, sealed, options):
    ticks = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: self.hands})(key)
    return ticks.unseal(sealed, **options)


def validated_without_a_clock(key, sealed, options):
    ticks = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: self.hands})(key)
    return ticks.validate(sealed, **options)


def dated_without_a_clock(key, sealed):
    ticks = type("Clock", (ClockSealer,), {"get_timestamp": lambda self: self.hands})(key)
    value, when = ticks.unseal(sealed, with_timestamp=True)
    return [value, when.isoformat()]


def written_times(numbers):
    sealer = ClockSealer("secret-key")
    return [sealer.timestamp_to_datetime(number).isoformat() for number in numbers]


def pieces_of_a_time(number):
    when = ClockSealer("secret-key").timestamp_to_datetime(ts=number)
    return [when.year, when.month, when.day, when.hour, when.minute, when.second, when.microsecond, when.isoformat()]


def opened(key, sep, sealed, options):
    return ClockSealer(key, sep=sep).unseal(sealed, **options)


def opened_in_order(key, sealed, arguments):
    return ClockSealer(key).unseal(sealed, *arguments)


def opened_by_name(key, sealed, max_age):
    return ClockSealer(key).unseal(signed_value=sealed, max_age=max_age, with_timestamp=False)


def opened_each(key, sep, sealed_values):
    sealer = ClockSealer(key, sep=sep)
    return [sealer.unseal(sealed) for sealed in sealed_values]


def opened_with_its_time(key, sealed, options):
    value, when = ClockSealer(key).unseal(sealed, with_timestamp=True, **options) + ()
    return [value, when.isoformat()]


def opened_in_order_with_its_time(key, sealed, max_age):
    value, when = ClockSealer(key).unseal(sealed, max_age, True) + ()
    return [value, when.isoformat()]


def each_opened_with_its_time(key, sealed_values):
    sealer = ClockSealer(key)
    pairs = [sealer.unseal(sealed, with_timestamp=True) for sealed in sealed_values]
    return [[value, when.isoformat()] for value, when in pairs]


def opened_with_own_times(key, sep, sealed, tag, options):
    tell = lambda self, ts: [tag, ts]
    other = type("Teller", (ClockSealer,), {"timestamp_to_datetime": tell})(key, sep=sep)
    return list(other.unseal(sealed, with_timestamp=True, **options) + ())


def opened_by_a_writer_of_times(key, sep, sealed, options):
    tell = lambda self, ts: ClockSealer.timestamp_to_datetime(self, ts).isoformat()
    other = type("Writer", (ClockSealer,), {"timestamp_to_datetime": tell})(key, sep=sep)
    return other.unseal(sealed, **options)


def opened_where_times_fail(kind, key, sealed):
    kinds = {"ValueError": ValueError, "OSError": OSError, "OverflowError": OverflowError}

    def tell(self, ts):
        raise kinds[kind]("no such time")

    return type("Failing", (ClockSealer,), {"timestamp_to_datetime": tell})(key).unseal(sealed)


def validated(key, sep, sealed_values):
    sealer = ClockSealer(key, sep=sep)
    return [sealer.validate(sealed) for sealed in sealed_values]


def validated_within(key, sealed_values, max_age):
    sealer = ClockSealer(key)
    return [sealer.validate(sealed, max_age) for sealed in sealed_values]


def validated_by_limits(key, sealed, limits):
    sealer = ClockSealer(key)
    return [sealer.validate(signed_value=sealed, max_age=limit) for limit in limits]


def validated_one(key, sealed, options):
    return ClockSealer(key).validate(sealed, **options)


def there_and_back(key, sep, values):
    sealer = ClockSealer(key, sep=sep)
    seals = [sealer.seal(value) for value in values]
    return [seals, [sealer.unseal(sealed) for sealed in seals], [sealer.validate(sealed, 0) for sealed in seals]]


def across(key, salt, sep, way, digest, value, body):
    given = [key, salt, sep, way, getattr(hashlib, digest)]
    plain, timed = Sealer(*given), ClockSealer(*given)
    return {
        "plain takes": plain.unseal(timed.seal(value)),
        "plain validates": plain.validate(timed.seal(value)),
        "timed takes": timed.unseal(plain.seal(body)),
        "timed takes at once": timed.unseal(plain.seal(body), max_age=0),
    }


def plain_seal_opened(key, salt, body, other_salt):
    return ClockSealer(key, other_salt).unseal(Sealer(key, salt).seal(body))


def sealed_by_a_failing_clock(kind, built_with, times_raised, key, value, clock):
    error = getattr(brinseal, kind)(*built_with)

    def tell(self):
        for each in [error] * times_raised:
            raise each
        return clock

    return type("Clock", (ClockSealer,), {"get_timestamp": tell})(key).seal(value)


def errors_shown(kind, message, payload, sealed_at):
    build = getattr(brinseal, kind)
    errors = [
        build(message),
        build(message, payload),
        build(message, sealed_at=sealed_at),
        build(sealed_at=sealed_at, payload=payload, message=message),
    ]
    return [[error.message, error.payload, error.sealed_at, str(error)] for error in errors]
