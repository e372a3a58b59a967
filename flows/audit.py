"""The flow that audits all cases, each as a task, and keeps the run for the history."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

from flows.audit_runs import AuditRun, CaseAudit, audit_one, run_all
from flows.author import deliver, look_for_a_lost_server_briefly, server_failed
from flows.server import Server
from flows.settings import Settings, resolve

log = logging.getLogger(__name__)


@flow(name="audit", flow_run_name="audit", persist_result=False)
def audit(cases: Path | None = None, work: Path | None = None) -> None:
    """Audit all cases, as `repowright audit --all` does. For deployments: `prefect.yaml` names it."""
    _Walk(resolve(cases=cases, work=work), get_run_logger().info)()


def audit_flow(settings: Settings, note: Callable[[str], None], server: Server) -> tuple[Path, AuditRun]:
    """Audit all cases in a flow of their own: where the run was kept, and the run.

    Raises `ServerFailed` when `server` refuses the flow or goes away before the run is kept.
    """
    walk = _Walk(settings, note)

    @flow(name="audit", flow_run_name="audit", validate_parameters=False, persist_result=False)
    def audit() -> None:
        walk()

    look_for_a_lost_server_briefly()
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        try:
            audit()
        except Exception as error:
            if error is walk.fault:
                raise
            if walk.kept is None:
                server_failed(error, server.api)
        finally:
            deliver()
    assert walk.kept is not None  # noqa: S101 (else an error was raised)
    return walk.kept


class _Walk:
    """One way through the cases, each a task of the running flow."""

    def __init__(self, settings: Settings, note: Callable[[str], None]) -> None:
        self._settings = settings
        self._note = note
        self.fault: BaseException | None = None
        """What was raised by us, and not by Prefect."""
        self.kept: tuple[Path, AuditRun] | None = None

    def __call__(self) -> None:
        @task(cache_policy=NO_CACHE, persist_result=False, task_run_name="{case}")
        def one(case: str) -> CaseAudit:
            return self._ours(lambda: audit_one(self._settings, case))

        self.kept = run_all(self._settings, self._note, one)
        try:
            create_table_artifact(_rows(self.kept[1]), key="audit", description="What the audit of each case came to")
        except Exception:
            log.info("the run's page has not all of its artifacts", exc_info=True)

    def _ours(self, work: Callable[[], CaseAudit]) -> CaseAudit:
        try:
            return work()
        except BaseException as fault:
            self.fault = fault
            raise


def _rows(run: AuditRun) -> list[dict[str, str]]:
    return [{"case": row.case, "answer": str(row.report.answer) if row.report else row.fault} for row in run.cases]
