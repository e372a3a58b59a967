"""How far orders of `repowright new` come untouched: one line an upstream, with the stage at which each stops.

    python -m benchmarks.new_orders [--until STAGE] [--keep FOLDER] [SOURCE ...]

Without sources, the small Python projects of the list below. Everything is made in a temporary folder; `--keep` names
one that stays. Nothing is drafted: the last stage that can be reached is `spec`, which then waits for replies.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SOURCES = (
    "uritemplate==4.2.0",
    "h11==0.16.0",
    "python-dotenv==1.2.4",
    "pyotp==2.12.0",
    "sqlparse==0.6.1",
    "cachetools==8.0.2",
    "wsproto==1.3.2",
    "croniter==7.0.0",
    "python-toon==0.2.0",
    "click==8.5.1",
    "itsdangerous==2.2.0",
)
REPOWRIGHT = Path(sys.executable).with_name("repowright")
GOOD = {"done", "waiting"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--until", default="spec", help="the last stage that is tried")
    parser.add_argument("--keep", type=Path, help="a folder that stays")
    parser.add_argument("sources", nargs="*", default=SOURCES)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="repowright-new-") as name:
        folder = asked.keep or Path(name)
        (folder / "cases").mkdir(parents=True, exist_ok=True)
        rows = [_row(source, folder, until=asked.until) for source in asked.sources]
    past = sum(row["environment"] == "done" for row in rows)
    print(f"{past} of {len(rows)} orders pass the environment stage as they were written")
    return 0


def _row(source: str, folder: Path, *, until: str) -> dict[str, str]:
    places = ["--cases", str(folder / "cases"), "--work", str(folder / "work")]
    started = time.monotonic()
    made, words = _ask("new", source, *places)
    row = {"source": source, "new": "", "environment": "", "stops at": "", "because": ""}
    if made.get("answer") != "written":
        row |= {"new": "no order", "because": _why(made) or words}
    else:
        row["new"] = made["tests"]["fault"] or f"{made['tests']['passed']} tests pass"
        run, words = _ask("author", made["case"], "--plain", "--until", until, "--provider", "mailbox", *places)
        stages = {stage["stage"]: stage["state"] for stage in run.get("stages", [])}
        row["environment"] = stages.get("environment", "not reached")
        last = next(reversed(stages.items()), ("nothing", ""))
        row["stops at"] = f"{last[0]} {last[1]}"
        row["because"] = "" if last[1] in GOOD else _why(run) or words
    print(
        f"{'  '.join(f'{key}: {value}' for key, value in row.items() if value)}  ({time.monotonic() - started:.0f} s)"
    )
    sys.stdout.flush()
    return row


def _ask(*arguments: str) -> tuple[dict[str, Any], str]:
    done = subprocess.run([REPOWRIGHT, *arguments, "--json"], capture_output=True, text=True, check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        answer = {}
    return answer, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""


def _why(answer: dict[str, Any]) -> str:
    said = answer.get("error") or answer.get("result") or answer.get("rejected") or {}
    facts = [fact["what"] for fact in said.get("evidence", [])[:3]]
    return " | ".join([str(said.get("message", "")), *facts])[:400].replace("\n", " / ")


if __name__ == "__main__":
    sys.exit(main())
