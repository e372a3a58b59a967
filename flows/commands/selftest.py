"""`repowright selftest`: every gate on its seeded defect and on the repaired twin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from environments.choose import Backend, choose_sandbox
from flows.allgates import ALL_GATES
from flows.bench import Court, bare_court, subject
from flows.console import Output
from flows.exits import Exit
from flows.options import AsJson, BackEnd, Cases, Work
from flows.settings import resolve
from judge.subject import Subject
from taskpack.denylist import Denylist
from taskpack.errors import BadInput
from taskpack.layout import CaseFolder
from taskpack.rendering import CHECKOUT
from taskpack.scratch import SCRATCH, sweep
from validation.selftest import Cramped, SelftestReport, SelftestRow, site_of
from validation.selftest import selftest as run_selftest


def register(app: typer.Typer) -> None:
    app.command("selftest")(selftest)


def selftest(
    codes: Annotated[list[str] | None, typer.Argument(metavar="[CODE]...", help="Only these gates.")] = None,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Run every gate on its seeded defect, which must fail that gate alone, and on the repaired twin."""
    wanted = [code.upper() for code in codes or ()]
    unknown = sorted(set(wanted) - {gate.code for gate in ALL_GATES})
    if unknown:
        raise BadInput(f"there is no gate {', '.join(unknown)}", remedy="repowright explain")
    place = resolve(cases=cases, work=work).work
    out = Output(as_json=as_json)
    sandbox = choose_sandbox(place, backend)
    court, other = (bare_court(work=place, sandbox=one) for one in (sandbox, Cramped(sandbox)))

    def make_subject(case: CaseFolder, reference: Path) -> Subject:
        scratch = case.root.with_name("scratch")
        scratch.mkdir()
        here = replace(court, product_site=site_of(case))

        def behind(listed: Denylist) -> Court:
            return replace(bare_court(work=place, sandbox=sandbox, denylist=listed), product_site=here.product_site)

        return subject(here, case, reference, scratch=scratch, elsewhere=other, behind=behind)

    def watch(row: SelftestRow) -> None:
        out.say(f"{row.code}: {'good' if row.good else 'NOT GOOD'}")

    sweep(place.selftest, f"{SCRATCH}*")
    report = run_selftest(
        ALL_GATES,
        CHECKOUT / "tests" / "gates",
        make_subject=make_subject,
        place=place.selftest,
        only=wanted,
        watch=watch,
    )
    _show(out, report)
    if not report.good:
        raise typer.Exit(Exit.NO)


def _show(out: Output, report: SelftestReport) -> None:
    yes = {True: "yes", False: "NO"}
    out.table(
        "gates",
        ("gate", "fails on its defect", "alone", "passes on the twin"),
        [(row.code, yes[row.defect_failed], yes[row.failed_alone], yes[row.twin_passed]) for row in report.rows],
    )
    for row in report.rows:
        for note in row.notes:
            out.show(f"{row.code}: {note}")
    out.table(
        "families",
        ("family", "recall", "precision"),
        [(score.family, f"{score.recall:.2f}", f"{score.precision:.2f}") for score in report.scores],
    )
    out.show(f"{sum(row.good for row in report.rows)} of {len(report.rows)} gates are good")
    out.result(
        {
            "rows": [
                {"code": row.code, "good": row.good, "notes": list(row.notes), "stray": list(row.stray)}
                for row in report.rows
            ],
            "scores": [
                {"family": score.family, "recall": score.recall, "precision": score.precision}
                for score in report.scores
            ],
            "good": report.good,
        }
    )
