"""The page of gates, written from the gates themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from taskpack.gate import Gate

S = TypeVar("S")


def gates_table(gates: Sequence[Gate[S]]) -> str:
    """A Markdown table, one row a gate, in the order given."""
    rows = [
        "| Gate | Holds when it passes | Needs | Version | When it fails |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| `{gate.code}` | {gate.holds} | {', '.join(gate.requires) or '-'} | {gate.version} | {gate.remedy} |"
            for gate in gates
        ),
    ]
    return "\n".join(rows) + "\n"
