"""The flow that audits all cases, each as a task, and keeps the run for the history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE

from flows.audit_runs import AuditRun, CaseAudit, audit_one, run_all
from flows.settings import Settings, resolve


@flow(name="audit", flow_run_name="audit", persist_result=False)
def audit(cases: Path | None = None, work: Path | None = None) -> None:
    """Audit all cases, as `repowright audit --all` does. For deployments: `prefect.yaml` names it."""
    _walk(resolve(cases=cases, work=work), get_run_logger().info)


def audit_flow(settings: Settings, note: Callable[[str], None]) -> tuple[Path, AuditRun]:
    """Audit all cases in a flow of their own: where the run was kept, and the run."""

    @flow(name="audit", flow_run_name="audit", validate_parameters=False, persist_result=False)
    def audit() -> tuple[Path, AuditRun]:
        return _walk(settings, note)

    return audit()


def _walk(settings: Settings, note: Callable[[str], None]) -> tuple[Path, AuditRun]:
    @task(cache_policy=NO_CACHE, persist_result=False, task_run_name="{case}")
    def one(case: str) -> CaseAudit:
        return audit_one(settings, case)

    path, run = run_all(settings, note, one)
    rows = [{"case": row.case, "answer": str(row.report.answer) if row.report else row.fault} for row in run.cases]
    create_table_artifact(rows, key="audit", description="What the audit of each case came to")
    return path, run
