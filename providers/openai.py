"""The `openai` provider's client: the vendor's own SDK, imported with the first request.

It speaks chat completions, which is what compatible servers speak as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
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
    import openai
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletionChunk

KEY = Secret(variable="OPENAI_API_KEY")
_ENDINGS = {"stop": Ending.COMPLETE, "content_filter": Ending.REFUSED}


@dataclass(frozen=True, kw_only=True)
class OpenAI:
    """Chat completions, streamed, with the reply bound to a schema. The vendor's cache keeps prefixes by itself."""

    model: str
    drafting: Drafting
    name: str = "openai"

    def ready(self) -> None:
        """See `Client`."""
        import openai  # noqa: F401, PLC0415 (before anything is said to be sent)

        KEY.value()

    def send(self, call: Call) -> Said:
        """See `Client`."""
        import httpx2  # noqa: PLC0415 (seconds to import, for who drafts with it alone)
        import openai  # noqa: PLC0415

        try:
            said = self._ask(call)
        except openai.APIStatusError as error:
            raise refused(
                error.status_code, said=self._text(error), headers=error.response.headers, **self._who
            ) from None
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            cause = error.__cause__ or error
            fault = unreachable if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout) else broke_off
            raise fault(fact=self._text(cause), **self._who) from None
        except openai.APIError as error:  # an error in the middle of a stream
            raise broke_off(fact=self._text(error), **self._who) from None
        except (openai.OpenAIError, httpx2.StreamError, ValueError, TypeError, AttributeError, LookupError) as error:
            raise not_its_format(fact=f"{type(error).__name__}: {self._text(error)}", **self._who) from None
        if said is None:
            raise broke_off(fact="the stream ended early", **self._who)
        return said

    def _ask(self, call: Call) -> Said | None:
        with (
            self._sdk() as sdk,
            sdk.chat.completions.create(**self._asked(call)) as stream,
            closing_after(self.drafting.timeout_seconds, stream.close) as late,
        ):
            try:
                said = _said(stream)
            except Exception:
                if late.is_set():
                    raise self._late() from None
                raise
        if late.is_set():
            raise self._late()
        return said

    def _asked(self, call: Call) -> dict[str, Any]:
        form = {"name": "reply", "schema": call.schema, "strict": True}
        extra = {"temperature": self.drafting.temperature, "reasoning_effort": self.drafting.effort}
        return {
            "model": self.model,
            "max_completion_tokens": self.drafting.max_output_tokens,
            "messages": [
                {"role": "system", "content": call.system},
                {"role": "user", "content": call.stable + call.rest},
            ],
            "response_format": {"type": "json_schema", "json_schema": form},
            "stream": True,
            "stream_options": {"include_usage": True},
            "extra_headers": {ID_HEADER: call.id},
            **{name: value for name, value in extra.items() if value is not None},
        }

    def _sdk(self) -> openai.OpenAI:
        """For one send: a connection is not kept while a draft is tried out.

        Retries are counted by whoever calls; the key is given, so that no other credential is looked for.
        """
        import openai  # noqa: PLC0415

        return openai.OpenAI(
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
            "vendor": at(self.name, self.drafting.base_url or os.environ.get("OPENAI_BASE_URL")),
            "model": self.model,
        }


def _said(stream: Iterable[ChatCompletionChunk]) -> Said | None:
    """The whole of a stream, or None when it ended without saying how."""
    model = reply_id = finish = ""
    text: list[str] = []
    declined: list[str] = []
    usage: CompletionUsage | None = None
    for chunk in stream:
        model, reply_id, usage = chunk.model or model, chunk.id or reply_id, chunk.usage or usage
        for choice in chunk.choices or ():
            text.append(choice.delta.content or "")
            declined.append(choice.delta.refusal or "")
            finish = choice.finish_reason or finish
    if not finish:
        return None
    refusal = "".join(declined)
    details = usage.prompt_tokens_details if usage else None
    return Said(
        text=KEY.hidden(refusal or "".join(text)),
        ending=Ending.REFUSED if refusal else _ENDINGS.get(finish, Ending.TRUNCATED),
        why=f"{finish}: {KEY.hidden(refusal)}" if refusal else finish,
        model=model,
        reply_id=reply_id,
        input_tokens=usage.prompt_tokens if usage else None,
        output_tokens=usage.completion_tokens if usage else None,
        cached_tokens=(details.cached_tokens or 0) if details else 0,
        written_tokens=(details.cache_write_tokens or 0) if details else 0,
    )
