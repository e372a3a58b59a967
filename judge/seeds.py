"""The seed of a verdict: drawn once for a suite and a candidate, so that the same candidate gets the same inputs."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from taskpack.files import space_errors
from taskpack.scratch import temporary_file


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
        with temporary_file(path.parent, prefix=".seed-") as made:
            made.file.write(f"{drawn}\n".encode("ascii"))
            made.file.flush()
            os.fsync(made.file.fileno())
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(made.path)
    return path.read_text(encoding="ascii").strip()
