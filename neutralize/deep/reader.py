"""One file after the other, opened to its last member: what it is decides who reads it."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO

from neutralize.deep.documents import jpeg_members, pdf_members, png_members
from neutralize.deep.limits import FAULTS, Budget, Capped, Exhausted, Limits, fact
from neutralize.deep.member import Member
from neutralize.deep.opened import opened, spool
from neutralize.deep.stream import chunks
from neutralize.deep.texts import Entry, binary, plain
from neutralize.kinds import HEAD, kind_of, unopened
from neutralize.traverse import decode

_DOCUMENTS: dict[str, Callable[[IO[bytes], int, Limits], Iterator[Member]]] = {
    "png": png_members,
    "jpeg": jpeg_members,
    "pdf": pdf_members,
}


class Reader:
    """What is left of the bounds goes from file to file."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._budget = Budget(limits)

    def file(self, path: str, file: IO[bytes], size: int) -> Iterator[Entry]:
        """All that one file of a folder holds. Never raises for what its bytes are."""
        self._budget.begin(size)
        yield from self._content(path, file, size, 0)

    def _content(self, path: str, file: IO[bytes], size: int, depth: int) -> Iterator[Entry]:
        """What is no text comes without content: its beginning and its digest stand for the bytes."""
        for entry in self._entries(path, file, size, depth):
            if entry.path == path and entry.data == b"" and size:
                file.seek(0)
                head, total = file.read(HEAD), hashlib.sha256()
                for chunk in chunks(file, 0, size):
                    total.update(chunk)
                yield replace(entry, head=head, sha256=total.hexdigest())
            else:
                yield entry

    def _entries(self, path: str, file: IO[bytes], size: int, depth: int) -> Iterator[Entry]:
        kind = kind_of(file, size)
        if kind in _DOCUMENTS:
            yield from binary(path, file, size, self._limits)
            yield from self._members(path, _DOCUMENTS[kind](file, size, self._limits), depth)
        elif kind and depth >= self._limits.depth:
            yield from binary(path, file, 0, self._limits)
            yield Entry(path=path, data=None, size=size, problem=f"an archive inside {depth} others (cap 'depth')")
        elif kind:
            yield Entry(path=path, data=b"")
            yield from self._members(path, opened(kind, file, size, self._budget), depth)
        else:
            yield from self._plain(path, file, size)

    def _plain(self, path: str, file: IO[bytes], size: int) -> Iterator[Entry]:
        file.seek(0)
        head = file.read(HEAD)
        kind = unopened(head)
        if kind and (decode(head) is None or kind == "thin ar"):
            yield from binary(path, file, 0, self._limits)
            yield Entry(path=path, data=None, size=size, problem=f"packed as {kind}, which is not opened")
        else:
            yield from plain(path, file, size, self._limits)

    def _members(self, path: str, members: Iterator[Member], depth: int) -> Iterator[Entry]:
        """The members of one archive; a last entry tells why there are not more."""
        try:
            for member in members:
                self._budget.member()
                yield from self._member(f"{path}!{member.name}", member, depth)
        except (Capped, *FAULTS) as error:
            yield Entry(path=path, data=None, problem=f"not read to its end: {fact(error)}")

    def _member(self, path: str, member: Member, depth: int) -> Iterator[Entry]:
        if member.chunks is None:
            yield Entry(path=path, data=None, problem=member.problem, size=member.size)
            return
        with tempfile.SpooledTemporaryFile(max_size=self._limits.memory) as file:
            ended = spool(member, file, self._budget)
            size = file.tell()
            if size or not ended:
                yield from self._content(path, file, size, depth + 1)
            if ended:
                yield Entry(path=path, data=None, problem=fact(ended), size=max(0, member.size - size))
        if isinstance(ended, Exhausted):
            raise ended
