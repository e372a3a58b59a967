"""What a pinned source holds, and whether it can become a task at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.members import Member, Mode
from environments.languages.python.surface import import_roots, is_source, is_test
from taskpack.outcome import Fact
from taskpack.pin import Inventory


@dataclass(frozen=True, kw_only=True)
class SizeBounds:
    """What a task can be made from in reasonable time."""

    files: int = 5_000
    bytes: int = 64 * 1024 * 1024
    source_files: int = 1_000


NATIVE = (".c", ".cc", ".cpp", ".cxx", ".pyx", ".pxd", ".rs", ".f", ".f90", ".so", ".pyd", ".dll", ".dylib", ".a")
"""How sources and binaries of compiled extensions end."""
_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


def is_pointer(data: bytes) -> bool:
    """Whether a file is what Git LFS leaves in place of its content."""
    return data.startswith(_POINTER) and len(data) < 1024


def take_inventory(members: Sequence[Member]) -> Inventory:
    """Counts over all members; links count as files."""
    sources = [member.path for member in members if member.mode is not Mode.LINK and is_source(member.path)]
    return Inventory(
        files=len(members),
        bytes=sum(len(member.data) for member in members),
        source_files=sum(not is_test(path) for path in sources),
        test_files=sum(is_test(path) for path in sources),
        links=sum(member.mode is Mode.LINK for member in members),
        native_files=sum(member.path.endswith(NATIVE) for member in members),
        pointers=sum(is_pointer(member.data) for member in members),
    )


def unsuitable(members: Sequence[Member], inventory: Inventory, bounds: SizeBounds | None = None) -> tuple[Fact, ...]:
    """Why this source cannot become a task; empty when it can."""
    bounds = bounds or SizeBounds()
    facts: list[Fact] = []
    if not import_roots(member.path for member in members if member.mode is not Mode.LINK):
        facts.append(Fact(what="no public package or module at the root or below src/"))
    if inventory.test_files == 0:
        facts.append(Fact(what="no tests: no test_*.py, *_test.py or tests folder"))
    for name, seen, most in (
        ("files", inventory.files, bounds.files),
        ("bytes", inventory.bytes, bounds.bytes),
        ("source files", inventory.source_files, bounds.source_files),
    ):
        if seen > most:
            facts.append(Fact(what=f"{seen:,} {name}; the most that is taken is {most:,}"))
    return tuple(facts)
