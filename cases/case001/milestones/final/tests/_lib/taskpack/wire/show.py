"""A value as a short text for people. Safe for any value: nothing of it is called, everything is cut."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from taskpack.wire.kinds import Map, Obj, Set

_TEXT = 160
_ITEMS = 6
_DEPTH = 4


def show(value: Any, depth: int = 0) -> str:  # noqa: PLR0911 (one for each kind)
    """One line that says type and value."""
    kind = type(value)
    if kind is int:
        bits = value.bit_length()
        return str(value) if bits < 1000 else f"<integer of {bits} bits>"
    if kind in (str, bytes):
        return _cut(repr(value[:_TEXT]), len(value))
    if kind is Decimal:
        return f"Decimal({_cut(str(value)[:_TEXT], len(str(value)))!r})"
    if depth >= _DEPTH:
        return "..."
    if kind in (list, tuple):
        opening, closing = "[]" if kind is list else "()"
        return f"{opening}{_many(list(value), depth)}{closing}"
    if kind in (set, frozenset, Set):
        items = list(value.items if kind is Set else value)
        return f"{{{_many(items, depth)}}}" if items else "set()"
    if kind in (dict, Map):
        pairs = list(value.items() if kind is dict else value.pairs())
        shown = [f"{show(key, depth + 1)}: {show(item, depth + 1)}" for key, item in pairs[:_ITEMS]]
        return f"{{{_rest(shown, len(pairs))}}}"
    if kind is Obj:
        return _object(value, depth)
    return _cut(repr(value)[:_TEXT], len(repr(value)))


def _object(value: object, depth: int) -> str:
    assert isinstance(value, Obj)  # noqa: S101 (narrowing only)
    if not value.attrs:
        return f"<{value.type[:_TEXT]}>"
    pairs = list(value.attrs.items())
    shown = [f"{name[:40] or 'plain value'}={show(item, depth + 1)}" for name, item in pairs[:_ITEMS]]
    return f"<{value.type[:_TEXT]} {_rest(shown, len(pairs))}>"


def _many(items: list[object], depth: int) -> str:
    return _rest([show(item, depth + 1) for item in items[:_ITEMS]], len(items))


def _rest(shown: list[str], count: int) -> str:
    more = [f"... {count - len(shown)} more"] if count > len(shown) else []
    return ", ".join([*shown, *more])


def _cut(text: str, length: int) -> str:
    return text if length <= _TEXT else f"{text}... ({length} long)"
