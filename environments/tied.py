"""Programs of our own that end with us: a killed run leaves no uv, no git, no compiler of bytecode behind."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from taskpack.errors import SandboxUnavailable


def tied(command: Sequence[str]) -> list[str]:
    """`command`, killed by the kernel as soon as the thread that started it has ended, in whatever way.

    Raises `SandboxUnavailable` where util-linux is missing.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise SandboxUnavailable("setpriv is not on the PATH", remedy="install util-linux")
    return [setpriv, "--pdeathsig", "KILL", *command]
