"""One workspace made, judged and removed again, and what to say about the answer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from judge.subject import JudgeWorkspace, Subject
from taskpack.errors import SandboxFailed
from taskpack.verdict import Judged, NodeResult, Verdict

T = TypeVar("T")
R = TypeVar("R")

SEED = "gate-1"
WORKERS = min(4, os.cpu_count() or 1)
"""A verdict keeps about one processor busy."""


class Maker(Protocol):
    """Writes a workspace to a folder that does not exist yet."""

    def __call__(self, dest: Path, /) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A workspace whose reward was known beforehand, and the verdict it got."""

    name: str
    expected: int
    verdict: Verdict

    @property
    def as_expected(self) -> bool:
        return self.verdict.reward == self.expected

    def line(self) -> str:
        """One line of evidence: what was expected, what came, and the node or cause that says why."""
        found = f"{self.name}: reward {self.verdict.reward}, expected {self.expected}"
        failed = failed_nodes(self.verdict)
        if failed:
            return f"{found}; {len(failed)} of {len(self.verdict.nodes)} nodes failed, first {failed[0]}"
        if self.verdict.reward == 1:
            return f"{found}; all {len(self.verdict.nodes)} nodes passed"
        return f"{found}; {self.verdict.causes[0] if self.verdict.causes else 'no node failed'}"


def failed_nodes(verdict: Verdict) -> tuple[str, ...]:
    """Ids of the nodes that ran and failed; a skipped or missing node is none of them."""
    return tuple(node.id for node in verdict.nodes if node.result is NodeResult.FAILED)


def side_by_side(work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """`work` on each item, a few at a time; results in the order of the items. The first error is raised.

    `items` must not share a workspace name: each is a folder.
    """
    with ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="trial") as pool:
        yield from pool.map(work, items)


def judge_made(
    subject: Subject,
    name: str,
    make: Maker,
    *,
    seed: str = SEED,
    judge: JudgeWorkspace | None = None,
    only: tuple[str, ...] = (),
) -> Verdict:
    """Make a workspace in the subject's scratch folder, judge it, remove it. The seed is fixed: receipts repeat.

    `judge` is another way to judge than the subject's own; with `only`, no other node is run. Raises
    `SandboxFailed` when the machinery broke: that says nothing about the workspace.
    """
    with _place(subject.scratch, name) as dest:
        make(dest)
        verdict = (judge or subject.judge)(dest, seed=seed, only=only)
    if verdict.outcome is not Judged.JUDGED or verdict.reward is None:
        raise SandboxFailed(
            f"no verdict on {name}",
            details={"cause": "; ".join(verdict.causes) or "none given"},
            remedy="run the same command again; repowright doctor checks the sandbox",
        )
    return verdict


def misses(trials: Sequence[Trial]) -> tuple[str, ...]:
    """The evidence lines of the trials that came out otherwise than expected."""
    return tuple(trial.line() for trial in trials if not trial.as_expected)


@contextmanager
def _place(scratch: Path, name: str) -> Iterator[Path]:
    dest = scratch / name
    shutil.rmtree(dest, ignore_errors=True)
    dest.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield dest
    finally:
        shutil.rmtree(dest, ignore_errors=True)
