"""A value as a short text for people. Safe for any value: nothing of it is called, everything is cut."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from itertools import islice
from typing import Any

from taskpack.wire.encoding import declared_names
from taskpack.wire.kinds import Described, Map, Obj, Set, When

_TEXT = 160
_ITEMS = 6
_DEPTH = 4
_PARTS = 200
"""Values in one text. The depth alone would still let it grow to a thousand."""


def show(value: Any) -> str:
    """One line that says type and value. Its length and the time it takes have a bound, whatever is shared."""
    return _Text().show(value, 0)


class _Text:
    """One text. Each part of it takes from the same small supply."""

    def __init__(self) -> None:
        self._left = _PARTS

    def show(self, value: Any, depth: int) -> str:  # noqa: PLR0911 (one for each kind)
        self._left -= 1
        kind = type(value)
        if kind is int:
            bits = value.bit_length()
            return str(value) if bits < 1000 else f"<integer of {bits} bits>"
        if kind in (str, bytes):
            return _cut(repr(value[:_TEXT]), len(value))
        if kind is Decimal:
            text = str(value)
            return f"Decimal({_cut(text[:_TEXT], len(text))!r})"
        if kind is When:
            zone = "" if value.zone is None else f" {value.zone[:_TEXT]}"
            return f"<{value.kind[:_TEXT]} {value.text[:_TEXT]}{zone}>"
        if kind is Described:
            return f"<{declared_names(type(value.subject)).type} described>"
        if depth >= _DEPTH or self._left < 0:
            return "..."
        if kind in (list, tuple):
            opening, closing = "[]" if kind is list else "()"
            return f"{opening}{self._many(value, len(value), depth)}{closing}"
        if kind in (set, frozenset, Set):
            items = value.items if kind is Set else value
            return f"{{{self._many(items, len(items), depth)}}}" if items else "set()"
        if kind in (dict, Map):
            pairs = islice(value.items() if kind is dict else value.pairs(), _ITEMS)
            shown = [f"{self.show(key, depth + 1)}: {self.show(item, depth + 1)}" for key, item in pairs]
            return f"{{{_rest(shown, len(value))}}}"
        if kind is Obj:
            return self._object(value, depth)
        text = repr(value)
        return _cut(text[:_TEXT], len(text))

    def _object(self, value: Obj, depth: int) -> str:
        if not value.attrs:
            return f"<{value.type[:_TEXT]}>"
        pairs = islice(value.attrs.items(), _ITEMS)
        shown = [f"{name[:40] or 'plain value'}={self.show(item, depth + 1)}" for name, item in pairs]
        return f"<{value.type[:_TEXT]} {_rest(shown, len(value.attrs))}>"

    def _many(self, items: Iterable[object], count: int, depth: int) -> str:
        return _rest([self.show(item, depth + 1) for item in islice(items, _ITEMS)], count)


def _rest(shown: list[str], count: int) -> str:
    more = [f"... {count - len(shown)} more"] if count > len(shown) else []
    return ", ".join([*shown, *more])


def _cut(text: str, length: int) -> str:
    return text if length <= _TEXT else f"{text}... ({length} long)"
