"""Files and fields that hold the names by purpose. Each is known by its place and by what is in it, never by a pattern.

A file that stands where a denylist stands and is none is scanned like any other.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from taskpack.rename import Names

TERMS_FIELD = "sensitive_terms"


def is_denylist(data: bytes) -> bool:
    """Whether these are bans: lists of names, with what they are of."""
    found = _object(data)
    lists = [found.get(name) for name in ("install_ban", "import_ban")]
    return all(isinstance(one, list) and all(isinstance(each, str) for each in one) for one in lists)


def is_names(data: bytes) -> bool:
    """Whether this is the record of our names stage."""
    try:
        Names.model_validate_json(data)
    except ValidationError:
        return False
    return True


def is_order(data: bytes) -> bool:
    """Whether this is an order of ours."""
    try:
        found = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    return isinstance(found.get("case_id"), str) and isinstance(found.get("source"), dict)


def sensitive_terms(data: bytes) -> tuple[str, ...]:
    """The term list of a manifest; none where it has none, or something else in its place."""
    found = _object(data).get(TERMS_FIELD)
    return tuple(found) if isinstance(found, list) and all(isinstance(one, str) for one in found) else ()


def without_terms(data: bytes) -> bytes:
    """A manifest with its term list blanked out: every other byte stays where it was.

    A list that holds anything but text, or one that is there twice, is no list of terms, and nothing is blanked.
    """
    if not sensitive_terms(data):
        return data
    text = data.decode("utf-8")
    spans = [member for member in _members(text) if member.name == TERMS_FIELD]
    if len(spans) != 1:
        return data
    (span,) = spans
    blank = "".join(char if char in "\r\n" else " " * len(char.encode()) for char in text[span.start : span.end])
    return (text[: span.start] + blank + text[span.end :]).encode("utf-8")


@dataclass(frozen=True, kw_only=True)
class _Member:
    name: str
    start: int
    end: int


def _members(text: str) -> Iterator[_Member]:
    """The members of the object that `text` is, with where their values stand."""
    decoder = json.JSONDecoder()
    index = _skip(text, 0) + 1
    while True:
        index = _skip(text, index)
        if text[index] == "}":
            return
        name, index = decoder.raw_decode(text, index)
        start = _skip(text, _skip(text, index) + 1)
        _, end = decoder.raw_decode(text, start)
        yield _Member(name=name, start=start, end=end)
        index = _skip(text, end)
        if text[index] == ",":
            index += 1


def _skip(text: str, index: int) -> int:
    while text[index] in " \t\r\n":
        index += 1
    return index


def _object(data: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
