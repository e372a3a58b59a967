"""The ledger of a case on disk: one JSON line for each request that was answered, never two for the same reply."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from providers.interface import Reply, Request
from providers.replies import request_digest
from taskpack.files import space_errors, sync_folder
from taskpack.ledger import Ending, LedgerEntry


@dataclass(frozen=True)
class Ledger:
    """The ledger at `path`, which need not exist yet."""

    path: Path

    def append(self, entry: LedgerEntry) -> None:
        """Add an entry, on disk before it returns, unless the same reply to the same attempt is there already.

        A last line that a kill cut off is taken away first. Raises `NoSpace`, with the ledger as it was, and
        `RecordUnreadable`.
        """
        with space_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                entries, whole = _parse(file.read(), str(self.path))
                if any(entry.key == known.key for known in entries):
                    return
                file.truncate(whole)
                try:
                    _write(file.fileno(), _line(entry))
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(whole)
                    raise
            sync_folder(self.path.parent)

    def entries(self) -> tuple[LedgerEntry, ...]:
        """All entries in the order of their arrival; a cut last line is passed over.

        Raises `RecordUnreadable` naming the line.
        """
        return _parse(self.path.read_bytes(), str(self.path))[0] if self.path.is_file() else ()


def entry_of(request: Request, reply: Reply, *, provider: str, ending: Ending = Ending.COMPLETE) -> LedgerEntry:
    """The entry of one reply. Who was paid goes before who handed it over."""
    got = reply.text.encode("utf-8", "backslashreplace")
    paid = reply.usage.model_dump() if reply.usage else {"provider": provider}
    return LedgerEntry(
        case_id=request.case_id,
        stage=request.stage,
        unit=request.unit,
        attempt=request.attempt,
        answered_by=reply.answered_by,
        request=request_digest(request),
        reply=hashlib.sha256(got).hexdigest(),
        request_bytes=len(request.prompt.encode()),
        reply_bytes=len(got),
        ending=ending,
        replayed=reply.replayed,
        drift=reply.drift,
        **paid,
    )


COLUMNS = ("request", "answered by", "tokens in", "cached", "tokens out", "cost in $", "seconds", "sent")


def ledger_rows(entries: Sequence[LedgerEntry]) -> list[tuple[str, ...]]:
    """The ledger as a table for people, under `COLUMNS`; its last row sums up when anything was paid for."""
    rows = [_row(entry) for entry in entries]
    paid = [entry for entry in entries if entry.model is not None]
    if not paid:
        return rows
    unknown = [entry for entry in paid if entry.cost_usd is None]
    dollars = f"{sum(Decimal(entry.cost_usd or 0) for entry in paid):.4f}"
    total = (
        f"{len(paid)} paid replies",
        "",
        str(sum(entry.input_tokens or 0 for entry in paid)),
        str(sum(entry.cached_tokens or 0 for entry in paid)),
        str(sum(entry.output_tokens or 0 for entry in paid)),
        f"{dollars} and {len(unknown)} unknown" if unknown else dollars,
        f"{sum(entry.seconds or 0 for entry in paid):.1f}",
        str(sum(entry.tries or 0 for entry in paid)),
    )
    return [*rows, total]


def _row(entry: LedgerEntry) -> tuple[str, ...]:
    name = f"{entry.stage}/{entry.unit}/{entry.attempt}"
    if entry.ending is not Ending.COMPLETE:
        name += f" ({entry.ending})"
    if entry.model is None:
        return (name, entry.answered_by, *("-",) * 6)
    return (
        name,
        entry.answered_by,
        _or(entry.input_tokens),
        _or(entry.cached_tokens),
        _or(entry.output_tokens),
        _or(entry.cost_usd),
        _or(entry.seconds),
        _or(entry.tries),
    )


def _or(value: object) -> str:
    return "unknown" if value is None else str(value)


def _line(entry: LedgerEntry) -> bytes:
    text = json.dumps(entry.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _parse(data: bytes, where: str) -> tuple[tuple[LedgerEntry, ...], int]:
    """Entries, and the length of what is whole."""
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].split(b"\n")[:-1]
    return (tuple(LedgerEntry.from_bytes(line, where=f"{where}:{at}") for at, line in enumerate(lines, 1)), whole)
