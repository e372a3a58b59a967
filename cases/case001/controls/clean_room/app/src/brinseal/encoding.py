"""Conversions between text, bytes, integers and URL-safe base64."""

from __future__ import annotations

import base64
import re
import struct

from .errors import BrokenData

_NUMBER = struct.Struct(">Q")
_WELL_FORMED = re.compile(rb"[A-Za-z0-9_-]*\Z")


def as_bytes(s: str | bytes, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """Encode text; hand bytes back as they are; refuse all else with TypeError."""
    if isinstance(s, bytes):
        return s
    if isinstance(s, str):
        return s.encode(encoding, errors)
    if isinstance(s, (bytearray, memoryview)):
        return bytes(s)
    raise TypeError(f"text or bytes expected, not {type(s).__name__}")


def base64_encode(string: str | bytes) -> bytes:
    """URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(as_bytes(string)).rstrip(b"=")


def base64_decode(string: str | bytes) -> bytes:
    """Decode URL-safe base64, padded or not.

    Non-ASCII characters of text do not count. Anything else outside of the
    alphabet is refused, as is a length that no encoding can have.
    """
    digits = as_bytes(string, "ascii", "ignore").rstrip(b"=")
    if _WELL_FORMED.match(digits) is None:
        raise BrokenData("not URL-safe base64: a character outside of its alphabet")
    missing = -len(digits) % 4
    if missing == 3:
        raise BrokenData("not URL-safe base64: impossible length")
    return base64.urlsafe_b64decode(digits + b"=" * missing)


def int_to_bytes(num: int) -> bytes:
    """Shortest big-endian bytes of an integer from 0 to 2**64 - 1."""
    return _NUMBER.pack(num).lstrip(b"\0")


def bytes_to_int(bytestr: bytes) -> int:
    """Integer of at most eight big-endian bytes."""
    (number,) = _NUMBER.unpack(bytestr.rjust(_NUMBER.size, b"\0"))
    return number
