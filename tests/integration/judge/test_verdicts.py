"""Verdicts on a tiny product: right, wrong, hostile; and on suites that are not what they should be."""

from __future__ import annotations

import json
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Launch, Running, Sandbox
from judge.judging import collect, judge, suite_digest
from taskpack.errors import BadInput, SandboxFailed
from taskpack.verdict import Judged, NodeResult, Verdict

pytestmark = pytest.mark.sandbox
Judge = Callable[[Path], Verdict]
FILE = "tests/F01_acceptance.py"


def test_the_reference_gets_1_in_a_few_seconds(
    verdict_of: Judge, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())
    assert {node.result for node in verdict.nodes} == {NodeResult.PASSED}
    started = time.monotonic()
    assert verdict_of(workspace) == verdict
    with capsys.disabled():
        print(f"\n  one verdict of the tiny suite: {time.monotonic() - started:.2f} s")  # noqa: T201 (wanted in the log)


def test_a_wrong_sum_gets_0_and_the_cause_names_clause_node_and_values(verdict_of: Judge, workspace: Path) -> None:
    module = workspace / "src/tally/ledger.py"
    module.write_text(module.read_text().replace("Decimal(0)) + amount", "Decimal(0)) - amount"))
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    [cause] = [line for line in verdict.causes if "each_name" in line]
    assert cause.startswith(f"FP-01.N1: {FILE}::test_each_name_gets_the_sum_of_its_amounts failed: differs at ['")
    assert "seen Decimal('" in cause
    assert {node.result for node in verdict.nodes} == {NodeResult.PASSED, NodeResult.FAILED}


