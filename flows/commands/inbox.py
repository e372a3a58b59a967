"""`repowright inbox`: questions that wait for a model, a person or an agent, and the answers to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import Output
from flows.options import AsJson, Cases, Work
from flows.settings import resolve
from providers.mailbox import listing, submit

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
    if not rows:
        out.show("the inbox is empty")
    out.result([{"id": row.id, "state": row.state, "folder": str(row.folder)} for row in rows])


@app.command("submit")
def submit_reply(
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="Id as `repowright inbox` lists it.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The reply, a JSON object.")],
    by: Annotated[str, typer.Option("--by", help="Who answers: a name of a model, agent or role.")] = "unnamed",
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Hand in a reply. It counts from this moment; the next `repowright author` takes it up."""
    submit(resolve(cases=cases, work=work).work.inbox, request, file, answered_by=by)
    out = Output(as_json=as_json)
    out.show(f"{request} is answered; run `repowright author {request.partition('.')[0]}` to go on")
    out.result({"id": request, "state": "answered"})
