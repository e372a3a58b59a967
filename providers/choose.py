"""From a provider's name to the provider."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from providers.anthropic import Anthropic
from providers.budgets import Purse
from providers.intents import Intents
from providers.interface import Provider, Screen
from providers.ledger import Ledger
from providers.mailbox import Mailbox
from providers.openai import OpenAI
from providers.paid import Paid
from providers.prices import cost, listed_price
from providers.replay import Replay
from providers.replies import ReplyStore
from providers.vendor import Client
from taskpack.drafting import Drafting, Price
from taskpack.errors import BadInput
from taskpack.ledger import LedgerEntry


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where a provider of one case keeps its things."""

    inbox: Path
    replies: Path
    ledger: Path
    drafting: Drafting
    strict: bool = False
    screen: Screen | None = None

    @property
    def store(self) -> ReplyStore:
        return ReplyStore(root=self.replies, screen=self.screen)


def _anthropic(at: Places) -> Provider:
    if at.drafting.temperature is not None:
        raise BadInput(
            "`anthropic` takes no temperature",
            details={"field": "drafting.temperature"},
            remedy="take it out of order.toml; drafting.effort is what there is",
        )
    return _paid(at, Anthropic(model=_model(at.drafting), drafting=at.drafting))


def _openai(at: Places) -> Provider:
    return _paid(at, OpenAI(model=_model(at.drafting), drafting=at.drafting))


_PROVIDERS: dict[str, Callable[[Places], Provider]] = {
    "anthropic": _anthropic,
    "mailbox": lambda at: Mailbox(inbox=at.inbox, store=at.store, strict=at.strict),
    "openai": _openai,
    "replay": lambda at: Replay(store=at.store, strict=at.strict),
}
NAMES = tuple(sorted(_PROVIDERS))


def provider_for(
    name: str,
    *,
    inbox: Path,
    replies: Path,
    ledger: Path | None = None,
    drafting: Drafting | None = None,
    model: str | None = None,
    strict: bool = False,
    screen: Screen | None = None,
) -> Provider:
    """The provider called `name`; nothing is asked and no SDK is imported yet. `model` goes before the order's.

    Every reply, also one that was stored long ago, passes `screen` before it is given out.

    Raises `BadInput` that lists the names, or says what a vendor's model needs to be asked.
    """
    make = _PROVIDERS.get(name)
    if make is None:
        raise BadInput(
            f"there is no provider `{name[:80]}`",
            details={"providers": ", ".join(NAMES)},
            remedy="name one of them with --provider or in order.toml",
        )
    asked = drafting or Drafting()
    if model is not None:
        asked = Drafting.model_validate({**asked.model_dump(), "model": model})
    book = ledger or replies.with_name("ledger.jsonl")
    return make(Places(inbox=inbox, replies=replies, ledger=book, drafting=asked, strict=strict, screen=screen))


def intents_of(inbox: Path) -> Intents:
    """Intents lie beside the inbox, which may be emptied by hand."""
    return Intents(root=inbox.with_name("intents"))


def _model(drafting: Drafting) -> str:
    if drafting.model is None:
        raise BadInput(
            "no model is named",
            details={"looked for": "--model, then drafting.model in order.toml"},
            remedy="name the model as its vendor does",
        )
    return drafting.model


def _paid(at: Places, client: Client) -> Paid:
    model, ledger = _model(at.drafting), Ledger(at.ledger)
    price = at.drafting.price or listed_price(model)
    if price is None and at.drafting.budget.usd is not None:
        raise BadInput(
            f"no price of {model} is known, so a budget in money cannot be kept",
            details={"field": "drafting.budget.usd", "price": "neither in the order nor in the list"},
            remedy="give [drafting.price] in order.toml, or limit tokens, calls or minutes",
        )
    purse = Purse(
        budget=at.drafting.budget,
        ledger=ledger,
        cost_of=lambda entry: _cost_of(entry, model, price),
        clock=time.monotonic,
        began=time.monotonic(),
    )
    return Paid(
        client=client,
        store=at.store,
        intents=intents_of(at.inbox),
        ledger=ledger,
        purse=purse,
        price=price,
        retries=at.drafting.retries,
        clock=time.monotonic,
        sleep=time.sleep,
        strict=at.strict,
    )


def _cost_of(entry: LedgerEntry, model: str, price: Price | None) -> Decimal | None:
    """What the ledger says, else what it comes to at the price that is known now."""
    if entry.cost_usd is not None:
        return Decimal(entry.cost_usd)
    known = price if entry.model == model else listed_price(entry.model or "")
    if known is None or entry.input_tokens is None or entry.output_tokens is None:
        return None
    return cost(
        known,
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cached_tokens=entry.cached_tokens or 0,
        written_tokens=entry.written_tokens or 0,
    )
