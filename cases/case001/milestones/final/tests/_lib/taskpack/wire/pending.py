"""Tuples on a cycle: a tuple cannot be made before its parts, and one of them may lead back to it."""

from __future__ import annotations

from typing import Any


class Pending:
    """Stands for a tuple that is still being read, or that waits for one that is."""

    def __init__(self) -> None:
        self.made: tuple[Any, ...] | None = None
        self.items: list[Any] = []
        self.missing = 0
        self.holes: list[tuple[Any, Any]] = []

    def close(self, items: list[Any]) -> Any:
        """All parts are read: the tuple, or this when one of them is still open."""
        self.items = items
        for place, item in enumerate(items):
            if type(item) is Pending:
                item.holes.append((self, place))
                self.missing += 1
        return self.settle()

    def settle(self) -> Any:
        """Make the tuple, once nothing is missing, and put it wherever it was waited for."""
        if self.missing:
            return self
        self.made = tuple(self.items)
        for holder, place in self.holes:
            if type(holder) is Pending:
                holder.items[place] = self.made
                holder.missing -= 1
                holder.settle()
            else:
                holder[place] = self.made
        return self.made


def refuse_pending(items: list[Any]) -> None:
    """A tuple that holds the very set or map it should be in cannot be hashed. Raises `TypeError`."""
    if any(type(item) is Pending for item in items):
        raise TypeError
