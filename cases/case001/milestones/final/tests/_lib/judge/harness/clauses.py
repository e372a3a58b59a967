"""`@clause`: which sentences of the specification a test node checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound=Callable[..., Any])
_ATTRIBUTE = "__clauses__"
TWINS = frozenset({"answer", "relation", "oracle", "rows"})
"""Where expected values come from that no product could know beforehand: the input was built from its answer, two runs
are related (round trip, invariance), an independent oracle in the helpers, at least three rows derived by hand."""


def clause(*ids: str, by: str = "") -> Callable[[_T], _T]:
    """Record that the decorated test checks these clauses; `by` says that it is a twin, and of which kind."""
    if not ids:
        raise ValueError("clause() needs at least one id")
    if by and by not in TWINS:
        raise ValueError(f"clause() knows the twins {', '.join(sorted(TWINS))}, not {by!r}")

    def mark(function: _T) -> _T:
        setattr(function, _ATTRIBUTE, (*getattr(function, _ATTRIBUTE, ()), *ids))
        return function

    return mark


def clauses_of(function: object) -> tuple[str, ...]:
    """The ids recorded on a test function, sorted."""
    return tuple(sorted(set(getattr(function, _ATTRIBUTE, ()))))
