"""The readings of one text in which names may hide. Each keeps its way back to the file's own characters.

Present: raw, joined string literals, de-hyphenated lines, percent, entities, escapes. Encoded needles (base64, hex,
rot13, reversed) are not here: they are searched for in the raw view, not decoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from neutralize.fold import fold
from neutralize.text import Text, substitute


@dataclass(frozen=True, kw_only=True)
class View:
    """A reading, folded."""

    name: str
    text: Text


_JOIN = re.compile(r"""(["'])[ \t]*(?:(?:\+|\.\.?|&|\\)?[ \t]*(?:\r?\n[ \t]*)?)[rbuf]{0,2}(["'])""")
_HYPHEN = re.compile(r"(?<=[A-Za-z])-[ \t]*\r?\n[ \t]*(?:(?:#|//|\*|--|;|>|\.\.)[ \t]*)?(?=[a-z])")
_CONTINUED = re.compile(r"\\\r?\n")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_ENTITY = re.compile(r"&#(?:[xX]([0-9A-Fa-f]{1,6})|([0-9]{1,7}));?")
_ESCAPE = re.compile(
    r"(?<!\\)\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})|([0-7]{1,3}))"
)


def views(text: Text) -> Iterator[View]:
    """The raw view, then every other that differs from it."""
    yield View(name="raw", text=fold(text))
    for name, pattern, become in _CHANGES:
        changed = substitute(text, pattern, become)
        for _ in range(2 if name == "percent" else 0):
            changed = substitute(changed, pattern, become)
        if changed is not text:
            yield View(name=name, text=fold(changed))


def _char(code: int) -> str | None:
    return chr(code) if 0x20 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else None


def _percent(match: re.Match[str]) -> str | None:
    return _char(int(match[1], 16))


def _entity(match: re.Match[str]) -> str | None:
    return _char(int(match[1], 16) if match[1] else int(match[2]))


def _escape(match: re.Match[str]) -> str | None:
    digits = next(group for group in match.groups() if group)
    return _char(int(digits, 8 if match[5] else 16))


def _nothing(_: re.Match[str]) -> str:
    return ""


def _same_quote(match: re.Match[str]) -> str | None:
    return "" if match[1] == match[2] else None


_CHANGES: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str | None]], ...] = (
    ("string-join", _JOIN, _same_quote),
    ("line-join", _CONTINUED, _nothing),
    ("dehyphenated", _HYPHEN, _nothing),
    ("percent", _PERCENT, _percent),
    ("entity", _ENTITY, _entity),
    ("escape", _ESCAPE, _escape),
)
