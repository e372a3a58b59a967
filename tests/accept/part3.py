"""`make accept-3`: a run that survives, and the first task at full size."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.accept.checklist import Checklist

PIECES = ("kills", "seen", "pin", "providers", "new", "task")
"""Modules beside this one, in `three/`; each adds its claims with `claims(book, scratch)`."""


def main(pieces: Sequence[str]) -> int:
    """Every piece, or those named on the command line: the whole takes more than an hour."""
    if unknown := set(pieces) - set(PIECES):
        sys.stderr.write(f"no piece {', '.join(sorted(unknown))}; there are {', '.join(PIECES)}\n")
        return 2
    book = Checklist(title="part 3" + (f" ({', '.join(pieces)} only)" if pieces else ""))
    for name in pieces or PIECES:
        with tempfile.TemporaryDirectory(prefix="repowright-accept-") as scratch:
            Path(scratch).chmod(0o755)
            import_module(f"tests.accept.three.{name}").claims(book, Path(scratch))
    return book.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
