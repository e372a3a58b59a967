"""The base of everything that is stored: frozen, versioned, strict, and byte-stable when written.

`Record` is a file of its own; `Part` lives inside one. Where and when to write is left to `files`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from taskpack.errors import RecordUnreadable

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(BaseModel):
    """A piece of a record. Unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Record(Part):
    """A stored file. `schema_version` changes only with the meaning of a field."""

    schema_version: Literal[1] = 1

    def to_bytes(self) -> bytes:
        """Canonical JSON: sorted keys, two spaces, UTF-8, final newline."""
        return to_json(self.model_dump(mode="json"))

    def digest(self) -> str:
        """SHA-256, hexadecimal, of `to_bytes`."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @classmethod
    def from_bytes(cls, data: bytes, *, where: str = "record") -> Self:
        """Read what `to_bytes` wrote.

        Raises `RecordUnreadable` naming `where`, the field and the fact.
        """
        try:
            record = cls.model_validate_json(data)
        except ValidationError as error:
            raise unreadable(cls, where, error) from error
        if "schema_version" not in record.model_fields_set:
            raise _not_readable(cls, where, "schema_version", "Field required")
        return record


def to_json(value: Any) -> bytes:
    """The one function that writes JSON."""
    text = json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")  # a lone surrogate becomes its JSON escape


def unreadable(kind: type, where: str, error: ValidationError) -> RecordUnreadable:
    """Turn Pydantic's report into ours: the first problem, in the record's words."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(step) for step in first["loc"]) or "(whole record)"
    return _not_readable(kind, where, field, first["msg"])


def _not_readable(kind: type, where: str, field: str, fact: str) -> RecordUnreadable:
    return RecordUnreadable(
        f"{where} is not a readable {kind.__name__.lower()}",
        details={"field": field, "fact": fact},
        remedy="correct the file, or delete it so that it is made again",
    )
