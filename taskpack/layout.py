"""Where things lie: the case folder (what is kept and released) and the work directory (what can be made again)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Audience(StrEnum):
    """Who may read a file of a case."""

    SOLVER = "solver"
    HARNESS = "harness"
    JUDGE = "judge"
    AUTHOR = "author"


@dataclass(frozen=True, kw_only=True)
class CaseFolder:
    """`cases/<id>`: paths only, nothing is read here."""

    root: Path

    @property
    def id(self) -> str:
        return self.root.name

    @property
    def order(self) -> Path:
        return self.root / "order.toml"

    @property
    def public(self) -> Path:
        return self.root / "public"

    @property
    def prd(self) -> Path:
        return self.public / "Full_PRD.md"

    @property
    def contract(self) -> Path:
        return self.public / "Interface_Contract.md"

    @property
    def hardware(self) -> Path:
        """What a machine must have; only where the order declares it."""
        return self.public / "Hardware_Requirements.md"

    @property
    def resources(self) -> Path:
        """What is fetched when the environment is built; only where the order names something."""
        return self.root / "source" / "env" / "resources.json"

    @property
    def manifest(self) -> Path:
        return self.root / "source" / "manifest.json"

    @property
    def recipe_lock(self) -> Path:
        return self.root / "source" / "recipe.lock.json"

    @property
    def denylist(self) -> Path:
        return self.root / "source" / "denylist.json"

    @property
    def suite(self) -> Path:
        """The suite's root: `tests/` with `scenarios/`, and the manifests."""
        return self.root / "milestones" / "final"

    @property
    def tests(self) -> Path:
        return self.suite / "tests"

    @property
    def test_manifest(self) -> Path:
        return self.suite / "test_manifest.json"

    @property
    def coverage_matrix(self) -> Path:
        return self.suite / "coverage_matrix.json"

    @property
    def kill_matrix(self) -> Path:
        return self.suite / "kill_matrix.json"

    @property
    def controls(self) -> Path:
        return self.root / "controls"

    @property
    def provenance(self) -> Path:
        return self.root / "provenance"

    @property
    def pin(self) -> Path:
        return self.provenance / "pin.json"

    @property
    def resolution(self) -> Path:
        """What the order's branch, tag or folder was resolved to."""
        return self.provenance / "resolution.json"

    @property
    def suitability(self) -> Path:
        return self.provenance / "suitability.json"

    @property
    def locks(self) -> Path:
        """What the order's requirements were resolved to."""
        return self.provenance / "locks.json"

    @property
    def bench(self) -> Path:
        """The environments with their recipes."""
        return self.provenance / "bench.json"

    @property
    def spec(self) -> Path:
        return self.provenance / "spec.json"

    @property
    def names(self) -> Path:
        return self.provenance / "names.json"

    @property
    def known(self) -> Path:
        """What is known of the source beside its names; its people are left out."""
        return self.provenance / "known.json"

    @property
    def receipts(self) -> Path:
        return self.provenance / "receipts"

    @property
    def replies(self) -> Path:
        return self.provenance / "replies"

    @property
    def refused(self) -> Path:
        """Replies that name the source, or were not looked at yet."""
        return self.provenance / "refused"

    @property
    def ledger(self) -> Path:
        return self.provenance / "ledger.jsonl"

    @property
    def notices(self) -> Path:
        return self.provenance / "notices"


def audience(path: str) -> Audience:
    """Who may read the file at `path`, relative to the case folder. What is not known is the author's alone."""
    top, _, _ = path.partition("/")
    return {
        "public": Audience.SOLVER,
        "source": Audience.HARNESS,
        "milestones": Audience.JUDGE,
        "controls": Audience.JUDGE,
    }.get(top, Audience.AUTHOR)


@dataclass(frozen=True, kw_only=True)
class WorkFolder:
    """`.repowright`: everything in it can be deleted and is made again. `docs/work-directory.md` lists its files."""

    root: Path

    @property
    def git(self) -> Path:
        """Bare repositories of pins."""
        return self.root / "git"

    @property
    def downloads(self) -> Path:
        return self.root / "downloads"

    @property
    def resources(self) -> Path:
        """Resources of tasks as they arrived, by digest."""
        return self.root / "resources"

    @property
    def environments(self) -> Path:
        return self.root / "environments"

    @property
    def stages(self) -> Path:
        return self.root / "stages"

    @property
    def inbox(self) -> Path:
        return self.root / "inbox"

    @property
    def verdicts(self) -> Path:
        """Verdicts that gates asked for, by suite, candidate, seed and sandbox."""
        return self.root / "verdicts"

    @property
    def seeds(self) -> Path:
        return self.root / "seeds"

    @property
    def logs(self) -> Path:
        """What broke while judging."""
        return self.root / "logs"

    @property
    def selftest(self) -> Path:
        """Cases that the self-test lays out, each for one gate."""
        return self.root / "selftest"

    @property
    def releases(self) -> Path:
        return self.root / "releases"

    @property
    def audit_key(self) -> Path:
        """The secret of shareable audit reports, for its owner alone."""
        return self.root / "audit" / "key"

    @property
    def audits(self) -> Path:
        """What audits of all cases found, a file a run."""
        return self.root / "audit" / "runs"

    @property
    def runs(self) -> Path:
        """What the run over each case is at."""
        return self.root / "runs"

    @property
    def prefect(self) -> Path:
        return self.root / "prefect"
