"""Requests for the tests of providers."""

from __future__ import annotations

from typing import Any

from providers.interface import Request
from taskpack.outcome import Stage

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["title"],
    "additionalProperties": False,
    "properties": {"title": {"type": "string"}, "count": {"type": "integer"}, "any": {"anyOf": []}},
}


def request(prompt: str = "Draft it.", *, unit: str = "FP-01", attempt: int = 1, **changes: Any) -> Request:
    fields: dict[str, Any] = {"case_id": "case901", "stage": Stage.SPEC, "schema": SCHEMA, **changes}
    return Request(prompt=prompt, unit=unit, attempt=attempt, **fields)
