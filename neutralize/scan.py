"""The scan: every place in a set of files where a name of the upstream stands, and every file it could not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from neutralize.benign import PHRASES
from neutralize.decide import Decision, Found, Page, decide
from neutralize.encoded import codes
from neutralize.finding import Finding, Unscanned
from neutralize.leet import LeetSearch
from neutralize.lines import Lines
from neutralize.needles import Needle, needles
from neutralize.search import Encoded, Plain, Search
from neutralize.text import Text, near
from neutralize.traverse import Item, decode
from neutralize.views import View, views
from taskpack.record import Record
from taskpack.rename import Grade, Term

_LIST = "list-join"
_NEAR = 32
"""Characters beside a name that bear on the decision about it: no affix and no glued prefix is longer."""
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

    def __init__(self, terms: Iterable[Term], *, benign: Iterable[str] = PHRASES) -> None:
        """`benign` holds phrases in which a generic term is plain English."""
        self._needles = needles(terms)
        generic = {word for needle in self._needles if needle.grade is Grade.GENERIC for word in needle.words}
        phrases = {phrase.lower() for phrase in benign}
        self._benign = frozenset(phrase for phrase in phrases if any(word in phrase for word in generic))
        encoded = tuple(codes(self._needles))
        self._search = Search(self._needles, encoded)
        widest = [needle.reach + needle.onward + max(map(len, needle.anchors)) for needle in self._needles]
        self._reach = _NEAR + max([*widest, *(len(code.code) for code in encoded)], default=0)
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
        page = Page(view.text.chars)
        text = self._part(view)
        data = text.chars.encode("latin-1")
        lowered = data.lower()
        there = None if view.name == "raw" else partial(_is_changed, text)
        for hit in self._search.hits(text.chars, data, lowered, there=there):
            first = 0 if text is view.text or text.pieces is None else text.pieces.span(hit.start)[0] - hit.start
            yield from self._decided(view, page, hit, first)
        if view.name == "raw":
            substituted = Decision(found=Found.HIT, reason="identifying term in digits and signs for letters")
            for hit in self._leet.hits(text.chars, lowered):
                yield _place(view, hit.needle.term.surface, (hit.start, hit.end), substituted, "leet")

    def _part(self, view: View) -> Text:
        """What of a view may show a name that no view before it shows; all of it, when that is half of it."""
        if view.places is None or 2 * len(view.places) * self._reach > len(view.text.chars):
            return view.text
        return near(view.text, view.places, self._reach)

    def _decided(self, view: View, page: Page, hit: Plain | Encoded, first: int) -> Iterator[_Place]:
        start, end = first + hit.start, first + hit.end
        if isinstance(hit, Encoded):
            decision = Decision(found=Found.HIT, reason=f"encoded as {hit.code.encoding}")
            yield _place(view, hit.code.term, (start, end), decision, hit.code.encoding)
            return
        if view.loose:
            decision = _listed(view, hit.needle, start, end)
        else:
            decision = decide(hit.needle, page, start, end, self._benign)
        if decision.found is not Found.MISS:
            yield _place(view, hit.needle.term.surface, (start, end), decision)


def _place(view: View, term: str, span: tuple[int, int], decision: Decision, encoding: str = "") -> _Place:
    start, end = view.text.span(*span)
    steps = [*dict.fromkeys(view.text.steps(*span)), *([encoding] if encoding else [])]
    return _Place(term=term, start=start, end=end, decision=decision, view="+".join(steps) or view.name)


def _is_changed(text: Text, start: int, end: int) -> bool:
    """Whether a reading changed something in a place or near it; the raw view has the others."""
    return text.changed(max(0, start - _NEAR), min(len(text.chars), end + _NEAR))


def _listed(view: View, needle: Needle, start: int, end: int) -> Decision:
    """Judge a name that only stands there when the items of a list are read as one word.

    Items cut inside a word are one name. Items that are words themselves may be two: a person decides.
    """
    steps = tuple(view.text.steps(start, end))
    if needle.grade is not Grade.IDENTIFYING or _LIST not in steps or view.text.pieces is None:
        return Decision(found=Found.MISS, reason="only identifying terms are looked for in lists")
    ends = set(accumulate(map(len, needle.words)))
    if all(cut - start in ends for cut in view.text.pieces.cuts(start, end)):
        return Decision(found=Found.REVIEW, reason="items of a list that are words themselves: a person decides")
    return Decision(found=Found.HIT, reason="identifying term cut into a list")


def scan(found: Iterable[Item], terms: Iterable[Term], *, benign: Iterable[str] = PHRASES) -> ScanReport:
    """Look for `terms` in the content and the path of every item.

    An item without readable text is reported as unscanned, and the report is then not clean whatever else it says.
    Items are let go one by one, in any order: what is kept is what was found.
    """
    scanner = Scanner(terms, benign=benign)
    findings: list[Finding] = []
    unscanned: list[Unscanned] = []
    files = 0
    for item in found:
        files += 1
        seen, problem = _looked(scanner, item)
        findings += seen
        if problem:
            unscanned.append(Unscanned(path=item.path, problem=problem))
    return ScanReport(
        findings=tuple(sorted(findings, key=_path_of)),
        unscanned=tuple(sorted(unscanned, key=_path_of)),
        files=files,
        terms=scanner.size,
    )


def _looked(scanner: Scanner, item: Item) -> tuple[list[Finding], str]:
    """What stands in one item, and why it was not read to its end."""
    found = [*scanner.path_findings(item.path)]
    text = decode(item.data) if item.data is not None else None
    if text is None:
        return [*found, *scanner.findings_in_bytes(item.data or b"", item.path)], item.problem or "not text"
    seen = scanner.findings(text, item.path)
    cut = len(seen) >= MAX_PLACES
    return [*found, *seen], f"{MAX_PLACES} places found, the rest not looked for" if cut else ""


def _path_of(one: Finding | Unscanned) -> str:
    return one.path
