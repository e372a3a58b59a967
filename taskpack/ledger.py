"""The ledger: one entry for each request to a model."""

from __future__ import annotations

from enum import StrEnum

from taskpack.record import Part, Record, Sha256


class Ending(StrEnum):
    """How a reply ended."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    """The model reached its limit of output."""
    REFUSED = "refused"
    """The model, or a filter before it, declined."""


class Usage(Part):
    """What a vendor's model took for one reply."""

    provider: str
    model: str
    """As the reply names it."""
    reply_id: str
    """The vendor's id of the reply."""
    input_tokens: int | None
    """All that was sent, also what came from a cache; None when the vendor does not say."""
    output_tokens: int | None
    cached_tokens: int
    """Of the input: read from the vendor's prompt cache."""
    written_tokens: int
    """Of the input: written to that cache."""
    cost_usd: str | None
    """None when no price is known."""
    seconds: float
    """From sending to the last byte, of the send that was answered."""
    tries: int
    """How often the request was sent until then, earlier runs included."""


class LedgerEntry(Record):
    case_id: str
    stage: str
    unit: str
    attempt: int
    provider: str
    answered_by: str
    """What the provider says of the model, agent or person."""
    request: Sha256
    reply: Sha256
    request_bytes: int
    reply_bytes: int
    ending: Ending = Ending.COMPLETE
    """Anything else was paid for and gave no draft."""
    model: str | None = None
    """This and the rest are as in `Usage`; None for replies that nobody sells."""
    reply_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    cost_usd: str | None = None
    seconds: float | None = None
    tries: int | None = None
    replayed: bool
    drift: bool
    """The stored request differs from today's."""

    @property
    def key(self) -> tuple[str, ...]:
        """What is entered once: a reply to an attempt. Another reply to the same attempt is another entry."""
        attempt = (self.case_id, self.stage, self.unit, str(self.attempt))
        return (*attempt, self.reply, self.reply_id or "")
