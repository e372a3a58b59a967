"""What a place in a file is: a name, an import, a string, a comment or other text. Finding places is left to others.

A lexer reads what the language's writing declares. It may be wrong about a file and go on, never fail: what is renamed
does not depend on it, only what is told of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from environments.languages.writing import Quote, Writing


class Kind(StrEnum):
    """In the order in which they are told."""

    NAME = "code names"
    IMPORT = "imports"
    STRING = "strings"
    COMMENT = "comments"
    OTHER = "other text"
    PATH = "paths"


@dataclass(frozen=True, kw_only=True)
class Region:
    """A stretch of one kind. Of a string, `start` and `end` are those of what it holds."""

    start: int
    end: int
    kind: Kind
    quote: Quote | None = None


_LONGEST_ESCAPE = 100
_NOWHERE = Region(start=0, end=0, kind=Kind.OTHER)


class Reading:
    """One text, read as its language writes."""

    def __init__(self, text: str, writing: Writing) -> None:
        self._text = text
        self.writing = writing

    def kind(self, start: int) -> Kind:
        """What stands at a place."""
        region = self.region(start)
        if region.kind is not Kind.COMMENT and self._in_import(start):
            return Kind.IMPORT
        if region is not _NOWHERE:
            return region.kind
        return Kind.NAME if self.writing.code else Kind.OTHER

    def region(self, start: int) -> Region:
        """The string or comment at a place; an empty one elsewhere."""
        place = bisect_right(self._starts, start) - 1
        if place >= 0 and start < self._regions[place].end:
            return self._regions[place]
        return _NOWHERE

    def in_escape(self, start: int) -> bool:
        """Whether the sign at a place belongs to an escape that begins before it."""
        region = self.region(start)
        quote = region.quote
        if quote is None or not quote.escape or quote.raw:
            return False
        if "\\" not in self._text[max(region.start, start - _LONGEST_ESCAPE) : start]:
            return False
        found = _escapes(self.writing).finditer(self._text, region.start, region.end)
        return any(match.start() < start < match.end() for match in found)

    @cached_property
    def _regions(self) -> list[Region]:
        return list(_regions(self._text, self.writing))

    @cached_property
    def _starts(self) -> list[int]:
        return [region.start for region in self._regions]

    @cached_property
    def _imports(self) -> list[tuple[int, int]]:
        return sorted(match.span() for form in self.writing.imports for match in re.finditer(form, self._text))

    def _in_import(self, start: int) -> bool:
        place = bisect_right(self._imports, (start, len(self._text)))
        return any(low <= start < high for low, high in self._imports[max(0, place - 3) : place])


def _regions(text: str, writing: Writing) -> Iterator[Region]:
    pattern = _pattern(writing)
    if pattern is None:
        return
    done = 0
    while match := pattern.search(text, done):
        done = max(match.end(), done + 1)
        group = match.lastgroup or ""
        number = int(group[1:]) if group[1:] else 0
        if group[0] == "c":
            yield Region(start=match.start(), end=match.end(), kind=Kind.COMMENT)
        elif group[0] == "b":
            done = _block_end(text, match.end(), writing.blocks[number], nested=writing.nested)
            yield Region(start=match.start(), end=done, kind=Kind.COMMENT)
        elif group[0] == "q":
            quote = writing.quotes[number]
            start = match.start() + match[0].index(quote.opens.lstrip()) + len(quote.opens.lstrip())
            yield Region(start=start, end=match.end(), kind=Kind.STRING, quote=quote)


def _block_end(text: str, start: int, marks: tuple[str, str], *, nested: bool) -> int:
    """Behind the end of a comment; the end of the text for one without."""
    opens, closes = marks
    depth = 1
    for match in re.finditer(f"{re.escape(opens)}|{re.escape(closes)}", text[start:]):
        depth += (1 if nested else 0) if match[0] == opens else -1
        if not depth:
            return start + match.end()
    return len(text)


@cache
def _pattern(writing: Writing) -> re.Pattern[str] | None:
    forms = [f"(?P<s>{'|'.join(writing.skips)})"] if writing.skips else []
    forms += [f"(?P<b{at}>{re.escape(opens)})" for at, (opens, _) in enumerate(writing.blocks)]
    signs = "|".join(_leader(sign) for sign in writing.comments)
    forms += [f"(?P<c>(?:{signs})[^\\n]*)"] if signs else []
    forms += [f"(?P<q{at}>{_quoted(quote)})" for at, quote in enumerate(writing.quotes)]
    return re.compile("|".join(forms), re.DOTALL) if forms else None


def _leader(sign: str) -> str:
    bare = re.escape(sign.lstrip())
    return bare if bare == re.escape(sign) else rf"(?<!\S){bare}"


def _quoted(quote: Quote) -> str:
    closes, escape = re.escape(quote.closes), re.escape(quote.escape)
    other = "." if quote.lines else r"[^\n]"
    plain = f"(?!{closes}|{escape}){other}" if quote.escape else f"(?!{closes}){other}"
    body = f"(?:{escape}.|{plain})*+" if quote.escape else f"(?:{plain})*+"
    before = rf"(?<!\w){quote.before}" if quote.before else ""
    return f"{before}{_leader(quote.opens)}{body}(?:{closes})?"


@cache
def _escapes(writing: Writing) -> re.Pattern[str]:
    return re.compile("|".join([*writing.escapes, r"\\."]), re.DOTALL)
