"""A provider that somebody sells: every send is on disk before it is made, every reply before anyone reads it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from providers.budgets import Purse
from providers.intents import Intents
from providers.interface import Reply, Request
from providers.ledger import Ledger, entry_of
from providers.prices import cost
from providers.replies import ReplyStore, parse_reply
from providers.schemas import OPEN, decode, sent_schema
from providers.vendor import Call, Client, Failed, Said
from taskpack.drafting import Price
from taskpack.errors import BadInput, RequestRefused
from taskpack.ledger import Ending, Usage
from taskpack.record import to_json

log = logging.getLogger(__name__)

LONGEST_WAIT = 60.0
"""Seconds to wait between two sends; who asks for more gets the run stopped instead."""


@dataclass(frozen=True, kw_only=True)
class Paid:
    """Asks a vendor's model through its client."""

    client: Client
    store: ReplyStore
    intents: Intents
    ledger: Ledger
    purse: Purse
    price: Price | None
    retries: int
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    strict: bool = False
    """Refuse replies whose request has changed."""

    @property
    def name(self) -> str:
        return self.client.name

    def ask(self, request: Request) -> Reply:
        """The stored reply, else the model's, which is stored first and looked at then.

        Raises `BudgetReached` before anything is sent; `KeyRefused`, `ProviderBusy` and `RequestRefused` with nothing
        stored; `BadInput` for drift under `strict`.
        """
        replay = self.store.replay(request, strict=self.strict)
        if replay is not None:
            self.intents.resolve(request)
            return replay
        call = as_call(request)
        said, usage = self._said(request, call)
        if said.ending is not Ending.COMPLETE:
            self._put_down(request, said, usage)
            raise _unusable(request, said)
        reply = _value(said.text, call.schema, where=request.id)
        stored = self.store.keep(request, reply, answered_by=said.model, usage=usage)
        self.intents.resolve(request)
        return self.store.answer(request, stored, strict=self.strict, replayed=False)

    def _said(self, request: Request, call: Call) -> tuple[Said, Usage]:
        self.client.ready()
        earlier = self.intents.sends(request)
        for tried in range(1, self.retries + 2):
            self.purse.check(request.case_id, lost=self._lost(request))
            self.intents.sending(request, provider=self.name)
            began = self.clock()
            try:
                said = self.client.send(call)
            except Failed as failed:
                if failed.free:
                    self.intents.unsent(request)
                wait = failed.after or 2.0 ** (tried - 1)
                if not failed.passes or tried > self.retries or wait > LONGEST_WAIT:
                    raise failed.error from None
                log.info("%s: %s; sent again in %.0f s", request.id, failed.error.message, wait)
                self.sleep(wait)
            else:
                return said, self._usage(said, seconds=self.clock() - began, tries=earlier + tried)
        raise AssertionError("the last try returns or raises")

    def _lost(self, request: Request) -> int:
        return sum(intent.sends for intent in self.intents.possibly_paid(request.case_id, self.store))

    def _usage(self, said: Said, *, seconds: float, tries: int) -> Usage:
        dollars = None
        if self.price is not None and said.input_tokens is not None and said.output_tokens is not None:
            dollars = cost(
                self.price,
                input_tokens=said.input_tokens,
                output_tokens=said.output_tokens,
                cached_tokens=said.cached_tokens,
                written_tokens=said.written_tokens,
            )
        return Usage(
            provider=self.name,
            model=said.model,
            reply_id=said.reply_id,
            input_tokens=said.input_tokens,
            output_tokens=said.output_tokens,
            cached_tokens=said.cached_tokens,
            written_tokens=said.written_tokens,
            cost_usd=None if dollars is None else str(dollars),
            seconds=round(seconds, 1),
            tries=tries,
        )

    def _put_down(self, request: Request, said: Said, usage: Usage) -> None:
        """What was paid and gave no draft is in the ledger before it is known to be over."""
        reply = Reply(text=said.text, answered_by=said.model, replayed=False, drift=False, usage=usage)
        self.ledger.append(entry_of(request, reply, provider=self.name, ending=said.ending))
        self.intents.resolve(request)


def as_call(request: Request) -> Call:
    """The request in the order in which a vendor's cache can keep it."""
    schema = sent_schema(request.schema)
    text = to_json(schema).decode().strip()
    system = (
        "Answer with one JSON object and nothing else. It fits the schema below, which also binds your output, and "
        f"does what the descriptions say.\n\nA string described as `{OPEN}` holds a value of any kind in its JSON "
        'spelling: the list of 1 and 2 is written "[1, 2]", the text x is written "\\"x\\"", an object '
        f'"{{\\"name\\": 1}}".\n\n## Schema of the reply\n\n{text}\n'
    )
    cut = request.stable
    return Call(id=request.id, system=system, stable=request.prompt[:cut], rest=request.prompt[cut:], schema=schema)


def _value(text: str, schema: dict[str, Any], *, where: str) -> Any:
    """The reply as a value of the request's schema. A text that is no usable JSON object stays a text: it was paid for,
    it is one of the unit's attempts, and the stage says what is wrong with it."""
    try:
        return decode(parse_reply(text.encode(), where=where), schema)
    except (BadInput, UnicodeEncodeError):
        return text.encode("utf-8", "backslashreplace").decode()


def _unusable(request: Request, said: Said) -> RequestRefused:
    if said.ending is Ending.TRUNCATED:
        return RequestRefused(
            f"the reply to {request.id} was cut",
            details={"reason": said.why[:300], "model": said.model, "output tokens": str(said.output_tokens)},
            remedy="raise drafting.max_output_tokens in order.toml, or ask for less in one feature point",
        )
    return RequestRefused(
        f"the model declined to answer {request.id}",
        details={"reason": said.why[:300], "model": said.model},
        remedy="name another model with --model, or answer this unit with --provider mailbox",
    )
