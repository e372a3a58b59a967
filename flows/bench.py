"""The environments that a verdict needs, built from the case's recipes where they are not there yet."""

from __future__ import annotations

import hashlib
import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from pydantic import ValidationError

from environments.build import build
from environments.choose import Backend, choose_sandbox
from environments.clock import clock_site
from environments.denied import SITE, look
from environments.interface import Mount, Sandbox
from environments.languages.python.lock import committed_lock, refit
from environments.resources import resource_mount
from judge import judging
from judge.masking import masks
from judge.subject import Around, JudgeWorkspace, Subject
from neutralize.submitted.scan import scan_workspace
from taskpack.denylist import Denylist, read_denylist
from taskpack.errors import CaseNotFound, SandboxFailed, SandboxUnavailable
from taskpack.external import External
from taskpack.files import tree_digest, write_bytes
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.recipe import Bench, Recipe
from taskpack.record import to_json, unreadable
from taskpack.rendering import CHECKOUT
from taskpack.verdict import Judged, Verdict
from validation.stored import stored_controls

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Court:
    """A sandbox with the two environments: all that judging needs besides a suite and a workspace."""

    sandbox: Sandbox
    bench_site: Path
    product_site: Path | None
    seeds: Path
    clock: Callable[[], Path] | None = None
    """Gives the folder of `environments.clock`, for suites that need one."""
    denylist: Denylist | None = None
    """What no candidate may hold or reach; None where a suite is tried before its case has one."""
    masked: tuple[str, ...] = ()
    """Paths of the base that the bans cover."""
    resources: Mount | None = None
    """What the order names in `[external]`."""
    logs: Path | None = None
    """Where it is told what broke."""

    @property
    def identity(self) -> tuple[str, ...]:
        """What a verdict depends on besides suite, candidate and seed: sandbox, environments, the code that judges."""
        sites = (self.bench_site.name, self.product_site.name if self.product_site else "")
        bans = self.denylist.digest if self.denylist else " ".join(self.masked)
        resources = (self.resources.source.name, self.resources.dest) if self.resources else ()
        return (self.sandbox.name, self.sandbox.base, *sites, _judging_code(), bans, *resources)

    def judge(
        self,
        suite: Path,
        workspace: Path,
        *,
        seed: str | None = None,
        reference: Path | None = None,
        always_fresh: bool = False,
        only: tuple[str, ...] = (),
        expected: str | None = None,
    ) -> Verdict:
        """The verdict, as `judging.judge` gives it."""
        return judging.judge(
            suite,
            workspace,
            sandbox=self.sandbox,
            bench_site=self.bench_site,
            product_site=self.product_site,
            seed=seed,
            seeds=self.seeds,
            clock=self.clock,
            resources=self.resources,
            reference=reference,
            always_fresh=always_fresh,
            only=only,
            denied=self._denied,
            masked=self.masked,
            logs=self.logs,
            expected=expected,
        )

    def covered(self, listed: Denylist) -> Court:
        """The same with what `listed` bans covered, in the base and in the product's packages, and nothing else done.

        Raises `BadInput` when a ban cannot be enforced.
        """
        inside = look(listed, sandbox=self.sandbox, site=self.product_site) if self.product_site else ()
        packages = [one.path for one in inside if one.path.startswith(f"{SITE}/")]
        covers = {*masks(listed, sandbox=self.sandbox), *packages}
        return replace(self, denylist=None, masked=tuple(sorted(covers)))

    def _denied(self, workspace: Path) -> Sequence[str]:
        if self.denylist is None:
            return ()
        report = scan_workspace(workspace, self.denylist)
        for fact in report.unread:
            log.warning("the scan for what is banned: %s", fact)
        return report.causes


@cache
def _judging_code() -> str:
    """Digest of the rooms that reach a verdict."""
    return " ".join(tree_digest(CHECKOUT / room) for room in ("environments", "judge", "taskpack/wire"))


def site(recipe: Recipe, *, work: WorkFolder, sandbox: Sandbox, without: Denylist | None = None) -> Path:
    """The installed packages of a recipe: found by digest, or built where the work directory has lost them."""
    return work.root / build(recipe, work=work, sandbox=sandbox, without=without).folder


def court(
    bench: Bench,
    *,
    work: WorkFolder,
    sandbox: Sandbox,
    denylist: Denylist | None = None,
    external: External | None = None,
) -> Court:
    """The environments of a verdict from the case's recipes, for the version of Python that the sandbox has.

    With `denylist`, workspaces are looked through before they are judged, and what it bans is covered in the product
    sandbox; `external` are the resources that the case names. Raises `BadInput` when the driver imports what is banned.
    """
    harness, product = (refit(recipe, python=sandbox.python) for recipe in (bench.bench_recipe, bench.product_recipe))
    return Court(
        sandbox=sandbox,
        bench_site=site(harness, work=work, sandbox=sandbox),
        product_site=site(product, work=work, sandbox=sandbox, without=denylist) if product.packages else None,
        seeds=work.seeds,
        clock=partial(clock_site, work=work, sandbox=sandbox),
        denylist=denylist,
        masked=masks(denylist, sandbox=sandbox) if denylist else (),
        resources=resource_mount(external, work=work) if external else None,
        logs=work.logs,
    )


