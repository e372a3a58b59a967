"""Places where a rename is a person's decision: some it must not reach, others it changes and tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from neutralize.addresses import EMAIL, URL
from neutralize.boundaries import in_opaque_run
from neutralize.classify import Kind, Reading
from neutralize.lines import Lines
from neutralize.replace import Span
from neutralize.third_party import Needed, ThirdParty
from taskpack.rename import KEPT

_ADDRESS_SIGNS = frozenset("./@")
_RUN = re.compile(r"[A-Za-z0-9+/_=-]{20,}")
_NUMBER = re.compile(r"(?<![\w.])\d{1,4}(?![\w.])")
_LENGTH = re.compile(
    r"(?i)\b(?:len|length|size(?:of)?|offset|pos|position|index(?:of)?|find|start|end|col|column|width|span|ljust|rjust|"
    r"center|padstart|padend|strlen|count)\b"
)
_COLUMNS = re.compile(r"[\w-]*[ ]{2,}\S")
_BOX = re.compile(r"[\s#*/\"'`]*(?:[|│┃║].*[|│┃║]|\+[-=+]+\+)[\s\"'`,\\n]*\Z")
_BEFORE = 200


@dataclass(frozen=True, kw_only=True)
class Concern:
    """One place, why a person should see it, and whether the rename stops there."""

    place: int
    what: str
    refuses: bool


class Concerns:
    """The spans of one text, looked at one by one."""

    def __init__(self, path: str, reading: Reading, text: str, spans: Sequence[Span], third: ThirdParty) -> None:
        self._path = path
        self._reading = reading
        self._text = text
        self._spans = spans
        self._third = third

    def all(self) -> Iterator[Concern]:
        """What is to be told, in the order of the text; of each line a reason once."""
        seen: set[tuple[int, str]] = set()
        for span in self._spans:
            for concern in self._of(span):
                line = self._lines.number(concern.place)
                if (line, concern.what) not in seen:
                    seen.add((line, concern.what))
                    yield concern

    def _of(self, span: Span) -> Iterator[Concern]:
        said = repr(self._text[span.start : span.end])
        if span.opaque:
            yield _concern(span, f"{said} lies inside a hash or base64", refuses=True)
        if span.rename.kind in {"literal", KEPT}:
            return  # the author gave this very text
        if self._reading.in_escape(span.start):
            yield _concern(span, f"the first letter of {said} belongs to an escape before it", refuses=True)
        kind = self._reading.kind(span.start)
        other = next((one for low, high, one in self._others if low < span.end and span.start < high), None)
        if other:
            yield self._reached(span, other, kind, said)
        elif address := self._address(span):
            yield _concern(span, f"{said} lies inside the address {address}", refuses=False)
        yield from (_concern(span, f"{said}: {why}", refuses=False) for why in self._why(span, kind))

    def _reached(self, span: Span, other: Needed, kind: Kind, said: str) -> Concern:
        stops = other.runs or kind in {Kind.IMPORT, Kind.NAME}
        fact = f"{said} is part of {other.name}, another project's name ({other.where})"
        remedy = ": `rename.kept` of the order keeps it, `rename.literals` changes it" if stops else ""
        return _concern(span, fact + remedy, refuses=stops)

    def _why(self, span: Span, kind: Kind) -> Iterator[str]:
        longer = len(span.rename.replacement) != span.end - span.start
        line, start = self._line(span.start)
        if any(fnmatchcase(self._path, form) for form in self._reading.writing.snapshots):
            yield "the file is what a test run wrote"
        if kind is Kind.STRING:
            before = line[max(0, start - _BEFORE) : start]
            opened = self._opening(span, before)
            if any(re.search(form, opened) for form in self._reading.writing.behaviour):
                yield "a string that is behaviour: the contract states what it becomes"
            if any(in_opaque_run(line, run.start(), run.start() + 1) for run in _RUN.finditer(line)):
                yield "a hash or signature on the line may be of it"
        if not longer or kind in {Kind.NAME, Kind.IMPORT}:
            return
        if kind is Kind.STRING and self._reading.writing.code and self._counts(span, line):
            yield "a length or a place on the line may count on it"
        if _BOX.match(line):
            yield "a line of a table whose width changes"
        elif _COLUMNS.match(line, start + span.end - span.start):
            yield "text in columns moves"
        elif self._underlined(span):
            yield "a heading is no longer as long as its underline"

    def _opening(self, span: Span, before: str) -> str:
        """What stands on the line before the string that holds the span, without quotes and prefix."""
        inside = span.start - self._reading.region(span.start).start
        return re.sub(r"[A-Za-z]{0,2}[\"'`]+\Z", "", before[: len(before) - inside] if inside else before)

    def _counts(self, span: Span, line: str) -> bool:
        region = self._reading.region(span.start)
        held = region.end - region.start - len(region.quote.closes if region.quote else "")
        numbers = {int(found[0]) for found in _NUMBER.finditer(line)}
        return bool(numbers & {held, held + 1, span.end - span.start} or (numbers and _LENGTH.search(line)))

    def _underlined(self, span: Span) -> bool:
        signs = self._reading.writing.underlines
        if not signs:
            return False
        line, _ = self._line(span.start)
        after = self._text.find("\n", span.end) + 1
        below = self._line(after)[0].rstrip() if after else ""
        if len(below) < 3 or set(below) - {below[0]} or below[0] not in signs:
            return False
        now = len(line.rstrip()) + len(span.rename.replacement) - (span.end - span.start)
        return len(below) == len(line.rstrip()) or len(below) < now

    def _line(self, place: int) -> tuple[str, int]:
        """The line, and where in it the place is."""
        low = self._text.rfind("\n", 0, place) + 1
        high = self._text.find("\n", place)
        return self._text[low : high if high >= 0 else len(self._text)], place - low

    def _address(self, span: Span) -> str:
        for low, high in self._addresses:
            if low <= span.start < high:
                return self._text[low:high]
        return ""

    @cached_property
    def _addresses(self) -> list[tuple[int, int]]:
        """Addresses that the map reaches into and does not replace as a whole."""
        urls = [match.span() for match in URL.finditer(self._text)]
        mails = [match.span() for match in EMAIL.finditer(self._text) if match[0].rpartition(".")[2].isalpha()]
        whole = [span.start for span in self._spans if _ADDRESS_SIGNS & set(span.rename.surface)]
        return [(low, high) for low, high in (*urls, *mails) if not any(low <= start < high for start in whole)]

    @cached_property
    def _others(self) -> list[tuple[int, int, Needed]]:
        return list(self._third.spans(self._text))

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self._text)


def _concern(span: Span, what: str, *, refuses: bool) -> Concern:
    return Concern(place=span.start, what=what, refuses=refuses)
