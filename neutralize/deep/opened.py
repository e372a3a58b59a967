"""Who reads an archive of which kind, and one member of it brought into a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from neutralize.deep.ars import ar_members, cpio_members
from neutralize.deep.gits import bundle_members, loose_members, pack_members
from neutralize.deep.limits import FAULTS, Budget, Capped
from neutralize.deep.member import Member
from neutralize.deep.packed import packed_members
from neutralize.deep.stream import ENGINES, Stream, chunks
from neutralize.deep.tars import tar_members
from neutralize.deep.zips import zip_members

_Opener = Callable[[IO[bytes], int, Budget], Iterator[Member]]
_OPENERS: dict[str, _Opener] = {
    "zip": lambda file, size, budget: zip_members(file, size, budget.limits),
    "tar": lambda file, size, budget: tar_members(Stream(chunks(file, 0, size)), budget.limits),
    "ar": lambda file, size, budget: ar_members(Stream(chunks(file, 0, size)), budget.limits),
    "cpio": lambda file, size, budget: cpio_members(Stream(chunks(file, 0, size)), budget.limits),
    "loose": lambda file, size, budget: loose_members(file, size, budget.limits),
    "pack": lambda file, size, budget: pack_members(file, 0, size, budget),
    "bundle": bundle_members,
}
ARCHIVES = frozenset(_OPENERS) | frozenset(ENGINES)
"""Kinds, as `kind_of` tells them, that have members."""


def opened(kind: str, file: IO[bytes], size: int, budget: Budget) -> Iterator[Member]:
    """The members of an archive of one of `ARCHIVES`. Raises `Capped` and `FAULTS` for what its bytes are."""
    if kind in ENGINES:
        return packed_members(file, size, kind, budget.limits)
    return _OPENERS[kind](file, size, budget)


def spool(member: Member, file: IO[bytes], budget: Budget) -> Exception | None:
    """Put the member's bytes into `file`, as far as they go; gives what ended them too early."""
    found, size = iter(member.chunks or ()), 0
    try:
        for chunk in found:
            budget.take(len(chunk))
            size += len(chunk)
            if size > budget.limits.file_bytes:
                for more in found:  # the next member begins behind this one
                    budget.take(len(more))
                return Capped("file_bytes", f"larger than {budget.limits.file_bytes} bytes")
            file.write(chunk)
    except (Capped, *FAULTS) as error:
        return error
    return None
