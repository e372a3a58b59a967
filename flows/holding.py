"""What a run is at, kept for whoever asks meanwhile: a small record beside a lock that the kernel frees.

`<work>/runs/<case>-<digest of its place>/now.json` is written by the run that holds the folder's lock and removed at
its end. A record whose folder nobody holds was left by a run that was killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import AwareDatetime

from flows.progress import Watcher, state
from flows.run import Step
from taskpack.errors import RecordUnreadable
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.outcome import Stage
from taskpack.record import Record


class Holding(Record):
    """A run over a case, as it last said of itself."""

    pid: int
    since: AwareDatetime
    stage: Stage | None = None
    """Which stage is being made; None before the first and between two."""
    stage_since: AwareDatetime | None = None
    note: str = ""
    """The last line that the run wrote."""
    note_at: AwareDatetime
    page: str = ""
    """Address of the run in a Prefect server's page, where one is configured."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What is known of the last run over a case that did not end by itself."""

    holding: Holding | None
    """None where there is no such run, or it has not written yet, or its record cannot be read."""
    alive: bool


def utc_now() -> datetime:
    return datetime.now(UTC)


class Notebook(Watcher):
    """Keeps the record of one run. A disk that cannot take it does not stop the run."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime] = utc_now) -> None:
        self._folder = folder
        self._now = now
        self._turn = threading.Lock()
        began = now()
        self._holding = Holding(pid=os.getpid(), since=began, note_at=began)
        self._change()

    def note(self, text: str) -> None:
        self._change(note=text.strip(), note_at=self._now())

    def started(self, stage: Stage) -> None:
        self._change(stage=stage, stage_since=self._now(), note="", note_at=self._now())

    def finished(self, step: Step) -> None:
        self._change(stage=None, stage_since=None, note=f"{step.stage} is {state(step)}", note_at=self._now())

    def page(self, address: str) -> None:
        self._change(page=address)

    def _change(self, **fields: object) -> None:
        """Whole or not at all, but not synced: after a crash of the machine the lock tells that nobody works."""
        with self._turn, contextlib.suppress(OSError):
            self._holding = self._holding.model_copy(update=fields)
            part = self._folder / ".now.part"
            part.write_bytes(self._holding.to_bytes())
            part.replace(self._folder / "now.json")


@contextlib.contextmanager
def hold(work: WorkFolder, case: CaseFolder) -> Iterator[Notebook]:
    """A notebook for the run that has the case's lock. Gone at the end, also when the run ends with an error."""
    folder = run_folder(work, case)
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # Whoever looks has it for a moment; nobody else writes here, for the case itself is locked.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield Notebook(folder)
    finally:
        with contextlib.suppress(OSError):
            for name in ("now.json", ".now.part"):
                (folder / name).unlink(missing_ok=True)
            if not any(folder.iterdir()):
                folder.rmdir()
        os.close(descriptor)


def look(work: WorkFolder, case: CaseFolder) -> Seen:
    """What the run over `case` is at, and whether it lives. Makes nothing, disturbs nobody."""
    folder = run_folder(work, case)
    try:
        alive = _is_held(folder)
    except FileNotFoundError:
        return Seen(holding=None, alive=False)
    path = folder / "now.json"
    try:
        holding = Holding.from_bytes(path.read_bytes(), where=str(path))
    except (FileNotFoundError, RecordUnreadable):
        return Seen(holding=None, alive=alive)
    return Seen(holding=holding, alive=alive)


def run_folder(work: WorkFolder, case: CaseFolder) -> Path:
    """Cases of one name in several `--cases` may share a work directory."""
    place = hashlib.sha256(os.fsencode(case.root)).hexdigest()
    return work.runs / f"{case.id}-{place[:8]}"


def _is_held(folder: Path) -> bool:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
