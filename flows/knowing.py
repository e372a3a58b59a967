"""What is known of a case's source: made by the names stage, kept whole in the stage store and in part in the case."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

from authoring.arrival import store_for
from flows.run import Run
from neutralize.audit.run import looking
from neutralize.gates import source_of
from neutralize.known.derive import derive_known
from neutralize.known.replies import ReplySearch
from neutralize.known.stored import VERSION, stored
from neutralize.scan import Scanner
from providers.interface import Refusal
from taskpack.errors import BadInput
from taskpack.files import file_digest, write_bytes
from taskpack.outcome import Stage
from taskpack.pin import Pin
from taskpack.record import to_json
from taskpack.rename import Names

DERIVED = str(VERSION)
"""What the names stage depends on beside its own version."""
_WHOLE = "known.json"
_KEPT = "provenance/known.json"
_SHOWN = 100


def keep_known(run: Run, pin: Pin, tree: Path, names: Names, dest: Path) -> None:
    """Write below `dest` what pinned files and history tell beside `names`: whole, and as the case keeps it."""
    known = derive_known(tree, repository=store_for(run.work, pin.source), terms=names.terms)
    write_bytes(dest / _WHOLE, known.to_bytes())
    write_bytes(dest / _KEPT, stored(known).to_bytes())


def whole(run: Run) -> Path:
    """The whole record, its people too: in the work directory, and nowhere else."""
    return run.tree(Stage.NAMES) / _WHOLE


def kept(run: Run) -> Path:
    """What the case keeps of it."""
    return run.tree(Stage.NAMES) / _KEPT


def digest(run: Run) -> str:
    """Of everything that a reply is looked at with; what is looked for is the same as long as this is."""
    authored = run.case.provenance / "terms.toml"
    parts = {
        "names": run.results[Stage.NAMES].digest(),
        "known": file_digest(whole(run)),
        **({"terms": file_digest(authored)} if authored.is_file() else {}),
    }
    return hashlib.sha256(to_json(parts)).hexdigest()


class Screening:
    """The screen of a run's replies. It is handed to the provider before the run knows anything of its source."""

    def __init__(self) -> None:
        self._run: Run | None = None
        self._ready: tuple[str, ReplySearch] | None = None

    def of(self, run: Run) -> None:
        """Look at replies with what `run` knows."""
        self._run = run

    def __call__(self, reply: Any) -> Refusal | None:
        """Why a reply may not be used. A name that might be plain English is for the gate, and a person, to decide."""
        search = self._search()
        told = search.hits(reply)
        if not told:
            return None
        return Refusal(
            findings=tuple(one.clear for one in told[:_SHOWN]),
            told=tuple(dict.fromkeys(one.blind for one in told[:_SHOWN])),
            shown=search.withheld(reply, told),
        )

    def _search(self) -> ReplySearch:
        run = self._run
        if run is None or not isinstance(run.results.get(Stage.NAMES), Names):
            raise BadInput(
                "a reply cannot be looked at: what it must not name is not decided yet",
                details={"stage": str(Stage.NAMES)},
                remedy="take the case through the stage names first",
            )
        now = digest(run)
        if self._ready is None or self._ready[0] != now:
            names = run.results[Stage.NAMES]
            assert isinstance(names, Names)  # noqa: S101 (looked at above)
            source = source_of(run.case, names, record=whole(run))
            today = dt.datetime.now(tz=dt.UTC).date()
            search = ReplySearch(scanner=Scanner(source.terms), detectors=looking(source, today=today))
            self._ready = (now, search)
        return self._ready[1]
