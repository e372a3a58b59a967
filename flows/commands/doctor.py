"""`repowright doctor`: whether this machine can do the work, and what to do where it cannot."""

from __future__ import annotations

from typing import Annotated

import typer

from environments.doctor import checks
from environments.rootfs_build import build_rootfs
from flows.console import Output
from flows.exits import Exit
from flows.options import AsJson, Cases, Work
from flows.settings import resolve


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor(
    build_base: Annotated[
        bool,
        typer.Option("--build-base", help="First build the root file system of official verdicts (root, mmdebstrap)."),
    ] = False,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Check the machine: Python, sandbox and its self-probe, base, engine, tools, registry, disk."""
    out = Output(as_json=as_json)
    if build_base:
        built = build_rootfs(out.say)
        out.say(f"{built.record.name} is in {built.folder}")
    found = checks(resolve(cases=cases, work=work).work)
    out.table(
        "checks",
        ("check", "answer", "fact"),
        [(check.name, "ok" if check.ok else "NO", check.fact) for check in found],
    )
    for check in found:
        if not check.ok:
            out.show(f"{check.name}: {check.remedy}")
    out.result([{"name": check.name, "ok": check.ok, "fact": check.fact, "remedy": check.remedy} for check in found])
    if not all(check.ok for check in found):
        raise typer.Exit(Exit.NO)
