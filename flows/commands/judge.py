"""`repowright judge CASE WORKSPACE`: the verdict about one candidate, with causes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from environments.choose import Backend, choose_sandbox
from environments.runtime import scratch
from flows.bench import court, recorded_bench, recorded_external, right_control
from flows.console import Output
from flows.exits import Exit
from flows.options import AsJson, BackEnd, Case, Cases, Work
from flows.settings import resolve
from judge.evidence import named_refusals
from judge.judging import another_suite
from judge.printable import printable
from judge.submission import hand_over, unpack_workspace
from judge.workspace import Workspace
from taskpack.denylist import read_denylist
from taskpack.errors import BadInput
from taskpack.layout import CaseFolder
from taskpack.verdict import Judged, NodeResult
from validation.reading import matrix_of, suite_digest

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
    workspace: Annotated[
        Path, typer.Argument(metavar="WORKSPACE", help="Folder with the candidate, or a tar of what is in it.")
    ],
    seed: Annotated[str | None, typer.Option("--seed", help="Replay the inputs of an earlier verdict.")] = None,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Judge WORKSPACE with the hidden suite of CASE. Exit code 0 is reward 1, 1 is reward 0."""
    settings = resolve(cases=cases, work=work)
    folder = settings.case(case)
    if not workspace.exists():
        raise BadInput(f"{workspace} is not there", remedy="name the folder that holds the candidate's files, or a tar")
    out = Output(as_json=as_json)
    with named_refusals():
        bench = recorded_bench(folder)
        gated = _check_suite(folder)
        sandbox = choose_sandbox(settings.work, backend)
        out.say(f"judging {workspace} in {sandbox.name} ({sandbox.base})")
        bans, external = read_denylist(folder.denylist), recorded_external(folder)
        where = court(bench, work=settings.work, sandbox=sandbox, denylist=bans, external=external)
    with scratch() as place, named_refusals():
        handed = handed_over(workspace.resolve(), place / "handed")
        right = right_control(folder)
        verdict = where.judge(folder.suite, handed.root, seed=seed, reference=right, expected=gated)
    if verdict.reward != 1:
        parts = (lost(handed), verdict.causes) if handed.refusal else (verdict.causes, lost(handed))
        verdict = verdict.model_copy(update={"causes": (*parts[0], *parts[1])})
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


def handed_over(workspace: Path, dest: Path) -> Workspace:
    """What a judge gets of it (`docs/build-contract.md`)."""
    return hand_over(workspace, dest) if workspace.is_dir() else unpack_workspace(workspace, dest)


def lost(handed: Workspace) -> tuple[str, ...]:
    """What did not arrive: all of it, or some things."""
    if handed.refusal:
        return (printable(handed.refusal),)
    return tuple(printable(f"left out of the workspace: {fact}") for fact in handed.absent)


def _check_suite(case: CaseFolder) -> str:
    """The digest of the suite, if it is the one whose gates have passed; nobody is judged with another.

    What a suite has lost since would look as if the candidate had failed it, and without a kill matrix nobody knows.
    """
    matrix = matrix_of(case)
    if matrix is None:
        raise BadInput(
            f"nothing says that the suite of {case.id} is whole",
            details={"missing": str(case.kill_matrix)},
            remedy=f"take it from the release again, or run repowright author {case.id}",
        )
    if matrix.suite != (digest := suite_digest(case)):
        raise another_suite(case.suite, seen=digest, expected=matrix.suite)
    return matrix.suite


def first_of(causes: Sequence[str]) -> list[str]:
    """As many as people read, and how many more there are."""
    more = len(causes) - _CAUSES
    return [*causes[:_CAUSES], *([f"and {more} more, which --json gives"] if more > 0 else [])]
