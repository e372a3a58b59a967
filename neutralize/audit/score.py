"""The scorecard: one row for each metric of neutrality. What was not measured is said, never left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from neutralize.audit.report import Coverage, Measured, Metric, Place
from neutralize.audit.shared import GRAMS, GRAMS_LIMIT, RUN, RUN_LIMIT
from neutralize.decide import Found

_LITERAL = "literal"
"""The rule that finds them."""
_ELSEWHERE = "an audit of one thing does not measure it"
_UNMEASURED = (
    ("identifiers", "Distinctive API identifiers kept", "justified in the contract", "no decision on names is at hand"),
    ("ngrams", GRAMS, GRAMS_LIMIT, "the pinned tree is not compared"),
    ("longest", RUN, RUN_LIMIT, "the pinned tree is not compared"),
    ("rename", "Rename soundness", "injective, comes back", "the reference is made and checked by `repowright author`"),
    ("execution", "Execution equivalence", "identical outcomes", "`repowright author` runs the renamed tests"),
    ("mutants", "Mutant equivalence", "identical outcomes", _ELSEWHERE),
    ("recall", "Scanner recall", ">= 99 % by family", "`python -m benchmarks.neutralize` measures it"),
    ("closed-book", "Closed-book guess", "no threshold", "no model is asked"),
)


@dataclass(frozen=True, kw_only=True)
class Sums:
    """What the rows are made from."""

    coverage: Coverage
    findings: Sequence[Place]
    words_visible: int
    """In what a solver may see."""
    words_elsewhere: int
    searched: int
    """How many names were looked for."""
    rules: Sequence[str]
    kinds: Mapping[str, str]
    """Of the terms that were met, by id."""


def scorecard(sums: Sums, measured: Sequence[Metric] = ()) -> tuple[Metric, ...]:
    """All rows, in the order of the page. What others `measured` takes the place of a row that was not."""
    others = {metric.id: metric for metric in measured}
    rows = [
        _coverage(sums.coverage),
        _cues(sums, open_=True),
        _cues(sums, open_=False),
        _literals(sums),
        *(
            Metric(id=id_, name=name, value="", threshold=limit, result=Measured.NOT_MEASURED, why=why)
            for id_, name, limit, why in _UNMEASURED
        ),
    ]
    known = {row.id for row in rows}
    more = [metric for metric in measured if metric.id not in known]
    return (*(others.get(row.id, row) for row in rows), *more)


def _coverage(coverage: Coverage) -> Metric:
    unknown = sum(one.size is None for one in coverage.rest)
    return Metric(
        id="coverage",
        name="Coverage",
        value=f"{_share(coverage.entries_scanned, coverage.entries)} of entries, "
        f"{_share(coverage.bytes_scanned, coverage.bytes)} of bytes",
        threshold="100 %",
        result=Measured.MET if coverage.complete else Measured.NOT_MET,
        why=f"{len(coverage.rest)} not scanned, {unknown} of unknown size" if coverage.rest else "",
    )


def _share(part: int, whole: int) -> str:
    """Cut, not rounded: 100 % is all of it."""
    return f"{part * 1000 // whole / 10:g} %" if whole else "0 %"


def _cues(sums: Sums, *, open_: bool) -> Metric:
    """Places that name the source, also in relation to how much text there is."""
    hits = [place for place in sums.findings if place.found is Found.HIT and place.visibility.open is open_]
    words = sums.words_visible if open_ else sums.words_elsewhere
    tally = Counter(f"{sums.kinds[place.term_id]} in {place.role}" for place in hits)
    # Finer than that would be no use to anybody, and would hide that the text is short.
    rate = f"; {len(hits) * 10_000 / words:.1f} per 10,000 of {words} words" if hits and words else ""
    unsure = "" if sums.searched else "no name of the source is known"
    unsure = unsure or ("" if sums.coverage.complete else "not everything was scanned")
    return Metric(
        id="cues-visible" if open_ else "cues-elsewhere",
        name="Identity cues where solvers look" if open_ else "Identity cues elsewhere",
        value=f"{len(hits)}{rate}" if hits or not unsure else "",
        threshold="0",
        result=Measured.NOT_MET if hits else Measured.NOT_MEASURED if unsure else Measured.MET,
        why="; ".join(f"{count} {what}" for what, count in sorted(tally.items())) if hits else unsure,
    )


def _literals(sums: Sums) -> Metric:
    row = Metric(
        id="literals",
        name="Distinctive literals left",
        value="",
        threshold="0 un-waived",
        result=Measured.NOT_MEASURED,
        why="the literals of the source are not known",
    )
    if _LITERAL not in sums.rules:
        return row
    count = sum(place.rule == _LITERAL for place in sums.findings)
    if not count and not sums.coverage.complete:
        return row.model_copy(update={"why": "not everything was scanned"})
    result = Measured.NOT_MET if count else Measured.MET
    return row.model_copy(update={"value": str(count), "result": result, "why": ""})
