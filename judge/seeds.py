"""The seed of a verdict: drawn once for a suite and a candidate, so that the same candidate gets the same inputs."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from taskpack.files import space_errors


def draw_seed(seeds: Path | None, *, suite: str, candidate: str) -> str:
    """The seed kept under `seeds` for the two digests, drawn now if there is none; without a folder always a new one.

    Safe against others who draw at the same moment: all get the same.
    """
    drawn = secrets.token_hex(16)
    if seeds is None:
        return drawn
    path = seeds / suite / candidate
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    with space_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".seed-", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(f"{drawn}\n")
                file.flush()
                os.fsync(file.fileno())
            path.hardlink_to(name)
        except FileExistsError:
            pass
        finally:
            Path(name).unlink()
    return path.read_text(encoding="ascii").strip()
