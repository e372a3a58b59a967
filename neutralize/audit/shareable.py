"""The form of a report that may be given away: what names the source becomes an id or a keyed hash.

Dropped: excerpts, details, reasons of waivers, everything that an author wrote. Kept: where, what kind, how many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from neutralize.audit.keys import keyed
from neutralize.audit.report import (
    AuditInput,
    AuditReport,
    Coverage,
    Form,
    LeftOut,
    Metric,
    MetTerm,
    Place,
    Rest,
    WaivedPlace,
    WaiverState,
)
from neutralize.audit.seen import Searcher

WITHHELD = "withheld"
_STEPS = re.compile(r"([/!])")
_SHORT = 16


def shareable(report: AuditReport, key: bytes, searcher: Searcher) -> AuditReport:
    """`report` without anything that tells what it is about, as far as `searcher` and its own findings know that."""
    return _Hiding(key=key, searcher=searcher, recognised=_recognised(report)).report(report)


def _recognised(report: AuditReport) -> frozenset[str]:
    """What detectors recognised, which the term search does not know."""
    places = [*report.findings, *(one.place for one in report.waived)]
    found = [term.surface for term in report.terms if not term.grade]
    found += [place.surface for place in places if place.rule != "term"]
    return frozenset(text.casefold() for text in found if len(text) > 1)


@dataclass(frozen=True, kw_only=True)
class _Hiding:
    key: bytes
    searcher: Searcher
    recognised: frozenset[str]
    _known: dict[str, bool] = field(default_factory=dict)

    def tells(self, text: str) -> bool:
        if text not in self._known:
            folded = text.casefold()
            found = any(one in folded for one in self.recognised)
            self._known[text] = found or bool(self.searcher.findings(text, "") or self.searcher.path_findings(text))
        return self._known[text]

    def mac(self, text: str) -> str:
        return keyed(self.key, text).hexdigest()

    def said(self, text: str) -> str:
        return WITHHELD if self.tells(text) else text

    def path(self, path: str) -> str:
        """A path whose telling parts are hashed; all of them where only several together tell."""
        parts = _STEPS.split(path)
        hidden = "".join(self._step(part, self.tells) for part in parts)
        return hidden if not self.tells(hidden) else "".join(self._step(part, lambda _: True) for part in parts)

    def _step(self, part: str, telling: Callable[[str], bool]) -> str:
        plain = part in {"", "/", "!"} or not telling(part)
        return part if plain else f"~{keyed(self.key, f'path{chr(0)}{part}').hexdigest()[:_SHORT]}"

    def report(self, report: AuditReport) -> AuditReport:
        return AuditReport(
            form=Form.SHAREABLE,
            name=self.path(report.name),
            kind=report.kind,
            mode=report.mode,
            answer=report.answer,
            notes=tuple(self.said(note) for note in report.notes),
            inputs=tuple(AuditInput(name=self.said(one.name), digest=self.mac(one.digest)) for one in report.inputs),
            terms_searched=report.terms_searched,
            rules=report.rules,
            coverage=self._coverage(report.coverage),
            terms=tuple(
                MetTerm(id=term.id, surface=self.mac(term.surface), kind=self.said(term.kind), grade=term.grade)
                for term in report.terms
            ),
            findings=tuple(self._place(place) for place in report.findings),
            waived=tuple(
                WaivedPlace(place=self._place(one.place), reason=WITHHELD, expires=one.expires) for one in report.waived
            ),
            waivers=tuple(self._waiver(waiver) for waiver in report.waivers),
            scorecard=tuple(self._metrics(report.scorecard)),
        )

    def _coverage(self, coverage: Coverage) -> Coverage:
        return coverage.model_copy(
            update={
                "rest": tuple(self._rest(one) for one in coverage.rest),
                "left_out": tuple(
                    LeftOut(path=self.path(one.path), part=one.part, why=one.why, sha256=self.mac(one.sha256))
                    for one in coverage.left_out
                ),
            }
        )

    def _rest(self, rest: Rest) -> Rest:
        return rest.model_copy(update={"path": self.path(rest.path), "problem": self.said(rest.problem)})

    def _place(self, place: Place) -> Place:
        return place.model_copy(
            update={
                "path": self.path(place.path),
                "surface": self.mac(place.surface),
                "line_digest": self.mac(place.line_digest),
                "reason": self.said(place.reason),
                "excerpt": None,
            }
        )

    def _waiver(self, waiver: WaiverState) -> WaiverState:
        return waiver.model_copy(
            update={
                "term": self.mac(waiver.term),
                "path": self.path(waiver.path),
                "line_digest": self.mac(waiver.line_digest),
            }
        )

    def _metrics(self, metrics: Iterable[Metric]) -> Iterable[Metric]:
        for metric in metrics:
            said = {name: self.said(getattr(metric, name)) for name in ("value", "why")}
            yield metric.model_copy(update={**said, "details": ()})
