"""The command line with a mark at each stage and, when it is told so, a fault: `python -m tests.faults.entry PLAN ...`.

PLAN is a file with a `Plan`. Nothing in the product knows of it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to happen to one run."""

    marks: str
    """File that gets a line at the start and at the end of each stage."""
    roots: list[str] = field(default_factory=list)
    """Folders whose points count."""
    fault: str = ""
    """`count`, `kill`, `full`, `lose`; nothing when empty."""
    stage: str = ""
    op: str = ""
    """`fsync`, `replace` and so on; the operation whose points count."""
    after: bool = False
    """After the operation instead of before it."""
    number: int = 1
    """The how manieth of these points, from 1."""
    image: str = ""
    """For `lose`: where the disk is put as a power loss leaves it."""

    def write(self, path: Path) -> Path:
        path.write_text(json.dumps(asdict(self)))
        return path


def mark(plan: Plan, text: str) -> None:
    with Path(plan.marks).open("a") as file:
        file.write(text + "\n")


def main() -> None:
    plan = Plan(**json.loads(Path(sys.argv.pop(1)).read_text()))
    import flows.run as runner

    now: list[str] = ["start"]
    advance: Any = runner.advance

    def marked(run: Any, definition: Any) -> Any:
        now[0] = str(definition.stage)
        mark(plan, f"begin {now[0]}")
        step = advance(run, definition)
        mark(plan, f"end {now[0]} {'reused' if step.reused else 'made'}")
        now[0] = f"after {now[0]}"
        return step

    runner.advance = marked
    if plan.fault:
        from tests.faults.points import arm

        arm(plan, lambda: now[0])
    from flows.entry import main as command

    command()


if __name__ == "__main__":
    main()