def other_court(bench: Bench, *, work: WorkFolder, sandbox: Sandbox, external: External | None = None) -> Court | str:
    """The same environments on the other back end than `sandbox`'s, or why there is none."""
    name = Backend.LOCAL if sandbox.name == Backend.DOCKER else Backend.DOCKER
    try:
        other = choose_sandbox(work, name)
        if other.base != sandbox.base:
            return f"{name} has {other.base}, {sandbox.name} has {sandbox.base}"
        return court(bench, work=work, sandbox=other, external=external)
    except (SandboxUnavailable, SandboxFailed) as error:
        return f"{name}: {error.message}"


def bare_court(*, work: WorkFolder, sandbox: Sandbox, denylist: Denylist | None = None) -> Court:
    """The bench of our own lock and a product that needs nothing: for the self-test's tiny cases.

    `denylist` as in `court`.
    """
    recipe = committed_lock("bench", python=sandbox.python)
    return Court(
        sandbox=sandbox,
        bench_site=site(recipe, work=work, sandbox=sandbox),
        product_site=None,
        seeds=work.seeds,
        denylist=denylist,
        masked=masks(denylist, sandbox=sandbox) if denylist else (),
        logs=work.logs,
    )


def subject(
    where: Court,
    case: CaseFolder,
    reference: Path,
    *,
    scratch: Path,
    elsewhere: Court | str = "none was asked for",
    behind: Callable[[Denylist], Court] | None = None,
    known: Path | None = None,
    verdicts: Path | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Subject:
    """A subject for gates, judged by `where` with the suite of `case`. With `verdicts`, none is reached twice.

    `elsewhere` is the other back end, or why there is none; `behind` gives the same court behind a denylist; `known` is
    the whole record of what is known of the source, else the case's own counts. The same
    suite, candidate and seed in the same sandbox give the same verdict, so a run that was killed between two verdicts
    asks only for the rest. What the machinery could not decide, and what was judged behind a denylist, is not kept.
    """
    kept = _Kept(suite=case.suite, place=verdicts, note=note)
    return Subject(
        case=case,
        reference=reference,
        scratch=scratch,
        judge=partial(kept.judge, where),
        fresh=partial(kept.judge, where, always_fresh=True),
        elsewhere=partial(kept.judge, elsewhere) if isinstance(elsewhere, Court) else None,
        nowhere=elsewhere if isinstance(elsewhere, str) else "",
        behind_bans=(lambda listed: partial(kept.judge, behind(listed))) if behind else None,
        around=_around(where),
        known=known,
        covered=_covered(kept, where, case) if case.denylist.is_file() else None,
    )


def _around(where: Court) -> Around | None:
    """What the task ships besides the suite: of a preview base, which is the host's toolchain, the packages alone."""
    around = Around(sandbox=where.sandbox, site=where.product_site)
    return None if around.preview and around.site is None else around


def _covered(kept: _Kept, where: Court, case: CaseFolder) -> JudgeWorkspace:
    """Judges with what the bans of a case cover covered; it is looked for when it is first asked."""
    court = cache(lambda: where.covered(read_denylist(case.denylist)))

    def judged(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        return kept.judge(court(), workspace, seed=seed, only=only)

    return judged


class _Kept:
    """Verdicts of one suite, each reached once."""

    def __init__(self, *, suite: Path, place: Path | None, note: Callable[[str], None]) -> None:
        self._suite = suite
        self._place = place
        self._note = note
        self._reached = itertools.count(1)

    def judge(
        self,
        where: Court,
        workspace: Path,
        /,
        *,
        seed: str | None = None,
        always_fresh: bool = False,
        only: tuple[str, ...] = (),
    ) -> Verdict:
        # What the scan finds rests on more code than `identity` names, so such a verdict is reached anew.
        if self._place is None or seed is None or where.denylist is not None:
            return where.judge(self._suite, workspace, seed=seed, always_fresh=always_fresh, only=only)
        way = (*(("fresh",) if always_fresh else ()), *only)
        parts = (judging.suite_digest(self._suite), tree_digest(workspace), seed, *where.identity, *way)
        path = self._place / f"{hashlib.sha256(to_json(list(parts))).hexdigest()}.json"
        if path.is_file():
            return Verdict.from_bytes(path.read_bytes(), where=str(path))
        verdict = where.judge(self._suite, workspace, seed=seed, always_fresh=always_fresh, only=only)
        number = next(self._reached)
        if number % 10 == 0:
            self._note(f"    {number} verdicts")
        if verdict.outcome is Judged.JUDGED:
            write_bytes(path, verdict.to_bytes())
        return verdict


def recorded_bench(case: CaseFolder) -> Bench:
    """The environments that the case was released with.

    Raises `CaseNotFound` when the case was never authored this far.
    """
    if not case.bench.is_file() or not case.test_manifest.is_file():
        raise CaseNotFound(
            f"{case.id} has no suite yet",
            details={"looked for": str(case.test_manifest)},
            remedy=f"repowright author {case.id}",
        )
    return Bench.from_bytes(case.bench.read_bytes(), where=str(case.bench))


def recorded_external(case: CaseFolder) -> External | None:
    """The resources of a case; None when it names none. Raises `RecordUnreadable`."""
    if not case.resources.is_file():
        return None
    try:
        return External.from_harness(case.resources.read_bytes())
    except ValidationError as error:
        raise unreadable(External, str(case.resources), error) from error


def right_control(case: CaseFolder) -> Path | None:
    """A stored workspace that must score 1, first by name: what shows that the machinery works at this moment."""
    right = [name for name, expectation in stored_controls(case).items() if expectation.reward == 1]
    return case.controls / min(right) / "app" if right else None
