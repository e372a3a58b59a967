"""The files of an archive as bytes, for whoever reads code: one archive at a time, nothing on disk."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

from neutralize.deep.limits import FAULTS, Budget, Capped, Exhausted, fact
from neutralize.deep.opened import ARCHIVES, opened, spool
from neutralize.kinds import kind_of


@dataclass(frozen=True, kw_only=True)
class Whole:
    """One file of an archive, a link as its target."""

    name: str
    """As `Member.name`; empty for what concerns the archive."""
    data: bytes | None = None
    """Its bytes up to `Limits.file_bytes`; None when none could be read."""
    problem: str = ""
    """Why it was not read, or not as a whole."""


def archive_kind(data: bytes) -> str:
    """What kind of archive these bytes are, by themselves; empty for none."""
    kind = kind_of(io.BytesIO(data), len(data))
    return kind if kind in ARCHIVES else ""


def whole_files(data: bytes, budget: Budget) -> Iterator[Whole]:
    """The files of an archive, those that no entry covers too; what only says something about it is left out.

    Archives in it are files. A last one without a name tells why there are not more. Never raises for what the bytes
    are.
    """
    try:
        for member in opened(archive_kind(data), io.BytesIO(data), len(data), budget):
            budget.member()
            if member.chunks is None:
                yield Whole(name=member.name, problem=member.problem)
                continue
            file = io.BytesIO()
            ended = spool(member, file, budget)
            if ended or not (member.about or member.name.endswith("/")):
                problem = fact(ended) if ended else ""
                yield Whole(name=member.name, data=file.getvalue(), problem=problem)
            if isinstance(ended, Exhausted):
                raise ended
    except (Capped, *FAULTS) as error:
        yield Whole(name="", problem=f"not read to its end: {fact(error)}")
