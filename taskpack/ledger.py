"""The ledger: one entry for each request to a model."""

from __future__ import annotations

from taskpack.order import Sha256
from taskpack.record import Record


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
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: str | None = None
    replayed: bool
    drift: bool
    """The stored request differs from today's."""
