"""A provider that says what it is asked, and remembers which stored replies were given to another wording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from providers.interface import Provider, Reply, Request
from taskpack.files import write_bytes
from taskpack.record import Record


class Drifts(Record):
    """Requests of a case that read otherwise today than when their stored replies were given."""

    requests: tuple[str, ...] = ()
    """Ids, sorted."""

    @classmethod
    def read(cls, path: Path) -> Drifts:
        """What runs have seen so far; nothing where no run has seen any.

        Raises `RecordUnreadable`.
        """
        return cls.from_bytes(path.read_bytes(), where=str(path)) if path.is_file() else cls()


@dataclass(frozen=True, kw_only=True)
class Asking:
    """Asks `provider`, and keeps `drifts` true by what comes back."""

    provider: Provider
    note: Callable[[str], None]
    drifts: Path

    @property
    def name(self) -> str:
        return self.provider.name

    def ask(self, request: Request) -> Reply | None:
        """As `provider` answers."""
        self.note(f"    asking {self.name} for {request.stage}/{request.unit}/{request.attempt}")
        reply = self.provider.ask(request)
        if reply is not None:
            self._remember(request.id, drift=reply.drift)
            if reply.refusal is not None:
                place = f"provenance/refused/{request.stage}/{request.unit}/{request.attempt}.json"
                self.note(f"    {request.id} tells what the task is made from: it is not used, {place} says where")
        return reply

    def _remember(self, request: str, *, drift: bool) -> None:
        known = set(Drifts.read(self.drifts).requests)
        if drift == (request in known):
            return
        wanted = known | {request} if drift else known - {request}
        write_bytes(self.drifts, Drifts(requests=tuple(sorted(wanted))).to_bytes())
