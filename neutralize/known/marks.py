"""Detectors of the upstream's marks in documents and trees: headings, file names, names of tests, releases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from neutralize.finding import Finding
from neutralize.known import documents, names
from neutralize.known.allow import Allow
from neutralize.known.facts import Fact
from neutralize.known.lexing import ending
from neutralize.known.needle_set import NeedleSet, stands_alone
from neutralize.known.places import Spots, about_path, hit, review
from neutralize.spelling import lexemes
from neutralize.traverse import Item

_LINK = re.compile(r"#([a-z0-9]+(?:[-_][a-z0-9]+)+)", re.IGNORECASE)
_MANY_WORDS = 4
_VERSION_START = re.compile(r"(?:^|[^\w.])v?\Z")
_VERSION_END = re.compile(r"(?![\w]|\.\d)")


class HeadingDetector:
    """Headings that the upstream's documents have, and links to them."""

    rule = "heading"

    def __init__(self, headings: Iterable[Fact]) -> None:
        self._slugs = frozenset(fact.value for fact in headings)

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        if not text or not self._slugs or ending(item.path) not in documents.PROSE | {"html", "htm"}:
            return
        spots = {(start, end): documents.slug(said) for said, start, end in documents.headings(item.path, text)}
        spots |= {match.span(1): documents.slug(match[1]) for match in _LINK.finditer(text)}
        for (start, end), slug in sorted(spots.items()):
            if slug in self._slugs:
                many = len(slug.split("-")) >= _MANY_WORDS
                decision = (hit if many else review)("a heading of the upstream's documents")
                yield Spots(self.rule, item.path, text).finding(start, end, decision, slug)


class StemDetector:
    """Files that are called as an unusually named file of the upstream is."""

    rule = "file-name"

    def __init__(self, stems: Iterable[Fact]) -> None:
        self._stems = {fact.value.lower() for fact in stems}

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:  # noqa: ARG002 (the name alone counts)
        stem = names.stem(item.path)
        if stem.lower() in self._stems:
            yield about_path(self.rule, item.path, review("a file of the upstream is called so"), stem)


class TestNameDetector:
    """Names of the upstream's tests, with and without their first `test`."""

    rule = "test-name"
    __test__ = False

    def __init__(self, tests: Iterable[Fact]) -> None:
        values = [fact.value for fact in tests]
        shorter = [(re.sub(r"^[Tt]est_?", "", value), value) for value in values]
        self._needles = NeedleSet(
            [
                *((value, value) for value in values),
                *((short, value) for short, value in shorter if len(lexemes(short)) >= _MANY_WORDS),
            ]
        )

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        done = -1
        for value, start, end in self._needles.places(text or ""):
            if start >= done and stands_alone(text or "", start, end):
                done = end
                many = len(lexemes(value)) > _MANY_WORDS
                decision = (hit if many else review)("a test of the upstream is called so")
                yield Spots(self.rule, item.path, text or "").finding(start, end, decision, value)


class ReleaseDetector:
    """Releases of the upstream beside a word for a product, and days of its releases."""

    rule = "release"

    def __init__(self, versions: Iterable[Fact], dates: Iterable[Fact], allow: Allow) -> None:
        self._needles = NeedleSet((fact.value, fact.value) for fact in versions)
        self._dates = frozenset(fact.value for fact in dates)
        self._years = sorted({date[:4] for date in self._dates})
        self._noun = re.compile(
            "|".join(rf"\b{re.escape(noun)}" for noun in sorted(allow.nouns)) or r"\Z.", re.IGNORECASE
        )

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        text = text or ""
        for version, start, end in self._needles.places(text):
            whole = _VERSION_END.match(text, end) and _VERSION_START.search(text[max(0, start - 2) : start])
            if whole and self._noun.search(_around(text, start, end)):
                decision = review("the upstream has a release of this number")
                yield Spots(self.rule, item.path, text).finding(start, end, decision, version)
        if any(year in text for year in self._years):
            for date, start, end in documents.dates(text):
                if date in self._dates:
                    decision = review("the upstream made a release on this day")
                    yield Spots(self.rule, item.path, text).finding(start, end, decision, date)


def _around(text: str, start: int, end: int) -> str:
    """The line, as far as a person would read it as one."""
    low = max(text.rfind("\n", max(0, start - 300), start) + 1, start - 300, 0)
    high = text.find("\n", end, end + 300)
    return text[low : high if high >= 0 else end + 300]
