"""Suites that are not the frozen one, seeds, collecting, and a bench that breaks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.judging import collect, judge, suite_digest
from taskpack.errors import BadInput
from taskpack.verdict import Judged, NodeResult, Verdict
from tests.integration.judge.sandboxes import Breaking

pytestmark = pytest.mark.sandbox


FILE = "tests/F01_acceptance.py"

SUITES: dict[str, tuple[str, str, NodeResult]] = {
    "skips": (
        "def test_no_lines_have_no_sums(product):",
        "@pytest.mark.skip(reason='later')\ndef test_no_lines_have_no_sums(product):",
        NodeResult.SKIPPED,
    ),
    "expects to fail": (
        "def test_no_lines_have_no_sums(product):",
        "@pytest.mark.xfail\ndef test_no_lines_have_no_sums(product):\n    assert False",
        NodeResult.SKIPPED,
    ),
    "expects to fail and passes": (
        "def test_no_lines_have_no_sums(product):",
        "@pytest.mark.xfail\ndef test_no_lines_have_no_sums(product):",
        NodeResult.SKIPPED,
    ),
    "lacks a node": ("def test_no_lines_have_no_sums", "def no_lines_have_no_sums", NodeResult.MISSING),
    "has one more": ('@clause("FP-01.B1")', 'def test_more():\n    pass\n\n\n@clause("FP-01.B1")', NodeResult.EXTRA),
    "has one twice": (
        '@clause("FP-01.B1")',
        'def test_no_lines_have_no_sums():\n    pass\n\n\n@clause("FP-01.B1")',
        NodeResult.DUPLICATE,
    ),
}


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_that_is_not_the_frozen_one_gives_0(
    verdict_of: Callable[[Path], Verdict], suite: Path, workspace: Path, name: str
) -> None:
    old, new, result = SUITES[name]
    text = (suite / FILE).read_text()
    assert old in text
    (suite / FILE).write_text(text.replace(old, new))
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert result in {node.result for node in verdict.nodes}


def test_a_suite_that_cannot_be_collected_is_infra_and_the_cause_names_file_and_fact(
    verdict_of: Callable[[Path], Verdict], suite: Path, workspace: Path
) -> None:
    (suite / FILE).write_text("import nothing_there\n" + (suite / FILE).read_text())
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.INFRA, None)
    assert verdict.causes[0] == "error: the suite cannot be collected"
    assert all(any(fact in cause for cause in verdict.causes) for fact in (FILE, "nothing_there"))


def test_the_seed_is_drawn_once_for_a_candidate_and_can_be_replayed(
    sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path, tmp_path: Path
) -> None:
    def seed_of(seed: str | None = None) -> str:
        return judge(
            suite,
            workspace,
            sandbox=sandbox,
            bench_site=bench_site,
            product_site=None,
            seeds=tmp_path / "seeds",
            seed=seed,
        ).seed

    first = seed_of()
    assert len(first) == 32
    assert seed_of() == first
    assert seed_of("replayed") == "replayed"
    (workspace / "README").write_text("another candidate")
    assert seed_of() != first


def test_nodes_and_their_clauses_are_collected_without_a_product(
    sandbox: Sandbox, bench_site: Path, suite: Path
) -> None:
    manifest = json.loads((suite / "test_manifest.json").read_text())
    nodes = collect(suite, sandbox=sandbox, bench_site=bench_site)
    assert [node.id for node in nodes] == manifest["node_ids"]
    assert {node.id: list(node.clauses) for node in nodes} == manifest["clauses"]
    assert nodes == collect(suite, sandbox=sandbox, bench_site=bench_site, seed="another")
    (suite / FILE).write_text("import nothing_there\n")
    with pytest.raises(BadInput):
        collect(suite, sandbox=sandbox, bench_site=bench_site)


def test_the_digest_of_a_suite_is_of_what_decides(suite: Path) -> None:
    first = suite_digest(suite)
    (suite / "kill_matrix.json").write_text("{}")
    assert suite_digest(suite) == first
    (suite / "tests/scenarios/F01.py").write_text("")
    assert suite_digest(suite) != first


@pytest.mark.parametrize(("times", "reward"), [(1, 1), (2, 1), (3, None)])
def test_a_bench_that_breaks_is_tried_three_times_and_then_is_infra(  # noqa: PLR0917 (fixtures)
    sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path, times: int, reward: int | None
) -> None:
    breaking = Breaking(sandbox, times=times)
    verdict = judge(suite, workspace, sandbox=breaking, bench_site=bench_site, product_site=None)  # type: ignore[arg-type]
    assert verdict.reward == reward
    assert verdict.outcome is (Judged.JUDGED if reward else Judged.INFRA)
    assert bool(verdict.causes) is (reward is None)


def test_a_bench_without_pytest_is_infra(sandbox: Sandbox, suite: Path, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    verdict = judge(suite, workspace, sandbox=sandbox, bench_site=tmp_path / "empty", product_site=None)
    assert (verdict.outcome, verdict.reward, verdict.nodes) == (Judged.INFRA, None, ())
    assert any("No module named 'pytest'" in cause for cause in verdict.causes)


def test_a_folder_that_is_no_suite_is_bad_input(sandbox: Sandbox, bench_site: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        judge(tmp_path, tmp_path, sandbox=sandbox, bench_site=bench_site, product_site=None)


def test_a_suite_of_another_version_is_bad_input_and_not_tried(
    verdict_of: Callable[[Path], Verdict], suite: Path, workspace: Path
) -> None:
    shutil.rmtree(suite / "tests/_lib/environments/driver")
    with pytest.raises(BadInput, match="another library"):
        verdict_of(workspace)


def test_a_plain_name_means_the_scenario_of_the_tests_own_feature_point(
    verdict_of: Callable[[Path], Verdict], suite: Path, workspace: Path
) -> None:
    """Two feature points are drafted apart, and may call two scenarios alike; a dotted name means another's."""
    for number in ("F08", "F09"):
        (suite / f"tests/scenarios/{number}.py").write_text(
            f"import tally\n\n\ndef mine():\n    return tally and {number!r}\n"
        )
        lines = (
            f"# feature: {number}",
            "from judge.harness import clause, same",
            '@clause("FP-01.B1")',
            "def test_mine(product):",
            f'    assert same(product.call("mine").value, {number!r})',
            f'    assert same(product.tree().call("mine").value, {number!r})',
            '    assert same(product.call("F08.mine").value, "F08")',
        )
        (suite / f"tests/{number}_acceptance.py").write_text("\n".join(lines) + "\n")
    manifest = json.loads((suite / "test_manifest.json").read_bytes())
    ids = [f"tests/{number}_acceptance.py::test_mine" for number in ("F08", "F09")]
    manifest["node_ids"] = sorted([*manifest["node_ids"], *ids])
    manifest["clauses"] |= {each: ["FP-01.B1"] for each in ids}
    (suite / "test_manifest.json").write_text(json.dumps(manifest))
    verdict = verdict_of(workspace)
    assert verdict.reward == 1, verdict.causes
