"""Conversions between text, bytes and URL-safe base64."""

import binascii
import string as _string

from .errors import BrokenData

#: The 64 bytes that URL-safe base64 is written with.
URLSAFE_ALPHABET = (_string.ascii_letters + _string.digits + "-_").encode("ascii")

_TO_URLSAFE = bytes.maketrans(b"+/", b"-_")
_FROM_URLSAFE = bytes.maketrans(b"-_", b"+/")


def as_bytes(s, encoding="utf-8", errors="strict"):
    """Return text encoded as asked for, and bytes unchanged.

    Anything else is refused with ``TypeError``.
    """
    if isinstance(s, bytes):
        return s
    if isinstance(s, str):
        return s.encode(encoding, errors)
    raise TypeError(f"expected str or bytes, not {type(s).__name__}")


def base64_encode(string):
    """Return the URL-safe base64 of text or bytes, without ``=`` padding."""
    encoded = binascii.b2a_base64(as_bytes(string), newline=False)
    return encoded.translate(_TO_URLSAFE).rstrip(b"=")


def base64_decode(string):
    """Return the bytes that a URL-safe base64 encoding stands for.

    The padding may be present in full or left out. Non-ASCII characters of
    text are skipped, and the unused bits of the last character are ignored.
    Everything that is no such encoding is refused with ``BrokenData``.
    """
    data = as_bytes(string, "ascii", "ignore")
    digits = data.rstrip(b"=")
    if digits.translate(None, URLSAFE_ALPHABET):
        raise BrokenData("not URL-safe base64: foreign bytes")
    if len(digits) % 4 == 1:
        raise BrokenData("not URL-safe base64: impossible length")
    padding = b"=" * (-len(digits) % 4)
    if data[len(digits):] not in (b"", padding):
        raise BrokenData("not URL-safe base64: wrong padding")
    return binascii.a2b_base64(digits.translate(_FROM_URLSAFE) + padding)
