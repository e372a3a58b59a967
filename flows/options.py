"""Flags and arguments that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from environments.choose import Backend

Case = Annotated[str, typer.Argument(metavar="CASE", help="Name of a folder under --cases.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else there.")]
Cases = Annotated[
    Path | None,
    typer.Option("--cases", metavar="DIR", help="Folder of cases (REPOWRIGHT_CASES; the checkout's cases/)."),
]
Work = Annotated[
    Path | None,
    typer.Option("--work", metavar="DIR", help="Work directory (REPOWRIGHT_WORK; the checkout's .repowright/)."),
]
BackEnd = Annotated[
    Backend,
    typer.Option("--backend", help="Which sandboxes: local, docker, or auto (REPOWRIGHT_BACKEND, else local)."),
]
