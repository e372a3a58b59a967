"""Gates tried on seeded defects: each must fail its own gate and no other, and the repaired twin must pass."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Finished, Launch, Running, Sandbox
from judge.bundle_lib import lib_files
from judge.subject import JudgeWorkspace, Subject
from taskpack.files import tree_digest
from taskpack.gate import Gate, GateRun, run_gates
from taskpack.layout import CaseFolder
from taskpack.receipt import GateVerdict
from taskpack.scratch import SCRATCH, temporary_folder
from taskpack.verdict import Verdict
from validation.reading import order_of, suite_digest
from validation.workspaces import write_files

_TWO_WAYS = frozenset({"REF-FORK", "REF-PARITY"})
"""Gates that judge in two ways. On the fixtures of all others they have nothing to ask, which saves minutes."""
MakeSubject = Callable[[CaseFolder, Path], Subject]
_Verdicts = dict[tuple[str, str, str, str | None, tuple[str, ...], str], Verdict]


_CRAMPED_MB = 64


class Cramped:
    """A sandbox whose temporary folders are small: another back end for the self-test, where only one is sure."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.name, self.base, self.python = "cramped", sandbox.base, sandbox.python
        self.limits_by = sandbox.limits_by

    def start(self, launch: Launch) -> Running:
        return self._sandbox.start(self._cramp(launch))

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        return self._sandbox.run(self._cramp(launch), stdin=stdin)

    @staticmethod
    def _cramp(launch: Launch) -> Launch:
        return dataclasses.replace(launch, limits=dataclasses.replace(launch.limits, tmp_mb=_CRAMPED_MB))


@dataclass(frozen=True, kw_only=True)
class SelftestRow:
    """One gate's trial."""

    code: str
    seeded: int
    """Seeded defects that the gate has, each an overlay."""
    found: int
    """Of these, the ones that the gate failed on."""
    failed_alone: bool
    """And no other gate did; those that need it were skipped."""
    twin_passed: bool
    """Every gate passed on the repaired twin; other gates that are optional may have had nothing to ask."""
    stray: tuple[str, ...]
    """Gates that failed where they should not have."""
    notes: tuple[str, ...]
    """What went otherwise than it should, one line each; empty when the row is good."""

    @property
    def defect_failed(self) -> bool:
        """The gate failed on every seeded defect."""
        return 0 < self.seeded == self.found

    @property
    def good(self) -> bool:
        return self.failed_alone and self.twin_passed and not self.notes


@dataclass(frozen=True, kw_only=True)
class ClassScore:
    """Recall and precision of one family of gates (`STR`, `SEC`)."""

    family: str
    found: int
    """Seeded defects that their gate failed on."""
    seeded: int
    false_alarms: int
    """Failures of the family's gates on other gates' defects and on twins."""

    @property
    def recall(self) -> float:
        return self.found / self.seeded

    @property
    def precision(self) -> float:
        """1.0 when the family never failed at all: it then raised no false alarm."""
        alarms = self.found + self.false_alarms
        return self.found / alarms if alarms else 1.0


@dataclass(frozen=True, kw_only=True)
class SelftestReport:
    rows: tuple[SelftestRow, ...]
    scores: tuple[ClassScore, ...]

    @property
    def good(self) -> bool:
        """Every gate has a defect that fails it alone and a twin that passes. False for no gates at all."""
        return bool(self.rows) and all(row.good for row in self.rows)


def selftest(
    gates: Sequence[Gate[Subject]],
    fixtures: Path,
    *,
    make_subject: MakeSubject,
    place: Path,
    only: Sequence[str] = (),
    watch: Callable[[SelftestRow], None] = lambda _: None,
) -> SelftestReport:
    """Run all gates on `fixtures/<CODE>/defect` and `.../twin` of each gate (of those in `only`, when given).

    A gate that must see several things has a defect for each: `defect-WHAT` beside `defect`, and one twin of all.
    An overlay holds `case/` and `reference/`, laid over `fixtures/_base`, and may hold `site/`, packages that the
    product may import: `make_subject` finds them beside the case (`site_of`). A gate without both overlays is a bad
    row. Verdicts are remembered within the run by suite, packages, workspace, seed and bans. Cases are laid out in
    temporary folders in `place`; beside a case is room for its subject's scratch folder.
    """
    verdicts: _Verdicts = {}

    def answers(overlay: Path) -> tuple[GateRun, ...]:
        with temporary_folder(place, prefix=SCRATCH) as folder:
            case, reference = lay_out(fixtures / "_base", overlay, folder)
            subject = make_subject(case, reference)
            if overlay.parent.name not in _TWO_WAYS:
                subject = dataclasses.replace(subject, fresh=None, elsewhere=None)
            return run_gates(gates, _remembering(subject, verdicts))

    rows: list[SelftestRow] = []
    for gate in gates:
        if only and gate.code not in only:
            continue
        rows.append(_row(gate, gates, fixtures / gate.code, answers))
        watch(rows[-1])
    return SelftestReport(rows=tuple(rows), scores=_scores(rows))


