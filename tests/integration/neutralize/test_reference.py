"""The reference, built from the invented upstream; its own tests really run on it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neutralize.names import decide_names
from neutralize.reference import make_reference
from taskpack.files import tree_digest
from taskpack.order import Order
from taskpack.outcome import Reason, Rejected
from taskpack.rename import Names, Reference
from taskpack.survey import Survey


@dataclass(frozen=True, kw_only=True)
class Run:
    passed: int
    failed: int
    errors: int
    log_tail: str
    causes: tuple[str, ...] = ()


def run_pytest(tree: Path, /, *, product_paths: Sequence[str]) -> Run:
    """pytest in a process of its own; the tree is ours, so no sandbox is needed."""
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."],
        cwd=tree,
        env={"PYTHONPATH": ":".join(product_paths), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    return Run(
        passed=counts.get("passed", 0),
        failed=counts.get("failed", 0),
        errors=counts.get("error", 0),
        log_tail=done.stdout + done.stderr,
    )


def named(upstream: Path, order: Order) -> Names:
    names = decide_names(
        upstream, order, survey=Survey(import_root="oldtally", symbols=()), ask_registry=lambda _: False
    )
    assert isinstance(names, Names), names
    return names


def test_the_upstreams_own_tests_pass_under_neutral_names(upstream: Path, order: Order, tmp_path: Path) -> None:
    assert run_pytest(upstream, product_paths=["src"]).passed == order.testing.expected
    dest = tmp_path / "reference"
    made = make_reference(upstream, named(upstream, order), order=order, dest=dest, run_tests=run_pytest)
    assert isinstance(made, Reference), made
    assert made.tests_passed == 5
    assert made.product_paths == ("src",)
    assert made.tree == tree_digest(dest)
    assert (dest / "src" / "vexsum" / "marker.py").is_file()
    assert (dest / "README.md").read_text("utf-8").startswith("# vexsum\n")
    assert "Mara" not in (dest / "LICENSE").read_text("utf-8")


def test_a_rename_that_breaks_the_tests_is_rejected_with_their_log(
    upstream: Path, order: Order, tmp_path: Path
) -> None:
    broken = order.rename.model_copy(update={"literals": {"== 3": "== 4"}})
    order = order.model_copy(update={"rename": broken})
    made = make_reference(
        upstream, named(upstream, order), order=order, dest=tmp_path / "reference", run_tests=run_pytest
    )
    assert isinstance(made, Rejected)
    assert made.reason is Reason.TESTS_FAIL
    assert any("assert 3 == 4" in fact.what for fact in made.evidence)


def test_fewer_tests_than_ordered_are_rejected(upstream: Path, order: Order, tmp_path: Path) -> None:
    order = order.model_copy(update={"testing": order.testing.model_copy(update={"expected": 6})})
    made = make_reference(
        upstream, named(upstream, order), order=order, dest=tmp_path / "reference", run_tests=run_pytest
    )
    assert isinstance(made, Rejected)
    assert made.reason is Reason.TESTS_FAIL
    assert made.evidence[0].what == "5 passed and 0 failed, 6 must pass"
    assert any("5 passed" in fact.what for fact in made.evidence[1:])


def test_a_name_that_the_map_cannot_reach_is_rejected(upstream: Path, order: Order, tmp_path: Path) -> None:
    names = named(upstream, order)
    (upstream / "src" / "oldtally" / "data.bin").write_bytes(b"\xff\x00oldtally\x00")
    (upstream / "src" / "oldtally" / "more.py").write_text('NAME = "old" "tally"\n', "utf-8")
    made = make_reference(upstream, names, order=order, dest=tmp_path / "reference", run_tests=run_pytest)
    assert isinstance(made, Rejected)
    assert made.reason is Reason.IDENTITY_LEFT
    assert [fact.where for fact in made.evidence] == ["src/vexsum/data.bin:1", "src/vexsum/more.py:1"]
