"""Intents: what is about to be sent, on disk before it is. After a kill they show what may have been paid for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from providers.interface import Request
from providers.replies import ReplyStore, StoredReply, parse_reply, request_digest
from taskpack.files import sync_folder, write_bytes
from taskpack.order import Sha256
from taskpack.outcome import Stage
from taskpack.record import Record


class Intent(Record):
    """One request on its way."""

    case_id: str
    stage: Stage
    unit: str
    attempt: int
    provider: str
    request: Sha256


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What a vendor gave back for one request."""

    text: str
    answered_by: str


@dataclass(frozen=True, kw_only=True)
class Intents:
    """Intents below `root`, one file a request, beside the store that resolves them."""

    root: Path
    store: ReplyStore

    def open_intents(self) -> tuple[Intent, ...]:
        """What was in flight when a run ended: sent or about to be sent, and no reply stored. Sorted by name."""
        paths = sorted(self.root.glob("*.json")) if self.root.is_dir() else []
        found = [Intent.from_bytes(path.read_bytes(), where=str(path)) for path in paths]
        return tuple(intent for intent in found if not self.store.load(_as_request(intent)))

    def ask_once(self, request: Request, *, provider: str, send: Callable[[Request], Sent]) -> StoredReply:
        """The stored reply; only when there is none, `send` is called, between a synced intent and a synced
        reply.

        When `send` raises before anything can have been paid, it should raise our `FetchFailed`; the intent
        then stays all the same, because only a stored reply proves the end of a request.
        """
        stored = self.store.load(request)
        path = self.root / f"{request.id}.json"
        if stored is None:
            write_bytes(path, _intent(request, provider).to_bytes())
            sent = send(request)
            reply = parse_reply(sent.text.encode("utf-8", "surrogatepass"), where=request.id)
            stored = self.store.keep(request, reply, answered_by=sent.answered_by)
        self._resolve(path)
        return stored

    def _resolve(self, path: Path) -> None:
        if path.is_file():
            path.unlink()
            sync_folder(path.parent)


def _intent(request: Request, provider: str) -> Intent:
    return Intent(
        case_id=request.case_id,
        stage=request.stage,
        unit=request.unit,
        attempt=request.attempt,
        provider=provider,
        request=request_digest(request),
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
