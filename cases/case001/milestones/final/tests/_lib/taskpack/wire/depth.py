"""How deep a value is when its references are followed: what the frame's nesting alone does not bound.

Whoever walks a value, hashes it or prints it goes down this far at most. A reference back to a container that is still
open closes a cycle, where every walk of ours stops; it counts nothing.
"""

from __future__ import annotations

DEEPEST_VALUE = 150
"""Containers in one another, references followed."""
CONTAINERS = frozenset({"l", "t", "s", "m", "o"})
"""Their tags."""


class Depth:
    """Measures one value while it is read or written: `enter` and `leave` around each part, `refer` at a reference."""

    def __init__(self) -> None:
        self._below = 0
        self._numbered: dict[int, int] = {}

    def enter(self) -> int:
        """Begin a part; give what it returns to `leave`."""
        around, self._below = self._below, 0
        return around

    def leave(self, around: int, number: int | None, *, container: bool = True) -> bool:
        """End a part, which has `number` if it is met again. Whether it is within the bound."""
        own = self._below + container
        if number is not None:
            self._numbered[number] = own
        self._below = max(around, own)
        return own <= DEEPEST_VALUE

    def refer(self, number: int) -> None:
        """A reference stands where the container could."""
        self._below = max(self._below, self._numbered.get(number, 0))
