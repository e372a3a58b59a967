"""`repowright` with stages that take no sandbox: a moment each, as long as SMALL_SECONDS says. Run as a program.

SMALL_STOP=<stage>:<rejected|waiting|broken|slow> makes that stage end so. Each stage that is made adds its name to
SMALL_CALLS.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import flows.commands.author
import flows.pipeline
from flows.entry import main
from flows.run import Run, StageDefinition
from taskpack.errors import SandboxFailed
from taskpack.order import Language
from taskpack.outcome import Fact, Reason, Rejected, Stage, Waiting
from taskpack.receipt import GateVerdict, Receipt
from taskpack.recipe import Recipe
from taskpack.record import Record
from taskpack.release import GateReport


def make(stage: Stage, run: Run, scratch: Path) -> Record:
    with Path(os.environ["SMALL_CALLS"]).open("a") as calls:
        calls.write(f"{stage}\n")
    (scratch / "tree").mkdir()
    (scratch / "tree" / "made").write_text(stage)
    at, _, end = os.environ.get("SMALL_STOP", "").partition(":")
    for part in range(4):
        run.note(f"    part {part} of {stage}")
        time.sleep(float(os.environ.get("SMALL_SECONDS", "0.02")) / 4)
    if at == stage and end == "slow":
        time.sleep(600)
    if at == stage and end == "broken":
        raise SandboxFailed("the sandbox broke", details={"log": "none"}, remedy="run it again")
    if at == stage and end == "waiting":
        return Waiting(stage=stage, requests=(f"{run.case.id}.{stage}.FP-01.1",))
    if at == stage and end == "rejected":
        return Rejected(
            stage=stage, reason=Reason.UNSUITABLE, message="too large", evidence=(Fact(what="9 MB"),), command="x"
        )
    return report() if stage is Stage.GATES else Recipe(language=Language.PYTHON, python="3.11", packages=())


def stop_of(stage: Stage) -> str:
    stop = os.environ.get("SMALL_STOP", "")
    return stop if stop.startswith(f"{stage}:") and stop.endswith(":rejected") else ""


def report() -> GateReport:
    receipt = Receipt(
        code="STR-SMALL",
        gate_version=1,
        verdict=GateVerdict.PASS,
        message="nothing | was looked at",
        evidence=(),
        inputs=(),
        command="x",
        backend="none",
        base="none",
        engine="0",
    )
    return GateReport(receipts=(receipt,), backend="none", base="none", case_tree="0" * 64, killed=1, survived=0)


def definition(stage: Stage) -> StageDefinition:
    return StageDefinition(
        stage=stage,
        version=1,
        about=f"a small {stage}",
        kinds=(GateReport if stage is Stage.GATES else Recipe,),
        inputs=lambda _: {"stop": stop_of(stage)},
        make=lambda run, scratch: make(stage, run, scratch),
    )


STAGES = tuple(definition(stage) for stage in Stage)

if __name__ == "__main__":
    sys.argv[0] = "repowright"
    flows.commands.author.STAGES = flows.pipeline.STAGES = STAGES
    main()