HOSTILE = {
    "leaves at import": "import os\nos._exit(0)\n",
    "exits at import": "raise SystemExit(0)\n",
    "patches pytest in memory": """
        import sys, types
        for name in ("pytest", "_pytest", "_pytest.reports", "_pytest.runner", "pluggy"):
            sys.modules[name] = types.ModuleType(name)
        sys.modules["_pytest.reports"].TestReport = type("TestReport", (), {"outcome": "passed", "passed": True})
        try:
            import judge.harness.recorder as recorder
            recorder.Recorder.report = lambda self: {"nodes": [], "problems": []}
        except ImportError:
            pass
        import taskpack.wire.same as wire
        wire.same = lambda *args, **more: True
        def total(text): return {}
        parse = total
        class BadLine(ValueError): pass
        """,
    "floods its output": """
        import os, sys
        def total(text):
            for _ in range(200): os.write(1, b"passed " * 20000); os.write(2, b"1 passed " * 20000)
            return {}
        parse = total
        class BadLine(ValueError): pass
        """,
    "never ends": """
        def total(text):
            while True: pass
        parse = total
        """,
    "leaves a daemon behind": """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    try: os.write(3, b"x" * 100)
                    except OSError: time.sleep(0.01)
            os._exit(0)
        def total(text): return {}
        parse = total
        class BadLine(ValueError): pass
        """,
    "returns giant integers": """
        def total(text): return {"a": 1 << 8_000_000}
        def parse(text): raise ValueError(10 ** 4000)
        class BadLine(ValueError): pass
        """,
    "equals everything": """
        class Any(dict):
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __hash__(self): return 0
            def __getattr__(self, name): return self
            def __call__(self, *args): return self
        def total(text): return Any()
        parse = total
        class BadLine(ValueError): pass
        """,
    "forges replies": """
        import os, struct
        text = b'{"outcome":"returned","value":{"m":[]}}'
        for number in range(3, 20):
            try: os.write(number, struct.pack(">II", len(text), 0) + text)
            except OSError: pass
        os._exit(0)
        """,
    "kills what it can": """
        import os, signal
        for number in range(1, 50):
            try:
                if number != os.getpid(): os.kill(number, signal.SIGKILL)
            except OSError: pass
        os.kill(-1, signal.SIGKILL)
        """,
    "nests without an end": """
        def total(text):
            value = []
            for _ in range(100_000): value = [value]
            return value
        parse = total
        """,
    "has no such names": "",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_candidate_gets_0_and_never_infra(
    sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path, name: str
) -> None:
    (workspace / "src/tally/__init__.py").write_text(textwrap.dedent(HOSTILE[name]))
    for path in (suite / FILE,):
        path.write_text(path.read_text().replace("product.call(", "product.call(limit_s=2, name="))
    verdict = judge(suite, workspace, sandbox=sandbox, bench_site=bench_site, product_site=None)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert all("FP-01." in cause for cause in verdict.causes)


def test_a_class_that_is_only_called_value_error_is_not_the_real_one(verdict_of: Judge, workspace: Path) -> None:
    module = workspace / "src/tally/ledger.py"
    module.write_text(module.read_text().replace("class BadLine", "class ValueError(Exception): pass\n\nclass BadLine"))
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert [node.id for node in verdict.nodes if node.result is NodeResult.FAILED] == [
        f"{FILE}::test_a_line_without_an_amount_is_refused_with_its_number"
    ]


def test_files_that_would_steer_pytest_or_shadow_a_module_change_nothing(verdict_of: Judge, workspace: Path) -> None:
    for place in (workspace, workspace / "src"):
        (place / "conftest.py").write_text("import os\nos._exit(0)\n")
        (place / "pytest.py").write_text("raise SystemExit(0)\n")
        (place / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
        (place / "sitecustomize.py").write_text("import os\nos._exit(0)\n")
    (workspace / "src/argparse.py").write_text("raise SystemExit(0)\n")
    assert verdict_of(workspace).reward == 1
    (workspace / "src/json.py").write_text("def dumps(value): return 'mine'\n")
    assert verdict_of(workspace).reward == 1
    (workspace / "src/decimal.py").write_text("raise SystemExit(0)\n")
    assert verdict_of(workspace).reward == 0


def test_stale_bytecode_links_and_specials_are_not_judged(verdict_of: Judge, workspace: Path, tmp_path: Path) -> None:
    plain = verdict_of(workspace)
    cache = workspace / "src/tally/__pycache__"
    cache.mkdir()
    (cache / "ledger.cpython-311.pyc").write_bytes(b"stale")
    assert verdict_of(workspace) == plain
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (workspace / "outside").symlink_to(secret)
    (workspace / "up").symlink_to("../../secret")
    (workspace / "inside").symlink_to("src/tally")
    (workspace / "src/tally/ledger.py").write_text("broken\n")
    verdict = verdict_of(workspace)
    assert verdict.reward == 0
    assert verdict.candidate != plain.candidate
    assert verdict.causes[-2:] == (
        "left out of the workspace: outside: a link that leaves the workspace",
        "left out of the workspace: up: a link that leaves the workspace",
    )


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
    "does not import": ("import pytest", "import pytest, nothing_there", NodeResult.MISSING),
}


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_that_is_not_the_frozen_one_gives_0(verdict_of: Judge, suite: Path, workspace: Path, name: str) -> None:
    old, new, result = SUITES[name]
    text = (suite / FILE).read_text()
    assert old in text
    (suite / FILE).write_text(text.replace(old, new))
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert result in {node.result for node in verdict.nodes}


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


class Breaking:
    """A sandbox whose bench never starts."""

    def __init__(self, sandbox: Sandbox, *, times: int) -> None:
        self._sandbox = sandbox
        self._times = times
        self.name, self.base, self.python = sandbox.name, sandbox.base, sandbox.python

    def start(self, launch: Launch) -> Running:
        if "--seed" in launch.argv and self._times:
            self._times -= 1
            raise SandboxFailed("no bench today")
        return self._sandbox.start(launch)

    def run(self, launch: Launch, *, stdin: bytes = b"") -> None:
        raise NotImplementedError


@pytest.mark.parametrize(("times", "reward"), [(1, 1), (2, None)])
def test_a_bench_that_breaks_is_tried_again_once_and_then_is_infra(  # noqa: PLR0917 (fixtures)
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
