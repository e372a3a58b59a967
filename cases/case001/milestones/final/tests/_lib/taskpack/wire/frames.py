"""Frames: two lengths, a JSON header, raw bytes. What is not exactly a frame is `Malformed`; nothing is built of it."""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NoReturn

HEADER_CAP = 8 * 1024 * 1024
BODY_CAP = 64 * 1024 * 1024
NESTING_CAP = 100
NODE_CAP = 1_000_000
LENGTHS = struct.Struct(">II")

Json = Any
"""What JSON can say. The modules that read it check it step by step."""

# An open string runs to the end: a pattern that fails there would be tried again at every quote.
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKET = re.compile(rb"[^\[\]{}]+")
_EMPTY = re.compile(rb"\[[ \t\r\n]*\]|\{[ \t\r\n]*\}")
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NUMBER_DIGITS = 40


class Malformed(Exception):
    """What came over the wire is not what the page allows; the text says which rule it broke."""


class TooLarge(Exception):
    """What should be sent does not fit a frame."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One frame. `header` is an object without duplicate keys; nothing else about it is checked here."""

    header: dict[str, Json]
    body: bytes = b""


def pack(frame: Frame) -> bytes:
    """The bytes of a frame. Raises `TooLarge` when it is over a cap."""
    text = json.dumps(frame.header, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    header = text.encode("utf-8")
    try:
        check_lengths(len(header), len(frame.body))
        check_shape(header)
    except Malformed as error:
        raise TooLarge(str(error)) from None
    return LENGTHS.pack(len(header), len(frame.body)) + header + frame.body


def read_lengths(prefix: bytes) -> tuple[int, int]:
    """Header and body length from the first eight bytes. Raises `Malformed` over a cap."""
    header, body = LENGTHS.unpack(prefix)
    check_lengths(header, body)
    return header, body


def check_lengths(header: int, body: int) -> None:
    """Raises `Malformed` over a cap."""
    if not 2 <= header <= HEADER_CAP:
        raise Malformed(f"header of {header} bytes; 2 to {HEADER_CAP} are allowed")
    if body > BODY_CAP:
        raise Malformed(f"body of {body} bytes; at most {BODY_CAP} are allowed")


def parse_header(data: bytes) -> dict[str, Json]:
    """The header's object.

    Raises `Malformed` for bad UTF-8 or JSON, lone surrogates, duplicate keys, numbers that are no plain number, and
    anything over a cap. Shape is checked on the bytes, so that no input can exhaust stack or memory here.
    """
    check_shape(data)
    try:
        text = data.decode("utf-8", "strict")
        header = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except (ValueError, RecursionError) as error:
        raise Malformed(f"header is not JSON: {_short(error)}") from None
    if not isinstance(header, dict):
        raise Malformed("header is not an object")
    if b"\\u" in data:
        _refuse_surrogates(header)
    return header


def check_shape(data: bytes) -> None:
    """Bound nesting and nodes. Raises `Malformed`."""
    bare = _STRING.sub(b"0", data)
    commas = bare.count(b",")
    opened = bare.count(b"[") + bare.count(b"{")
    if commas >= NODE_CAP or opened > NODE_CAP:
        raise Malformed(f"more than {NODE_CAP} nodes")
    if opened != bare.count(b"]") + bare.count(b"}"):
        raise Malformed("brackets do not match")
    brackets = _NO_BRACKET.sub(b"", bare)
    deepest = max(accumulate(map(_STEP.__getitem__, brackets)), default=0)
    if deepest > NESTING_CAP:
        raise Malformed(f"nested {deepest} deep; {NESTING_CAP} are allowed")
    nodes = 1 + commas + opened - len(_EMPTY.findall(bare))
    if nodes > NODE_CAP:
        raise Malformed(f"{nodes} nodes; {NODE_CAP} are allowed")


def check_range(value: Json, size: int) -> tuple[int, int]:
    """`[offset, length]` within `size` bytes. Raises `Malformed`."""
    if not (isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)):
        raise Malformed("a range is [offset, length]")
    offset, length = value
    if offset < 0 or length < 0 or offset + length > size:
        raise Malformed(f"range {offset}+{length} lies outside a body of {size} bytes")
    return offset, length


def check_ranges_apart(ranges: Iterable[tuple[int, int]]) -> None:
    """Raises `Malformed` when two ranges share a byte."""
    end = 0
    for offset, length in sorted(pair for pair in ranges if pair[1]):
        if offset < end:
            raise Malformed(f"ranges overlap at byte {offset}")
        end = offset + length


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _integer(text: str) -> int:
    if len(text) > _NUMBER_DIGITS:
        raise ValueError("a bare number of more than 40 characters")
    return int(text)


def _float(text: str) -> float:
    if len(text) > _NUMBER_DIGITS:
        raise ValueError("a bare number of more than 40 characters")
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a bare number beyond the range of floats")
    return number


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _refuse_surrogates(header: Json) -> None:
    try:
        json.dumps(header, ensure_ascii=False).encode("utf-8", "strict")
    except UnicodeEncodeError:
        raise Malformed("a string with a lone surrogate") from None


def _short(error: Exception) -> str:
    return str(error)[:200]
