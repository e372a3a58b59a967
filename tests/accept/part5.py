"""`make accept-5`: neutralization that can be measured, and the audit of any bundle."""

from __future__ import annotations

import sys

from tests.accept.pieces import run_pieces

PIECES = ("terms", "scan", "names", "overlap", "copies", "measured", "audit")

if __name__ == "__main__":
    sys.exit(run_pieces("part 5", "five", PIECES, sys.argv[1:]))
