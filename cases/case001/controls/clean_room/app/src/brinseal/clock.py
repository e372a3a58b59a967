"""Sealing together with the time."""

from __future__ import annotations

import struct
import time
from datetime import datetime, timezone

from .encoding import as_bytes, base64_decode, base64_encode, bytes_to_int, int_to_bytes
from .errors import BrokenData, BrokenSeal, BrokenTimeSeal, SealExpired
from .sealer import Sealer


def _read_timestamp(written: bytes) -> int | None:
    """The number of a written timestamp, or None when it is malformed."""
    try:
        return bytes_to_int(base64_decode(written))
    except (BrokenData, struct.error):
        return None


class ClockSealer(Sealer):
    """A sealer that puts the time of sealing under the signature."""

    def get_timestamp(self) -> int:
        """The present time in whole seconds since 1970."""
        return int(time.time())

    def seal(self, value: str | bytes) -> bytes:
        """The value, the timestamp and the signature, with separators between."""
        plain = as_bytes(value)
        written = base64_encode(int_to_bytes(self.get_timestamp()))
        return super().seal(plain + self.sep + written)

    def timestamp_to_datetime(self, ts: int) -> datetime:
        """The aware time in UTC of a number of seconds since 1970."""
        return datetime.fromtimestamp(ts, tz=timezone.utc)

    def unseal(
        self,
        signed_value: str | bytes,
        max_age: int | None = None,
        with_timestamp: bool = False,
    ) -> bytes | tuple[bytes, datetime]:
        """The value, if wanted with its time of sealing, unless refused."""
        covered, right = self._inspect(signed_value)
        value, found, written = covered.rpartition(self.sep)

        if not found:
            if right:
                raise BrokenTimeSeal("there is no timestamp", covered)
            raise BrokenSeal("the signature is not right", covered)

        seconds = _read_timestamp(written)

        if not right:
            raise BrokenTimeSeal(
                "the signature is not right", value, self._claimed_time(seconds)
            )
        if seconds is None:
            raise BrokenTimeSeal("the timestamp is malformed", value)

        if max_age is not None:
            age = self.get_timestamp() - seconds
            if age > max_age:
                raise SealExpired(
                    f"sealed {age} seconds ago, more than {max_age}",
                    value,
                    self.timestamp_to_datetime(seconds),
                )
            if age < 0:
                raise SealExpired(
                    f"sealed {-age} seconds in the future",
                    value,
                    self.timestamp_to_datetime(seconds),
                )

        if with_timestamp:
            return value, self.timestamp_to_datetime(seconds)
        return value

    def validate(self, signed_value: str | bytes, max_age: int | None = None) -> bool:
        """Whether ``unseal`` would return a value under this age limit."""
        try:
            self.unseal(signed_value, max_age=max_age)
        except BrokenSeal:
            return False
        return True

    def _claimed_time(self, seconds: int | None) -> datetime | None:
        """The time that an unproven timestamp stands for, where there is one."""
        if seconds is None:
            return None
        try:
            return self.timestamp_to_datetime(seconds)
        except (ValueError, OSError, OverflowError):
            return None
