"""Verdicts on a tiny product: right, wrong, hostile; and on suites that are not what they should be."""

from __future__ import annotations

import os
import socket
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from environments.transfer import remove_tree
from judge.judging import judge
from taskpack.verdict import Judged, NodeResult, Verdict
from tests.integration.judge.sandboxes import Muted, WithoutUids

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
    "shares one container many times": """
        class Node:
            def __init__(self, one): self.left = self.right = one
        def tangle(wrap):
            made = [wrap(0, 0)]
            for _ in range(300): made.append(wrap(made[-1], made[-1]))
            return made
        class BadLine(ValueError):
            def __init__(self):
                self.number = tangle(lambda a, b: {"a": a, "b": b})
                self.left = tangle(lambda a, b: [a, b])
        def total(text):
            if len(text.split()) % 2: raise BadLine
            return dict(enumerate(tangle(lambda a, b: {"a": a, "b": b}) + tangle(lambda a, b: (a, b))))
        class Rows:
            rows = tangle(lambda a, b: [a, b, {1: a, 2: b}])
        def parse(text): return Rows()
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


def _many(workspace: Path) -> None:
    for number in range(20_000):
        (workspace / f"src/f{number}.txt").touch()


def _through_links(workspace: Path) -> None:
    """Inside by their text, outside by where they lead."""
    (workspace / "here").symlink_to(".")
    for name, there in {"zero.py": "dev/zero", "wire.py": "proc/self/fd/3", "tty.py": "dev/tty", "all": ""}.items():
        (workspace / "src" / name).symlink_to(f"../here/../{there}")


def _odd_names(workspace: Path) -> None:
    for name in (b"\xff.py", b"\xed\xa0\x80", b"a\nb.py", b" .py", b"x" * 250 + b".py"):
        Path(os.fsdecode(os.fsencode(workspace / "src") + b"/" + name)).write_text("x = 1\n")


def _closed(workspace: Path) -> None:
    (workspace / "src/closed/inner").mkdir(parents=True)
    (workspace / "src/closed/inner.py").write_text("")
    (workspace / "src/closed.py").write_text("")
    for name in ("closed/inner.py", "closed.py", "closed"):
        (workspace / "src" / name).chmod(0)


def _loops(workspace: Path) -> None:
    for name, text in {"loop": "loop", "loop.py": "loop.py", "a": "b", "b": "a", "up": "..", "gone": "gone/x"}.items():
        (workspace / "src" / name).symlink_to(text)


def _specials(workspace: Path) -> None:
    os.mkfifo(workspace / "src/pipe.py")
    with socket.socket(socket.AF_UNIX) as place:
        place.bind(str(workspace / "src/socket.py"))


def _sources(workspace: Path) -> None:
    (workspace / "src/large.py").write_text("x = 1\n" * 500_000)
    (workspace / "src/deep.py").write_text("(" * 200_000)
    (workspace / "src/minus.py").write_text("-" * 100_000 + "1")
    (workspace / "src/bytes.py").write_bytes(b"\0\xff" * 100)


@pytest.mark.parametrize(
    "fill", [_many, _through_links, _odd_names, _closed, _loops, _specials, _sources], ids=lambda fill: fill.__name__
)
def test_the_reference_gets_1_whatever_else_lies_in_its_workspace(
    verdict_of: Judge, workspace: Path, fill: Callable[[Path], None]
) -> None:
    fill(workspace)
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 1), verdict.causes


def _deep(workspace: Path) -> None:
    back = os.open(".", os.O_RDONLY)
    try:
        os.chdir(workspace)
        for _ in range(3000):
            os.mkdir("d")  # noqa: PTH102 (its full path is too long for any call)
            os.chdir("d")
    finally:
        os.fchdir(back)
        os.close(back)


def _long(workspace: Path) -> None:
    (workspace / "/".join(["d" * 200] * 11)).mkdir(parents=True)


def _large(workspace: Path) -> None:
    with (workspace / "sparse").open("wb") as file:
        file.truncate(1 << 40)


def _crowded(workspace: Path) -> None:
    for number in range(50_001):
        (workspace / str(number)).symlink_to("x")


def test_a_candidate_that_ends_a_driver_of_its_own_uid_gets_0_and_never_infra(
    sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path
) -> None:
    """Without a range of uids the driver can be reached: its end is no sign of anybody outside."""
    broken = workspace / "src/tally/__init__.py"
    broken.write_text("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n" + broken.read_text())
    plain: Any = WithoutUids(sandbox)
    verdict = judge(suite, workspace, sandbox=plain, bench_site=bench_site, product_site=None, seed="tally")
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0), verdict.causes


@pytest.mark.parametrize(
    ("fill", "fact"),
    [(_deep, "nests deeper"), (_long, "nests deeper"), (_large, "bytes"), (_crowded, "entries")],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_workspace_beyond_a_bound_gets_0_at_once_and_is_told_why(
    verdict_of: Judge, workspace: Path, monkeypatch: pytest.MonkeyPatch, fill: Callable[[Path], None], fact: str
) -> None:
    monkeypatch.delattr("judge.trial.Trial.decide")  # nothing of it is tried
    fill(workspace)
    try:
        verdict = verdict_of(workspace)
        assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
        assert fact in verdict.causes[0]
        assert {node.result for node in verdict.nodes} == {NodeResult.MISSING}
        assert verdict_of(workspace) == verdict
    finally:
        remove_tree(workspace)


@pytest.mark.parametrize(
    ("when", "reward"), [("seen.returned is not None and len(seen.returned)", 0), ("True", None)], ids=["one", "every"]
)
def test_a_bench_that_breaks_at_the_answer_of_one_candidate_alone_is_its_fault(
    verdict_of: Judge, suite: Path, workspace: Path, when: str, reward: int | None
) -> None:
    old = 'assert same(product.call("totals", text="").value, {})\n'
    text = (suite / FILE).read_text()
    assert old in text
    new = f'seen = product.call("totals", text="")\n    if {when}:\n        import os\n        os._exit(7)\n'
    (suite / FILE).write_text(text.replace(old, f"{new}    assert same(seen.value, {{}})\n"))
    if reward == 0:
        assert verdict_of(workspace).reward == 1
    (workspace / "src/tally/__init__.py").write_text("def total(text): return {1: 2}\n")
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.INFRA if reward is None else Judged.JUDGED, reward)
    assert verdict.causes[0].startswith("error: the bench broke" if reward is None else "the bench broke, 3 times with")


def test_a_bench_that_breaks_while_the_product_has_the_word_is_infra(
    verdict_of: Judge, suite: Path, workspace: Path
) -> None:
    text = (suite / FILE).read_text()
    (suite / FILE).write_text(text + "\nimport os, threading\nthreading.Timer(2, os._exit, (7,)).start()\n")
    (workspace / "src/tally/__init__.py").write_text("import time\ntime.sleep(5)\n")
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.INFRA, None)
    assert verdict.causes[0] == "error: the bench broke"


@pytest.mark.parametrize(("every", "reward"), [(False, 0), (True, None)], ids=["one", "every"])
def test_a_driver_that_is_mute_with_one_workspace_alone_is_its_fault(  # noqa: PLR0917 (fixtures)
    sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path, every: bool, reward: int | None
) -> None:
    muted: Any = Muted(sandbox, every=every)
    verdict = judge(suite, workspace, sandbox=muted, bench_site=bench_site, product_site=None)
    assert (verdict.outcome, verdict.reward) == (Judged.INFRA if reward is None else Judged.JUDGED, reward)
    assert "did not greet" in verdict.causes[0]


def test_an_answer_that_takes_too_long_to_look_at_fails_its_test(
    verdict_of: Judge, suite: Path, workspace: Path
) -> None:
    watch = suite / "tests/_lib/judge/harness/watch.py"
    watch.write_text(watch.read_text().replace("LOOK_S = 60.0", "LOOK_S = 1.0"))
    text = (suite / FILE).read_text()
    old = 'assert same(product.call("totals", text="").value, {})\n'
    (suite / FILE).write_text(
        text.replace(old, f"seen = product.call('totals', text='')\n    while True: pass\n    {old}")
    )
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    [cause] = verdict.causes
    assert "test_no_lines_have_no_sums failed" in cause
    assert "of processor time to look at" in cause


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


def test_a_product_that_takes_the_suites_time_gets_0_with_that_cause(
    sandbox: Sandbox, bench_site: Path, suite: Path, workspace: Path
) -> None:
    module = workspace / "src/tally/__init__.py"
    module.write_text("import time\ntime.sleep(4)\n" + module.read_text())
    sites = {"bench_site": bench_site, "product_site": None}
    verdict = judge(suite, workspace, sandbox=sandbox, seed="tally", wall_s=9, **sites)  # type: ignore[arg-type]
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert any(cause.startswith("the suite's 9 s were over, ") for cause in verdict.causes), verdict.causes
