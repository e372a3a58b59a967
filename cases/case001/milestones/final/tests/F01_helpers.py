"""Oracle of FP-01, built from the clauses with hmac, hashlib and base64 alone."""
import base64
import hashlib
import hmac

DEFAULT_SALT = b"brinseal.Sealer"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
REFUSED_RUN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_="


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


def raw_signature(value, key, salt=DEFAULT_SALT, way="infix-concat", digest="sha1", mac_digest=None):
    return hmac_of(derived_key(key, salt, way, digest), raw(value), mac_digest or digest)


def signature(value, key, salt=DEFAULT_SALT, way="infix-concat", digest="sha1", mac_digest=None):
    return b64(raw_signature(value, key, salt, way, digest, mac_digest))


def sealed(value, key, sep=b".", salt=DEFAULT_SALT, way="infix-concat", digest="sha1", mac_digest=None):
    return raw(value) + raw(sep) + signature(value, key, salt, way, digest, mac_digest)


def with_one_bit_flipped(data, index, bit=0):
    return data[:index] + bytes([data[index] ^ (1 << bit)]) + data[index + 1:]


def other_spellings(code, spare_bits):
    """The spellings that differ only in the spare bits of the last character."""
    last = ALPHABET.index(chr(code[-1]))
    first = last >> spare_bits << spare_bits
    group = [ALPHABET[number] for number in range(first, first + (1 << spare_bits))]
    return [code[:-1] + letter.encode("ascii") for letter in group if ALPHABET.index(letter) != last]


def spelling_of_other_bytes(code, spare_bits):
    """The code with the lowest bit of its last whole byte changed."""
    last = ALPHABET.index(chr(code[-1]))
    return code[:-1] + ALPHABET[last ^ (1 << spare_bits)].encode("ascii")


def code_of_length(random, length):
    return "".join(random.choice(ALPHABET) for _ in range(length))


def accented(random, code):
    """The text of a code with characters beyond ASCII scattered in it."""
    text = code.decode("ascii")
    for letter in "\u00e9\u0416\u20ac":
        place = random.randint(0, len(text))
        text = text[:place] + letter + text[place:]
    return text


def codes_ending_in_each_letter(random, whole_groups):
    """Encodings without padding that end in each character that one of their length may end in."""
    head = code_of_length(random, 4 * whole_groups)
    codes = [head + code_of_length(random, 3) + letter for letter in ALPHABET]
    codes += [head + code_of_length(random, 2) + letter for letter in ALPHABET[::4]]
    codes += [head + code_of_length(random, 1) + letter for letter in ALPHABET[::16]]
    return [code.encode("ascii") for code in codes]


def bytes_of(code):
    return base64.urlsafe_b64decode(padded(code))


def values_for_each_last_letter(key, digest, letters):
    """A value for each letter, its signature under the key and the digest ending in that letter."""
    found, number = {}, 0
    while len(found) < len(letters):
        value = "value-%d" % number
        letter = chr(signature(value, key, digest=digest)[-1])
        found.setdefault(letter, value)
        number += 1
    return [found[letter] for letter in letters]
