"""What a git store tells: ids of commits and tags, and who made them.

Objects are read as files by a library: no git is started, no hook, filter or configuration of the store counts.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dulwich.errors import ChecksumMismatch, FileFormatException, NotGitRepository, ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, ShaFile, Tag
from dulwich.refs import DiskRefsContainer

from neutralize.finding import Unscanned

MAX_OBJECTS = 1_000_000
_BROKEN = (
    KeyError, ValueError, OSError, AssertionError, IndexError, EOFError, zlib.error,
    ChecksumMismatch, FileFormatException, NotGitRepository, ObjectFormatException,
)  # fmt: skip
_SIGNED = re.compile(
    rb"(?m)^[ \t]*(?:co-authored|signed-off|reviewed|acked|reported|tested|suggested)-by:(.*)$", re.IGNORECASE
)
_MAILBOX = re.compile(r"\s*(?P<name>[^<>]*?)\s*<(?P<email>[^<>]*)>")
_TAGS = b"refs/tags/"


@dataclass(frozen=True, kw_only=True)
class Person:
    """A name and an address as one object of the store gives them."""

    name: str
    email: str
    source: str


@dataclass
class History:
    """All that the refs of one store lead to."""

    objects: set[str] = field(default_factory=set)
    people: set[Person] = field(default_factory=set)
    tags: dict[str, str] = field(default_factory=dict)
    """Names of tags, and the id each stands for."""
    unread: list[Unscanned] = field(default_factory=list)


def read_history(repository: Path) -> History:
    """Follow every ref of the bare store, or of the `.git` folder, at `repository`.

    A parent that a shallow store does not hold still gives its id. What cannot be read is in `unread`, never an error.
    """
    history = History()
    root = repository if (repository / "objects").is_dir() else repository / ".git"
    if not (root / "objects").is_dir():
        history.unread.append(Unscanned(path="git", problem="no git store"))
    elif (root / "objects" / "info" / "alternates").exists():
        history.unread.append(Unscanned(path="git", problem="the store borrows objects from another"))
    else:
        store = DiskObjectStore(root / "objects")
        try:
            _follow(store, _refs(root, history), _shallow(root), history)
        finally:
            store.close()
    return history


def _refs(root: Path, history: History) -> list[bytes]:
    try:
        refs = DiskRefsContainer(root).as_dict()
    except _BROKEN as error:
        history.unread.append(Unscanned(path="git", problem=f"unreadable refs: {type(error).__name__}"))
        return []
    for name, oid in refs.items():
        if name.startswith(_TAGS):
            history.tags[name.removeprefix(_TAGS).decode("utf-8", "replace")] = oid.decode("ascii", "replace")
    return sorted(set(refs.values()))


def _shallow(root: Path) -> frozenset[bytes]:
    path = root / "shallow"
    return frozenset(path.read_bytes().split()) if path.is_file() else frozenset()


def _follow(store: DiskObjectStore, heads: list[bytes], shallow: frozenset[bytes], history: History) -> None:
    pending, seen, cut = list(heads), set(heads), set[bytes]()
    while pending:
        oid = pending.pop()
        if oid not in cut or ObjectID(oid) in store:
            try:
                found: ShaFile = store[ObjectID(oid)]
                following = list(_read(found, history))
            except _BROKEN as error:
                problem = f"unreadable object: {type(error).__name__}"
                history.unread.append(Unscanned(path=f"git:{oid.decode('ascii', 'replace')}", problem=problem))
                continue
            if oid in shallow:
                cut.update(following)
        else:
            history.objects.add(oid.decode("ascii"))
            continue
        for other in following:
            if other not in seen and len(seen) < MAX_OBJECTS:
                seen.add(other)
                pending.append(other)
    if len(seen) >= MAX_OBJECTS:
        history.unread.append(Unscanned(path="git", problem=f"more than {MAX_OBJECTS} commits"))


def _read(found: ShaFile, history: History) -> Iterator[bytes]:
    """Take what one object tells; the objects that it leads to."""
    if not isinstance(found, Commit | Tag):
        return
    oid = found.id.decode("ascii")
    history.objects.add(oid)
    lines = [found.tagger] if isinstance(found, Tag) else [found.author, found.committer]
    lines += _SIGNED.findall(found.message or b"")
    for line in lines:
        if line and (mailbox := _MAILBOX.match(line.decode("utf-8", "replace"))):
            history.people.add(Person(name=mailbox["name"], email=mailbox["email"], source=f"git:{oid}"))
    if isinstance(found, Tag):
        yield found.object[1]
    else:
        yield from found.parents
