"""`make accept-4`: a judge that cannot be fooled. A container engine of its own is started for it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence

from tests.accept.checklist import Checklist, NotMet
from tests.accept.engine import engine_for_all
from tests.accept.pieces import run_pieces
from tests.engine import NoEngine

PIECES = ("languages", "corpus", "denylist", "faults", "build", "speed")


def main(pieces: Sequence[str]) -> int:
    with contextlib.ExitStack() as stack:

        def engine(book: Checklist) -> None:
            try:
                address = stack.enter_context(engine_for_all())
                said = "on a socket of its own" if address else ""
            except NoEngine as reason:
                said = ""
                lacking = str(reason)
            book.claim("a container engine of our own comes up", lambda: said or _missing(lacking))

        return run_pieces("part 4", "four", PIECES, pieces, first=engine)


def _missing(reason: str) -> str:
    raise NotMet(reason)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
