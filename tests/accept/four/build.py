"""Part 4, the build contract and external resources: the agent builds, the judge never does."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import Checklist, need, pytest_passes, repowright, tail


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("5 what survives the way from a solver's container and what is dropped, row by row of the page",
               lambda: pytest_passes("tests/unit/judge/test_submission.py"))  # fmt: skip
    book.claim("5 references in Python, TypeScript, Go and C++, built as an agent builds, go that way and score 1; "
               "the judge builds none",
               lambda: pytest_passes("tests/integration/languages/test_build_contract.py", timeout=1800))  # fmt: skip
    book.claim("5 the packaging gate fails on its seeded defect and passes on its twin, node by node", _gate)
    book.claim("6 resources: fetched once by size and digest, unpacked without trust, stated in documents",
               lambda: pytest_passes("tests/unit/environments/test_resources.py", "tests/unit/environments/test_unpack.py",
                                     "tests/unit/taskpack/test_external.py"))  # fmt: skip


def _gate() -> str:
    done = repowright("selftest", "PKG-ROUNDTRIP", timeout=1800)
    need(done.code == 0, tail(done.out + done.err, 12))
    return tail(done.out, 3)
