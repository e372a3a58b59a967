"""What a vendor's server sends, built and checked with the SDKs' own response types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.shared import ErrorResponse
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import BaseModel, TypeAdapter

PIECES = 8
"""In how many pieces a streamed text comes."""

_EVENTS: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server answers with, in no vendor's words."""

    text: str
    model: str = "model-1"
    ending: str = "complete"
    """`complete`, `truncated` or `refused`."""
    reply_id: str = "reply-1"
    input_tokens: int = 100
    """All of them, the cached ones too."""
    output_tokens: int = 20
    cached_tokens: int = 60
    written_tokens: int = 10


def message(answer: Answer) -> dict[str, Any]:
    """The answer in the messages format."""
    stop = {"complete": "end_turn", "truncated": "max_tokens", "refused": "refusal"}[answer.ending]
    refusal = {"type": "refusal", "category": "cyber", "explanation": "It may do harm."}
    return _checked(
        Message,
        {
            "id": answer.reply_id,
            "type": "message",
            "role": "assistant",
            "model": answer.model,
            "content": [{"type": "text", "text": answer.text}],
            "stop_reason": stop,
            "stop_sequence": None,
            "stop_details": refusal if answer.ending == "refused" else None,
            "usage": _message_usage(answer),
        },
    )


def message_events(answer: Answer) -> Iterator[tuple[str, dict[str, Any]]]:
    """The answer as events of the messages format: name and data."""
    whole = message(answer)
    opened = {**whole, "content": [], "stop_reason": None, "stop_details": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**opened, "usage": {**whole["usage"], "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
            for piece in _pieces(answer.text)
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {name: whole[name] for name in ("stop_reason", "stop_sequence", "stop_details")},
            "usage": {"output_tokens": answer.output_tokens},
        },
        {"type": "message_stop"},
    ]
    for event in events:
        _EVENTS.validate_json(json.dumps(event), strict=True)
        yield event["type"], event


def completion(answer: Answer) -> dict[str, Any]:
    """The answer in the chat completions format."""
    refused = answer.ending == "refused"
    said = {
        "role": "assistant",
        "content": None if refused else answer.text,
        "refusal": answer.text if refused else None,
    }
    return _checked(
        ChatCompletion,
        {
            "id": answer.reply_id,
            "object": "chat.completion",
            "created": 1,
            "model": answer.model,
            "choices": [{"index": 0, "message": said, "finish_reason": _finish(answer), "logprobs": None}],
            "usage": _completion_usage(answer),
        },
    )


def completion_chunks(answer: Answer, *, with_usage: bool) -> Iterator[dict[str, Any]]:
    """The answer as chunks of the chat completions format."""
    head = {"id": answer.reply_id, "object": "chat.completion.chunk", "created": 1, "model": answer.model}
    key = "refusal" if answer.ending == "refused" else "content"
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", key: ""}, None),
        *(({key: piece}, None) for piece in _pieces(answer.text)),
        ({}, _finish(answer)),
    ]
    for delta, finish in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        yield _checked(ChatCompletionChunk, {**head, "choices": [choice], **({"usage": None} if with_usage else {})})
    if with_usage:
        yield _checked(ChatCompletionChunk, {**head, "choices": [], "usage": _completion_usage(answer)})


def message_error(kind: str, text: str) -> dict[str, Any]:
    """An error in the messages format."""
    return _checked(ErrorResponse, {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req-1"})


def completion_error(kind: str, text: str) -> dict[str, Any]:
    """An error in the chat completions format, which has no response type of its own in the SDK."""
    return {"error": {"message": text, "type": kind, "param": None, "code": None}}


def _message_usage(answer: Answer) -> dict[str, Any]:
    fresh = answer.input_tokens - answer.cached_tokens - answer.written_tokens
    return {
        "input_tokens": fresh,
        "cache_read_input_tokens": answer.cached_tokens,
        "cache_creation_input_tokens": answer.written_tokens,
        "output_tokens": answer.output_tokens,
    }


def _completion_usage(answer: Answer) -> dict[str, Any]:
    return {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.input_tokens + answer.output_tokens,
        "prompt_tokens_details": {
            "cached_tokens": answer.cached_tokens,
            "cache_write_tokens": answer.written_tokens,
        },
    }


def _finish(answer: Answer) -> str:
    return "length" if answer.ending == "truncated" else "stop"


def _pieces(text: str) -> list[str]:
    size = max(1, -(-len(text) // PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _checked(kind: type[BaseModel], payload: dict[str, Any]) -> dict[str, Any]:
    """`payload`, which the SDK's own type must take without a change and without a field that it does not know."""
    parsed = kind.model_validate_json(json.dumps(payload), strict=True)
    unknown = _extras(parsed)
    if unknown:
        raise ValueError(f"{kind.__name__} does not know {unknown}")
    return payload


def _extras(value: Any) -> list[str]:
    if isinstance(value, BaseModel):
        own = list(value.model_extra or {})
        return own + [name for field in value.__dict__.values() for name in _extras(field)]
    return [name for each in value for name in _extras(each)] if isinstance(value, list) else []
