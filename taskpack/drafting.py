"""The order's `[drafting]` table: which model drafts, how it is asked, and what it may cost."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from taskpack.record import Part

Dollars = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=6, allow_inf_nan=False)]


class Price(Part):
    """US dollars a million tokens."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    """Input that came from the vendor's prompt cache; as `input` when left out."""
    written: Dollars | None = None
    """Input that was written to that cache; as `input` when left out."""


class Budget(Part):
    """Limits on drafting. A run stops before the first request that finds one reached; what is stored stays."""

    usd: Annotated[Decimal, Field(gt=0, allow_inf_nan=False)] | None = None
    """Money, over the life of the case."""
    tokens: Annotated[int, Field(ge=1)] | None = None
    """Tokens sent and received, over the life of the case."""
    calls: Annotated[int, Field(ge=1)] | None = None
    """Requests sent, over the life of the case; those that may have been paid for and were lost count as well."""
    minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Wall time of one run, from its start."""


class Drafting(Part):
    """How a vendor's model is asked. Mailbox and replay need none of it."""

    model: Annotated[str, Field(pattern=r"^[!-~]{1,200}$")] | None = None
    """The model by the vendor's name for it; `--model` goes before."""
    max_output_tokens: Annotated[int, Field(ge=256)] = 32_000
    """A reply that is longer is cut, and cannot be used."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """For `openai` and what is compatible with it."""
    effort: Annotated[str, Field(pattern=r"^[a-z]+$")] | None = None
    """How much a model that reasons should reason, in the vendor's word: `low`, `high`."""
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s/?#@]+[^\s@]*$")] | None = None
    """Where a compatible server answers. It gets the key; the SDK's own variable is used when this is left out."""
    timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 900.0
    """How long one reply may take, from sending to its last byte."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a request is sent again after a refusal that costs nothing: too many requests, overloaded."""
    budget: Budget = Budget()
    price: Price | None = None
    """Goes before the price list that Repowright brings."""
