"""The pin stage: from a source that the order names to one commit in a local git store, with licence and inventory."""

from __future__ import annotations

<<<<<<< HEAD
import logging
=======
import hashlib
>>>>>>> 787ee0175468d2b48e9f75143c7d562824f4f9cc
from collections.abc import Callable, Sequence
from pathlib import Path

from authoring.arrival import Fetch, Gate, arrive, store_for
from authoring.gitstore import RECIPE, checkout, read_commit
from authoring.inventory import take_inventory, unsuitable
from authoring.licence import NotAgreed, judge_licence
from authoring.members import Refused
from taskpack.errors import RecordUnreadable
from taskpack.layout import WorkFolder
from taskpack.order import GitSource, Order, PypiSource, Source
from taskpack.outcome import Fact, Reason, Rejected, Stage
<<<<<<< HEAD
from taskpack.pin import Pin, Resolution
=======
from taskpack.pin import Pin
from taskpack.record import to_json
from taskpack.scratch import temporary_folder
>>>>>>> 787ee0175468d2b48e9f75143c7d562824f4f9cc

VERSION = 2
log = logging.getLogger(__name__)


def pin(
    order: Order,
    *,
    work: WorkFolder,
    fetch: Fetch,
    known: Resolution | None = None,
    keep: Callable[[Resolution], None] = lambda _resolution: None,
    note: Callable[[str], None] = log.info,
) -> Pin | Rejected:
    """Pin the order's source. The same source gives the same commit on any machine.

    A branch, tag or folder is what `known` says it was, if that is of this source; else it is looked at, and `keep`
    gets what it is. `note` hears when it has moved since. `Rejected` when the source is hostile, unsuitable, or under
    a licence that is not accepted. Raises what `fetch` raises, `DigestMismatch` for other content than the pinned one,
    `BadInput` for an address or name that is not taken, `FetchFailed` for a silent repository.
    """
    source = order.source
    if known is not None and known.source != source:
        note("    resolution.json is of another source: it is resolved again")
        known = None
    arrived = arrive(source, Gate(work=work, fetch=fetch, known=known, keep=keep, note=note))
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


<<<<<<< HEAD
=======
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


>>>>>>> 787ee0175468d2b48e9f75143c7d562824f4f9cc
def _label(source: Source) -> str:
    if isinstance(source, GitSource):
        return source.url
    return f"{source.name} {source.version}" if isinstance(source, PypiSource) else source.path


def _rejected(order: Order, reason: Reason, message: str, evidence: Sequence[Fact]) -> Rejected:
    return Rejected(
        stage=Stage.PIN,
        reason=reason,
        message=message,
        evidence=tuple(evidence),
        command=f"repowright author {order.case_id}",
    )
