"""The `w` tag: dates, times, datetimes and durations as text with a zone, both ways."""

from __future__ import annotations

import datetime as dt
import re
import sys
from decimal import Decimal
from functools import cache
from typing import Any

from taskpack.wire.frames import Json, Malformed
from taskpack.wire.kinds import When

KINDS = ("date", "time", "datetime", "duration")
# Four digits of a year, a sign beyond; no fraction, or six digits, or nine where six do not tell it.
_YEAR = r"(?:\d{4}|-(?!0000)\d{4}|[+-][1-9]\d{4,8})"
_DATE = _YEAR + r"-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.(?:(?!000000)\d{6}|\d{6}(?!000)\d{3}))?"
_TEXT = {
    "date": re.compile(_DATE, re.ASCII),
    "time": re.compile(_TIME, re.ASCII),
    "datetime": re.compile(f"{_DATE}T{_TIME}", re.ASCII),
    "duration": re.compile(r"(?!-0\Z)-?(?:0|[1-9]\d{0,29})(?:\.\d{0,11}[1-9])?", re.ASCII),
}
_OFFSET = re.compile(r"([+-])([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{6}))?)?", re.ASCII)
_ZONE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+\-]+(?:/[A-Za-z0-9_+\-]+)*", re.ASCII)


def encode_time(value: object) -> tuple[str, str, str | None] | None:  # noqa: PLR0911 (one for each kind)
    """`(kind, text, zone)` of a value of Python's own types, subclasses by their plain part.

    None when the page cannot say it: a second fold, a zone that is neither a fixed offset nor an IANA name.
    """
    if isinstance(value, dt.timedelta):
        return "duration", _duration_text(value), None
    if isinstance(value, dt.datetime):
        zone = _zone_text(dt.datetime.tzinfo.__get__(value))
        if zone is _NO_ZONE or dt.datetime.fold.__get__(value):
            return None
        plain = dt.datetime.replace(value, tzinfo=None)
        return "datetime", dt.datetime.isoformat(plain), zone
    if isinstance(value, dt.date):
        return "date", dt.date.isoformat(value), None
    if isinstance(value, dt.time):
        zone = _zone_text(dt.time.tzinfo.__get__(value))
        if zone is _NO_ZONE or dt.time.fold.__get__(value):
            return None
        return "time", dt.time.isoformat(dt.time.replace(value, tzinfo=None)), zone
    return None


def decode_time(value: Json) -> Any:
    """Python's own type where it holds exactly this text and zone, else `When`. Raises `Malformed`."""
    if not (isinstance(value, list) and len(value) == 3):
        raise Malformed("w is [kind, text, zone]")
    kind, text, zone = value
    if kind not in KINDS or not isinstance(text, str) or not isinstance(zone, str | None):
        raise Malformed("w has an unknown kind, or a text or zone that is no string")
    if not _TEXT[kind].fullmatch(text):
        raise Malformed(f"{text[:40]!r} is no {kind}")
    if zone is not None and (kind in {"date", "duration"} or not _is_zone(zone)):
        raise Malformed(f"{zone[:40]!r} is no zone of a {kind}")
    try:
        own = _own(kind, text, zone)
    except (ValueError, OverflowError, ArithmeticError):
        own = None
    if own is not None and encode_time(own) == (kind, text, zone):
        return own
    return When(kind, text, zone)


class _NoZone(str):
    __slots__ = ()


_NO_ZONE = _NoZone()


def _duration_text(value: dt.timedelta) -> str:
    micro = dt.timedelta.days.__get__(value) * 86_400_000_000
    micro += dt.timedelta.seconds.__get__(value) * 1_000_000 + dt.timedelta.microseconds.__get__(value)
    whole, part = divmod(abs(micro), 1_000_000)
    fraction = f".{part:06d}".rstrip("0") if part else ""
    return f"{'-' if micro < 0 else ''}{whole}{fraction}"


def _zone_text(zone: dt.tzinfo | None) -> str | None:
    if zone is None:
        return None
    if type(zone) is dt.timezone:
        offset = zone.utcoffset(None)
        micro = abs(offset) // dt.timedelta(microseconds=1)
        sign = "-" if offset < dt.timedelta(0) else "+"
        seconds, part = divmod(micro, 1_000_000)
        text = f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
        if seconds % 60 or part:
            text += f":{seconds % 60:02d}"
        return text + (f".{part:06d}" if part else "")
    # Never imported here: a value can only be of that type once its own program imported it.
    zoneinfo = sys.modules.get("zoneinfo")
    if zoneinfo is not None and type(zone) is getattr(zoneinfo, "ZoneInfo", None):
        key = getattr(zone, "key", None)
        if type(key) is str and _ZONE_NAME.fullmatch(key):
            return key
    return _NO_ZONE


def _own(kind: str, text: str, zone: str | None) -> object:
    if kind == "duration":
        micro = Decimal(text) * 1_000_000
        if micro != int(micro):
            return None
        return dt.timedelta(microseconds=int(micro))
    if kind == "date":
        return dt.date.fromisoformat(text)
    zone_object = None if zone is None else _zone(zone)
    if kind == "time":
        return dt.time.fromisoformat(text).replace(tzinfo=zone_object)
    return dt.datetime.fromisoformat(text).replace(tzinfo=zone_object)


def _is_zone(text: str) -> bool:
    """Whether it is a name, or an offset in its one spelling."""
    return bool(_ZONE_NAME.fullmatch(text)) or bool(_OFFSET.fullmatch(text) and _zone_text(_zone(text)) == text)


def _zone(text: str) -> dt.tzinfo:
    match = _OFFSET.fullmatch(text)
    if match:
        sign, hours, minutes, seconds, micro = match.groups(default="0")
        span = dt.timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds), microseconds=int(micro))
        return dt.timezone(-span if sign == "-" else span)
    if text not in _zone_names():
        raise ValueError(f"no zone {text} here")
    return _named_zone(text)


@cache
def _zone_names() -> frozenset[str]:
    """Asked once: to look for a file for every name that a value invents takes too long."""
    from zoneinfo import available_timezones  # noqa: PLC0415 (only values with a zone name pay for it)

    return frozenset(available_timezones())


@cache
def _named_zone(text: str) -> dt.tzinfo:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 (as above)

    return ZoneInfo(text)
