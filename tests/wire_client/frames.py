"""One frame: two lengths, a JSON header, raw bytes. Read strictly, bounded before anything is parsed."""

import json
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

HEADER_BYTES = 8 << 20
BODY_BYTES = 64 << 20
NESTING = 100
NODES = 1_000_000
NUMBER_CHARACTERS = 40

_LENGTHS = struct.Struct(">II")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|[^\s,:\[\]{}"]+', re.DOTALL)


class BadFrame(Exception):
    """What came breaks a rule of the page; the text says which."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A header that obeys the page, and the bytes that it names ranges of."""

    header: dict[str, Any]
    body: bytes = b""
    taken: list[tuple[int, int]] = field(default_factory=list)
    """The ranges read so far, as (start, end)."""

    def range(self, spec: object) -> bytes:
        """The bytes of `[offset, length]`. Raises `BadFrame` when it leaves the body or overlaps an earlier one."""
        if type(spec) is not list or len(spec) != 2 or any(type(part) is not int for part in spec):
            raise BadFrame(f"not a range: {spec!r}")
        start, end = spec[0], spec[0] + spec[1]
        if start < 0 or spec[1] < 0 or end > len(self.body):
            raise BadFrame(f"range {spec} leaves a body of {len(self.body)} bytes")
        if any(start < other_end and other_start < end for other_start, other_end in self.taken):
            raise BadFrame(f"range {spec} shares bytes with another")
        if start < end:
            self.taken.append((start, end))
        return self.body[start:end]


def pack(header: dict[str, Any], body: bytes = b"") -> bytes:
    """The bytes of one frame."""
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return _LENGTHS.pack(len(text), len(body)) + text + body


def read(read_bytes: Callable[[int], bytes]) -> Frame:
    """The next frame, from a function that gives exactly so many bytes or raises. Raises `BadFrame`."""
    header_length, body_length = _LENGTHS.unpack(read_bytes(_LENGTHS.size))
    if header_length > HEADER_BYTES or body_length > BODY_BYTES:
        raise BadFrame(f"lengths {header_length} and {body_length} are over a cap")
    header = parse(read_bytes(header_length))
    return Frame(header=header, body=read_bytes(body_length))


def parse(text: bytes) -> dict[str, Any]:
    """A header's object. Raises `BadFrame` on everything that the page refuses."""
    _count(text)
    try:
        header = json.loads(
            text.decode("utf-8", "strict"),
            object_pairs_hook=_once,
            parse_constant=_refuse_constant,
            parse_int=_number(int),
            parse_float=_number(_finite),
        )
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BadFrame(f"not a JSON header: {error}") from error
    if type(header) is not dict:
        raise BadFrame("a header is one object")
    _no_surrogates(header)
    return header


def _count(text: bytes) -> None:
    depth = deepest = nodes = 0
    for token in _TOKEN.finditer(text):
        first = token.group()[:1]
        if first in b"]}":
            depth -= 1
            continue
        nodes += 1
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
    if deepest > NESTING or nodes > NODES:
        raise BadFrame(f"{deepest} levels and {nodes} nodes")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadFrame(f"a key is there twice: {[key for key, _ in pairs]}")
    return found


def _refuse_constant(text: str) -> NoReturn:
    raise BadFrame(f"{text} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise BadFrame("a number beyond floats")
    return number


def _number(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    def read_number(text: str) -> Any:
        if len(text) > NUMBER_CHARACTERS:
            raise BadFrame(f"a number of {len(text)} characters")
        return convert(text)

    return read_number


def _no_surrogates(value: Any) -> None:
    if type(value) is str:
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise BadFrame("a lone surrogate")
    elif type(value) is list:
        for item in value:
            _no_surrogates(item)
    elif type(value) is dict:
        for key, item in value.items():
            _no_surrogates(key)
            _no_surrogates(item)
