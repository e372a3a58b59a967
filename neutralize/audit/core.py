"""The audit itself: entries in, a report out. Where entries, terms and detectors come from is left to `run`."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from neutralize.audit.layout import (
    DENYLIST,
    DOCUMENTS,
    MANIFEST,
    NAMES,
    ORDER,
    SUITE,
    Standing,
    case_roots,
    inside,
    standing,
)
from neutralize.audit.purpose import TERMS_FIELD, is_denylist, is_names, is_order, without_terms
from neutralize.audit.report import (
    Answer,
    AuditInput,
    AuditReport,
    Coverage,
    Kind,
    LeftOut,
    Metric,
    MetTerm,
    Mode,
    Place,
    Rest,
    Visibility,
    WaivedPlace,
    WaiverState,
)
from neutralize.audit.score import Sums, scorecard
from neutralize.audit.seen import Hit, Searcher, Seen, look, once, unsearched
from neutralize.decide import Found
from neutralize.finding import Detector, Finding
from neutralize.traverse import Item
from neutralize.waivers import Waivers, weigh
from taskpack.rename import Term

_HELD_BACK = (MANIFEST, DENYLIST, NAMES, ORDER)
"""What tells how a case is to be read is looked at last, when it is known which folders are cases."""
_SEEN_BY = list(Visibility)


@dataclass(frozen=True, kw_only=True)
class Known:
    """What an audit is given besides the entries."""

    name: str
    kind: Kind | None = None
    """None: a bundle where there is a case in it, else a folder, a file, an archive or an image."""
    mode: Mode
    terms: Sequence[Term] = ()
    searcher: Searcher
    detectors: Sequence[Detector] = ()
    waivers: Waivers = field(default_factory=lambda: Waivers(waivers=()))
    today: dt.date
    inputs: Sequence[AuditInput] = ()
    measured: Sequence[Metric] = ()
    """Rows of the scorecard that others have measured."""
    notes: Sequence[str] = ()


def audit(items: Iterable[Item], known: Known) -> AuditReport:
    """Search every entry and say how it ends. The same entries and knowledge give the same report."""
    pages = _read(items, known)
    shown = [page for page in pages if not page.left]
    hits = list(once([page.seen for page in shown]))
    of = {id(hit.finding): hit for hit in hits}
    weighed = weigh([hit.finding for hit in hits], known.waivers, today=known.today)
    roots = case_roots(page.seen.path for page in pages)
    namer = _Namer(known.terms, [hit.finding for hit in hits])
    placed = sorted((namer.place(of[id(finding)], roots) for finding in weighed.standing), key=_reading_order)
    findings = tuple(place.model_copy(update={"number": number}) for number, place in enumerate(placed, start=1))
    waived = tuple(
        WaivedPlace(place=namer.place(of[id(one.finding)], roots), reason=one.waiver.reason, expires=one.waiver.expires)
        for one in weighed.waived
    )
    coverage = _coverage(pages, roots)
    rules = tuple(sorted({"term", *(detector.rule for detector in known.detectors)}))
    sums = Sums(
        coverage=coverage,
        findings=findings,
        words_visible=sum(page.seen.words for page in shown if page.standing.visibility.open),
        words_elsewhere=sum(page.seen.words for page in shown if not page.standing.visibility.open),
        searched=known.searcher.size,
        rules=rules,
        kinds={term.id: term.kind for term in namer.met},
    )
    return AuditReport(
        name=known.name,
        kind=known.kind or _kind(pages, roots, known.name),
        mode=known.mode,
        answer=_answer(known, coverage, findings),
        notes=tuple(known.notes),
        inputs=tuple(sorted([_digest(pages), *known.inputs], key=lambda one: one.name)),
        terms_searched=known.searcher.size,
        rules=rules,
        coverage=coverage,
        terms=tuple(namer.met),
        findings=findings,
        waived=tuple(sorted(waived, key=lambda one: _reading_order(one.place))),
        waivers=tuple(
            WaiverState(**waiver.model_dump(exclude={"reason"}), fate=fate) for waiver, fate in weighed.fates
        ),
        scorecard=scorecard(sums, known.measured),
    )


@dataclass(frozen=True, kw_only=True)
class _Page:
    """An entry, what it is for, and why it is left out, as a whole or in part."""

    seen: Seen
    standing: Standing
    left: str = ""
    partly: str = ""


def _read(items: Iterable[Item], known: Known) -> list[_Page]:
    held: list[Item] = []
    seen: list[Seen] = []
    for item in items:
        if item.path.endswith(_HELD_BACK) and item.data is not None:
            held.append(item)
        elif known.kind is Kind.CASE and item.path.startswith("provenance/"):
            seen.append(unsearched(item))  # it is the author's, whatever else is found
        else:
            seen.append(look(item, known.searcher, known.detectors))
    roots = case_roots([*(one.path for one in seen), *(item.path for item in held)])
    facts = {item.path: item.data or b"" for item in held}
    ours = {root for root in roots if is_names(facts.get(root + NAMES, b"")) or is_order(facts.get(root + ORDER, b""))}
    pages = [_page(one, roots, ours) for one in seen]
    for item in held:
        data = item.data or b""
        place = inside(item.path, roots)
        shortened = without_terms(data) if place and place[1] == MANIFEST else data
        one = look(Item(path=item.path, data=shortened, problem=item.problem), known.searcher, known.detectors)
        whole = replace(one, sha256=hashlib.sha256(data).hexdigest())
        banned = bool(place and place[1] == DENYLIST and is_denylist(data))
        page = _page(whole, roots, ours)
        pages.append(
            _Page(
                seen=whole,
                standing=page.standing,
                left="the bans, which name the source by purpose" if banned else page.left,
                partly="the term list, which names the source by purpose" if shortened is not data else "",
            )
        )
    return sorted(pages, key=lambda page: page.seen.path)


def _page(seen: Seen, roots: Sequence[str], ours: set[str]) -> _Page:
    place = inside(seen.path, roots)
    authors = place is not None and place[0] in ours and (place[1] == ORDER or place[1].startswith("provenance/"))
    return _Page(
        seen=seen,
        standing=standing(seen.path, roots),
        left="the author's record of where the task comes from" if authors else "",
    )


def _coverage(pages: Sequence[_Page], roots: Sequence[str]) -> Coverage:
    counted = [page for page in pages if not page.left]
    scanned = [page for page in counted if not page.seen.problem]
    rest = [
        Rest(
            path=page.seen.path,
            role=page.standing.role,
            visibility=page.standing.visibility,
            size=page.seen.size,
            problem=page.seen.problem,
        )
        for page in counted
        if page.seen.problem
    ]
    missing = list(_missing(pages, roots))
    return Coverage(
        entries=len(counted) + len(missing),
        entries_scanned=len(scanned),
        bytes=sum(page.seen.size or 0 for page in counted),
        bytes_scanned=sum(page.seen.size or 0 for page in scanned),
        rest=tuple(sorted([*rest, *missing], key=lambda one: one.path)),
        left_out=tuple(
            LeftOut(
                path=page.seen.path,
                part=TERMS_FIELD if page.partly else "",
                why=page.left or page.partly,
                sha256=page.seen.sha256,
            )
            for page in pages
            if page.left or page.partly
        ),
    )


def _missing(pages: Sequence[_Page], roots: Sequence[str]) -> Iterable[Rest]:
    """Documents that a case with a manifest must have: what is not there was not scanned.

    An archive may be for one audience; it must have them when it has the suite as well.
    """
    there = {page.seen.path for page in pages}
    for root in roots:
        whole = "!" not in root or root + SUITE in there
        for name in DOCUMENTS if whole and root + MANIFEST in there else ():
            if root + name not in there:
                yield Rest(
                    path=root + name, role="document", visibility=Visibility.SOLVER, size=None, problem="missing"
                )


def _answer(known: Known, coverage: Coverage, findings: Sequence[Place]) -> Answer:
    if any(place.found is Found.HIT for place in findings):
        return Answer.NAMES
    if not coverage.complete:
        return Answer.INCOMPLETE
    if findings:
        return Answer.DECISIONS
    return Answer.NEUTRAL if known.mode is not Mode.NOTHING and known.searcher.size else Answer.UNKNOWN


def _kind(pages: Sequence[_Page], roots: Sequence[str], name: str) -> Kind:
    paths = {page.seen.path for page in pages}
    if any(path.startswith(f"{name}!") and not path.startswith(f"{name}!(") for path in paths):
        layers = any(f"{name}!{mark}" in paths for mark in ("oci-layout", "repositories", "index.json"))
        listed = f"{name}!manifest.json" in paths and any(path.endswith(("/layer.tar", ".tar")) for path in paths)
        return Kind.IMAGE if layers or listed else Kind.BUNDLE if roots else Kind.ARCHIVE
    if roots:
        return Kind.BUNDLE
    return Kind.FILE if paths and all(path == name or path.startswith(f"{name}!(") for path in paths) else Kind.FOLDER


def _digest(pages: Sequence[_Page]) -> AuditInput:
    total = hashlib.sha256()
    for page in pages:
        total.update(page.seen.path.encode("utf-8", "surrogatepass") + f"\0{page.seen.sha256}\n".encode())
    return AuditInput(name="entries", digest=total.hexdigest())


def _reading_order(place: Place) -> tuple[int, str, int, int, str, str]:
    """What solvers see first, then by file and line."""
    rank = _SEEN_BY.index(place.visibility)
    return rank, place.path, place.line, place.column, place.rule, place.term_id


class _Namer:
    """Gives terms their ids, and findings their places."""

    def __init__(self, terms: Sequence[Term], findings: Sequence[Finding]) -> None:
        listed: dict[str, MetTerm] = {}
        for number, term in enumerate(sorted(terms, key=lambda one: (one.kind, one.surface)), start=1):
            found = MetTerm(id=f"T{number:03}", surface=term.surface, kind=term.kind, grade=term.grade)
            listed.setdefault(term.surface, found)
        self._ids: dict[tuple[str, str], MetTerm] = {}
        others = sorted({(one.rule, one.term) for one in findings if not (one.rule == "term" and one.term in listed)})
        for number, (rule, surface) in enumerate(others, start=1):
            self._ids[rule, surface] = MetTerm(id=f"D{number:03}", surface=surface, kind=rule, grade="")
        for one in findings:
            if (one.rule, one.term) not in self._ids:
                self._ids["term", one.term] = listed[one.term]
        self.met = sorted(self._ids.values(), key=lambda term: term.id)

    def place(self, hit: Hit, roots: Sequence[str]) -> Place:
        finding = hit.finding
        where = standing(finding.path, roots)
        return Place(
            number=0,
            rule=finding.rule,
            term_id=self._ids[finding.rule, finding.term].id,
            found=finding.found,
            view=finding.view,
            role=where.role,
            visibility=where.visibility,
            path=finding.path,
            line=finding.line,
            column=finding.column,
            span=hit.span,
            surface=finding.surface,
            line_digest=finding.line_digest,
            reason=finding.reason,
            excerpt=hit.excerpt,
        )
