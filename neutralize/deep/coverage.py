"""How much of what was handed over could be read."""

from __future__ import annotations

from collections.abc import Iterable

from neutralize.deep.texts import Entry
from neutralize.finding import Unscanned
from neutralize.traverse import Item
from taskpack.record import Part


class Coverage(Part):
    """Of one reading. Times, padding and pixels are no entries."""

    entries: int
    read: int
    bytes: int
    """Of all entries whose size is known, unpacked."""
    bytes_read: int
    rest: tuple[Unscanned, ...]
    """What was not read, or not as a whole, sorted."""

    @property
    def complete(self) -> bool:
        return not self.rest and self.entries > 0

    @property
    def share_of_entries(self) -> float:
        return self.read / self.entries if self.entries else 0.0

    @property
    def share_of_bytes(self) -> float:
        return self.bytes_read / self.bytes if self.bytes else float(self.complete)


def coverage(items: Iterable[Item]) -> Coverage:
    """Counted in one pass, without keeping what the items hold."""
    entries = read = total = bytes_read = 0
    rest: set[tuple[str, str]] = set()
    for item in items:
        size = item.size if isinstance(item, Entry) else len(item.data or b"")
        entries, total = entries + 1, total + size
        if item.data is None:
            rest.add((item.path, item.problem))
        else:
            read, bytes_read = read + 1, bytes_read + size
    unread = tuple(Unscanned(path=path, problem=problem) for path, problem in sorted(rest))
    return Coverage(entries=entries, read=read, bytes=total, bytes_read=bytes_read, rest=unread)
