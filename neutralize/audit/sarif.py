"""A report as SARIF 2.1.0, for editors and code hosts. It is as private as the report that it is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from neutralize.audit.report import AuditReport, Form, Place, WaivedPlace
from neutralize.decide import Found

VERSION = "2.1.0"
_LEVEL = {Found.HIT: "error", Found.REVIEW: "warning"}
_RULES = {"term": "A name of the source"}


def sarif(report: AuditReport, *, engine: str) -> dict[str, Any]:
    """The log of one run. What was not scanned makes it an unsuccessful one, so that it is never taken for clean."""
    rules = [{"id": rule, "shortDescription": {"text": _RULES.get(rule, f"Found by: {rule}")}} for rule in report.rules]
    numbers = {rule: number for number, rule in enumerate(report.rules)}
    names = {term.id: f"{term.surface!r}" if report.form is Form.PRIVATE else term.kind for term in report.terms}
    run = {
        "tool": {"driver": {"name": "repowright audit", "version": engine, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": report.coverage.complete,
                "toolExecutionNotifications": [
                    {
                        "level": "warning",
                        "message": {"text": f"not scanned: {rest.problem}"},
                        "locations": [{"physicalLocation": _artifact(rest.path)}],
                    }
                    for rest in report.coverage.rest
                ],
            }
        ],
        "results": [
            *(_result(place, numbers, names) for place in report.findings),
            *(_waived(one, numbers, names) for one in report.waived),
        ],
        "properties": {
            "answer": str(report.answer),
            "mode": str(report.mode),
            "form": str(report.form),
            "scorecard": {metric.id: _row(metric.value, str(metric.result)) for metric in report.scorecard},
        },
    }
    return {"version": VERSION, "runs": [run]}


def _row(value: str, result: str) -> str:
    return f"{value} ({result})" if value else result


def _result(place: Place, numbers: dict[str, int], names: dict[str, str]) -> dict[str, Any]:
    where = _artifact(place.path)
    if place.line:
        where["region"] = dict(_region(place))
    told = f"{place.term_id} ({names[place.term_id]}) in a {place.role} that {_seen_by(place)}: {place.reason}"
    return {
        "ruleId": place.rule,
        "ruleIndex": numbers.get(place.rule, -1),
        "level": _LEVEL[place.found],
        "message": {"text": told},
        "locations": [{"physicalLocation": where}],
        "partialFingerprints": {"repowrightPlace/v1": _fingerprint(place)},
        "properties": {"view": place.view, "role": place.role, "visibility": str(place.visibility)},
    }


def _waived(one: WaivedPlace, numbers: dict[str, int], names: dict[str, str]) -> dict[str, Any]:
    suppression = {"kind": "external", "status": "accepted", "justification": f"{one.reason} (until {one.expires})"}
    return {**_result(one.place, numbers, names), "suppressions": [suppression]}


def _artifact(path: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(path, safe="/!~", errors="surrogatepass")}}


def _region(place: Place) -> Iterator[tuple[str, int]]:
    yield "startLine", place.line
    yield "startColumn", place.column
    if place.span:
        yield "byteOffset", place.span.start
        yield "byteLength", place.span.end - place.span.start


def _seen_by(place: Place) -> str:
    return "anyone may see" if place.visibility == "anyone" else f"the {place.visibility} sees"


def _fingerprint(place: Place) -> str:
    parts = (place.rule, place.path, place.line_digest, place.surface)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
