"""The tiny case of the gates, copied to be changed, and judges that answer by rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import JudgeWorkspace, Subject
from neutralize.submitted.scan import scan_workspace
from taskpack.denylist import Denylist
from taskpack.files import tree_digest
from taskpack.layout import CaseFolder
from taskpack.verdict import Judged, NodeReport, NodeResult, Verdict
from validation.reading import manifest_of, suite_digest
from validation.selftest import lay_out

FIXTURES = Path(__file__).parents[2] / "gates"
Rule = Callable[[Path, str | None], set[str]]


@pytest.fixture
def laid_out(tmp_path: Path) -> tuple[CaseFolder, Path]:
    """Case folder and reference."""
    return lay_out(FIXTURES / "_base", None, tmp_path / "laid")


@pytest.fixture
def make_subject(laid_out: tuple[CaseFolder, Path], tmp_path: Path) -> Callable[[Rule], Subject]:
    """A subject whose judge fails the nodes that the rule names (by their function) for a workspace and seed.

    Behind bans the real scan comes first, and nothing is covered.
    """
    case, reference = laid_out

    def make(rule: Rule) -> Subject:
        def judge(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
            return verdict(case, workspace, seed=seed, wrong=rule(workspace, seed), only=only)

        def behind(listed: Denylist) -> JudgeWorkspace:
            return scanning(judge, listed)

        return Subject(case=case, reference=reference, scratch=tmp_path / "scratch", judge=judge, behind_bans=behind)

    return make


def scanning(judge: JudgeWorkspace, listed: Denylist) -> JudgeWorkspace:
    """The judge, but that a workspace with a hit gets the scan's causes and no node is run."""

    def judged(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        causes = scan_workspace(workspace, listed).causes
        plain = judge(workspace, seed=seed, only=only)
        if not causes:
            return plain
        nodes = tuple(NodeReport(id=node.id, result=NodeResult.MISSING) for node in plain.nodes)
        return plain.model_copy(update={"reward": 0, "nodes": nodes, "causes": causes})

    return judged


def verdict(
    case: CaseFolder, workspace: Path, *, seed: str | None, wrong: set[str], only: tuple[str, ...] = ()
) -> Verdict:
    """A verdict in which the nodes of these functions failed; those not in `only`, where it is given, did not run."""

    def result(node: str) -> NodeResult:
        if only and node not in only:
            return NodeResult.MISSING
        return NodeResult.FAILED if node.rpartition("::")[2] in wrong else NodeResult.PASSED

    nodes = tuple(NodeReport(id=node, result=result(node)) for node in manifest_of(case).node_ids)
    return Verdict(
        outcome=Judged.JUDGED,
        reward=int(not wrong and not only),
        candidate=tree_digest(workspace),
        suite=suite_digest(case),
        seed=seed or "own",
        backend="none",
        base="none",
        nodes=nodes,
        causes=tuple(sorted(wrong)),
    )
