"""Small checks that the message modules share: keys, types, and the one way to refuse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NoReturn

from taskpack.wire.frames import Json, Malformed


def check_keys(found: Mapping[str, Json], needed: set[str], more: set[str] | frozenset[str], what: str) -> None:
    """Raises `Malformed` when a needed key is missing or one is there that is in neither set."""
    missing = needed - set(found)
    if missing:
        refuse(f"{what}: {', '.join(sorted(missing))} is missing")
    unknown = set(found) - needed - set(more)
    if unknown:
        refuse(f"{what}: unknown key {min(unknown)[:40]!r}")


def is_list_of(value: Any, kind: type) -> bool:
    """Whether `value` is a list whose items are all exactly of `kind`."""
    return type(value) is list and all(type(item) is kind for item in value)


def is_number(value: Json) -> bool:
    """Whether `value` is a finite number, and no boolean."""
    return type(value) in (int, float) and math.isfinite(value)


def need(holds: bool, text: str) -> None:
    """Raises `Malformed` with `text` unless `holds`."""
    if not holds:
        refuse(text)


def refuse(text: str) -> NoReturn:
    """Raises `Malformed`."""
    raise Malformed(text)
