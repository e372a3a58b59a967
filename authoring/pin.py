"""The pin stage: from a source that the order names to one commit in a local git store, with licence and inventory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.archive import read_archive
from authoring.gitstore import RECIPE, Commit, checkout, commit_members, fetch_commit, has_commit, read_commit
from authoring.inventory import take_inventory, unsuitable
from authoring.licence import NotAgreed, judge_licence
from authoring.members import Member, Refused
from taskpack.errors import DigestMismatch, RecordUnreadable
from taskpack.files import file_digest
from taskpack.layout import WorkFolder
from taskpack.order import GitSource, Order, PypiSource, Source
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.pin import Pin
from taskpack.record import to_json
from taskpack.scratch import temporary_folder

VERSION = 1

Fetch = Callable[[PypiSource, Path], Path]
"""Downloads a source archive into a folder and gives its path; raises `FetchFailed` or `DigestMismatch`."""


@dataclass(frozen=True, kw_only=True)
class _Arrived:
    """A source, read and committed."""

    ids: Commit
    members: tuple[Member, ...]
    dropped: tuple[str, ...]
    file_name: str = ""
    file_sha256: str = ""


def pin(order: Order, *, work: WorkFolder, fetch: Fetch) -> Pin | Rejected:
    """Pin the order's source. The same source gives the same commit on any machine.

    `Rejected` when the source is hostile, unsuitable, or under a licence that is not accepted. Raises what
    `fetch` raises, `DigestMismatch` for other bytes than the pinned ones, and what `fetch_commit` raises for
    git sources.
    """
    source = order.source
    arrived = _from_git(source, work) if isinstance(source, GitSource) else _from_archive(source, work, fetch)
    if isinstance(arrived, Refused):
        where = arrived.member or _label(source)
        return _rejected(
            order,
            Reason.UNSUITABLE,
            f"the source is not taken: {arrived.why}",
            (Fact(what=arrived.why, where=where),),
        )
    inventory = take_inventory(arrived.members)
    facts = unsuitable(arrived.members, inventory)
    if facts:
        return _rejected(order, Reason.UNSUITABLE, f"the source cannot become a task: {facts[0].what}", facts)
    licence = judge_licence(arrived.members, accepted=order.licences)
    if isinstance(licence, NotAgreed):
        return _rejected(order, Reason.LICENCE, licence.message, licence.evidence)
    return Pin(
        source=source,
        file_name=arrived.file_name,
        file_sha256=arrived.file_sha256,
        commit=arrived.ids.commit,
        tree=arrived.ids.tree,
        recipe=RECIPE,
        dropped=arrived.dropped,
        licence=licence.expression,
        licence_files=licence.files,
        inventory=inventory,
    )


def store_for(work: WorkFolder, source: Source) -> Path:
    """The bare repository of `source`. Its name depends on the whole source: a changed pin never meets an old one."""
    digest = hashlib.sha256(to_json(source.model_dump(mode="json"))).hexdigest()
    return work.git / f"{source.kind}-{digest[:24]}.git"


def checkout_pin(pin: Pin, *, work: WorkFolder, dest: Path) -> None:
    """Write the pinned files into the new or empty folder `dest`, without `.git`.

    Raises `RecordUnreadable` when the git store no longer holds the pin.
    """
    checkout(store_for(work, pin.source), pin.commit, dest)


def notices(pin: Pin, work: WorkFolder) -> dict[str, bytes]:
    """Licence texts and notices of the pin, by path in the source: they travel with whatever is derived from it."""
    store = store_for(work, pin.source)
    files = read_commit(store, pin.commit)
    if isinstance(files, Refused):
        raise RecordUnreadable(
            f"the pin cannot be read: {files.why}", remedy=f"delete {store}, so that it is made again"
        )
    wanted = {file.path for file in pin.licence_files}
    return {member.path: member.data for member in files.members if member.path in wanted}


def _from_archive(source: PypiSource, work: WorkFolder, fetch: Fetch) -> _Arrived | Refused:
    archive = _archive(source, work.downloads / source.sha256, fetch)
    contents = read_archive(archive)
    if isinstance(contents, Refused):
        return contents
    ids = commit_members(store_for(work, source), contents.members)
    return _Arrived(
        ids=ids,
        members=contents.members,
        dropped=contents.dropped,
        file_name=archive.name,
        file_sha256=source.sha256,
    )


def _archive(source: PypiSource, folder: Path, fetch: Fetch) -> Path:
    """The archive, from an earlier download when its bytes are still the pinned ones."""
    kept = sorted(path for path in folder.glob("*") if path.is_file()) if folder.is_dir() else []
    for path in kept:
        if file_digest(path) == source.sha256:
            return path
        path.unlink()
    with temporary_folder(folder.parent, prefix=".fetch-") as scratch:
        arrived = fetch(source, scratch)
        digest = file_digest(arrived)
        if digest != source.sha256:
            raise DigestMismatch(
                f"{source.name} {source.version} is not the file that was pinned",
                details={"file": arrived.name, "pinned sha256": source.sha256, "arrived": digest},
                remedy="find out why it changed; only then put the new digest into order.toml",
            )
        folder.mkdir(exist_ok=True)
        return arrived.rename(folder / arrived.name)


def _from_git(source: GitSource, work: WorkFolder) -> _Arrived | Refused:
    store = store_for(work, source)
    if not has_commit(store, source.commit):
        fetch_commit(source.url, source.commit, store)
    files = read_commit(store, source.commit)
    if isinstance(files, Refused):
        return files
    return _Arrived(ids=files.ids, members=files.members, dropped=files.dropped)


def _label(source: Source) -> str:
    return source.url if isinstance(source, GitSource) else f"{source.name} {source.version}"


def _rejected(order: Order, reason: Reason, message: str, evidence: Sequence[Fact]) -> Rejected:
    return Rejected(
        stage=Stage.PIN,
        reason=reason,
        message=message,
        evidence=tuple(evidence),
        command=f"repowright author {order.case_id}",
    )
