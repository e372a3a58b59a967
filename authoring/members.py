"""Files of an upstream in memory: names, modes, links, what is refused about them, and how they are written."""

from __future__ import annotations

import contextlib
import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

_LONGEST_NAME = 255
_LONGEST_PATH = 1024
_MOST_HOPS = 40
_GIT = {".git", "git~1"}
_GITMODULES = {".gitmodules", "gitmod~1"}
_PASSED_OVER = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


class Mode(IntEnum):
    """The modes of git that we keep."""

    FILE = 0o100644
    EXECUTABLE = 0o100755
    LINK = 0o120000

    @property
    def octal(self) -> str:
        """As git writes it."""
        return f"{self.value:o}"


@dataclass(frozen=True, kw_only=True)
class Member:
    """One file or symbolic link; for a link `data` is its target."""

    path: str
    """Relative, `/` between the parts."""
    mode: Mode
    data: bytes


@dataclass(frozen=True, kw_only=True)
class Refused:
    """Why a source is not taken: an answer about the source, not a fault of ours."""

    member: str
    """The entry as the source names it, made printable; empty for the source as a whole."""
    why: str


class RefusedMember(Exception):
    """Ends the reading of a source inside this room; borders turn it into `Refused`."""

    def __init__(self, member: str, why: str) -> None:
        super().__init__(f"{member}: {why}")
        self.refused = Refused(member=printable(member), why=why)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much a source may hold."""

    members: int = 20_000
    member_bytes: int = 32 * 1024 * 1024
    total_bytes: int = 256 * 1024 * 1024
    ratio: int = 100
    """Expanded bytes for each byte of the archive, looked at from `ratio_floor` on."""
    ratio_floor: int = 8 * 1024 * 1024


def printable(name: str) -> str:
    """`name` without anything that a terminal or a UTF-8 file could stumble over."""
    return name.encode("unicode_escape").decode("ascii")[:200]


def clean_name(raw: str) -> str:
    """`raw` without `./` and doubled slashes.

    Raises `RefusedMember` for names that leave the tree or that no careful tool would write.
    """
    if raw.startswith("/"):
        raise RefusedMember(raw, "absolute path")
    if "\\" in raw:
        raise RefusedMember(raw, "backslash in the name")
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in raw):
        raise RefusedMember(raw, "NUL or control character in the name")
    parts = [part for part in raw.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise RefusedMember(raw, "`..` in the path")
    try:
        sizes = [len(part.encode()) for part in parts]
    except UnicodeEncodeError:
        raise RefusedMember(raw, "name is not UTF-8") from None
    if sum(sizes) + len(sizes) > _LONGEST_PATH or any(size > _LONGEST_NAME for size in sizes):
        raise RefusedMember(raw, "name is too long")
    return "/".join(parts)


def is_git_internal(path: str) -> bool:
    """Whether git itself would read `path`, or part of it, as its own, on any file system that it runs on."""
    parts = [_as_git_reads(part) for part in path.split("/")]
    return not _GIT.isdisjoint(parts) or parts[-1] in _GITMODULES


def _as_git_reads(part: str) -> str:
    """HFS+ passes over some code points; NTFS ends a name at a colon and passes over dots and blanks before that."""
    return part.translate(_PASSED_OVER).partition(":")[0].rstrip(". ").lower()


def check_members(members: Sequence[Member]) -> None:
    """Raises `RefusedMember` for a name met twice, names that are one where case or spelling does not count, a file
    that is also a folder, and a link that leaves the tree.
    """
    seen: set[str] = set()
    for member in members:
        if member.path in seen:
            raise RefusedMember(member.path, "the name is there twice")
        seen.add(member.path)
    _check_twins(seen)
    for member in members:
        for parent in _parents(member.path):
            if parent in seen:
                raise RefusedMember(member.path, f"lies below `{printable(parent)}`, which is no folder")
    links = {member.path: member.data for member in members if member.mode is Mode.LINK}
    for path in links:
        _check_link(path, links)


def _check_twins(paths: Iterable[str]) -> None:
    """Some file systems know one name where ours knows two: then one file replaces the other unseen."""
    folders = {parent for path in paths for parent in _parents(path)}
    known: dict[str, str] = {}
    for path in sorted({*paths, *folders}):
        other = known.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if other != path:
            raise RefusedMember(path, f"differs from `{printable(other)}` in case or spelling alone")


def _parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _check_link(path: str, links: Mapping[str, bytes]) -> None:
    """Follow a link as the kernel would: other links on the way count, so text alone cannot tell."""
    here: list[str] = []
    todo = path.split("/")
    hops = 0
    while todo:
        part = todo.pop(0)
        if part in {"", "."}:
            continue
        if part == "..":
            if not here:
                raise RefusedMember(path, "link leaves the tree")
            here.pop()
            continue
        here.append(part)
        target = links.get("/".join(here))
        if target is None:
            continue
        hops += 1
        if hops > _MOST_HOPS:
            raise RefusedMember(path, "link turns in a circle")
        here.pop()
        todo = _target_parts(path, target) + todo


def _target_parts(path: str, target: bytes) -> list[str]:
    try:
        text = target.decode()
    except UnicodeDecodeError:
        raise RefusedMember(path, "link target is not UTF-8") from None
    if not text or "\0" in text or "\\" in text or len(text) > _LONGEST_PATH:
        raise RefusedMember(path, "link target is no path")
    if text.startswith("/"):
        raise RefusedMember(path, "link leaves the tree")
    return text.split("/")


def by_bytes(members: Iterable[Member]) -> tuple[Member, ...]:
    """Sorted by the bytes of their paths."""
    return tuple(sorted(members, key=lambda member: member.path.encode()))


def write_members(dest: Path, members: Sequence[Member]) -> None:
    """Write checked members below `dest`; modes do not depend on the umask, and existing files are never followed."""
    dest.mkdir(parents=True, exist_ok=True)
    # Links come last: nothing is ever written through one.
    for member in sorted(members, key=lambda item: item.mode is Mode.LINK):
        path = dest / member.path
        for parent in reversed(path.relative_to(dest).parents[:-1]):
            with contextlib.suppress(FileExistsError):
                (dest / parent).mkdir()
                (dest / parent).chmod(0o755)
        if member.mode is Mode.LINK:
            path.symlink_to(os.fsdecode(member.data))
            continue
        with path.open("xb") as file:
            file.write(member.data)
        path.chmod(0o755 if member.mode is Mode.EXECUTABLE else 0o644)
