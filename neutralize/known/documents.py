"""What an upstream's documents give: headings, releases and their dates."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from neutralize.known.background import Background
from neutralize.known.lexing import ending
from neutralize.words import is_word, listed

PROSE = listed("md markdown mdx rst txt adoc asciidoc") | {""}
_CHANGES = re.compile(r"(?i)(?:changelog|changes|history|news|releases?|release[-_]notes|whatsnew)\b.*")
_MARKED = re.compile(r"^(?:#{1,6}|={1,6})[ \t]+(.+?)[ \t#=]*$")
_MARKING = listed("md markdown mdx adoc asciidoc html htm")
_FENCE = re.compile(r"[ \t]*(?:```|~~~|----$|\.\.\.\.$)")
_RULE = re.compile(r"([=\-~^*+#\"'`:.])\1{2,}[ \t]*")
_MARKUP = re.compile(r"`{1,2}|\*\*|\[([^\]\n]*)\]\([^)\n]*\)|:\w+:|<[^>\n]{1,80}>|\{#[^}\n]*\}")
_VERSION = re.compile(
    r"(?<![\w.])v?(\d{1,4}(?:\.\d{1,5}){2,3}(?:[-.+]?(?:alpha|beta|rc|dev|post|a|b|pre)[-.]?\d{0,4})?)(?![\w]|\.\d)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    rf"(?<![\w-])(?:(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}})|{_MONTH}[ ]+(\d{{1,2}})(?:st|nd|rd|th)?,?[ ]+(\d{{4}})"
    rf"|(\d{{1,2}})(?:st|nd|rd|th)?[ ]+{_MONTH},?[ ]+(\d{{4}}))(?![\w])",
    re.IGNORECASE,
)


def is_changes(path: str) -> bool:
    """Whether the file is a list of releases."""
    return bool(_CHANGES.fullmatch(PurePosixPath(path).name)) and ending(path) in PROSE


def headings(path: str, text: str) -> Iterator[tuple[str, int, int]]:
    """Headings marked by `#` or `=` or by a rule below: what they say, and where they begin and end."""
    place = 0
    before, before_place = "", 0
    marking, fenced = ending(path) in _MARKING, False
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        if len(bare) <= 200:
            fenced ^= marking and bool(_FENCE.match(bare))
            marked = _MARKED.fullmatch(bare) if marking and not fenced else None
            if marked:
                yield _said(marked[1]), place + marked.start(1), place + marked.end(1)
            elif before and _RULE.fullmatch(bare) and len(bare) >= len(before) * 0.6:
                yield _said(before), before_place, before_place + len(before)
        before = (
            bare if 0 < len(bare) <= 120 and not bare.startswith((" ", "\t", "|")) and not _RULE.fullmatch(bare) else ""
        )
        before_place = place
        place += len(line)


def _said(heading: str) -> str:
    return " ".join(_MARKUP.sub(lambda found: found[1] or "", heading).split())


def slug(heading: str) -> str:
    """As a link would name it: lower-case words with hyphens."""
    return "-".join(re.findall(r"[^\W_]+", heading.lower()))


def tells_slug(name: str, background: Background) -> bool:
    """Whether a heading is its document's own: of three words, or with one that nobody else writes."""
    words = [word for word in name.split("-") if not word.isdigit()]
    if not words or background.has_text(name) or len(name) < 6 or max(map(len, words)) > 30:
        return False
    rare = [word for word in words if len(word) > 3 and not is_word(word) and not background.has_word(word)]
    return bool(rare) or len(words) > 2


def versions(text: str) -> Iterator[tuple[str, int, int]]:
    """Release strings of three numbers or more, and where they stand."""
    for match in _VERSION.finditer(text):
        yield match[1], match.start(), match.end()


def dates(text: str) -> Iterator[tuple[str, int, int]]:
    """Days in numbers or with the month's English name, as `YYYY-MM-DD`, and where they stand."""
    for match in _DATE.finditer(text):
        year = match[1] or match[6] or match[9]
        name = match[4] or match[8]
        month = int(match[2]) if match[2] else _MONTHS.index(name.lower()) + 1
        day = int(match[3] or match[5] or match[7])
        try:
            yield dt.date(int(year), month, day).isoformat(), match.start(), match.end()
        except ValueError:
            continue
