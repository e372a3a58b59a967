"""A finished run of the tiny case, and copies of it from which some stages are taken back."""

from __future__ import annotations

import functools
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from taskpack.files import tree_digest
from tests.tiny import CASE, DATA, STAGES, Tiny, lay_out, make_index

_VERDICTS_TAKEN = 3
"""Of some thirty verdicts that the gates ask for; the others are found, or a trial would take half a minute."""
_WORK_S = 900


class NotHeld(AssertionError):
    """What was seen instead."""


def need(holds: object, otherwise: str) -> None:
    if not holds:
        raise NotHeld(otherwise)


@dataclass(frozen=True, kw_only=True)
class Ground:
    """The run that nobody disturbed."""

    tiny: Tiny
    bundle: Path

    @functools.cached_property
    def bundle_digest(self) -> str:
        return tree_digest(self.bundle)

    @functools.cached_property
    def case_digest(self) -> str:
        return tree_digest(self.tiny.case.root)

    @functools.cached_property
    def stored(self) -> dict[str, str]:
        """Digests of the stages' folders, by their place in the store."""
        return {place: tree_digest(folder) for place, folder in stage_folders(self.tiny).items()}

    def copy(self, root: Path, *, without: Collection[str], rng: Random, cold: bool = False) -> Tiny:
        """A case and work directory as they were, but for the stages in `without`; `cold` takes environments as well."""
        tiny = Tiny(root=root, index=self.tiny.index)
        for part in sorted(self.tiny.work.root.iterdir()):
            link = part.name in {"environments", "downloads"}  # they are only ever replaced, and are large
            copy = os.link if link else shutil.copy2
            shutil.copytree(part, tiny.work.root / part.name, symlinks=True, copy_function=copy)
        _take_back(tiny, without, rng, cold=cold)
        _reset_case(self.tiny, tiny, without)
        return tiny


def stage_folders(tiny: Tiny) -> dict[str, Path]:
    """The folders of results, by stage and digest."""
    found = tiny.work.stages.glob("[a-z]*/v*/*")
    return {path.relative_to(tiny.work.stages).as_posix(): path for path in sorted(found)}


@contextmanager
def place() -> Iterator[Path]:
    """A folder that a sandbox's user can pass through; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="repowright-faults-", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def prepare(root: Path) -> Ground:
    """Run the tiny case to its end, undisturbed."""
    tiny = lay_out(root / "ground", make_index(root / "index"))
    done = tiny.author("--json", timeout=_WORK_S)
    need(done.returncode == 0, f"the undisturbed run ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return Ground(tiny=tiny, bundle=Path(json.loads(done.stdout)["bundle"]))


def ground_at(root: Path) -> Ground:
    """What `prepare` made in `root`, before."""
    tiny = Tiny(root=root / "ground", index=root / "index" / "simple")
    (bundle,) = (tiny.work.releases / CASE).iterdir()
    return Ground(tiny=tiny, bundle=bundle)


def later(stage: str) -> tuple[str, ...]:
    """`stage` and all that come after it."""
    return STAGES[STAGES.index(stage) :]


def _take_back(tiny: Tiny, without: Collection[str], rng: Random, *, cold: bool) -> None:
    work = tiny.work
    for stage in without:
        shutil.rmtree(work.stages / stage)
    if "pin" in without:
        shutil.rmtree(work.git)
    if "environment" in without and cold:
        shutil.rmtree(work.environments)
    if "gates" in without:
        for path in rng.sample(sorted(work.verdicts.iterdir()), _VERDICTS_TAKEN):
            path.unlink()
    if "release" in without:
        shutil.rmtree(work.releases)


def _reset_case(source: Tiny, dest: Tiny, without: Collection[str]) -> None:
    """The case's folder before anything was published in it."""
    shutil.copytree(DATA / "case", dest.case.root)
    if "environment" not in without:
        shutil.copy2(source.case.locks, dest.case.locks)
    if not {"spec", "tests"} <= set(without):
        shutil.copy2(source.case.ledger, dest.case.ledger)
