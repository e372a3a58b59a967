"""One interface for whatever answers: a person, an agent, a vendor's model, a store of replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from taskpack.ledger import Usage
from taskpack.outcome import Stage


@dataclass(frozen=True, kw_only=True)
class Request:
    """One question to a model. Its identity is case, stage, unit, attempt; its digest only shows drift."""

    case_id: str
    stage: Stage
    unit: str
    """What is drafted: `overview`, `FP-01`."""
    attempt: int
    """From 1."""
    prompt: str
    """Markdown, complete: whoever answers sees nothing else."""
    schema: dict[str, Any]
    """JSON schema of the reply."""
    stable: int = 0
    """How many characters of the prompt are the same in every attempt: what a vendor's cache can keep."""

    @property
    def id(self) -> str:
        """`case001.spec.FP-01.1`, safe as a file name."""
        return f"{self.case_id}.{self.stage}.{self.unit}.{self.attempt}"


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a reply may not be used: in clear for the author, and without the names for whoever drafts next."""

    findings: tuple[str, ...]
    """Each place in clear, for the author."""
    told: tuple[str, ...]
    """Each place without what stands there, for the next attempt."""
    shown: str
    """The reply as text, without what stands at these places."""


Screen = Callable[[Any], Refusal | None]
"""Looks at a reply, a JSON value. The same reply gets the same answer as long as what is known is the same."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back, as JSON text. It counts only after the stage has validated it."""

    text: str
    answered_by: str
    replayed: bool
    drift: bool
    usage: Usage | None = None
    """What a vendor took for it; None when nobody did."""
    refusal: Refusal | None = None
    """Why the stage may not use it; it is one of the unit's attempts all the same."""


class Provider(Protocol):
    @property
    def name(self) -> str:
        """As `--provider` spells it."""

    def ask(self, request: Request) -> Reply | None:
        """The reply, or None when it is not there yet (the request is then waiting where it can be answered).

        Raises `ReplyMissing` when it can never be there.
        """
