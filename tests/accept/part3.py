"""`make accept-3`: a run that survives, and the first task at full size. The whole takes more than an hour."""

from __future__ import annotations

import sys

from tests.accept.pieces import run_pieces

PIECES = ("kills", "seen", "pin", "providers", "new", "task")

if __name__ == "__main__":
    sys.exit(run_pieces("part 3", "three", PIECES, sys.argv[1:]))
