"""A part's checklist in pieces, each a module with `claims(book, scratch)`: all of them, or those that are named."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from tests.accept.checklist import Checklist


def run_pieces(
    part: str, package: str, known: Sequence[str], asked: Sequence[str], *, first: Callable[[Checklist], None] | None = None
) -> int:  # fmt: skip
    """Run the pieces of `tests/accept/<package>/` and give the exit code; `first` adds claims before them."""
    if unknown := set(asked) - set(known):
        sys.stderr.write(f"no piece {', '.join(sorted(unknown))}; there are {', '.join(known)}\n")
        return 2
    book = Checklist(title=part + (f" ({', '.join(asked)} only)" if asked else ""))
    if first is not None:
        first(book)
    for name in asked or known:
        with tempfile.TemporaryDirectory(prefix="repowright-accept-") as scratch:
            Path(scratch).chmod(0o755)
            import_module(f"tests.accept.{package}.{name}").claims(book, Path(scratch))
    return book.close()
