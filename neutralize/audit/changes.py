"""What is different between two reports about one thing. A line that moved is the same finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from neutralize.audit.report import Answer, AuditReport, Metric, Mode, Place
from taskpack.record import Part


class Change(Part):
    """One row of the scorecard that reads otherwise."""

    name: str
    before: str
    after: str


class Changes(Part):
    """From one audit to the next."""

    answer: tuple[Answer, Answer]
    mode: tuple[Mode, Mode]
    terms_searched: tuple[int, int]
    came: tuple[Place, ...]
    went: tuple[Place, ...]
    rest_came: tuple[str, ...]
    """Paths that are not scanned any more."""
    rest_went: tuple[str, ...]
    metrics: tuple[Change, ...]

    @property
    def any(self) -> bool:
        pairs = (self.answer, self.mode, self.terms_searched)
        lists = (self.came, self.went, self.rest_came, self.rest_went, self.metrics)
        return any(old != new for old, new in pairs) or any(lists)


def changes(before: AuditReport, after: AuditReport) -> Changes:
    """What came and what went. Both in the private form: ids and keyed hashes do not hold from report to report."""
    rest = [{one.path for one in report.coverage.rest} for report in (before, after)]
    old = {metric.id: _row(metric) for metric in before.scorecard}
    new = {metric.id: _row(metric) for metric in after.scorecard}
    names = {metric.id: metric.name for metric in (*before.scorecard, *after.scorecard)}
    return Changes(
        answer=(before.answer, after.answer),
        mode=(before.mode, after.mode),
        terms_searched=(before.terms_searched, after.terms_searched),
        came=tuple(_beyond(after.findings, before.findings)),
        went=tuple(_beyond(before.findings, after.findings)),
        rest_came=tuple(sorted(rest[1] - rest[0])),
        rest_went=tuple(sorted(rest[0] - rest[1])),
        metrics=tuple(
            Change(name=names[id_], before=old.get(id_, "absent"), after=new.get(id_, "absent"))
            for id_ in names
            if old.get(id_) != new.get(id_)
        ),
    )


def _row(metric: Metric) -> str:
    return f"{metric.value} ({metric.result})" if metric.value else str(metric.result)


def _beyond(these: Sequence[Place], those: Iterable[Place]) -> Iterable[Place]:
    """What `these` hold more of than `those`."""
    left = Counter(_identity(place) for place in those)
    for place in these:
        if left[_identity(place)]:
            left[_identity(place)] -= 1
        else:
            yield place


def _identity(place: Place) -> tuple[str, ...]:
    return place.rule, place.path, place.view, place.surface, place.line_digest
