"""The overview of a specification: its check, and which named values of the source the documents write out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from authoring.spec_findings import prose_findings
from taskpack.spec import FeaturePoint, Form, Overview

_PLACEHOLDER = re.compile(r"<([a-z][a-z0-9 _-]*)>")


def overview_findings(
    answer: Overview, *, forms: Collection[str], unstated: Sequence[str], elsewhere: Collection[str] = ()
) -> tuple[str, ...]:
    """What is wrong with the parts that belong to no feature point.

    `unstated` are named values of the feature points' files that no clause or form writes out, `elsewhere` those of the
    product's other files: they may be left open as well, and need not be.
    """
    findings = prose_findings(" ".join(_texts(answer)))
    findings += [f"data: {row.producer} is no form" for row in answer.data if row.producer not in forms]
    used = {name for row in answer.data for name in _PLACEHOLDER.findall(row.form)}
    known = {entry.term for entry in answer.placeholders}
    findings += [f"placeholders: <{name}> stands in `data` and is not explained" for name in sorted(used - known)]
    findings += [f"placeholders: <{name}> stands in no row of `data`" for name in sorted(known - used)]
    told = {value.value for value in answer.left_open} | stated_in(answer, unstated)
    findings += [
        f"`{value}` of the source is stated nowhere: state it or leave it open"
        for value in unstated
        if value not in told
    ]
    findings += [
        f"left_open: `{value.value}` is stated, or no value of the source"
        for value in answer.left_open
        if value.value not in {*unstated, *elsewhere}
    ]
    return tuple(findings)


def stated(features: Sequence[FeaturePoint], forms: Sequence[Form], values: Iterable[str]) -> set[str]:
    """Those of `values` that a clause, or a signature or default of a form, writes out."""
    texts = [clause.text for feature in features for clause in feature.clauses]
    texts += [feature.entry for feature in features]
    texts += [form.signature for form in forms]
    texts += [part for form in forms for each in form.parameters for part in (each.default, each.meaning, each.type)]
    return {value for value in values if any(value in text for text in texts)}


def stated_in(overview: Overview, values: Iterable[str]) -> set[str]:
    """Those of `values` that the overview writes out."""
    text = "\n".join(_texts(overview))
    return {value for value in values if value in text}


def _texts(overview: Overview) -> list[str]:
    return [
        *(f"{row.form} {row.type}" for row in overview.data),
        *(entry.meaning for entry in overview.placeholders),
        overview.product,
        overview.substance,
        *overview.constraints,
        *overview.non_goals,
        *overview.layout,
        *overview.conventions,
        *(f"{entry.term} {entry.meaning}" for entry in overview.terminology),
    ]
