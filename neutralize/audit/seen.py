"""One entry of the audited thing, looked at: what was found in it, and where in its bytes."""

from __future__ import annotations

import codecs
import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Protocol

from neutralize.audit.report import Excerpt, Span
from neutralize.decide import Found
from neutralize.finding import Detector, Finding
from neutralize.lines import line_digest
from neutralize.scan import MAX_PLACES
from neutralize.traverse import Item, decode

_ENCODINGS = (
    (b"", "utf-8"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"", "utf-16-le"),
    (b"", "utf-16-be"),
    (b"", "utf-32-le"),
    (b"", "utf-32-be"),
    (b"", "latin-1"),
)
_FULL = f"{MAX_PLACES} places found, the rest not looked for"
_AROUND = 100
"""Characters of a line that are kept on each side of a finding."""


class Searcher(Protocol):
    """The search for the terms of a list."""

    @property
    def size(self) -> int:
        """How many names are looked for."""

    def findings(self, text: str, path: str) -> Sequence[Finding]:
        """In a text."""

    def path_findings(self, path: str) -> Sequence[Finding]:
        """In a path."""

    def findings_in_bytes(self, data: bytes, path: str) -> Sequence[Finding]:
        """In what is no text."""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A finding with its place in bytes and its line."""

    finding: Finding
    span: Span | None
    excerpt: Excerpt | None


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What is kept of an entry."""

    path: str
    size: int | None
    sha256: str
    """Empty for what could not be read."""
    words: int
    problem: str
    """Why it was not scanned; empty when it was."""
    hits: tuple[Hit, ...]


def look(item: Item, searcher: Searcher, detectors: Iterable[Detector]) -> Seen:
    """Search one entry, in its path and its content. What is no text is searched too, and counts as not scanned."""
    data = item.data
    text = decode(data) if data is not None else None
    found = [*searcher.path_findings(item.path)]
    if text is not None:
        found += searcher.findings(text, item.path)
    elif data is not None:
        found += searcher.findings_in_bytes(data, item.path)
    full = len(found) >= MAX_PLACES
    for detector in detectors:
        found += detector.findings(item, text)
    places = _Places(data or b"", text)
    return Seen(
        path=item.path,
        size=_size(item),
        sha256=hashlib.sha256(data).hexdigest() if data is not None else "",
        words=len(text.split()) if text is not None else 0,
        problem=item.problem or ("not text" if text is None else _FULL if full else ""),
        hits=tuple(places.hit(finding) for finding in found if finding.found is not Found.MISS),
    )


def unsearched(item: Item) -> Seen:
    """An entry of which only its digest is wanted."""
    sha256 = hashlib.sha256(item.data).hexdigest() if item.data is not None else ""
    return Seen(path=item.path, size=_size(item), sha256=sha256, words=0, problem=item.problem, hits=())


def _size(item: Item) -> int | None:
    """Bytes of an entry: what its reader says, else of its data; None where nobody knows."""
    said = getattr(item, "size", None)
    known = isinstance(said, int) and (said > 0 or item.data is not None)
    return said if known else len(item.data) if item.data is not None else None


def once(seen: Sequence[Seen]) -> Iterator[Hit]:
    """All hits. A folder's name that tells counts once, at the folder, and not for each entry below it."""
    told: set[tuple[str, str, int]] = set()
    for one in seen:
        for hit in one.hits:
            finding = hit.finding
            if finding.view != "path" or finding.found is not Found.HIT:
                yield hit
                continue
            shown = _up_to(finding)
            if (shown.path, shown.term, shown.column) not in told:
                told.add((shown.path, shown.term, shown.column))
                yield Hit(finding=shown, span=None, excerpt=_excerpt(shown.path, shown.column - 1, shown.length))


