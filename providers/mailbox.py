"""The mailbox: one readable folder a request. Any person, agent or tool may answer; a reply counts when
submitted.

`<inbox>/<request id>/` holds `request.md` (complete), `schema.json`, `request.json` (what was asked, by
digest) and, once submitted, `reply.json`. An intent is on disk before a request can be seen, until its reply is stored.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from providers.intents import Intent, Intents
from providers.interface import Reply, Request
from providers.replies import LARGEST, ReplyStore, check_id, parse_reply, request_digest
from taskpack.errors import BadInput
from taskpack.files import sync_folder, write_bytes
from taskpack.outcome import Stage
from taskpack.record import Record, Sha256, to_json

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


class Asked(Record):
    """`request.json`: which request lies in the folder."""

    id: str
    request: Sha256


class Submission(Record):
    """`reply.json`: a submitted reply."""

    request: Sha256
    """Digest of the request that lay in the folder when it was submitted."""
    answered_by: str
    reply: Any


class State(StrEnum):
    """Where a request in the inbox stands."""

    WAITING = "waiting"
    ANSWERED = "answered"
    """Submitted; the next run takes the reply."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One request in the inbox."""

    id: str
    state: State
    folder: Path


@dataclass(frozen=True, kw_only=True)
class Mailbox:
    """The provider that needs no key."""

    inbox: Path
    store: ReplyStore
    strict: bool = False
    """Refuse replies whose request has changed."""
    name: str = "mailbox"

    def ask(self, request: Request) -> Reply | None:
        """The stored reply, else a submitted one, which is stored first; else None, with the request in the
        inbox.

        Raises `BadInput` for drift under `strict`, `RecordUnreadable` for a broken file in the inbox or the
        store.
        """
        folder = self.inbox / check_id(request.id)
        replay = self.store.replay(request, strict=self.strict)
        if replay is not None:
            self._intents.resolve(request)
            _clear(folder)
            return replay
        path = folder / "reply.json"
        if not path.is_file():
            self._intents.open(request, provider=self.name)
            _put(folder, request)
            return None
        with _held(folder):
            submission = Submission.from_bytes(path.read_bytes(), where=str(path))
            stored = self.store.keep(
                request, submission.reply, answered_by=submission.answered_by, asked=submission.request
            )
            self._intents.resolve(request)
            _clear(folder)
        # Stored before it is looked at: whatever the screen says, nobody is asked twice.
        return self.store.answer(request, stored, strict=self.strict, replayed=False)

    def open_intents(self, case_id: str) -> tuple[Intent, ...]:
        """What the case has asked without a stored reply, whatever became of the files in the inbox."""
        return self._intents.open_intents(case_id, self.store)

    @property
    def _intents(self) -> Intents:
        """Beside the inbox, which may be emptied by hand."""
        return Intents(root=self.inbox.with_name("intents"))


def submit(
    inbox: Path,
    request_id: str,
    file: Path,
    answered_by: str,
    *,
    replace: bool = False,
    store: ReplyStore | None = None,
) -> None:
    """Hand in `file` as the reply to a waiting request, atomically.

    Raises `BadInput` for an unknown id, a second reply without `replace`, one after the first was taken into `store`, a
    file that cannot be read, anything but a JSON object, and an object that plainly does not fit the schema (whether
    it really does, the stage says).
    """
    folder = inbox / check_id(request_id)
    if not (folder / "request.json").is_file():
        raise _not_waiting(inbox, request_id)
    if not answered_by.strip():
        raise BadInput("a reply needs the name of who answered", remedy="add --by NAME")
    reply = parse_reply(_read(file), where=str(file))
    misfits = _misfits(reply, json.loads((folder / "schema.json").read_bytes()))
    if misfits:
        raise BadInput(
            f"{file.name} does not fit the schema of {request_id}",
            details={"fact": "; ".join(misfits[:5]), "schema": str(folder / "schema.json")},
            remedy="correct the file and submit it again",
        )
    with _held(folder):
        _check_free(folder, replace=replace, store=store)
        asked = Asked.from_bytes((folder / "request.json").read_bytes(), where=str(folder / "request.json"))
        submission = Submission(request=asked.request, answered_by=answered_by.strip(), reply=reply)
        write_bytes(folder / "reply.json", submission.to_bytes())


def _not_waiting(inbox: Path, request_id: str) -> BadInput:
    waiting = ", ".join(item.id for item in listing(inbox)) or "nothing"
    return BadInput(
        f"no request {request_id} is waiting",
        details={"inbox": str(inbox), "in it": waiting[:400]},
        remedy="`repowright inbox` lists the ids",
    )


