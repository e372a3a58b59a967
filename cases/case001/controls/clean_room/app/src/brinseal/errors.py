"""Everything the product raises on its own account."""

from __future__ import annotations

from datetime import datetime


class BrokenData(Exception):
    """Base of all errors of the product."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class BrokenSeal(BrokenData):
    """A sealed value was refused; ``payload`` is what stood before its seal."""

    def __init__(self, message: str, payload: bytes | None = None) -> None:
        super().__init__(message)
        self.payload = payload


class BrokenTimeSeal(BrokenSeal):
    """A seal with a time was refused; ``sealed_at`` is that time, if it can be told."""

    def __init__(
        self,
        message: str,
        payload: bytes | None = None,
        sealed_at: datetime | None = None,
    ) -> None:
        super().__init__(message, payload)
        self.sealed_at = sealed_at


class SealExpired(BrokenTimeSeal):
    """A right seal was refused because of its age."""


class BrokenHeader(BrokenSeal):
    """A header was refused. Meant for packers that callers write."""

    def __init__(
        self,
        message: str,
        payload: bytes | None = None,
        header: object = None,
        original_error: Exception | None = None,
    ) -> None:
        super().__init__(message, payload)
        self.header = header
        self.original_error = original_error


class BrokenPayload(BrokenData):
    """A payload could not be turned back into an object."""

    def __init__(self, message: str, original_error: Exception | None = None) -> None:
        super().__init__(message)
        self.original_error = original_error
