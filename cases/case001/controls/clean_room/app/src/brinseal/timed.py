"""Packing of objects together with the time."""

from __future__ import annotations

from typing import Any

from .clock import ClockSealer
from .errors import BrokenSeal, SealExpired
from .packer import Packer


class TimedPacker(Packer):
    """A packer whose sealers know the time of sealing."""

    default_sealer: type[ClockSealer] = ClockSealer

    def loads(  # type: ignore[override]
        self,
        s: str | bytes,
        max_age: int | None = None,
        with_timestamp: bool = False,
        salt: str | bytes | None = None,
    ) -> Any:
        """The object, if wanted with its time of sealing, unless refused."""
        payload, sealed_at = self._first_accepted(
            s, salt, max_age=max_age, with_timestamp=True
        )
        obj = self.load_payload(payload)
        return (obj, sealed_at) if with_timestamp else obj

    def loads_unverified(  # type: ignore[override]
        self,
        s: str | bytes,
        max_age: int | None = None,
        salt: str | bytes | None = None,
    ) -> tuple[bool, Any]:
        """Whether the seal is right and young enough, and the object in any case."""
        return self._load_despite_seal(s, max_age=max_age, salt=salt)

    def _is_final(self, refusal: BrokenSeal) -> bool:
        return isinstance(refusal, SealExpired)
