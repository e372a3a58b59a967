"""Settings, resolved once at the edge: default, environment, flag."""

from __future__ import annotations

import importlib.metadata
import os
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import BadInput, CaseNotFound
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.rendering import CHECKOUT


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where cases and the work directory are."""

    cases: Path
    work: WorkFolder

    def case(self, name: str) -> CaseFolder:
        """The folder of case `name`.

        Raises `CaseNotFound` naming the ones that exist.
        """
        folder = CaseFolder(root=self.cases / name)
        if "/" in name or not folder.order.is_file():
            known = sorted(path.parent.name for path in self.cases.glob("*/order.toml"))
            raise CaseNotFound(
                f"there is no case {name}",
                details={"cases": str(self.cases), "known": ", ".join(known) or "none"},
                remedy="name one of these, or give --cases",
            )
        return folder


def resolve(*, cases: Path | None, work: Path | None) -> Settings:
    """Flag, then REPOWRIGHT_CASES and REPOWRIGHT_WORK, then the checkout's own folders."""
    chosen_cases = cases or Path(os.environ.get("REPOWRIGHT_CASES", CHECKOUT / "cases"))
    chosen_work = work or Path(os.environ.get("REPOWRIGHT_WORK", CHECKOUT / ".repowright"))
    if not chosen_cases.is_dir():
        raise BadInput(
            f"{chosen_cases} is not a folder",
            details={"flag": "--cases"},
            remedy="name the folder that holds the cases",
        )
    _check_work(chosen_work.resolve())
    return Settings(cases=chosen_cases.resolve(), work=WorkFolder(root=chosen_work.resolve()))


def _check_work(work: Path) -> None:
    """Whether the work directory is one, or can be made. It is made when something is written."""
    nearest = next(path for path in (work, *work.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        fact = "is no folder" if not nearest.is_dir() else "cannot be written"
        raise BadInput(
            f"{work} cannot be the work directory",
            details={"fact": f"{nearest} {fact}"},
            remedy="name another folder with --work or REPOWRIGHT_WORK",
        )


def engine_version() -> str:
    """The version that is written beside receipts."""
    return importlib.metadata.version("repowright")
