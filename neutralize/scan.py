"""The scan: every place in a set of files where a name of the upstream stands, and every file it could not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from neutralize.decide import Decision, Found, Page, decide
from neutralize.encoded import codes
from neutralize.finding import Finding, Unscanned
from neutralize.leet import LeetSearch
from neutralize.lines import Lines
from neutralize.needles import needles
from neutralize.search import Encoded, Plain, Search
from neutralize.text import Text
from neutralize.traverse import Item, decode
from neutralize.views import View, views
from taskpack.record import Record
from taskpack.rename import Grade, Term

_LIST = "list-join"
MAX_PLACES = 20_000
"""In one file. A file with more is reported as not scanned to its end."""


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
class _Place:
    """One place of the file's own text, and the reading that shows it."""

    term: str
    start: int
    end: int
    decision: Decision
    view: str


class Scanner:
    """Terms compiled once, for any number of texts."""

    def __init__(self, terms: Iterable[Term], *, benign: Iterable[str] = ()) -> None:
        self._needles = needles(terms)
        self._benign = frozenset(phrase.lower() for phrase in benign)
        self._search = Search(self._needles, codes(self._needles))
        self._leet = LeetSearch(self._needles)

    @property
    def size(self) -> int:
        return len(self._needles)

    def findings(self, text: str, path: str) -> tuple[Finding, ...]:
        """The hits and reviews in one text, by place, `MAX_PLACES` at the most.

        A place is reported once, in the first view that shows it.
        """
        lines = Lines(text)
        found: dict[tuple[int, str], _Place] = {}
        for place in self._places(text):
            found.setdefault((place.start, place.term), place)
            if len(found) == MAX_PLACES:
                break
        return tuple(
            lines.finding(path, place.start, place.end, place.decision, term=place.term, view=place.view)
            for _, place in sorted(found.items())
        )

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
        lines, page = Lines(text), Page(text)
        found: list[Finding] = []
        for hit in self._search.hits(text, data, data.lower()):
            if isinstance(hit, Plain) and hit.needle.grade is Grade.IDENTIFYING:
                decision = decide(hit.needle, page, hit.start, hit.end, self._benign)
                if decision.found is Found.HIT:
                    term = hit.needle.term.surface
                    found.append(lines.finding(path, hit.start, hit.end, decision, term=term, view="bytes"))
            if len(found) == MAX_PLACES:
                break
        return tuple(found)

    def _places(self, text: str) -> Iterator[_Place]:
        for view in views(Text(chars=text)):
            yield from self._in_view(view)

    def _in_view(self, view: View) -> Iterator[_Place]:
        chars = view.text.chars
        data = chars.encode("latin-1")
        lowered = data.lower()
        page = Page(chars)
        for hit in self._search.hits(chars, data, lowered):
            if view.name == "combined" and not _changed(view, hit):
                continue
            if isinstance(hit, Encoded):
                decision = Decision(found=Found.HIT, reason=f"encoded as {hit.code.encoding}")
                yield _place(view, hit.code.term, hit, decision, hit.code.encoding)
                continue
            decision = _listed(view, hit) if view.loose else decide(hit.needle, page, hit.start, hit.end, self._benign)
            if decision.found is not Found.MISS:
                yield _place(view, hit.needle.term.surface, hit, decision)
        if view.name == "raw":
            substituted = Decision(found=Found.HIT, reason="identifying term in digits and signs for letters")
            for hit in self._leet.hits(chars, lowered):
                yield _place(view, hit.needle.term.surface, hit, substituted, "leet")


def _place(view: View, term: str, hit: Plain | Encoded, decision: Decision, encoding: str = "") -> _Place:
    start, end = view.text.span(hit.start, hit.end)
    steps = [*dict.fromkeys(view.text.steps(hit.start, hit.end)), *([encoding] if encoding else [])]
    return _Place(term=term, start=start, end=end, decision=decision, view="+".join(steps) or view.name)


def _changed(view: View, hit: Plain | Encoded) -> bool:
    """Whether a reading changed something in a place or right beside it; the raw view has the others."""
    return any(view.text.steps(max(0, hit.start - 1), min(len(view.text.chars), hit.end + 1)))


def _listed(view: View, hit: Plain) -> Decision:
    """Judge a name that only stands there when the items of a list are read as one word.

    Items cut inside a word are one name. Items that are words themselves may be two: a person decides.
    """
    steps = tuple(view.text.steps(hit.start, hit.end))
    if hit.needle.grade is not Grade.IDENTIFYING or _LIST not in steps or view.text.pieces is None:
        return Decision(found=Found.MISS, reason="only identifying terms are looked for in lists")
    ends = set(accumulate(map(len, hit.needle.words)))
    if all(cut - hit.start in ends for cut in view.text.pieces.cuts(hit.start, hit.end)):
        return Decision(found=Found.REVIEW, reason="items of a list that are words themselves: a person decides")
    return Decision(found=Found.HIT, reason="identifying term cut into a list")


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
            seen = scanner.findings_in_bytes(item.data or b"", item.path)
        else:
            seen = scanner.findings(text, item.path)
        if text is not None and len(seen) >= MAX_PLACES:
            unscanned.append(Unscanned(path=item.path, problem=f"{MAX_PLACES} places found, the rest not looked for"))
        findings += seen
    return ScanReport(findings=tuple(findings), unscanned=tuple(unscanned), files=files, terms=scanner.size)
