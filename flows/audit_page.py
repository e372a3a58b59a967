"""How an audit looks on a terminal: each finding in its line, marked, by file. The same without colour."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len, chop_cells

from neutralize.audit.changes import Changes
from neutralize.audit.report import (
    Answer,
    AuditReport,
    Excerpt,
    Form,
    Measured,
    MetTerm,
    Mode,
    Place,
    Visibility,
    WaivedPlace,
)
from neutralize.audit.seen import safe
from neutralize.decide import Found
from neutralize.waivers import Fate, Waiver

Line = tuple[tuple[str, str], ...]
"""Pieces of one line: text, and a style of Rich's."""

WIDEST = 100
_SHORT_LIST = 8
_MODES = {
    Mode.PIN: "with the pinned source",
    Mode.RECORD: "with the case's record of the pinned source: its people and texts are not looked for",
    Mode.TERMS: "with a term list alone: other traces of the source are not looked for",
    Mode.NOTHING: "with nothing known of the source: this can never end as neutral",
}
_SEEN_BY = {
    Visibility.SOLVER: "solvers see it",
    Visibility.ANYONE: "anyone may see it",
    Visibility.HARNESS: "the harness sees it",
    Visibility.JUDGE: "the judge sees it",
    Visibility.AUTHOR: "the author sees it",
}
_STYLES = {
    Answer.NEUTRAL: "bold green",
    Answer.NAMES: "bold red",
    Answer.INCOMPLETE: "bold yellow",
    Answer.DECISIONS: "bold yellow",
    Answer.UNKNOWN: "bold yellow",
}
_FATES = {
    Fate.EXPIRED: "ran out on {}",
    Fate.UNUSED: "is about nothing that is found; remove it",
    Fate.NO_REASON: "gives no reason, and does not count",
    Fate.REFUSED: "is about a HIT, which no waiver lets through",
}


def page(report: AuditReport, *, width: int, limit: int, again: str) -> Iterator[Line]:
    """The whole view. `limit` findings are shown, 0 for all; `again` is the command that was given."""
    width = min(width, WIDEST)
    yield from _head(report, width)
    yield from _findings(report, width, limit, again)
    yield from _waivers(report, width, limit)
    yield from _scorecard(report, width)
    yield from _end(report, width)


def _head(report: AuditReport, width: int) -> Iterator[Line]:
    yield from _wrapped(f"{safe(report.name)}: {report.kind}, audited {_MODES[report.mode]}", width, style="bold")
    if report.form is Form.SHAREABLE:
        yield from _wrapped("shareable form: names are ids and keyed hashes", width, indent=2)
    for note in report.notes:
        yield from _wrapped(safe(note), width, indent=2)
    coverage = report.coverage
    yield from _wrapped(
        f"scanned {coverage.entries_scanned} of {coverage.entries} entries, "
        f"{coverage.bytes_scanned} of {coverage.bytes} bytes, for {report.terms_searched} names",
        width,
        indent=2,
    )
    yield from _left_out(report, width)
    for rest in coverage.rest[:_SHORT_LIST]:
        yield from _wrapped(f"not scanned: {safe(rest.path)}: {safe(rest.problem)}", width, indent=2, style="yellow")
    yield from _more(len(coverage.rest) - _SHORT_LIST, "not scanned")


def _left_out(report: AuditReport, width: int) -> Iterator[Line]:
    """Files by name, but folders of the author as one."""
    rows: dict[tuple[str, str], int] = {}
    for one in report.coverage.left_out:
        head, mark, _ = one.path.partition("provenance/")
        path = f"{head}{mark}" if mark else f"{one.path} ({one.part})" if one.part else one.path
        rows[path, one.why] = rows.get((path, one.why), 0) + 1
    for (path, why), count in list(rows.items())[:_SHORT_LIST]:
        files = f", {count} files" if count > 1 else ""
        yield from _wrapped(f"left out: {safe(path)}{files}: {safe(why)}", width, indent=2)
    yield from _more(len(rows) - _SHORT_LIST, "left out")


