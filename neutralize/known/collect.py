"""Facts as they come in: one place each, the first in the order of paths and lines."""

from __future__ import annotations

from neutralize.known.facts import Fact

MAX_FACTS = 200_000
"""Of one kind. What comes after is counted, and the record says that it is not complete."""


class Collected:
    """Values of one kind with their first places. The order of arrival does not matter while the cap is not met."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int]] = {}
        self.left_out = 0

    def add(self, value: str, path: str, line: int) -> None:
        if not _writable(value):
            return
        place = (path, line)
        old = self._places.get(value)
        if old is None and len(self._places) >= MAX_FACTS:
            self.left_out += 1
        elif old is None or place < old:
            self._places[value] = place

    def __contains__(self, value: str) -> bool:
        return value in self._places

    def facts(self) -> tuple[Fact, ...]:
        """Sorted by value."""
        return tuple(
            Fact(value=value, source=f"{path}:{line}" if line else path)
            for value, (path, line) in sorted(self._places.items())
        )


def _writable(value: str) -> bool:
    """Whether it is no half of a character, which neither JSON nor a search takes."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return bool(value)
