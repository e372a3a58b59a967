"""A folder of one verdict: candidate and hidden suite lie there, closed to others, and gone whatever ends us."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from environments.runtime import Runtime
from environments.usermap import current_users


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A fresh folder in the sandboxes' runtime area. Only we list it; a sandbox's uid passes through.

    It is removed on leaving. What a killed process left is swept by whoever opens the area next.
    Raises `SandboxUnavailable` when the area is not ours.
    """
    runtime = Runtime(current_users())
    try:
        yield runtime.new_run()
    finally:
        runtime.close()
