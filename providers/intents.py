"""Intents: what is about to be asked, on disk before anyone can see it, and open until its reply is stored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from providers.interface import Request
from providers.replies import ReplyStore, check_id, request_digest
from taskpack.files import sync_folder, write_bytes
from taskpack.outcome import Stage
from taskpack.record import Record, Sha256


class Intent(Record):
    """One request on its way."""

    case_id: str
    stage: Stage
    unit: str
    attempt: int
    provider: str
    request: Sha256
    """Digest of the request as it was last asked."""
    sends: int = 0
    """How often it was sent, or was about to be, to somebody who takes money. Without a reply, each may be paid."""

    @property
    def id(self) -> str:
        """As the request's own."""
        return f"{self.case_id}.{self.stage}.{self.unit}.{self.attempt}"


@dataclass(frozen=True, kw_only=True)
class Intents:
    """Intents of any case below `root`, one file a request."""

    root: Path

    def open(self, request: Request, *, provider: str) -> None:
        """Put down that the request is about to be asked, on disk before this returns. The same one is written once."""
        self._put(request, provider=provider, sends=self.sends(request))

    def sending(self, request: Request, *, provider: str) -> int:
        """Put down one more send that may cost money, on disk before this returns; the number of sends with it."""
        sends = self.sends(request) + 1
        self._put(request, provider=provider, sends=sends)
        return sends

    def unsent(self, request: Request) -> None:
        """Take the last send back: it was answered by a refusal that costs nothing."""
        intent = self._load(request)
        if intent is not None:
            self._put(request, provider=intent.provider, sends=max(0, intent.sends - 1))

    def sends(self, request: Request) -> int:
        """Sends of the request that no stored reply answers."""
        intent = self._load(request)
        return 0 if intent is None else intent.sends

    def resolve(self, request: Request) -> None:
        """Its reply is stored, which alone proves the end of a request. Safe to call twice."""
        path = self._path(request)
        if path.is_file():
            path.unlink()
            sync_folder(path.parent)

    def open_intents(self, case_id: str, store: ReplyStore) -> tuple[Intent, ...]:
        """What a case asked, or was about to ask, without a reply in its `store`. Sorted by name.

        Raises `RecordUnreadable`.
        """
        paths = sorted(self.root.glob("*.json")) if self.root.is_dir() else []
        found = [Intent.from_bytes(path.read_bytes(), where=str(path)) for path in paths]
        return tuple(each for each in found if each.case_id == case_id and not store.load(_as_request(each)))

    def possibly_paid(self, case_id: str, store: ReplyStore) -> tuple[Intent, ...]:
        """What was on its way to somebody who takes money when a run ended. At most one a unit."""
        return tuple(intent for intent in self.open_intents(case_id, store) if intent.sends)

    def _put(self, request: Request, *, provider: str, sends: int) -> None:
        path, intent = self._path(request), _intent(request, provider, sends).to_bytes()
        if not path.is_file() or path.read_bytes() != intent:
            write_bytes(path, intent)

    def _load(self, request: Request) -> Intent | None:
        path = self._path(request)
        return Intent.from_bytes(path.read_bytes(), where=str(path)) if path.is_file() else None

    def _path(self, request: Request) -> Path:
        return self.root / f"{check_id(request.id)}.json"


def _intent(request: Request, provider: str, sends: int) -> Intent:
    return Intent(
        case_id=request.case_id,
        stage=request.stage,
        unit=request.unit,
        attempt=request.attempt,
        provider=provider,
        request=request_digest(request),
        sends=sends,
    )


def _as_request(intent: Intent) -> Request:
    return Request(
        case_id=intent.case_id,
        stage=intent.stage,
        unit=intent.unit,
        attempt=intent.attempt,
        prompt="",
        schema={},
    )
