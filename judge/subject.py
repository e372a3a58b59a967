"""What a gate looks at: a case, the reference built from its pin, and a way to judge a workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from environments.interface import Sandbox
from taskpack.denylist import Denylist
from taskpack.layout import CaseFolder
from taskpack.verdict import Verdict


class JudgeWorkspace(Protocol):
    """Judges a workspace with one case's suite."""

    def __call__(self, workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        """Without `seed`, the one that belongs to the workspace's digest is used. With `only`, no other node is run,
        and the reward is 0."""


@dataclass(frozen=True, kw_only=True)
class Around:
    """What a product finds around it."""

    sandbox: Sandbox
    site: Path | None
    """The installed packages that it may import; None where it needs none."""

    @property
    def preview(self) -> bool:
        """Whether the base is the host's own toolchain, which no task ships."""
        return self.sandbox.base.startswith("preview:")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The subject of every gate."""

    case: CaseFolder
    reference: Path
    """Folder with the reference as a candidate workspace would look."""
    scratch: Path
    """A folder for workspaces made on the way; the caller removes it."""
    judge: JudgeWorkspace
    fresh: JudgeWorkspace | None = None
    """The same with a new interpreter for each call, where the language has such a thing."""
    elsewhere: JudgeWorkspace | None = None
    """The same on the other back end, where there is one with the same base."""
    nowhere: str = ""
    """Why there is no `elsewhere`."""
    behind_bans: Callable[[Denylist], JudgeWorkspace] | None = None
    """The same behind a denylist, as `repowright judge` judges: what is handed in is looked through, and what the
    product sandbox has of the bans is covered. Raises `BadInput` or `EnvironmentFailed` for a list that nothing can be
    judged behind."""
    around: Around | None = None
    """Where the product is judged, for gates that look at its environment; None where there is nothing to look at."""
    known: Path | None = None
    """The whole record of what is known of the source, its people too, which no case keeps; None where there is only
    what the case keeps."""
    covered: JudgeWorkspace | None = None
    """The same with what the case's denylist bans covered, and nothing looked through before. Raises `BadInput` when a
    ban cannot be enforced."""
