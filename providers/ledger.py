"""The ledger of a case on disk: one JSON line for each request that was answered, never two for the same attempt."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path

from taskpack.files import space_errors, sync_folder
from taskpack.ledger import LedgerEntry


@dataclass(frozen=True)
class Ledger:
    """The ledger at `path`, which need not exist yet."""

    path: Path

    def append(self, entry: LedgerEntry) -> None:
        """Add an entry, on disk before it returns, unless its stage, unit and attempt are there already.

        A last line that a kill cut off is taken away first. Raises `NoSpace`, with the ledger as it was, and
        `RecordUnreadable`.
        """
        with space_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                entries, whole = _parse(file.read(), str(self.path))
                if any(_key(entry) == _key(known) for known in entries):
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


def _key(entry: LedgerEntry) -> tuple[str, str, str, int]:
    return entry.case_id, entry.stage, entry.unit, entry.attempt


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
