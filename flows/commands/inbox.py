"""`repowright inbox`: questions that wait for a model, a person or an agent, and the answers to them."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from flows.console import Output
from flows.options import AsJson, Cases, Work
from flows.settings import resolve
from providers.mailbox import listing, submit
from providers.replies import ReplyStore, check_id
from taskpack.layout import CaseFolder

app = typer.Typer(help="Questions that wait for an answer.", invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def list_requests(context: typer.Context, as_json: AsJson = False, cases: Cases = None, work: Work = None) -> None:
    """List the requests in the inbox, with the file that each is written in."""
    if context.invoked_subcommand is not None:
        return
    out = Output(as_json=as_json)
    rows = listing(resolve(cases=cases, work=work).work.inbox)
    out.table(
        "requests",
        ("id", "state", "read"),
        [(row.id, row.state, str(row.folder / "request.md")) for row in rows],
    )
    if rows:
        out.show(f"answer with `repowright inbox submit REQUEST FILE --by NAME{flags(cases, work)}`")
    else:
        out.show("the inbox is empty")
    out.result([{"id": row.id, "state": row.state, "folder": str(row.folder)} for row in rows])


@app.command("submit")
def submit_reply(
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="Id as `repowright inbox` lists it.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The reply, a JSON object.")],
    by: Annotated[str, typer.Option("--by", help="Who answers: a name of a model, agent or role.")] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Put it in the place of a reply that has not been taken yet.")
    ] = False,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Hand in a reply. It counts from this moment; the next `repowright author` takes it up."""
    settings = resolve(cases=cases, work=work)
    case = check_id(request).partition(".")[0]
    store = ReplyStore(root=CaseFolder(root=settings.cases / case).replies)
    submit(settings.work.inbox, request, file, by, replace=replace, store=store)
    out = Output(as_json=as_json)
    out.show(f"{request} is answered; run `repowright author {case}{flags(cases, work)}` to go on")
    out.result({"id": request, "state": "answered"})


def flags(cases: Path | None, work: Path | None) -> str:
    """The flags that say where things are, as they were given, for a command that is suggested."""
    given = (("--cases", cases), ("--work", work))
    return "".join(f" {flag} {shlex.quote(str(path))}" for flag, path in given if path is not None)
