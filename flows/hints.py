"""Commands that a user can type next: the flags that were given are in them again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from environments.choose import Backend


@dataclass(frozen=True, kw_only=True)
class Hints:
    """The flags of the command that gives the hint. What came from the environment is there for the next one, too."""

    cases: Path | None = None
    work: Path | None = None
    backend: Backend = Backend.AUTO

    def say(self, *words: str, sandbox: bool = False) -> str:
        """A command line of ours. `sandbox` tells that the command takes `--backend`."""
        flags = [("--cases", self.cases), ("--work", self.work)]
        if sandbox and self.backend is not Backend.AUTO:
            flags.append(("--backend", Path(self.backend)))
        given = [str(part) for flag, value in flags if value is not None for part in (flag, value)]
        return shlex.join(["repowright", *words, *given])

    def author(self, case: str, *more: str) -> str:
        return self.say("author", case, *more, sandbox=True)