def _findings(report: AuditReport, width: int, limit: int, again: str) -> Iterator[Line]:
    shown = report.findings[:limit] if limit else report.findings
    terms = {term.id: term for term in report.terms}
    for _, group in groupby(shown, key=lambda place: (place.visibility, place.path)):
        places = list(group)
        yield ()
        first = places[0]
        yield from _wrapped(safe(first.path), width, style="bold")
        yield from _wrapped(f"{first.role}; {_SEEN_BY[first.visibility]}", width, indent=2)
        for place in places:
            yield from _finding(place, terms[place.term_id], report.form, width)
    rest = len(report.findings) - len(shown)
    if rest > 0:
        yield ()
        # The command may name what the report must not.
        command = again if report.form is Form.PRIVATE else "the same command with"
        yield from _wrapped(f"and {rest} more findings: {command} --limit 0, or --json", width)


def _finding(place: Place, term: MetTerm, form: Form, width: int) -> Iterator[Line]:
    where = f"line {place.line}, column {place.column}" if place.line else "in the path"
    view = "" if place.view in {"raw", "path"} else f" ({place.view})"
    named = safe(term.surface) if form is Form.PRIVATE else f"#{term.surface[:12]}"
    grade = f", grade {term.grade}" if term.grade else ""
    style = "red" if place.found is Found.HIT else "yellow"
    told = f"{where}{view}: {term.id} {named}, {safe(term.kind)}{grade}: {safe(place.reason)}"
    lead = f"  {place.number:>3} {place.found.value.upper():<6} "
    for number, line in enumerate(_lines(told, width - len(lead)) or [""]):
        yield ((lead if number == 0 else " " * len(lead), style), (line, ""))
    if place.excerpt is not None:
        yield from _excerpt(place.excerpt, place.line, width, style)


def _excerpt(excerpt: Excerpt, line: int, width: int, style: str) -> Iterator[Line]:
    room = width - 12
    if excerpt.before.strip() and line:
        yield ((f"{line - 1:>8} | ", "dim"), (_cut(excerpt.before.rstrip(), room), "dim"))
    text, start, length = _window(excerpt, room)
    number = f"{line:>8} | " if line else "         | "
    yield (
        (number, "dim"),
        (text[:start], ""),
        (text[start : start + length], f"bold {style}"),
        (text[start + length :], ""),
    )
    marks = "^" * max(1, cell_len(text[start : start + length]))
    yield (("         | ", "dim"), (" " * cell_len(text[:start]) + marks, style))
    if excerpt.after.strip() and line:
        yield ((f"{line + 1:>8} | ", "dim"), (_cut(excerpt.after.rstrip(), room), "dim"))


