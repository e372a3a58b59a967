"""The `anthropic` provider's client: the vendor's own SDK, imported with the first request."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from providers.vendor import (
    ID_HEADER,
    Call,
    Failed,
    Said,
    Secret,
    at,
    broke_off,
    closing_after,
    not_its_format,
    refused,
    unreachable,
)
from taskpack.drafting import Drafting
from taskpack.ledger import Ending

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message

KEY = Secret(variable="ANTHROPIC_API_KEY")
_KEEP = {"type": "ephemeral"}
_ENDINGS = {"end_turn": Ending.COMPLETE, "stop_sequence": Ending.COMPLETE, "refusal": Ending.REFUSED}


@dataclass(frozen=True, kw_only=True)
class Anthropic:
    """Messages, streamed, with the reply bound to a schema and the stable part of the prompt cached."""

    model: str
    drafting: Drafting
    name: str = "anthropic"

    def ready(self) -> None:
        """See `Client`."""
        import anthropic  # noqa: F401, PLC0415 (before anything is said to be sent)

        KEY.value()

    def send(self, call: Call) -> Said:
        """See `Client`."""
        import anthropic  # noqa: PLC0415 (seconds to import, for who drafts with it alone)
        import httpx2  # noqa: PLC0415

        try:
            return _said(self._ask(call))
        except anthropic.APIStatusError as error:
            raise refused(
                error.status_code, said=self._text(error), headers=error.response.headers, **self._who
            ) from None
        except (anthropic.APIConnectionError, httpx2.TransportError) as error:
            cause = error.__cause__ or error
            fault = unreachable if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout) else broke_off
            raise fault(fact=self._text(cause), **self._who) from None
        except (
            anthropic.AnthropicError,
            httpx2.StreamError,
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
        ) as error:
            raise not_its_format(fact=f"{type(error).__name__}: {self._text(error)}", **self._who) from None

    def _ask(self, call: Call) -> Message:
        with (
            self._sdk() as sdk,
            sdk.messages.stream(**self._asked(call)) as stream,
            closing_after(self.drafting.timeout_seconds, stream.close) as late,
        ):
            try:
                begun = any(event.type == "message_start" for event in stream)
                message = stream.get_final_message() if begun else None
            except Exception:
                if late.is_set():
                    raise self._late() from None
                raise
        if late.is_set():
            raise self._late()
        if message is None or message.stop_reason is None:
            raise broke_off(fact="the stream ended early", **self._who)
        return message

    def _asked(self, call: Call) -> dict[str, Any]:
        blocks = [{"type": "text", "text": call.stable, "cache_control": _KEEP}] if call.stable else []
        blocks += [{"type": "text", "text": call.rest}] if call.rest.strip() else []
        effort = {"effort": self.drafting.effort} if self.drafting.effort else {}
        return {
            "model": self.model,
            "max_tokens": self.drafting.max_output_tokens,
            "system": [{"type": "text", "text": call.system, "cache_control": _KEEP}],
            "messages": [{"role": "user", "content": blocks}],
            "output_config": {"format": {"type": "json_schema", "schema": call.schema}, **effort},
            "extra_headers": {ID_HEADER: call.id},
        }

    def _sdk(self) -> anthropic.Anthropic:
        """For one send: a connection is not kept while a draft is tried out.

        Retries are counted by whoever calls; the key is given, so that no other credential is looked for.
        """
        import anthropic  # noqa: PLC0415

        return anthropic.Anthropic(
            api_key=KEY.value(),
            base_url=self.drafting.base_url,
            timeout=self.drafting.timeout_seconds,
            max_retries=0,
        )

    def _late(self) -> Failed:
        return broke_off(fact=f"no whole reply within {self.drafting.timeout_seconds:g} s", **self._who)

    def _text(self, error: BaseException) -> str:
        return KEY.hidden(str(error))

    @property
    def _who(self) -> dict[str, str]:
        return {
            "vendor": at(self.name, self.drafting.base_url or os.environ.get("ANTHROPIC_BASE_URL")),
            "model": self.model,
        }


def _said(message: Message) -> Said:
    usage = message.usage
    cached, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    details = message.stop_details
    why = [str(message.stop_reason), *([details.category, details.explanation] if details else [])]
    return Said(
        text=KEY.hidden("".join(block.text for block in message.content if block.type == "text")),
        ending=_ENDINGS.get(str(message.stop_reason), Ending.TRUNCATED),
        why=": ".join(word for word in why if word),
        model=str(message.model),
        reply_id=str(message.id),
        input_tokens=usage.input_tokens + cached + written,
        output_tokens=usage.output_tokens,
        cached_tokens=cached,
        written_tokens=written,
    )
