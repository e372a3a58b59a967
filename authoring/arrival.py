"""How the content of each kind of source arrives: from a registry, a repository, an archive file or a folder."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from authoring.archive import read_archive
from authoring.folder import read_folder
from authoring.gitrefs import resolve_ref
from authoring.gitstore import Commit, commit_members, fetch_commit, has_commit, read_commit
from authoring.identity import differences, read_identity
from authoring.members import Member, Refused, RefusedMember
from taskpack.errors import BadInput, DigestMismatch, RepowrightError
from taskpack.files import file_digest
from taskpack.layout import WorkFolder
from taskpack.order import ArchiveSource, FolderSource, GitSource, PypiSource, Source
from taskpack.pin import Resolution
from taskpack.record import to_json

Fetch = Callable[[PypiSource, Path], Path]
"""Downloads a source archive into a folder and gives its path; raises `FetchFailed` or `DigestMismatch`."""


@dataclass(frozen=True, kw_only=True)
class Arrived:
    """A source, read and committed."""

    ids: Commit
    members: tuple[Member, ...]
    dropped: tuple[str, ...]
    file_name: str = ""
    file_sha256: str = ""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What arriving needs: where things are kept, how the registry is asked, and the case's resolution."""

    work: WorkFolder
    fetch: Fetch
    known: Resolution | None
    """What this source's name was resolved to before."""
    keep: Callable[[Resolution], None]
    """Keeps a new resolution in the case; called before the content is used."""
    note: Callable[[str], None]
    """Tells people that a name has moved."""


def store_for(work: WorkFolder, source: Source) -> Path:
    """The bare repository of `source`. Its name depends on the whole source: a changed pin never meets an old one."""
    digest = hashlib.sha256(to_json(source.model_dump(mode="json"))).hexdigest()
    return work.git / f"{source.kind}-{digest[:24]}.git"


def arrive(source: Source, gate: Gate) -> Arrived | Refused:
    """The source's content as one commit in its store.

    `Refused` when it is hostile. Raises `DigestMismatch` when it is not what was pinned, `FetchFailed`, `BadInput`.
    """
    if isinstance(source, GitSource):
        return _from_git(source, gate)
    if isinstance(source, FolderSource):
        return _from_folder(source, gate)
    if isinstance(source, ArchiveSource):
        return _from_archive(source, _own_archive(source), gate, version="")
    return _from_archive(source, _download(source, gate), gate, version=source.version)


def _from_archive(source: PypiSource | ArchiveSource, archive: Path, gate: Gate, *, version: str) -> Arrived | Refused:
    contents = read_archive(archive)
    if isinstance(contents, Refused):
        return contents
    facts = differences(read_identity(contents.members), name=source.name, version=version)
    if facts:
        raise DigestMismatch(
            f"{archive.name} is of another project or version than the order names",
            details={"sha256": source.sha256, "fact": "; ".join(facts)},
            remedy="correct name, version and sha256 in order.toml: they must belong together",
        )
    ids = commit_members(store_for(gate.work, source), contents.members)
    return Arrived(
        ids=ids,
        members=contents.members,
        dropped=contents.dropped,
        file_name=archive.name,
        file_sha256=source.sha256,
    )


def _own_archive(source: ArchiveSource) -> Path:
    path = Path(source.path)
    if not path.is_file():
        raise BadInput(
            "there is no such archive", details={"path": source.path}, remedy="correct source.path in order.toml"
        )
    _check_digest(source, path)
    return path


def _download(source: PypiSource, gate: Gate) -> Path:
    """The archive, from an earlier download when its bytes are still the pinned ones."""
    folder = gate.work.downloads / source.sha256
    kept = sorted(path for path in folder.glob("*") if path.is_file()) if folder.is_dir() else []
    for path in kept:
        if file_digest(path) == source.sha256:
            return path
        path.unlink()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder.parent) as scratch:
        Path(scratch).chmod(0o755)
        arrived = gate.fetch(source, Path(scratch))
        _check_digest(source, arrived)
        folder.mkdir(exist_ok=True)
        return arrived.rename(folder / arrived.name)


def _check_digest(source: PypiSource | ArchiveSource, archive: Path) -> None:
    digest = file_digest(archive)
    if digest != source.sha256:
        what = f"{source.name} {source.version}" if isinstance(source, PypiSource) else archive.name
        raise DigestMismatch(
            f"{what} is not the file that was pinned",
            details={"file": archive.name, "pinned sha256": source.sha256, "arrived": digest},
            remedy="find out why it changed; only then put the new digest into order.toml",
        )


def _from_git(source: GitSource, gate: Gate) -> Arrived | Refused:
    commit = source.commit or _resolved(source, gate)
    store = store_for(gate.work, source)
    try:
        if not has_commit(store, commit):
            fetch_commit(source.url, commit, store)
    except RefusedMember as error:
        return error.refused
    files = read_commit(store, commit)
    if isinstance(files, Refused):
        return files
    return Arrived(ids=files.ids, members=files.members, dropped=files.dropped)


def _resolved(source: GitSource, gate: Gate) -> str:
    """The commit of the branch or tag: as the case has it, else as it is now."""
    if gate.known is None:
        commit = resolve_ref(source.url, source.ref)
        gate.keep(Resolution(source=source, commit=commit))
        return commit
    try:
        now = resolve_ref(source.url, source.ref)
    except RepowrightError:
        now = ""  # The pin does not depend on the name any more, so a silent or changed repository is no trouble yet.
    if now != gate.known.commit:
        said = f"is at {now[:12]} now" if now else "cannot be looked up now"
        gate.note(_stays(source.ref, said, gate.known))
    return gate.known.commit


def _stays(name: str, said: str, known: Resolution) -> str:
    return f"    {name} {said}; the pin stays at {known.commit[:12]} (delete provenance/resolution.json to follow)"


def _from_folder(source: FolderSource, gate: Gate) -> Arrived | Refused:
    store, known = store_for(gate.work, source), gate.known
    if known is not None and has_commit(store, known.commit):
        return _pinned_folder(source, known, store, gate)
    contents = read_folder(Path(source.path))
    if isinstance(contents, Refused):
        return contents
    ids = commit_members(store, contents.members)
    if known is None:
        gate.keep(Resolution(source=source, commit=ids.commit, dropped=contents.dropped))
    elif ids.commit != known.commit:
        raise DigestMismatch(
            "the folder is not what was pinned, and the git store does not hold that any more",
            details={"folder": source.path, "pinned": known.commit, "found": ids.commit},
            remedy="bring the old content back, or delete provenance/resolution.json to pin what is there now",
        )
    return Arrived(ids=ids, members=contents.members, dropped=contents.dropped)


def _pinned_folder(source: FolderSource, known: Resolution, store: Path, gate: Gate) -> Arrived | Refused:
    """What was pinned, whatever the folder holds now."""
    files = read_commit(store, known.commit)
    if isinstance(files, Refused):
        return files
    try:
        now = read_folder(Path(source.path))
        same = not isinstance(now, Refused) and now.members == files.members
    except BadInput:
        same = False
    if not same:
        gate.note(_stays(source.path, "has changed or is gone", known))
    return Arrived(ids=files.ids, members=files.members, dropped=known.dropped)
