"""`make accept-4`: a judge that cannot be fooled. A container engine of its own is started for it."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.accept.checklist import Checklist, NotMet
from tests.accept.engine import engine_for_all
from tests.engine import NoEngine

PIECES = ("languages", "corpus", "denylist", "faults", "build", "speed")
"""Modules beside this one, in `four/`; each adds its claims with `claims(book, scratch)`."""


def main(pieces: Sequence[str]) -> int:
    """Every piece, or those named on the command line."""
    if unknown := set(pieces) - set(PIECES):
        sys.stderr.write(f"no piece {', '.join(sorted(unknown))}; there are {', '.join(PIECES)}\n")
        return 2
    book = Checklist(title="part 4" + (f" ({', '.join(pieces)} only)" if pieces else ""))
    with contextlib.ExitStack() as stack:
        try:
            address = stack.enter_context(engine_for_all())
            said = "on a socket of its own" if address else ""
        except NoEngine as reason:
            said = ""
            lacking = str(reason)
        book.claim("a container engine of our own comes up", lambda: said or _missing(lacking))
        for name in pieces or PIECES:
            with tempfile.TemporaryDirectory(prefix="repowright-accept-") as scratch:
                Path(scratch).chmod(0o755)
                import_module(f"tests.accept.four.{name}").claims(book, Path(scratch))
    return book.close()


def _missing(reason: str) -> str:
    raise NotMet(reason)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
