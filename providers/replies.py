"""The reply store: one file a reply, keyed by stage, unit and attempt. What was stored is never asked again.

A reply is stored where refused ones lie before anybody looks at it, and moves to the replies when the screen has
nothing against it. So one that was paid for is never lost, and one that nobody has looked at is never used.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from providers.interface import Refusal, Reply, Request, Screen
from taskpack.errors import BadInput
from taskpack.files import sync_folder, write_bytes
from taskpack.ledger import Usage
from taskpack.record import Record, Sha256, to_json

LARGEST = 8 * 1024 * 1024
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")


class StoredReply(Record):
    """A reply with the digests of what was asked."""

    case_id: str
    stage: str
    unit: str
    attempt: int
    request: Sha256
    """Digest of the request that was answered."""
    reply_schema: Sha256
    """Digest of the schema that the reply was asked to fit."""
    answered_by: str
    """Person, agent or model, in the words of whoever submitted it."""
    reply: Any
    """The reply as a JSON value; a text that is no JSON object, as that text."""
    usage: Usage | None = None
    """What a vendor's model took for it."""


class RefusedReply(Record):
    """A reply that is stored and not used."""

    stored: StoredReply
    findings: tuple[str, ...] = ()
    """Where it names the source, in clear; none when it was not looked at yet."""


def digest(value: Any) -> str:
    """SHA-256, hexadecimal, of the canonical JSON of `value`."""
    return hashlib.sha256(to_json(value)).hexdigest()


def request_digest(request: Request) -> str:
    """What drift is measured by: everything that whoever answers can see."""
    return digest({"id": request.id, "prompt": request.prompt, "schema": request.schema})


def check_id(name: str) -> str:
    """`name`, when it can be a file's name and nothing else. Raises `BadInput`."""
    if not _SAFE.fullmatch(name) or len(name) > 200:
        raise BadInput(
            f"`{name.encode('unicode_escape').decode()[:80]}` is no request id",
            remedy="`repowright inbox` lists the ids",
        )
    return name