def _check_free(folder: Path, *, replace: bool, store: ReplyStore | None) -> None:
    """Whether a reply may be handed in. Raises `BadInput`."""
    if not (folder / "request.json").is_file():
        raise _not_waiting(folder.parent, folder.name)
    if store is not None and store.has(folder.name):
        raise BadInput(
            f"the reply to {folder.name} was taken already",
            details={"fact": "what was taken is in the case and is never replaced"},
            remedy=f"run `repowright author {folder.name.partition('.')[0]}` to go on",
        )
    path = folder / "reply.json"
    if path.is_file() and not replace:
        given = Submission.from_bytes(path.read_bytes(), where=str(path))
        raise BadInput(
            f"{folder.name} has a reply already",
            details={"by": given.answered_by, "file": str(path)},
            remedy="add --replace to put yours in its place; it has not been taken yet",
        )


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """One at a time in a request's folder, so that a reply is not replaced while it is taken."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        raise _not_waiting(folder.parent, folder.name) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def listing(inbox: Path) -> tuple[Item, ...]:
    """What waits for an answer and what was answered but not taken yet, sorted by id."""
    folders = sorted(path.parent for path in inbox.glob("*/request.json")) if inbox.is_dir() else []
    return tuple(
        Item(
            id=folder.name,
            state=State.ANSWERED if (folder / "reply.json").is_file() else State.WAITING,
            folder=folder,
        )
        for folder in folders
    )


def dismiss(inbox: Path, case_id: str, stage: Stage) -> None:
    """Take back what the case asked for at `stage` and nobody has answered: the stage is done without it, as when the
    order changed after a draft had been sent back."""
    for item in listing(inbox):
        if item.id.startswith(f"{case_id}.{stage}."):
            with _held(item.folder):
                if not (item.folder / "reply.json").is_file():
                    _clear(item.folder)


def _read(file: Path) -> bytes:
    """The bytes of a plain file, one more than is allowed at most. Nothing else is waited for."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise BadInput(f"{file} is not a plain file", remedy="write the reply to a file and name that")
            return opened.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(
            f"{file} cannot be read",
            details={"fact": error.strerror or str(error)},
            remedy="name a readable file",
        ) from error


def _put(folder: Path, request: Request) -> None:
    """Put the request where it can be answered; `request.json` comes last and makes it count."""
    asked = Asked(id=request.id, request=request_digest(request)).to_bytes()
    marker = folder / "request.json"
    if marker.is_file() and marker.read_bytes() == asked:
        return
    marker.unlink(missing_ok=True)
    write_bytes(folder / "schema.json", to_json(request.schema))
    write_bytes(folder / "request.md", _page(request).encode())
    write_bytes(marker, asked)


def _clear(folder: Path) -> None:
    """Take an answered request out of the inbox: its marker first, so that half a removal counts as removed."""
    if folder.is_dir():
        (folder / "request.json").unlink(missing_ok=True)
        shutil.rmtree(folder)
        sync_folder(folder.parent)


def _page(request: Request) -> str:
    """Everything that whoever answers needs, on one page."""
    schema = to_json(request.schema).decode()
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", request.prompt + schema)), default=2)
    fence = "`" * (longest + 1)
    return f"""# Request {request.id}

Answer with **one JSON object** that fits the schema at the end of this page, in a file of its own: UTF-8, no
comments, nothing before or after the object. Use what this page says and nothing else. Hand it in with

    repowright inbox submit {request.id} FILE --by NAME

where NAME says who answered: a person, or the exact name of a model. Nothing counts before it is handed in.

---

{request.prompt.strip()}

---

## Schema of the reply

Also in `schema.json` beside this page.

{fence}json
{schema.rstrip()}
{fence}
"""


def _misfits(reply: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """Faults at the top level of an object: missing keys, unknown keys, plainly wrong types."""
    properties = schema.get("properties", {})
    faults = [f"`{name}` is missing" for name in schema.get("required", []) if name not in reply]
    if schema.get("additionalProperties") is False:
        faults += [f"`{name}` is not asked for" for name in reply if name not in properties]
    for name, value in reply.items():
        kind = properties.get(name, {}).get("type")
        wanted = _TYPES.get(kind, ()) if isinstance(kind, str) else ()
        if wanted and (not isinstance(value, wanted) or (isinstance(value, bool) and kind != "boolean")):
            faults.append(f"`{name}` must be of type {kind}")
    return faults
