"""What a gate looks at: a case, the reference built from its pin, and a way to judge a workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from taskpack.layout import CaseFolder
from taskpack.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The subject of every gate."""

    case: CaseFolder
    reference: Path
    """Folder with the reference as a candidate workspace would look."""
    scratch: Path
    """A folder for workspaces made on the way; the caller removes it."""
    judge: Callable[[Path], Verdict]
    """Judges a workspace with the case's suite."""
