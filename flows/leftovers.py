"""What killed runs left half made in a case and a work directory. `docs/work-directory.md` lists it for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from taskpack.layout import CaseFolder, WorkFolder
from taskpack.scratch import PART, SCRATCH, sweep


def sweep_leftovers(case: CaseFolder, work: WorkFolder) -> None:
    """Take it away. What a living process of any run still makes is locked by it, and stays."""
    for folder, pattern in _scratch_folders(work):
        sweep(folder, pattern)
    for folder in (*_folders(case.root), *_record_folders(work)):
        sweep(folder, f".*.????????{PART}")


def _scratch_folders(work: WorkFolder) -> Iterator[tuple[Path, str]]:
    yield work.stages, f"{SCRATCH}*"
    yield work.selftest, f"{SCRATCH}*"
    yield work.environments, ".building-*"
    yield work.downloads, ".fetch-*"
    yield work.git, ".*"
    yield work.releases, ".part-*"
    yield work.seeds, "*/.seed-*"


def _record_folders(work: WorkFolder) -> Iterator[Path]:
    """Where single files are written. Environments, stores of git and results of stages appear as whole folders."""
    whole = {work.downloads, work.environments, work.git, work.releases, work.selftest, work.stages}
    yield work.root
    yield work.environments / "recipes"
    for folder in work.root.iterdir() if work.root.is_dir() else ():
        if folder not in whole and folder.is_dir() and not folder.is_symlink():
            yield from _folders(folder)


def _folders(root: Path) -> Iterator[Path]:
    return (Path(folder) for folder, _, _ in os.walk(root))