def _window(excerpt: Excerpt, room: int) -> tuple[str, int, int]:
    """What of the line fits, with the finding in it: text, and where the finding is there."""
    text, start = excerpt.line, excerpt.start
    end = start + min(excerpt.length, max(1, room // 2))
    if cell_len(text) <= room:
        return text, start, excerpt.length
    low = start
    while low > 0 and cell_len(text[low - 1 : end]) <= room * 2 // 3:
        low -= 1
    lead = "…" if low else ""
    high = end
    while high < len(text) and cell_len(lead + text[low : high + 1]) < room:
        high += 1
    shown = lead + text[low:high] + ("…" if high < len(text) else "")
    return shown, len(lead) + start - low, min(excerpt.length, high - start)


def _cut(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    while cell_len(text) >= room:
        text = text[:-1]
    return f"{text}…"


def _waivers(report: AuditReport, width: int, limit: int) -> Iterator[Line]:
    told = [one for one in report.waivers if one.fate is not Fate.HOLDS]
    if not report.waived and not told:
        return
    terms = {term.id: term for term in report.terms}
    yield ()
    yield (("waivers", "bold"),)
    shown = report.waived[:limit] if limit else report.waived
    for one in shown:
        yield from _wrapped(_waived(one, terms[one.place.term_id], report.form), width, indent=2)
    yield from _more(len(report.waived) - len(shown), "waived")
    for state in told:
        name = safe(state.term) if report.form is Form.PRIVATE else f"#{state.term[:12]}"
        what = f"{name} in {safe(state.path)}: the waiver {_FATES[state.fate].format(state.expires)}"
        yield from _wrapped(what, width, indent=2, style="yellow")


def _waived(one: WaivedPlace, term: MetTerm, form: Form) -> str:
    name = safe(term.surface) if form is Form.PRIVATE else f"#{term.surface[:12]}"
    where = f"{safe(one.place.path)}:{one.place.line}" if one.place.line else safe(one.place.path)
    return f"{where}: {name} is waived until {one.expires}: {safe(one.reason)}"


def _scorecard(report: AuditReport, width: int) -> Iterator[Line]:
    yield ()
    yield (("scorecard", "bold"),)
    styles = {Measured.MET: "green", Measured.NOT_MET: "red", Measured.REPORTED: "", Measured.NOT_MEASURED: "dim"}
    for metric in report.scorecard:
        value = f"{metric.value} (wanted: {metric.threshold})" if metric.value else ""
        told = ": ".join(part for part in (metric.name, value, safe(metric.why)) if part)
        lead = f"  {metric.result.value:<13} "
        for number, line in enumerate(_lines(told, width - len(lead))):
            yield ((lead if number == 0 else " " * len(lead), styles[metric.result]), (line, ""))


def _end(report: AuditReport, width: int) -> Iterator[Line]:
    hits = sum(place.found is Found.HIT for place in report.findings)
    reviews = len(report.findings) - hits
    counts = [f"{_count(hits, 'HIT')}, {_count(reviews, 'REVIEW')}"]
    if report.waived:
        counts.append(f"{len(report.waived)} waived")
    counts.append(f"{len(report.coverage.rest)} not scanned")
    yield ()
    yield from _wrapped(f"{report.answer}: {', '.join(counts)}", width, style=_STYLES[report.answer])


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 'S'}"


def _more(rest: int, what: str) -> Iterator[Line]:
    if rest > 0:
        yield ((f"  and {rest} more {what}, which --json lists", ""),)


def _wrapped(text: str, width: int, *, indent: int = 0, style: str = "") -> Iterator[Line]:
    more = " " * (indent + 2)
    for line in textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=more):
        first, *rest = chop_cells(line, width)
        yield ((first, style),)
        yield from (((f"{more}{part}", style),) for part in chop_cells("".join(rest), width - len(more)) if part)


def _lines(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells of a terminal: some characters take two."""
    return [part for line in textwrap.wrap(text, width) for part in (chop_cells(line, width) or [""])]


def waived_lines(place: Place, surface: str, waiver: Waiver, file: Path, *, width: int, left: int) -> Iterator[Line]:
    """What a new waiver lets through."""
    where = f"line {place.line}" if place.line else "the path"
    yield from _wrapped(f"waived until {waiver.expires}: {safe(surface)} in {safe(place.path)}, {where}", width)
    if place.excerpt is not None:
        yield from _excerpt(place.excerpt, place.line, width, "yellow")
    yield from _wrapped(f"because: {safe(waiver.reason)}", width, indent=2)
    yield from _wrapped(f"written to {file}; it holds while the line reads so. Findings left: {left}", width, indent=2)


def change_lines(name: str, found: Changes, *, width: int) -> Iterator[Line]:
    """What came and went between two runs."""
    width = min(width, WIDEST)
    old, new = found.answer
    yield from _wrapped(f"{name}: {old} -> {new}" if old != new else f"{name}: {new}, as before", width, style="bold")
    pairs: Sequence[tuple[str, object, object]] = (
        ("mode", *found.mode),
        ("names searched", *found.terms_searched),
        *((one.name, one.before, one.after) for one in found.metrics),
    )
    for what, before, after in pairs:
        if before != after:
            yield from _wrapped(f"{what}: {before} -> {after}", width, indent=2)
    for mark, places in (("+", found.came), ("-", found.went)):
        for place in places[:_SHORT_LIST]:
            where = f"{safe(place.path)}:{place.line}" if place.line else safe(place.path)
            told = f"{mark} {place.found.value.upper()} {where}: {safe(place.surface)}"
            yield from _wrapped(told, width, indent=2)
        yield from _more(len(places) - _SHORT_LIST, f"findings with {mark}")
    for mark, paths in (("+ not scanned", found.rest_came), ("- not scanned", found.rest_went)):
        for path in paths[:_SHORT_LIST]:
            yield from _wrapped(f"{mark}: {safe(path)}", width, indent=2)
        yield from _more(len(paths) - _SHORT_LIST, "not scanned")
    if not found.any:
        yield (("  nothing changed", ""),)
