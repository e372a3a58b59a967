"""The gates stage: assemble the case as it would be released, run every gate on it, keep the receipts."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from environments.base import base_facts
from environments.choose import resolve_backend
from flows import knowing
from flows.allgates import ALL_GATES
from flows.assembly import as_kind, assemble, write_source
from flows.assembly import publish as publish_case
from flows.bench import court, other_court, subject
from flows.run import Run
from flows.settings import engine_version
from judge.bundle_lib import lib_files
from taskpack.errors import GateBroken
from taskpack.files import file_digest, tree_digest, write_bytes
from taskpack.gate import GateRun, blocking, receipt, released, run_gates
from taskpack.layout import CaseFolder
from taskpack.mutant import Fate, KillMatrix
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.receipt import GateVerdict
from taskpack.recipe import Bench
from taskpack.record import Record, to_json
from taskpack.release import GateReport
from taskpack.rename import Names
from taskpack.rendering import CHECKOUT
from validation.inputs import helper_digests

VERSION = 1
_SHOWN = 5


def inputs(run: Run) -> Mapping[str, str]:
    """Everything that a gate looks at, and the gates' own versions."""
    parts = {
        str(stage): run.results[stage].digest()
        for stage in (Stage.PIN, Stage.ENVIRONMENT, Stage.NAMES, Stage.REFERENCE, Stage.SPEC, Stage.TESTS)
    }
    gates = to_json({gate.code: gate.version for gate in ALL_GATES})
    harness = to_json({name: hashlib.sha256(data).hexdigest() for name, data in lib_files().items()})
    waivers, terms = (run.case.provenance / name for name in ("waivers.json", "terms.toml"))
    return {
        **parts,
        "backend": str(resolve_backend(run.backend)),
        "base": base_facts(),
        "documents": tree_digest(CHECKOUT / "templates" / "documents"),
        "helpers": hashlib.sha256(to_json(helper_digests())).hexdigest(),
        "gates": hashlib.sha256(gates).hexdigest(),
        "harness": hashlib.sha256(harness).hexdigest(),
        "order": run.order.digest(),
        "controls": tree_digest(run.case.controls) if run.case.controls.is_dir() else "",
        "known": file_digest(knowing.whole(run)),
        "waivers": file_digest(waivers) if waivers.is_file() else "",
        **({"terms": file_digest(terms)} if terms.is_file() else {}),
    }


def make(run: Run, scratch: Path) -> Record:
    """Receipts of all gates; a failing one gives `Rejected`, with the receipts kept beside it."""
    folder = CaseFolder(root=scratch / "tree" / run.case.id)
    assemble(run, folder, status="released")
    workspaces = scratch / "workspaces"
    workspaces.mkdir()
    recorded = as_kind(Bench, run.results[Stage.ENVIRONMENT])
    bench = partial(court, recorded, work=run.work, sandbox=run.sandbox, external=run.order.external)
    looked_at = subject(
        bench(),
        folder,
        run.tree(Stage.REFERENCE),
        scratch=workspaces,
        elsewhere=other_court(recorded, work=run.work, sandbox=run.sandbox, external=run.order.external),
        behind=lambda listed: bench(denylist=listed),
        known=knowing.whole(run),
        verdicts=run.work.verdicts,
        note=run.note,
    )
    runs = run_gates(ALL_GATES, looked_at, watch=lambda one: _note(run, one))
    broken = [one for one in runs if one.result.broken]
    if broken:
        raise GateBroken(
            f"the check of {', '.join(one.code for one in broken)} raised; nothing was decided",
            details={one.code: one.result.message for one in broken},
            remedy="run again with --debug for the traceback, and report it",
        )
    receipts = tuple(
        receipt(
            one,
            command=f"repowright author {run.case.id} --until gates",
            backend=run.sandbox.name,
            base=run.sandbox.base,
            limits_by=str(run.sandbox.limits_by),
            engine=engine_version(),
        )
        for one in sorted(runs, key=lambda one: one.code)
    )
    seen = tree_digest(folder.root)
    for one in receipts:
        write_bytes(folder.receipts / f"{one.code}.json", one.to_bytes())
    if not released(runs):
        return _rejected(run, runs)
    matrix = KillMatrix.from_bytes(folder.kill_matrix.read_bytes(), where="kill_matrix.json")
    return GateReport(
        receipts=receipts,
        backend=run.sandbox.name,
        base=run.sandbox.base,
        case_tree=seen,
        killed=sum(one.fate is Fate.KILLED for one in matrix.results),
        survived=sum(one.fate is Fate.SURVIVED for one in matrix.results),
    )


def _note(run: Run, one: GateRun) -> None:
    """What a gate found; of one that fails, the first evidence: the rest of the gates may take minutes."""
    run.note(f"    {one.code}: {one.result.verdict}, {one.result.message}")
    if one.result.verdict is GateVerdict.FAIL:
        for line in one.result.evidence[:_SHOWN]:
            run.note(f"      {line}")


def _rejected(run: Run, runs: tuple[GateRun, ...]) -> Rejected:
    bad = blocking(runs)
    fails = [one.code for one in bad if one.result.verdict is GateVerdict.FAIL]
    rest = f"; {len(bad) - len(fails)} more were not run" if len(bad) > len(fails) else ""
    return Rejected(
        stage=Stage.GATES,
        reason=Reason.GATE_FAILED,
        message=f"{len(fails)} of {len(runs)} gates fail: {', '.join(fails)}{rest}",
        evidence=tuple(
            Fact(what=text, where=one.code) for one in bad for text in (one.result.message, *one.result.evidence[:20])
        ),
        command=f"repowright author {run.case.id} --until gates",
    )


def publish(run: Run, result: Record) -> None:
    """Bring the assembled case into the case folder: as released only when every gate passed."""
    source = run.tree(Stage.GATES) / run.case.id
    if isinstance(result, GateReport):
        publish_case(source, run.case)
        return
    with run.store.scratch() as scratch:
        draft = CaseFolder(root=scratch / run.case.id)
        shutil.copytree(source, draft.root)
        write_source(
            run,
            draft,
            bench=as_kind(Bench, run.results[Stage.ENVIRONMENT]),
            names=as_kind(Names, run.results[Stage.NAMES]),
            status="draft",
        )
        publish_case(draft.root, run.case)
