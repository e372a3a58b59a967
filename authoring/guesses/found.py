"""From what a user asked for to the source that an order pins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from authoring.archive import read_archive
from authoring.arrival import store_for
from authoring.folder import read_folder
from authoring.gitstore import has_commit, read_commit
from authoring.guesses.guess import Guess
from authoring.guesses.language import PYTHON, guess_language
from authoring.guesses.refs import whole_commit
from authoring.guesses.source import Asked, LocalArchive, LocalFolder, Project, Repository
from authoring.identity import read_identity
from authoring.members import Member, Refused
from environments.interface import Sandbox
from environments.languages.python.find import find_archive
from taskpack.files import file_digest
from taskpack.layout import WorkFolder
from taskpack.order import ArchiveSource, FolderSource, GitSource, PypiSource, Source


@dataclass(frozen=True, kw_only=True)
class FoundSource:
    """A source as an order pins it."""

    source: Source
    remark: str = ""
    """What the author should know about it; empty when nothing."""


def find_source(asked: Asked, *, sandbox: Sandbox, say: Callable[[str], None]) -> FoundSource:
    """The pin of what was asked for: a version with its hash, a whole commit, a file's hash.

    Raises what looking for it raises: `BadInput` when there is none, `FetchFailed` for silence.
    """
    match asked:
        case Project():
            say(f"asking the registry for {asked.name} {asked.version or '(the newest version)'}")
            archive = find_archive(asked.name, asked.version, sandbox=sandbox)
            yanked = f"its people have taken this version back: {archive.yanked}" if archive.yanked else ""
            return FoundSource(source=archive.source, remark=yanked)
        case Repository():
            say(f"asking {asked.url} for {asked.ref or 'what it has checked out'}")
            commit = whole_commit(asked.url, asked.ref)
            remark = "" if asked.ref == commit else f"{asked.ref or 'HEAD'} was this commit when the order was made"
            return FoundSource(source=GitSource(kind="git", url=asked.url, commit=commit), remark=remark)
        case LocalArchive():
            digest, name = file_digest(asked.path), _name(asked.path, _members(asked.path))
            return FoundSource(source=ArchiveSource(kind="archive", path=str(asked.path), sha256=digest, name=name))
        case LocalFolder():
            name = _name(asked.path, _members(asked.path))
            remark = "its content is pinned when `author` reads it first"
            return FoundSource(source=FolderSource(kind="folder", path=str(asked.path), name=name), remark=remark)


def label(source: Source) -> str:
    """What a source is called, for people."""
    match source:
        case PypiSource():
            return f"{source.name} {source.version}"
        case GitSource():
            return f"{source.url} {(source.commit or source.ref)[:12]}"
        case _:
            return source.path


def other_language(source: Source, work: WorkFolder) -> Guess[str] | None:
    """The language of a source that was turned away, when it is not Python: that says more than any other reason."""
    match source:
        case PypiSource():
            return None
        case GitSource():
            store = store_for(work, source)
            files = read_commit(store, source.commit) if source.commit and has_commit(store, source.commit) else None
            members = () if files is None or isinstance(files, Refused) else files.members
        case _:
            members = _members(Path(source.path))
    language = guess_language([member.path for member in members])
    return language if language.value not in {"", PYTHON} else None


def _members(path: Path) -> tuple[Member, ...]:
    """Files of a local source; none when it is refused, which pinning it says."""
    contents = read_folder(path) if path.is_dir() else read_archive(path)
    return () if isinstance(contents, Refused) else contents.members


def _name(path: Path, members: tuple[Member, ...]) -> str:
    """What the project calls itself, else what the file or folder is called."""
    return read_identity(members).name or path.name.removesuffix(".zip").removesuffix(".tgz").removesuffix(".tar.gz")
