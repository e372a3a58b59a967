"""`repowright new SOURCE`: a commented order for a task of one's own, from the source alone."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from authoring.guesses.source import read_source
from environments.choose import Backend, choose_sandbox
from environments.languages.python.fetch import name_on_registry
from flows.console import Output
from flows.exits import Exit
from flows.naming import products
from flows.options import AsJson, BackEnd, Cases, Work
from flows.order_page import decisions, order_page
from flows.proposing import ACCEPTED, Desk, NoPack, Proposal, evidence, propose_order, remedy
from flows.settings import Settings, resolve
from taskpack.errors import BadInput
from taskpack.files import space_errors
from taskpack.layout import CaseFolder
from taskpack.outcome import Rejected

_CASE = re.compile(r"case([0-9]{3,})")


def register(app: typer.Typer) -> None:
    app.command("new")(new)


def new(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="NAME==VERSION, NAME, https://HOST/PATH@TAG, or a path with a slash.",
            show_default=False,
        ),
    ],
    case_id: Annotated[
        str | None,
        typer.Option("--case-id", metavar="ID", help="Folder of the new case; the next free one by default."),
    ] = None,
    licence: Annotated[
        list[str] | None, typer.Option("--licence", metavar="SPDX", help="Accept this licence too; may be repeated.")
    ] = None,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Propose the order of a new case from SOURCE alone. Every guess in it is marked; nothing is overwritten."""
    settings = resolve(cases=cases, work=work)
    asked = read_source(source)
    if case_id is not None:
        _check_id(settings, case_id)
    out = Output(as_json=as_json)
    answer = propose_order(
        asked,
        Desk(
            settings=settings,
            sandbox=choose_sandbox(settings.work, backend),
            licences=(*ACCEPTED, *(name for name in licence or () if name not in ACCEPTED)),
            ask_registry=name_on_registry,
            taken=products(settings.cases),
            say=out.say,
        ),
    )
    match answer:
        case NoPack():
            _say_no_pack(answer, out)
            raise typer.Exit(Exit.NO)
        case Rejected():
            _say_rejected(answer, remedy(answer, asked), out)
            raise typer.Exit(Exit.NO)
    place, text = _keep(settings, answer, case_id)
    _say_kept(place, text, answer, out)


def _check_id(settings: Settings, case_id: str) -> None:
    if not _CASE.fullmatch(case_id):
        raise BadInput(
            f"`{case_id}` cannot be a case",
            details={"flag": "--case-id"},
            remedy="write `case` and three digits or more",
        )
    if _is_taken(settings.cases / case_id):
        raise BadInput(
            f"there is a {case_id} already",
            details={"folder": str(settings.cases / case_id)},
            remedy="choose another --case-id, or leave it out for the next free one",
        )


def _is_taken(folder: Path) -> bool:
    return folder.exists() and (not folder.is_dir() or any(folder.iterdir()))


def _next_free(settings: Settings) -> str:
    numbers = [int(found[1]) for path in settings.cases.iterdir() if (found := _CASE.fullmatch(path.name))]
    return f"case{max(numbers, default=0) + 1:03}"


def _keep(settings: Settings, proposal: Proposal, case_id: str | None) -> tuple[CaseFolder, str]:
    """Write the order into a folder of its own; when another run was faster, into the next one."""
    while True:
        case = CaseFolder(root=settings.cases / (case_id or _next_free(settings)))
        text = order_page(proposal, case.id)
        if _write_new(case.order, text):
            return case, text
        if case_id is not None:
            _check_id(settings, case_id)


def _write_new(path: Path, text: str) -> bool:
    """Write `path` whole, unless it is there: then False, and what is there stays."""
    with space_errors(path):
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".order.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fchmod(file.fileno(), 0o644)
                os.fsync(file.fileno())
            os.link(name, path)
        except FileExistsError:
            return False
        finally:
            Path(name).unlink()
    return True


def _say_kept(case: CaseFolder, text: str, proposal: Proposal, out: Output) -> None:
    trial = proposal.trial
    open_points = decisions(text)
    out.show(f"{case.order}")
    out.show(f"  source    {proposal.label}, {proposal.pin.licence}")
    out.show(f"  product   {proposal.named.name}")
    out.show(f"  tests     {trial.fault or f'{trial.passed} pass offline'}")
    out.show(f"  features  {', '.join(module.path for module in proposal.features)}")
    out.show(f"  decide    {', '.join(open_points)}")
    out.show(f"decide what the file marks so, then: repowright author {case.id}")
    out.result(
        {
            "answer": "written",
            "case": case.id,
            "order": str(case.order),
            "tests": {"passed": trial.passed, "fault": trial.fault},
            "decide": list(open_points),
        }
    )


def _say_no_pack(answer: NoPack, out: Output) -> None:
    language = answer.language
    shown = language.value or "no language that we know"
    out.show(f"no order: the source is in {shown}, and there is no authoring pack for it yet")
    for line in evidence(language.evidence):
        out.show(f"  {line}")
    out.show("  packs for authoring: Python")
    out.result({"answer": "no pack", "language": language.value, "evidence": evidence(language.evidence)})


def _say_rejected(answer: Rejected, way_on: str, out: Output) -> None:
    out.show(f"no order: {answer.message} ({answer.reason})")
    for line in evidence(answer.evidence[:30]):
        out.show(f"  {line}")
    out.show(f"  try  {way_on}")
    out.result({"answer": "rejected", "remedy": way_on, "rejected": answer.model_dump(mode="json")})
