"""What a tree of processes uses, as its group counts it or as samples from outside show it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_MIB = 1024 * 1024
_INODE = 1024
"""What an empty file in memory costs, about."""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """One look at a tree."""

    cpu_s: float
    """Processor time so far."""
    memory: int = 0
    """Bytes in use. 0 where the kernel itself holds the bound."""
    tasks: int = 0
    """Processes and threads. 0 where the kernel itself holds the bound."""
    oom_kills: int = 0
    """How often the kernel ended a process because the tree was at its bound of memory."""
    starved: int = 0
    """How often it did so though the tree never was: what is around it had no more memory."""
    refused: int = 0
    """How often the kernel refused a process because the tree was at its bound of them."""


@dataclass(frozen=True, kw_only=True)
class _Look:
    ticks: int
    """Of the process itself."""
    with_children: int
    """Those of children that it has waited for included."""
    threads: int
    born: int
    resident: int
    tables: int
    """Bytes of page tables: what is mapped and never written costs them alone."""


class TreeMeter:
    """Samples all processes below `first`, which adopts whoever loses its parent.

    Memory is the proportional share (PSS) of anonymous and shared pages: a page that forks share counts once. It is
    looked at only when the plain sum of resident pages is past `memory_mb`, which is never less. Page tables and
    what lies in temporary folders come on top; what is mapped from these counts twice.
    """

    def __init__(self, first: int, *, memory_mb: int, tmp_mb: int, places: Sequence[str]) -> None:
        self._first = first
        self._bound = memory_mb * _MIB
        self._tmp = tmp_mb * _MIB
        self._places = places
        self._alive: dict[tuple[int, int], int] = {}
        self._ended = 0

    def pids(self) -> tuple[int, ...]:
        """The processes of the tree now, `first` among them."""
        found, pending = [], [self._first]
        while pending:
            pid = pending.pop()
            found.append(pid)
            pending += children(pid)
        return tuple(found)

    def usage(self) -> Usage:
        """One look. What ended between two looks counts with what its parent has waited for."""
        pids = self.pids()
        looks = {pid: look for pid in pids if (look := _look(pid)) is not None}
        self._count({(pid, look.born): look.ticks for pid, look in looks.items()})
        own = self._ended + sum(self._alive.values())
        ticks = max(own, sum(look.with_children for look in looks.values()))
        return Usage(
            cpu_s=ticks / _TICKS, memory=self._memory(looks), tasks=sum(look.threads for look in looks.values())
        )

    def _count(self, now: dict[tuple[int, int], int]) -> None:
        """Remember what was used by whom, and by those who have ended since the last look."""
        for (pid, born), ticks in self._alive.items():
            if (pid, born) not in now:
                again = _look(pid)  # a list of children that changes while it is read may lack one
                if again is not None and again.born == born:
                    now[pid, born] = again.ticks
                else:
                    self._ended += ticks
        self._alive = now

    def _memory(self, looks: dict[int, _Look]) -> int:
        temporary = self._temporary()
        temporary += sum(look.tables for look in looks.values())
        resident = sum(look.resident for look in looks.values())
        if resident + temporary <= self._bound:
            return resident + temporary
        return temporary + sum(_proportional(pid, look.resident) for pid, look in looks.items())

    def _temporary(self) -> int:
        """Bytes in the temporary folders, as the first process in their mount namespace sees them."""
        inner = next(iter(children(self._first)), None)
        used = 0
        for place in self._places if inner else ():
            with contextlib.suppress(OSError):
                there = os.statvfs(f"/proc/{inner}/root{place}")
                # Of another size it is not ours: the tree has ended, or has not begun.
                if there.f_blocks * there.f_frsize == self._tmp:
                    used += (there.f_blocks - there.f_bfree) * there.f_frsize
                    used += (there.f_files - there.f_ffree) * _INODE
        return used


def children_are_told() -> bool:
    """Whether this kernel says which children a process has: without that, trees cannot be sampled."""
    return Path("/proc/thread-self/children").is_file()


def children(pid: int) -> Iterator[int]:
    """Of all its threads."""
    with contextlib.suppress(OSError):
        for thread in list(Path(f"/proc/{pid}/task").iterdir()):
            with contextlib.suppress(OSError):
                yield from (int(word) for word in (thread / "children").read_text("ascii").split())


def _look(pid: int) -> _Look | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        own = int(fields[11]) + int(fields[12])
        return _Look(
            ticks=own,
            with_children=own + int(fields[13]) + int(fields[14]),
            threads=int(fields[17]),
            born=int(fields[19]),
            resident=int(fields[21]) * _PAGE,
            tables=_tables(pid),
        )
    return None


def _tables(pid: int) -> int:
    for row in Path(f"/proc/{pid}/status").read_bytes().splitlines():
        if row.startswith(b"VmPTE:"):
            return int(row.split()[1]) * 1024
    return 0


def _proportional(pid: int, resident: int) -> int:
    """Anonymous and shared bytes, each divided among those who map it; all that is resident where this is not told."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except FileNotFoundError:
        return resident
    except OSError:  # it has ended, or is about to
        return 0 if not Path(f"/proc/{pid}").exists() else resident
    words = [row.split() for row in rows]
    return sum(int(row[1]) * 1024 for row in words if row[0] in {"Pss_Anon:", "Pss_Shmem:"})
