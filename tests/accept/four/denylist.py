"""Part 4, the denylist: every layer, a control that it alone catches, and one outcome."""

from __future__ import annotations

from pathlib import Path

from tests.accept.checklist import Checklist, pytest_passes


def claims(book: Checklist, scratch: Path) -> None:
    book.claim("3 the bans are a record; every form of asking for a banned thing is read",
               lambda: pytest_passes("tests/unit/taskpack/test_denylist.py"))  # fmt: skip
    book.claim("3 a submitted workspace is scanned: imports, build files, vendored trees, archives, hostile input",
               lambda: pytest_passes("tests/unit/neutralize/test_submitted_scan.py"))  # fmt: skip
    book.claim("3 shims of package managers refuse what is banned and pass everything else on",
               lambda: pytest_passes("tests/unit/environments/test_shims.py"))  # fmt: skip
    book.claim("3 environments lose what is banned, and are probed; sandboxes cover the rest; one control a layer; "
               "one outcome, reward 0",
               lambda: pytest_passes("tests/integration/denylist", "tests/integration/sandbox/test_contract_masks.py",
                                     timeout=1800))  # fmt: skip
