"""`repowright judge CASE WORKSPACE`: the verdict about one candidate, with causes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from environments.choose import Backend, choose_sandbox
from flows.bench import court, recorded_bench, right_control
from flows.console import Output
from flows.exits import Exit
from flows.options import AsJson, BackEnd, Case, Cases, Work
from flows.settings import resolve
from taskpack.denylist import read_denylist
from taskpack.errors import BadInput
from taskpack.verdict import Judged, NodeResult

_CAUSES = 20
"""So many are shown."""
_SAYS = {
    Judged.JUDGED: "reward {}",
    Judged.INFRA: "no reward: the machinery broke",
    Judged.UNJUDGEABLE: "no reward: unjudgeable, the machinery breaks with this workspace while a right one passes",
}


def register(app: typer.Typer) -> None:
    app.command("judge")(judge)


def judge(
    case: Case,
    workspace: Annotated[Path, typer.Argument(metavar="WORKSPACE", help="Folder with the candidate.")],
    seed: Annotated[str | None, typer.Option("--seed", help="Replay the inputs of an earlier verdict.")] = None,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Judge WORKSPACE with the hidden suite of CASE. Exit code 0 is reward 1, 1 is reward 0."""
    settings = resolve(cases=cases, work=work)
    folder = settings.case(case)
    if not workspace.is_dir():
        raise BadInput(f"{workspace} is not a folder", remedy="name the folder that holds the candidate's files")
    bench = recorded_bench(folder)
    out = Output(as_json=as_json)
    sandbox = choose_sandbox(settings.work, backend)
    out.say(f"judging {workspace} in {sandbox.name} ({sandbox.base})")
    bans = read_denylist(folder.denylist)
    verdict = court(bench, work=settings.work, sandbox=sandbox, denylist=bans).judge(
        folder.suite, workspace.resolve(), seed=seed, reference=right_control(folder)
    )
    passed = sum(node.result is NodeResult.PASSED for node in verdict.nodes)
    for cause in first_of(verdict.causes):
        out.show(f"- {cause}")
    out.show(f"{passed} of {len(verdict.nodes)} nodes passed; seed {verdict.seed}")
    out.show(_SAYS[verdict.outcome].format(verdict.reward))
    out.result(verdict.model_dump(mode="json"))
    if verdict.outcome is not Judged.JUDGED:
        raise typer.Exit(Exit.UNJUDGED)
    if verdict.reward != 1:
        raise typer.Exit(Exit.NO)


def first_of(causes: Sequence[str]) -> list[str]:
    """As many as people read, and how many more there are."""
    more = len(causes) - _CAUSES
    return [*causes[:_CAUSES], *([f"and {more} more, which --json gives"] if more > 0 else [])]