@dataclass(frozen=True, kw_only=True)
class ReplyStore:
    """Replies of one case below `root`: `<stage>/<unit>/<attempt>.json`; refused ones below `refused` beside it.

    Without a `screen` nothing is looked for in a reply, and one that lies among the refused cannot be used.
    """

    root: Path
    screen: Screen | None = None

    @property
    def refused(self) -> Path:
        return self.root.with_name("refused")

    def path(self, request: Request) -> Path:
        return self._place(self.root, request)

    def refused_path(self, request: Request) -> Path:
        return self._place(self.refused, request)

    @staticmethod
    def _place(root: Path, request: Request) -> Path:
        check_id(request.id)
        return root / request.stage / check_id(request.unit) / f"{request.attempt}.json"

    def has(self, request_id: str) -> bool:
        """Whether a reply to the request of this id is stored, used or refused."""
        _case, stage, *unit, attempt = check_id(request_id).split(".")
        return any((root / stage / ".".join(unit) / f"{attempt}.json").is_file() for root in (self.root, self.refused))

    def load(self, request: Request) -> StoredReply | None:
        """The stored reply, used or refused, or None.

        Raises `RecordUnreadable` for a file that is broken or of another request.
        """
        path, refused = self.path(request), self.refused_path(request)
        if path.is_file():
            return StoredReply.from_bytes(path.read_bytes(), where=str(path))
        if refused.is_file():
            return RefusedReply.from_bytes(refused.read_bytes(), where=str(refused)).stored
        return None

    def keep(
        self, request: Request, reply: Any, *, answered_by: str, asked: str | None = None, usage: Usage | None = None
    ) -> StoredReply:
        """Store a reply, on disk before it returns; the first one wins. Nobody has looked at it yet: `answer` does.

        `asked` is the digest of the request as it was when it was answered; without it, today's.
        """
        stored = self.load(request)
        if stored is not None:
            return stored
        stored = StoredReply(
            case_id=request.case_id,
            stage=request.stage,
            unit=request.unit,
            attempt=request.attempt,
            request=asked or request_digest(request),
            reply_schema=digest(request.schema),
            answered_by=answered_by,
            reply=reply,
            usage=usage,
        )
        if self.screen is None:
            write_bytes(self.path(request), stored.to_bytes())
        else:
            write_bytes(self.refused_path(request), RefusedReply(stored=stored).to_bytes())
        return stored

    def replay(self, request: Request, *, strict: bool) -> Reply | None:
        """The stored reply as an answer, or None. Raises `BadInput` when `strict` and the request has changed since."""
        stored = self.load(request)
        return None if stored is None else self.answer(request, stored, strict=strict, replayed=True)

    def answer(self, request: Request, stored: StoredReply, *, strict: bool, replayed: bool) -> Reply:
        """A stored reply as an answer. It is looked at, whenever it was given, and put where it belongs since.

        Raises `BadInput` when `strict` and the request has changed, or when nothing here can look at a refused one.
        """
        drift = stored.request != request_digest(request)
        if drift and strict:
            raise BadInput(
                f"the request {request.id} has changed since it was answered",
                details={
                    "reply": str(path if (path := self.path(request)).is_file() else self.refused_path(request)),
                    "answered": stored.request[:12],
                    "today": request_digest(request)[:12],
                },
                remedy="run without --strict, or delete the reply so that it is asked for again",
            )
        refusal = self._settle(request, stored)
        text = to_json(stored.reply).decode()
        return Reply(
            text=text,
            answered_by=stored.answered_by,
            replayed=replayed,
            drift=drift,
            usage=stored.usage,
            refusal=refusal,
        )

    def _settle(self, request: Request, stored: StoredReply) -> Refusal | None:
        """Look at a reply and bring it to its place: there before it is taken away from where it was."""
        path, refused = self.path(request), self.refused_path(request)
        if self.screen is None:
            if not path.is_file():
                raise BadInput(
                    f"the reply to {request.id} is not free to be used",
                    details={"reply": str(refused), "fact": "it names the source, or nobody has looked at it"},
                    remedy=f"repowright author {request.case_id} looks at it",
                )
            return None
        refusal = self.screen(stored.reply)
        if refusal is None:
            if not path.is_file():  # one that lies there keeps its bytes: they are an input of its stage
                write_bytes(path, stored.to_bytes())
            _take_away(refused)
        else:
            data = RefusedReply(stored=stored, findings=refusal.findings).to_bytes()
            if not refused.is_file() or refused.read_bytes() != data:
                write_bytes(refused, data)
            _take_away(path)
        return refusal


def _take_away(path: Path) -> None:
    """Remove a file, and the folders of its unit and stage when nothing else is in them."""
    if not path.is_file():
        return
    path.unlink()
    sync_folder(path.parent)
    for folder in (path.parent, path.parent.parent):
        if any(folder.iterdir()):
            return
        folder.rmdir()


def parse_reply(data: bytes, *, where: str) -> dict[str, Any]:
    """A reply's JSON object.

    Raises `BadInput` for anything that could not be stored and read again as the same value: no JSON, no
    object, a key twice, NaN or infinity, half a surrogate pair, more than 8 MiB.
    """
    try:
        if len(data) > LARGEST:
            raise ValueError(f"more than {LARGEST:,} bytes")
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_constant)
        if not isinstance(value, dict):
            raise TypeError(f"a JSON object is needed, this is {type(value).__name__}")
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        if json.loads(to_json(value).decode()) != value:
            raise ValueError("it does not survive being written and read")
    except (ValueError, TypeError, RecursionError) as error:
        raise BadInput(
            f"{where} is not a usable reply",
            details={"fact": str(error)[:300]},
            remedy="correct the file and submit it again",
        ) from error
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key `{next(name for name in names if names.count(name) > 1)}` is there twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
