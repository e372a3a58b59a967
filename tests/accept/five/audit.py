"""Part 5, `repowright audit`: any case, bundle, folder, archive or image."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import REPOWRIGHT, Checklist, NotMet, pytest_passes, run

UNIT = "tests/unit"


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("8 with the pin, with terms, with nothing; answers and exit codes; published bundles of both styles",
               lambda: pytest_passes(f"{UNIT}/flows/test_audit_command.py", f"{UNIT}/neutralize/test_audit.py"))  # fmt: skip
    book.claim("8 a scorecard, coverage, JSON, SARIF, a shareable form that names nothing, a page in a terminal",
               lambda: pytest_passes(f"{UNIT}/neutralize/test_audit_forms.py", f"{UNIT}/flows/test_audit_page.py"))  # fmt: skip
    book.claim(
        "8 a flow audits all cases and keeps history",
        lambda: pytest_passes("tests/integration/flows/test_audit_flow.py"),
    )
    book.claim("8 the demo task is neutral", _demo)


def _demo() -> str:
    done = run([REPOWRIGHT, "audit", "case001"])
    if done.code:
        raise NotMet(f"exit code {done.code}: {done.out.splitlines()[-1]}")
    return done.out.splitlines()[-1]
