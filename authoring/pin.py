"""The pin stage: from a source that the order names to one commit in a local git store, with licence and inventory."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from authoring.arrival import Fetch, Gate, arrive, store_for
from authoring.gitstore import checkout, read_commit
from authoring.importstream import RECIPE
from authoring.inventory import take_inventory, unsuitable
from authoring.licence import NotAgreed, judge_licence
from authoring.members import Refused
from authoring.suitability import turned_away
from taskpack.errors import RecordUnreadable
from taskpack.layout import WorkFolder
from taskpack.order import GitSource, Order, PypiSource, Source
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.pin import Pin, Resolution
from taskpack.suitability import Suitability

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
    report: Callable[[Suitability], None] = lambda _suitability: None,
) -> Pin | Rejected:
    """Pin the order's source. The same source gives the same commit on any machine.

    A branch, tag or folder is what `known` says it was, if that is of this source; else it is looked at, and `keep`
    gets what it is. `note` hears when it has moved since. `Rejected` when the source is hostile, unsuitable, or under
    a licence that is not accepted; `report` then gets the verdict. Raises what `fetch` raises, `DigestMismatch` for
    other content than the pinned one, `BadInput` for an address or name that is not taken, `FetchFailed` for a silent
    repository.
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
            report,
        )
    inventory = take_inventory(arrived.members)
    facts = unsuitable(arrived.members, inventory)
    if facts:
        return _rejected(order, Reason.UNSUITABLE, f"the source cannot become a task: {facts[0].what}", facts, report)
    licence = judge_licence(arrived.members, accepted=order.licences)
    if isinstance(licence, NotAgreed):
        return _rejected(order, Reason.LICENCE, licence.message, licence.evidence, report)
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


def _label(source: Source) -> str:
    if isinstance(source, GitSource):
        return source.url
    return f"{source.name} {source.version}" if isinstance(source, PypiSource) else source.path


def _rejected(
    order: Order, reason: Reason, message: str, evidence: Sequence[Fact], report: Callable[[Suitability], None]
) -> Rejected:
    licence = reason is Reason.LICENCE
    report(turned_away(order, (Fact(what=message),) if licence else evidence, licence=licence))
    return Rejected(
        stage=Stage.PIN,
        reason=reason,
        message=message,
        evidence=tuple(evidence),
        command=f"repowright author {order.case_id}",
    )
