"""What a gate looks at: a case, the reference built from its pin, and a way to judge a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from taskpack.layout import CaseFolder
from taskpack.verdict import Verdict


class JudgeWorkspace(Protocol):
    """Judges a workspace with one case's suite."""

    def __call__(self, workspace: Path, /, *, seed: str | None = None) -> Verdict:
        """Without `seed`, the one that belongs to the workspace's digest is used."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The subject of every gate."""

    case: CaseFolder
    reference: Path
    """Folder with the reference as a candidate workspace would look."""
    scratch: Path
    """A folder for workspaces made on the way; the caller removes it."""
    judge: JudgeWorkspace
