"""`make accept-3`: a run that survives, and the first task at full size."""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.accept.checklist import Checklist

PIECES = ("kills", "seen", "pin", "providers", "task", "new")
"""Modules beside this one, in `three/`; each adds its claims with `claims(book, scratch)`."""


def main() -> int:
    book = Checklist(title="part 3")
    for name in PIECES:
        with tempfile.TemporaryDirectory(prefix="repowright-accept-") as scratch:
            Path(scratch).chmod(0o755)
            import_module(f"tests.accept.three.{name}").claims(book, Path(scratch))
    return book.close()


if __name__ == "__main__":
    sys.exit(main())
