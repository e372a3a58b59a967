"""`@clause`: which sentences of the specification a test node checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound=Callable[..., Any])
_ATTRIBUTE = "__clauses__"


def clause(*ids: str) -> Callable[[_T], _T]:
    """Record that the decorated test checks these clauses."""
    if not ids:
        raise ValueError("clause() needs at least one id")

    def mark(function: _T) -> _T:
        setattr(function, _ATTRIBUTE, (*getattr(function, _ATTRIBUTE, ()), *ids))
        return function

    return mark


def clauses_of(function: object) -> tuple[str, ...]:
    """The ids recorded on a test function, sorted."""
    return tuple(sorted(set(getattr(function, _ATTRIBUTE, ()))))
