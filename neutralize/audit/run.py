"""Where an audit is put together: which entries are read, and what looks at them."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from neutralize.audit.core import Known, audit
from neutralize.audit.measures import kept_identifiers, kept_names, rename_soundness
from neutralize.audit.report import AuditInput, AuditReport, Kind, Metric, Mode
from neutralize.audit.shared import shared_runs
from neutralize.authored import Kept
from neutralize.decide import Found
from neutralize.deep import deep_items
from neutralize.finding import Detector, Finding
from neutralize.known.allow import Allow
from neutralize.known.derive import derive_known
from neutralize.known.detect import detectors
from neutralize.known.facts import Known as Facts
from neutralize.scan import Scanner
from neutralize.traverse import Item
from neutralize.waivers import Waivers
from taskpack.files import file_digest, walk
from taskpack.layout import CaseFolder
from taskpack.rename import Names, Term


@dataclass(frozen=True, kw_only=True)
class Source:
    """What is known of the source."""

    mode: Mode
    terms: tuple[Term, ...] = ()
    tree: Path | None = None
    """The pinned files, in mode `pin`."""
    facts: Facts | None = None
    """What these tell beside the terms."""
    scratch: Path | None = None
    """A folder of this audit's own, that is gone with it."""
    names: Names | None = None
    """What the names stage decided, for a case of ours."""
    inputs: tuple[AuditInput, ...] = ()
    kept: tuple[Kept, ...] = ()
    """Literals and messages that the author keeps."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is audited."""

    path: Path
    name: str
    kind: Kind | None = None
    case: CaseFolder | None = None
    """The case of ours that it is or holds."""
    waivers: Waivers = field(default_factory=lambda: Waivers(waivers=()))


def facts(tree: Path, repository: Path | None, terms: Iterable[Term]) -> Facts | None:
    """What the pinned files and their history tell beside the term list; None where they cannot be read."""
    return derive_known(tree, repository=repository, terms=terms) if _plain(tree) else None


def _looking(source: Source, allow: Allow) -> tuple[Detector, ...]:
    """A term list alone is searched for and nothing else is judged; with nothing, what looks like a trace is shown."""
    return () if source.mode is Mode.TERMS else detectors(source.facts, allow=allow)


class ButKept:
    """A detector that says nothing of what the author keeps: public names, which are a row of the scorecard, and
    strings that only might be the upstream's, such as the number of a release."""

    def __init__(self, detector: Detector, names: Collection[str], strings: Collection[str] = ()) -> None:
        self.rule = detector.rule
        self._detector = detector
        self._names = names
        self._strings = strings

    def findings(self, item: Item, text: str | None) -> Iterable[Finding]:
        """All but those that are exactly a kept name, and reviews that are exactly a kept string."""
        return (one for one in self._detector.findings(item, text) if not self._is_kept(one))

    def _is_kept(self, one: Finding) -> bool:
        return one.term in self._names or (one.found is Found.REVIEW and one.term in self._strings)


def measures(subject: Subject, source: Source) -> Iterator[Metric]:
    """Rows of the scorecard beside those that the report gives by itself."""
    if source.facts is not None and source.tree is not None:
        yield from shared_runs(subject.path, source.tree, source.facts)
    if source.names is None:
        return
    if subject.case is not None:
        yield kept_identifiers(subject.case, source.names)
    if source.tree is not None and source.scratch is not None and _plain(source.tree):
        yield rename_soundness(source.tree, source.names, source.scratch / "renamed")


def looking(source: Source, *, today: dt.date) -> tuple[Detector, ...]:
    """The detectors for what is known of `source`, deaf to what its author keeps."""
    kept = frozenset(kept_names(source.names)) if source.names else frozenset()
    strings = tuple(one.literal for one in source.kept if today <= one.until)
    return tuple(ButKept(one, kept, strings) for one in _looking(source, Allow(literals=strings)))


def run(subject: Subject, source: Source, *, today: dt.date) -> AuditReport:
    """Audit one thing."""
    inputs = (AuditInput(name="audited", digest=_digest(subject.path)), *source.inputs)
    known = _known(subject, source, today=today, inputs=inputs, measured=tuple(measures(subject, source)))
    return audit(deep_items(subject.path), known)


def search(subject: Subject, source: Source, *, tops: Sequence[str], today: dt.date) -> AuditReport:
    """Look through the parts of one folder that `tops` names, as an audit does, and measure nothing beside it."""
    inputs = (AuditInput(name="audited", digest=_digest(subject.path, tops)), *source.inputs)
    known = _known(subject, source, today=today, inputs=inputs, measured=())
    return audit(deep_items(subject.path, tops), known)


def _known(
    subject: Subject, source: Source, *, today: dt.date, inputs: tuple[AuditInput, ...], measured: tuple[Metric, ...]
) -> Known:
    return Known(
        name=subject.name,
        kind=subject.kind,
        mode=source.mode,
        terms=source.terms,
        searcher=Scanner(source.terms),
        detectors=looking(source, today=today),
        waivers=subject.waivers,
        today=today,
        inputs=inputs,
        measured=measured,
        notes=source.notes,
    )


def _plain(tree: Path) -> bool:
    """Whether a tree holds files and links alone: reading anything else may never end."""
    return all(path.is_symlink() or path.is_file() for path in walk(tree))


def _digest(path: Path, tops: Sequence[str] = ("",)) -> str:
    """Of the audited bytes, whatever the reader of entries makes of them."""
    if path.is_file():
        return file_digest(path)
    total = hashlib.sha256()
    for place in (place for top in tops if (path / top).exists() for place in walk(path / top)):
        kind, content = "other", ""
        if place.is_symlink():
            kind, content = "link", hashlib.sha256(os.fsencode(place.readlink())).hexdigest()
        elif place.is_file():
            kind, content = "file", file_digest(place)
        total.update(os.fsencode(place.relative_to(path)) + f"\0{kind}\0{content}\n".encode())
    return total.hexdigest()
