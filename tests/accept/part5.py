"""`make accept-5`: neutralization that can be measured, and the audit of any bundle."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.accept.checklist import Checklist

PIECES = ("terms", "scan", "names", "overlap", "copies", "measured", "audit")
"""Modules beside this one, in `five/`; each adds its claims with `claims(book, scratch)`."""


def main(pieces: Sequence[str]) -> int:
    """Every piece, or those named on the command line."""
    if unknown := set(pieces) - set(PIECES):
        sys.stderr.write(f"no piece {', '.join(sorted(unknown))}; there are {', '.join(PIECES)}\n")
        return 2
    book = Checklist(title="part 5" + (f" ({', '.join(pieces)} only)" if pieces else ""))
    for name in pieces or PIECES:
        with tempfile.TemporaryDirectory(prefix="repowright-accept-") as scratch:
            Path(scratch).chmod(0o755)
            import_module(f"tests.accept.five.{name}").claims(book, Path(scratch))
    return book.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