def lay_out(base: Path, overlay: Path | None, dest: Path) -> tuple[CaseFolder, Path]:
    """Copy the base case and its reference to `dest`, add the engine's harness, then the overlay's files over them.

    The case's folder is called as its order says.
    """
    reference, draft = dest / "reference", dest / "case"
    _copy_over(base, draft, reference)
    write_files(CaseFolder(root=draft).tests, lib_files())
    if overlay is not None:
        _copy_over(overlay, draft, reference)
        if (overlay / "site").is_dir():
            shutil.copytree(overlay / "site", dest / "site", ignore=shutil.ignore_patterns("__pycache__"))
    case = CaseFolder(root=dest / order_of(CaseFolder(root=draft)).case_id)
    draft.rename(case.root)
    return case, reference


def site_of(case: CaseFolder) -> Path | None:
    """The packages that a laid out case's product may import; None for the language alone."""
    site = case.root.with_name("site")
    return site if site.is_dir() else None


def _copy_over(source: Path, case: Path, reference: Path) -> None:
    for name, target in (("case", case), ("reference", reference)):
        if (source / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source / name, target, dirs_exist_ok=True, ignore=ignored)


def _remembering(subject: Subject, verdicts: _Verdicts) -> Subject:
    """The subject with no verdict reached twice, behind bans or without."""
    suite, behind = suite_digest(subject.case), subject.behind_bans
    site = site_of(subject.case)
    packages = tree_digest(site) if site else ""

    def kept(judge: JudgeWorkspace, bans: str) -> JudgeWorkspace:
        def judged(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
            key = (suite, packages, tree_digest(workspace), seed, only, bans)
            if key not in verdicts:
                verdicts[key] = judge(workspace, seed=seed, only=only)
            return verdicts[key]

        return judged

    return dataclasses.replace(
        subject,
        judge=kept(subject.judge, ""),
        behind_bans=(lambda listed: kept(behind(listed), listed.digest)) if behind else None,
    )


def _row(
    gate: Gate[Subject],
    gates: Sequence[Gate[Subject]],
    place: Path,
    answers: Callable[[Path], tuple[GateRun, ...]],
) -> SelftestRow:
    notes: list[str] = []
    stray: list[str] = []
    found, alone, twin_passed = 0, True, False
    dependents = _dependents(gate.code, gates)
    defects = _defects(place)
    for defect in defects:
        runs = answers(defect)
        failed = any(run.code == gate.code and run.result.verdict is GateVerdict.FAIL for run in runs)
        wrong = [run for run in runs if run.code != gate.code and not _quiet(run, dependents)]
        stray += [run.code for run in wrong if run.result.verdict is GateVerdict.FAIL]
        found += failed
        alone = alone and failed and not wrong
        what = "its defect" if defect.name == "defect" else f"its {defect.name}"
        notes += [] if failed else [f"{gate.code} does not fail on {what}"]
        notes += [f"on the {defect.name}, {_said(run)}" for run in wrong]
    if not (place / "defect").is_dir():
        notes.append(f"no seeded defect at {place.name}/defect")
    if (place / "twin").is_dir():
        wrong = [run for run in answers(place / "twin") if run.code == gate.code or not _quiet(run, frozenset())]
        wrong = [run for run in wrong if run.result.verdict is not GateVerdict.PASS]
        stray += [run.code for run in wrong if run.result.verdict is GateVerdict.FAIL]
        twin_passed = not wrong
        notes += [f"on the twin, {_said(run)}" for run in wrong]
    else:
        notes.append(f"no repaired twin at {place.name}/twin")
    return SelftestRow(
        code=gate.code,
        seeded=max(1, len(defects)),
        found=found,
        failed_alone=alone and bool(defects),
        twin_passed=twin_passed,
        stray=tuple(stray),
        notes=tuple(notes),
    )


def _defects(place: Path) -> list[Path]:
    return sorted(path for path in place.glob("defect*") if path.is_dir() and path.name.partition("-")[0] == "defect")


def _quiet(run: GateRun, dependents: frozenset[str]) -> bool:
    """Whether another gate's answer is as it should be: a pass, or a skip for want of the failed gate or a question."""
    verdict = run.result.verdict
    may_skip = run.optional or run.code in dependents
    return verdict is GateVerdict.PASS or (verdict is GateVerdict.SKIP and may_skip)


def _dependents(code: str, gates: Sequence[Gate[Subject]]) -> frozenset[str]:
    """Gates that need `code`, directly or through another."""
    found: set[str] = {code}
    while True:
        more = {gate.code for gate in gates if found & set(gate.requires)} - found
        if not more:
            return frozenset(found - {code})
        found |= more


def _said(run: GateRun) -> str:
    first = run.result.evidence[0] if run.result.evidence else run.result.message
    return f"{run.code} gave {run.result.verdict.value}: {first}"


def _scores(rows: Sequence[SelftestRow]) -> tuple[ClassScore, ...]:
    families = sorted({row.code.partition("-")[0] for row in rows})
    stray = [code for row in rows for code in row.stray]
    return tuple(
        ClassScore(
            family=family,
            found=sum(row.found for row in rows if row.code.startswith(f"{family}-")),
            seeded=sum(row.seeded for row in rows if row.code.startswith(f"{family}-")),
            false_alarms=sum(code.startswith(f"{family}-") for code in stray),
        )
        for family in families
    )
