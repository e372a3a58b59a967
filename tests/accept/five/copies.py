"""Part 5, oracles of the toolchain: copies of the upstream in environments, and modules that do the product's work."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import Checklist, need, pytest_passes, repowright, tail


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("6 fingerprints find copies: vendored, archived, in the standard library, compiled; others they do not",
               lambda: pytest_passes("tests/unit/neutralize/copies", "tests/integration/validation/test_copies.py"))  # fmt: skip
    book.claim("6 a module with the contract's names is tried by a shim that forwards to it",
               lambda: pytest_passes("tests/unit/validation", "-k", "forward or offered or probe or oracle"))  # fmt: skip
    book.claim("6 on real twins", lambda: pytest_passes("tests/integration/validation/test_probe.py", timeout=1200))
    book.claim("6 ENV-ORACLE and NEU-COPIES fail on their defects alone and pass on the twins",
               _selftest)  # fmt: skip


def _selftest() -> str:
    done = repowright("selftest", "ENV-ORACLE", "NEU-COPIES", timeout=2400)
    need(done.code == 0, tail(done.out + done.err, 12))
    return tail(done.out, 1)
