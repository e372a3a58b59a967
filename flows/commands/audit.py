"""`repowright audit PATH`: whether a case, a bundle, a folder, an archive or an image names its source."""

from __future__ import annotations

import datetime as dt
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from flows import audit_page
from flows.audit_runs import EXITS, AuditRun, all_cases, audit_one, exit_of, last_change, run_all
from flows.auditing import Asked, Prepared, prepared, today
from flows.console import Output, debugged
from flows.hints import Hints
from flows.options import AsJson, Cases, Work
from flows.settings import Settings, engine_version, resolve
from neutralize.audit.keys import project_key
from neutralize.audit.report import AuditReport, Place
from neutralize.audit.sarif import sarif
from neutralize.audit.seen import safe
from neutralize.audit.shareable import shareable
from neutralize.decide import Found
from neutralize.scan import Scanner
from neutralize.waivers import Waiver, add_waiver
from taskpack.errors import BadInput
from taskpack.files import write_bytes
from taskpack.record import to_json

_SHOWN = 20


def register(app: typer.Typer) -> None:
    app.command("audit")(audit)


def audit(
    what: Annotated[
        str | None, typer.Argument(metavar="PATH", help="A case's id, or a bundle, folder, archive or image tar.")
    ] = None,
    tree: Annotated[Path | None, typer.Option("--tree", metavar="DIR", help="The source's files, pinned.")] = None,
    terms: Annotated[
        Path | None,
        typer.Option("--terms", metavar="FILE", help="Names to look for: names.json, a manifest, or a term a line."),
    ] = None,
    waivers: Annotated[
        Path | None, typer.Option("--waivers", metavar="FILE", help="Decisions; the case's own by default.")
    ] = None,
    waive: Annotated[int | None, typer.Option("--waive", metavar="N", help="Decide REVIEW number N.")] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why it may stay, for --waive.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Last day that --waive holds.")] = None,
    is_shareable: Annotated[
        bool, typer.Option("--shareable", help="Names as ids and keyed hashes, in all that is shown and written.")
    ] = False,
    sarif_file: Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Show so many findings; 0 for all.")] = _SHOWN,
    everything: Annotated[bool, typer.Option("--all", help="Audit all cases and keep what was found.")] = False,
    without_prefect: Annotated[bool, typer.Option("--plain", help="With --all: without Prefect.")] = False,
    history: Annotated[
        str | None,
        typer.Option("--history", metavar="CASE", help="Show what changed between the last two runs of --all."),
    ] = None,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Look for everything in PATH that names its source. 0 is neutral, 1 is not; docs/audit.md has the others."""
    given = (("PATH", what is not None), ("--all", everything), ("--history", history is not None))
    if sum(there for _, there in given) != 1:
        raise BadInput("say what to audit: PATH, --all or --history CASE", remedy="repowright audit --help")
    settings = resolve(cases=cases, work=work)
    out = Output(as_json=as_json)
    if what is None:
        _refuse(
            "PATH",
            {"--tree": tree, "--terms": terms, "--waivers": waivers, "--waive": waive, "--sarif": sarif_file}
            | {"--shareable": is_shareable or None, "--reason": reason, "--until": until},
        )
    if history is not None:
        _history(settings, out, history)
        return
    if what is None:
        raise typer.Exit(_all(settings, out, without_prefect=without_prefect))
    if waive is None:
        _refuse("--waive", {"--reason": reason, "--until": until})
    asked = Asked(what=what, tree=tree, terms=terms, waivers=waivers)
    with prepared(settings, asked, creating=waive is not None) as ready:
        report = ready.report(today=today())
        if waive is not None:
            _waive(ready, report, out, _Decision(number=waive, reason=reason, until=until))
            return
        if is_shareable:
            key = project_key(settings.work.audit_key, ready.aim.project)
            report = shareable(report, key, Scanner(ready.source.terms))
    if sarif_file is not None:
        _write_sarif(sarif_file, report)
    _show(out, report, limit, again=Hints(cases=cases, work=work).say("audit", what, *_flags(tree, terms, waivers)))
    raise typer.Exit(EXITS[report.answer])


def _refuse(needed: str, flags: dict[str, object]) -> None:
    useless = [flag for flag, value in flags.items() if value is not None]
    if useless:
        raise BadInput(f"{useless[0]} goes with {needed}", remedy="repowright audit --help")


def _flags(tree: Path | None, terms: Path | None, waivers: Path | None) -> tuple[str, ...]:
    given = (("--tree", tree), ("--terms", terms), ("--waivers", waivers))
    return tuple(str(part) for flag, value in given if value is not None for part in (flag, value))


def _write_sarif(path: Path, report: AuditReport) -> None:
    if path.is_dir():
        raise BadInput(f"{path} is a folder", details={"flag": "--sarif"}, remedy="name a file")
    write_bytes(path, to_json(sarif(report, engine=engine_version())))


def _show(out: Output, report: AuditReport, limit: int, *, again: str) -> None:
    for line in audit_page.page(report, width=out.width, limit=limit, again=again):
        out.draw(line)
    out.result(report.model_dump(mode="json"))


@dataclass(frozen=True, kw_only=True)
class _Decision:
    number: int
    reason: str | None
    until: str | None


def _waive(ready: Prepared, report: AuditReport, out: Output, decision: _Decision) -> None:
    """Write a waiver for one REVIEW of the report that was just made."""
    path = ready.aim.waivers_file
    if path is None:
        raise BadInput(
            f"{ready.aim.name} is no case of ours, and has no file of waivers", remedy="name one with --waivers FILE"
        )
    place = _numbered(report, decision.number)
    expires = _day(decision.until)
    reason = (decision.reason if decision.reason is not None else _ask(place)).strip()
    if not reason:
        raise BadInput("a waiver needs a reason", remedy="--reason 'why this may stay'")
    surface = next(term.surface for term in report.terms if term.id == place.term_id)
    waiver = Waiver(
        rule=place.rule,
        term=surface,
        path=place.path,
        line_digest=place.line_digest,
        reason=reason,
        expires=expires,
    )
    add_waiver(path, waiver)
    left = sum(
        (one.rule, one.term_id, one.path, one.line_digest) != (place.rule, place.term_id, place.path, place.line_digest)
        for one in report.findings
    )
    for line in audit_page.waived_lines(place, surface, waiver, path, width=out.width, left=left):
        out.draw(line)
    out.result({"waiver": waiver.model_dump(mode="json"), "file": str(path), "left": left})


def _numbered(report: AuditReport, number: int) -> Place:
    place = next((place for place in report.findings if place.number == number), None)
    if place is None:
        raise BadInput(
            f"there is no finding {number}",
            details={"findings": f"1 to {len(report.findings)}" if report.findings else "none"},
            remedy="take a number that the audit shows",
        )
    if place.found is Found.HIT:
        raise BadInput(
            f"finding {number} is a HIT, which no waiver lets through",
            details={"place": f"{safe(place.path)}:{place.line}", "why": safe(place.reason)},
            remedy="reword the place, or regrade the term with a reason in provenance/terms.toml",
        )
    return place


def _day(until: str | None) -> dt.date:
    if until is None:
        raise BadInput("a waiver needs its last day", remedy="--until YYYY-MM-DD")
    try:
        day = dt.date.fromisoformat(until)
    except ValueError as error:
        raise BadInput(f"{until} is no date", details={"flag": "--until"}, remedy="--until YYYY-MM-DD") from error
    if day < today():
        raise BadInput(f"{until} is past", details={"flag": "--until"}, remedy="name a day to come")
    return day


def _ask(place: Place) -> str:
    if not sys.stdin.isatty():
        return ""
    return str(typer.prompt(f"why may {safe(place.path)}:{place.line} stay as it is", err=True))


def _all(settings: Settings, out: Output, *, without_prefect: bool) -> int:
    if without_prefect:
        path, run = run_all(settings, out.say, lambda case: audit_one(settings, case))
    else:
        all_cases(settings)
        path, run = _with_prefect(settings, out)
    rows = [(row.case, str(row.report.answer) if row.report else row.fault.splitlines()[0]) for row in run.cases]
    out.table("audits", ("case", "answer"), rows)
    out.show(f"kept in {path}")
    out.result({"run": run.model_dump(mode="json"), "file": str(path)})
    return exit_of(run)


def _with_prefect(settings: Settings, out: Output) -> tuple[Path, AuditRun]:
    from flows.server import prefect_server  # noqa: PLC0415 (Prefect costs over a second to import)

    out.say("starting Prefect")
    with prefect_server(settings.work, debug=debugged()) as starting:
        from flows.audit import audit_flow  # noqa: PLC0415

        return audit_flow(settings, out.say, starting())


def _history(settings: Settings, out: Output, case: str) -> None:
    found = last_change(settings, case)
    if found is None:
        out.show(f"{case} was audited once; repowright audit --all adds the next")
        out.result({"case": case, "changes": None})
        return
    for line in audit_page.change_lines(case, found, width=out.width):
        out.draw(line)
    out.result({"case": case, "changes": found.model_dump(mode="json")})
