"""uv as a process: our own program, the host's index settings, never a Python that it would fetch."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import uv

from environments.runtime import scratch
from environments.tied import tied
from taskpack.errors import EnvironmentFailed, FetchFailed

_CANNOT = 1
"""uv's exit code for an answer that is no: unknown package, no version, wrong hash. Broken connections give 2."""
_PATIENCE_S = 900


def run_uv(arguments: Sequence[str], *, stdin: str = "", cache: Path | None = None) -> str:
    """What uv prints. It runs in an empty folder, so that no project's settings count; `cache` keeps downloads.

    Raises `EnvironmentFailed` when the answer is no, `FetchFailed` when the registry could not be asked.
    """
    kept = {name: value for name, value in os.environ.items() if name not in {"VIRTUAL_ENV", "UV_PYTHON", "UV_TARGET"}}
    store = ["--cache-dir", str(cache)] if cache else ["--no-cache"]
    with scratch() as folder:
        try:
            done = subprocess.run(
                tied(
                    [uv.find_uv_bin(), *arguments, *store, "--no-python-downloads", "--no-progress", "--color", "never"]
                ),
                input=stdin.encode(),
                capture_output=True,
                cwd=folder,
                env=kept,
                timeout=_PATIENCE_S,
                check=False,
            )
        except FileNotFoundError as error:
            raise EnvironmentFailed("uv is not here", remedy="install the project's dependencies again") from error
        except subprocess.TimeoutExpired as error:
            raise FetchFailed(
                "the package registry is too slow",
                details={"seconds": str(_PATIENCE_S)},
                remedy="run the same command again; what was downloaded is kept",
            ) from error
    if done.returncode == 0:
        return done.stdout.decode("utf-8", "replace")
    said = " ".join(done.stderr.decode("utf-8", "replace").split())[-600:]
    if done.returncode == _CANNOT:
        raise EnvironmentFailed(
            "the registry has no such packages as files that can be installed",
            details={"asked for": " ".join(stdin.split())[:200] or " ".join(arguments)[:200], "uv": said},
            remedy="correct the requirement; every package must exist as a wheel for this base",
        )
    raise FetchFailed(
        "the package registry did not answer",
        details={"uv": said},
        remedy="check the network and the index settings (UV_DEFAULT_INDEX, proxies), then run the same command again",
    )
