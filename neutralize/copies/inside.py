"""Runs inside a sandbox: fingerprints on standard input, the copies that are there on standard output."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from .fingerprint import Fingerprints
from .search import search_copies

_NOT_THEIRS = frozenset({"app", "dev", "opt", "proc", "run", "sys", "tmp"})
"""Tops that are the sandbox's own, or hold what is judged."""


def main() -> None:
    """In the folders that the arguments name after the first, or in all. Raises for what are no fingerprints."""
    known = Fingerprints.from_bytes(sys.stdin.buffer.read())
    every = [path for path in sorted(Path("/").iterdir()) if path.name not in _NOT_THEIRS and not path.is_symlink()]
    roots = [Path(name) for name in sys.argv[2:]] or every
    answer = asdict(search_copies(known, roots))
    if len(roots) == 1:  # of several, paths are whole already
        for copy in answer["copies"]:
            copy["place"] = f"{roots[0]}/{copy['place']}"
    print(json.dumps(answer))  # noqa: T201 (the answer)
