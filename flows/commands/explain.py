"""`repowright explain CODE`: what a gate or a reason code means and what to do about it."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.allgates import ALL_GATES
from flows.console import Output
from flows.options import AsJson
from taskpack.errors import BadInput
from taskpack.outcome import REASONS, Reason


def register(app: typer.Typer) -> None:
    app.command("explain")(explain)


def explain(
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="A gate such as STR-MUTANTS, or a reason.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain a gate or a reason; without CODE, list them."""
    out = Output(as_json=as_json)
    if code is None:
        out.table("gates", ("code", "holds when it passes"), [(gate.code, gate.holds) for gate in ALL_GATES])
        out.table("reasons", ("code", "means"), [(reason, REASONS[reason].means) for reason in Reason])
        out.result({"gates": [gate.code for gate in ALL_GATES], "reasons": [str(reason) for reason in Reason]})
        return
    lines = _gate(code.upper()) or _reason(code.lower())
    if lines is None:
        known = ", ".join([*(gate.code for gate in ALL_GATES), *Reason])
        raise BadInput(f"there is no gate or reason {code}", details={"known": known}, remedy="repowright explain")
    for label, text in lines.items():
        out.show(f"{label:<10}{text}")
    out.result(lines)


def _gate(code: str) -> dict[str, str] | None:
    for gate in ALL_GATES:
        if gate.code == code:
            return {
                "gate": gate.code,
                "holds": gate.holds,
                "needs": ", ".join(gate.requires) or "nothing",
                "remedy": gate.remedy,
                "version": str(gate.version),
                "seeded": f"tests/gates/{gate.code}/defect fails it, tests/gates/{gate.code}/twin passes",
            }
    return None


def _reason(code: str) -> dict[str, str] | None:
    if code not in list(Reason):
        return None
    entry = REASONS[Reason(code)]
    return {"reason": code, "means": entry.means, "remedy": entry.remedy}