def _up_to(finding: Finding) -> Finding:
    """A finding in a path, told of the folder or file whose name ends it."""
    ends = finding.column - 1 + max(1, finding.length)
    stops = [place for place in (finding.path.find("/", ends), finding.path.find("!", ends)) if place >= 0]
    if not stops:
        return finding
    path = finding.path[: min(stops)]
    return finding.model_copy(update={"path": path, "line_digest": line_digest(path)})


class _Places:
    """Turns lines and columns of one entry back into bytes."""

    def __init__(self, data: bytes, text: str | None) -> None:
        self._data = data
        self._text = text

    def hit(self, finding: Finding) -> Hit:
        if finding.view == "path" or finding.line < 1:
            excerpt = _excerpt(finding.path, finding.column - 1, finding.length) if finding.view == "path" else None
            return Hit(finding=finding, span=None, excerpt=excerpt)
        text = self._latin if self._text is None else self._text
        starts = self._starts
        if finding.line > len(starts):
            return Hit(finding=finding, span=None, excerpt=None)
        start = starts[finding.line - 1] + finding.column - 1
        length = finding.length or len(finding.surface)
        return Hit(finding=finding, span=self._span(text, start, start + length), excerpt=_excerpt(text, start, length))

    @cached_property
    def _latin(self) -> str:
        return self._data.decode("latin-1")

    @cached_property
    def _starts(self) -> list[int]:
        text = self._latin if self._text is None else self._text
        starts, place = [0], text.find("\n")
        while place >= 0:
            starts.append(place + 1)
            place = text.find("\n", place + 1)
        return starts

    @cached_property
    def _coding(self) -> tuple[int, str] | None:
        """Length of the mark, and encoding: the ones that give the very bytes again."""
        if self._text is None:
            return 0, "latin-1"
        for mark, encoding in _ENCODINGS:
            try:
                if mark + self._text.encode(encoding) == self._data:
                    return len(mark), encoding
            except UnicodeEncodeError:
                continue
        return None

    def _span(self, text: str, start: int, end: int) -> Span | None:
        if self._coding is None or not 0 <= start <= end <= len(text):
            return None
        mark, encoding = self._coding
        line = bisect_right(self._starts, start) - 1
        low = mark + self._byte_starts[line] + len(text[self._starts[line] : start].encode(encoding))
        return Span(start=low, end=low + len(text[start:end].encode(encoding)))

    @cached_property
    def _byte_starts(self) -> list[int]:
        """Where each line begins, in bytes after the mark."""
        text = self._latin if self._text is None else self._text
        encoding = self._coding[1] if self._coding else "utf-8"
        sizes = (len(text[low:high].encode(encoding)) for low, high in pairwise(self._starts))
        return [*accumulate(sizes, initial=0)]


def _excerpt(text: str, start: int, length: int) -> Excerpt:
    low = text.rfind("\n", 0, start) + 1
    high = text.find("\n", start)
    high = high if high >= 0 else len(text)
    stop = min(start + length, high)
    left, right = max(low, start - _AROUND), min(high, stop + _AROUND)
    lead = ("…" if left > low else "") + safe(text[left:start])
    mark = safe(text[start : min(stop, start + 2 * _AROUND)])
    rest = safe(text[stop:right]) + ("…" if right < high else "")
    return Excerpt(
        before=_line(text, low - 1) if low else "",
        line=f"{lead}{mark}{rest}",
        after=_line(text, text.find("\n", high + 1), start=high + 1) if high < len(text) else "",
        start=len(lead),
        length=len(mark),
    )


def _line(text: str, end: int, *, start: int | None = None) -> str:
    """The line that ends before `end`, cut to what can be read at a glance."""
    end = end if end >= 0 else len(text)
    start = text.rfind("\n", 0, end) + 1 if start is None else start
    line = safe(text[start : min(end, start + 2 * _AROUND)])
    return f"{line}…" if end - start > 2 * _AROUND else line


def safe(text: str) -> str:
    """`text` as a terminal may have it: what is not seen as itself is written out, a tab is four spaces."""
    shown = text.rstrip("\r").replace("\t", "    ")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in shown)
