"""`python -m benchmarks.copies TREE ROOT...`: copies of a source tree in environments, and what comes nearest."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from unittest.mock import patch

from neutralize.copies import search
from neutralize.copies.fingerprint import fingerprint

_NEAR = 10


def main(arguments: list[str]) -> int:
    """Print copies, then the nearest of each kind that are none, with shares; exit code 2 without a tree and a root."""
    if len(arguments) < 2:
        print(__doc__)
        return 2
    tree, *roots = map(Path, arguments)
    known = fingerprint(tree)
    grams = sum(len(source.grams) for source in known.sources)
    print(f"{len(known.sources)} files, {grams} grams, {len(known.identifiers)} names, {len(known.literals)} strings")
    started, used = time.monotonic(), time.process_time()
    found = search.search_copies(known, roots)
    print(f"{found.files} files in {time.monotonic() - started:.1f} s, {time.process_time() - used:.1f} s of processor")
    for copy in found.copies:
        print(copy.render())
    for fact in found.unread:
        print(f"not read: {fact}")
    with patch.multiple(search, SHARE=0.0, FILE_SHARE=0.0, WORD_SHARE=0.0, LEAST_WORDS=1, LEAST_GRAMS=1):
        every = search.search_copies(known, roots).copies
    told = {(copy.place, copy.kind) for copy in found.copies}
    for kind in ("source", "compiled"):
        near = [copy for copy in every if copy.kind == kind and (copy.place, kind) not in told][:_NEAR]
        print(f"nearest {kind}, not reported:", *(f"{copy.share:.1%} {copy.place}" for copy in near), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
