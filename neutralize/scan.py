"""The scan: every place in a set of files where a name of the upstream stands, and every file it could not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ahocorasick_rs import BytesAhoCorasick

from neutralize.decide import Decision, Found, decide
from neutralize.encoded import encoded_needles
from neutralize.finding import Finding, Unscanned
from neutralize.lines import Lines
from neutralize.needles import Needle, needles
from neutralize.text import Text
from neutralize.traverse import Item, decode
from neutralize.views import View, views
from taskpack.record import Record
from taskpack.rename import Grade, Term


class ScanReport(Record):
    """What one scan saw. The same files and terms give the same bytes."""

    findings: tuple[Finding, ...]
    unscanned: tuple[Unscanned, ...]
    files: int
    terms: int

    @property
    def complete(self) -> bool:
        return not self.unscanned

    @property
    def clean(self) -> bool:
        """Nothing found, nothing left unread, and something was looked at and looked for."""
        return not self.findings and self.complete and self.files > 0 and self.terms > 0


@dataclass(frozen=True, kw_only=True)
class _Match:
    needle: Needle
    start: int
    end: int
    decision: Decision


class Scanner:
    """Terms compiled once, for any number of texts."""

    def __init__(self, terms: Iterable[Term], *, benign: Iterable[str] = ()) -> None:
        self._needles = needles(terms)
        self._benign = frozenset(phrase.lower() for phrase in benign)
        anchors = sorted({needle.anchor for needle in self._needles})
        self._by_anchor = [tuple(n for n in self._needles if n.anchor == anchor) for anchor in anchors]
        self._search = BytesAhoCorasick(anchors)
        self._encoded = encoded_needles(self._needles)

    @property
    def size(self) -> int:
        return len(self._needles)

    def findings(self, text: str, path: str) -> tuple[Finding, ...]:
        """All hits and reviews in one text, by place. A place is reported once, in the first view that shows it."""
        lines = Lines(text)
        found: dict[tuple[int, str], Finding] = {}
        for view in views(Text(chars=text)):
            for match in self._matches(view):
                start, end = view.text.at(match.start), view.text.at(match.end - 1) + 1
                term = match.needle.term.surface
                if match.decision.found is not Found.MISS and (start, term) not in found:
                    finding = lines.finding(path, start, end, match.decision, term=term, view=view.name)
                    found[start, term] = finding
        for hit in self._encoded.hits(text):
            decision = Decision(found=Found.HIT, reason=f"encoded as {hit.encoding}")
            finding = lines.finding(path, hit.start, hit.end, decision, term=hit.term, view=hit.encoding)
            found.setdefault((hit.start, hit.term), finding)
        return tuple(found[place] for place in sorted(found))

    def verdict(self, text: str) -> Found:
        """The worst answer for one text."""
        found = {finding.found for finding in self.findings(text, "text")}
        return Found.HIT if Found.HIT in found else Found.REVIEW if found else Found.MISS

    def path_findings(self, path: str) -> tuple[Finding, ...]:
        return tuple(
            finding.model_copy(update={"line": 0, "view": "path", "path": path})
            for finding in self.findings(path, path)
        )

    def findings_in_bytes(self, data: bytes, path: str) -> tuple[Finding, ...]:
        """Identifying terms that stand in plain ASCII inside what is no text."""
        text = data.decode("latin-1")
        lines = Lines(text)
        return tuple(
            lines.finding(path, match.start, match.end, match.decision, term=match.needle.term.surface, view="bytes")
            for match in self._matches(View(name="bytes", text=Text(chars=text)))
            if match.needle.grade is Grade.IDENTIFYING and match.decision.found is Found.HIT
        )

    def _matches(self, view: View) -> Iterator[_Match]:
        chars = view.text.chars
        data = chars.encode("latin-1").lower()
        present = {index for index, _, _ in self._search.find_matches_as_indexes(data, overlapping=True)}
        lowered = data.decode("latin-1")
        for index in sorted(present):
            for needle in self._by_anchor[index]:
                for found in needle.pattern.finditer(chars if needle.literal else lowered):
                    start, end = found.span(1)
                    yield _Match(
                        needle=needle,
                        start=start,
                        end=end,
                        decision=decide(needle, chars, start, end, self._benign),
                    )


def scan(found: Iterable[Item], terms: Iterable[Term], *, benign: Iterable[str] = ()) -> ScanReport:
    """Look for `terms` in the content and the path of every item.

    An item without readable text is reported as unscanned, and the report is then not clean whatever else it says.
    """
    scanner = Scanner(terms, benign=benign)
    findings: list[Finding] = []
    unscanned: list[Unscanned] = []
    files = 0
    for item in sorted(found, key=lambda item: item.path):
        files += 1
        findings += scanner.path_findings(item.path)
        text = decode(item.data) if item.data is not None else None
        if text is None:
            unscanned.append(Unscanned(path=item.path, problem=item.problem or "not text"))
            findings += scanner.findings_in_bytes(item.data or b"", item.path)
        else:
            findings += scanner.findings(text, item.path)
    return ScanReport(findings=tuple(findings), unscanned=tuple(unscanned), files=files, terms=scanner.size)
