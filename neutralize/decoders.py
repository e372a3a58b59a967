"""Characters written as something else: percent signs, entities, escapes. What each of them reads as."""

from __future__ import annotations

import re
import unicodedata
from html.entities import html5

PERCENT = re.compile(r"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2})*")
ENTITY = re.compile(r"&(?:#[xX]0{0,8}([0-9A-Fa-f]{1,6})|#0{0,8}([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));?")
# An escape that is itself escaped, as in JSON inside a string, is read too: the backslashes before it do not matter.
ESCAPE = re.compile(
    r"""\\\\*(?:
        (?P<bytes>(?:x[0-9A-Fa-f]{2}|[0-3]?[0-7]{1,2})(?:\\+(?:x[0-9A-Fa-f]{2}|[0-3]?[0-7]{1,2}))*)
      | (?P<pair>u[dD][89abAB][0-9A-Fa-f]{2}\\+u[dD][c-fC-F][0-9A-Fa-f]{2})
      | u(?P<four>[0-9A-Fa-f]{4})
      | u\{0{0,8}(?P<braced>[0-9A-Fa-f]{1,6})\}
      | U(?P<eight>[0-9A-Fa-f]{8})
      | N\{(?P<name>[A-Za-z0-9\ -]{1,80})\}
    )""",
    re.VERBOSE,
)
_SEPARATORS = re.compile(r"\\+")


def percent(match: re.Match[str]) -> str:
    return _text(bytes.fromhex(match[0].replace("%", "")))


def entity(match: re.Match[str]) -> str | None:
    if match[3]:
        return html5.get(f"{match[3]};")
    return _char(int(match[1], 16) if match[1] else int(match[2]))


def escape(match: re.Match[str]) -> str | None:
    if match["bytes"]:
        parts = _SEPARATORS.split(match["bytes"])
        return _text(bytes(int(part[1:], 16) if part[0] == "x" else int(part, 8) for part in parts))
    if match["pair"]:
        high, low = (int(part[1:], 16) for part in _SEPARATORS.split(match["pair"]))
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if match["name"]:
        return _named(match["name"])
    return _char(int(match["four"] or match["braced"] or match["eight"], 16))


def _text(data: bytes) -> str:
    """Bytes as UTF-8, as they mostly are, or else one character each."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _char(code: int) -> str | None:
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def _named(name: str) -> str | None:
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return None
