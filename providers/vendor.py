"""What every vendor's client has in common: a call, what was said, what went wrong, and how long it may take."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from taskpack.errors import KeyRefused, ProviderBusy, RepowrightError, RequestRefused
from taskpack.ledger import Ending

ID_HEADER = "X-Repowright-Request"
"""Carries the request's id, for whoever stands between us and the vendor."""

_FREE = {408, 409, 429}
_SHOWN = 300


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request in the order in which a cache can keep it: what changes least comes first."""

    id: str
    system: str
    """The same for every request with this schema."""
    stable: str
    """The same for every attempt at the unit."""
    rest: str
    schema: dict[str, Any]
    """As vendors take it."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a model answered."""

    text: str
    ending: Ending
    why: str
    """The vendor's own word for the ending."""
    model: str
    reply_id: str
    input_tokens: int | None
    """All of the input, also what came from a cache."""
    output_tokens: int | None
    cached_tokens: int
    written_tokens: int


class Client(Protocol):
    """A vendor's SDK."""

    @property
    def name(self) -> str:
        """The provider's name."""

    def ready(self) -> None:
        """Get everything that a send needs. Raises `KeyRefused` when there is no key."""

    def send(self, call: Call) -> Said:
        """Ask once, without retries of its own. Raises `Failed`."""


class Failed(Exception):
    """A send that gave no answer."""

    def __init__(self, error: RepowrightError, *, free: bool, after: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.free = free
        """Whether it certainly cost nothing."""
        self.after = after
        """Seconds that the vendor asks to wait."""

    @property
    def passes(self) -> bool:
        """Whether the same send may succeed later, and costs nothing more to try."""
        return self.free and self.error.transient


@dataclass(frozen=True, kw_only=True)
class Secret:
    """A key from the environment. It is shown nowhere."""

    variable: str

    def value(self) -> str:
        """Raises `KeyRefused` naming the variable."""
        key = os.environ.get(self.variable, "").strip()
        if not key:
            raise KeyRefused(
                f"{self.variable} is not set",
                details={"fact": "the key is read from the environment and from nowhere else"},
                remedy=f"export {self.variable}=..., or draft with --provider mailbox, which needs no key",
            )
        return key

    def hidden(self, text: str) -> str:
        """`text` without the key, whoever put it there."""
        key = os.environ.get(self.variable, "").strip()
        return text.replace(key, f"[{self.variable}]") if len(key) >= 8 else text


def refused(status: int, *, vendor: str, said: str, headers: Mapping[str, str], model: str) -> Failed:
    """An answer with an HTTP status that is no success, in our words."""
    details = {"status": str(status), "it says": " ".join(said.split())[:_SHOWN], "model": model}
    if status in {401, 403}:
        error: RepowrightError = KeyRefused(
            f"{vendor} does not take the key",
            details={"status": str(status), "model": model},
            remedy="check the key in the environment, and that its account may use this model",
        )
        return Failed(error, free=True)
    if status in _FREE or status >= 500:
        error = ProviderBusy(
            f"{vendor} takes no request now", details=details, remedy="run the same command again later"
        )
        return Failed(error, free=True, after=_seconds(headers.get("retry-after")))
    if status < 400:  # an error in the middle of a stream
        return broke_off(vendor=vendor, fact=said, model=model)
    remedy = "check the model's name (--model, or drafting.model in order.toml) and the base URL"
    if status not in {404, 405}:
        remedy = "correct what it names in [drafting] of order.toml; docs/providers.md lists the fields"
    return Failed(RequestRefused(f"{vendor} refused the request", details=details, remedy=remedy), free=True)


def broke_off(*, vendor: str, fact: str, model: str) -> Failed:
    """The answer came in part, or nobody knows: it may be paid for."""
    error = ProviderBusy(
        f"{vendor} broke off before the reply was whole",
        details={"fact": " ".join(fact.split())[:_SHOWN], "model": model, "cost": "possibly paid"},
        remedy="run the same command again: this request is asked once more, stored replies are not",
    )
    return Failed(error, free=False)


def unreachable(*, vendor: str, fact: str, model: str) -> Failed:
    """Nothing was sent."""
    error = ProviderBusy(
        f"{vendor} cannot be reached",
        details={"fact": " ".join(fact.split())[:_SHOWN], "model": model},
        remedy="check the network and the base URL, and run the same command again",
    )
    return Failed(error, free=True)


def not_its_format(*, vendor: str, fact: str, model: str) -> Failed:
    """The answer is not in the vendor's wire format."""
    error = RequestRefused(
        f"what answers as {vendor} does not speak its format",
        details={"fact": " ".join(fact.split())[:_SHOWN], "model": model},
        remedy="check the base URL: it must lead to a compatible server",
    )
    return Failed(error, free=False)


def at(name: str, url: str | None) -> str:
    """The vendor's name, with host and port of who answers in its place; what may stand before a host is left out."""
    if not url:
        return name
    parts = urlsplit(url)
    return f"{name} at {parts.netloc.rpartition('@')[2]}"


@contextmanager
def closing_after(seconds: float, close: Callable[[], None]) -> Iterator[threading.Event]:
    """Close a stream that is still being read after `seconds`; the event tells that it was.

    A read timeout alone does not end a server that sends a byte now and then.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        close()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def _seconds(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value else None
    except ValueError:
        return None
