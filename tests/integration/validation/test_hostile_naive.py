"""What each attack does where its defence is missing: naive graders pay for it, or come to harm."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from environments.local import Local
from taskpack.layout import CaseFolder
from tests.integration.validation.conftest import FIXTURES
from tests.integration.validation.hostile_beside import Beside, run_beside
from tests.unit.validation.naive import run_naively
from validation.hostile.apply import make_attack
from validation.hostile.candidate import HostileCandidate, Naive, candidates
from validation.selftest import lay_out

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

Laid = tuple[CaseFolder, Path]
EVERY = candidates()
IN_ONE_PROCESS = [each for each in EVERY if each.naive is not Naive.BESIDE]
BESIDE = [each for each in EVERY if each.naive is Naive.BESIDE]


@pytest.fixture
def laid_out(tmp_path: Path) -> Laid:
    return lay_out(FIXTURES / "_base", None, tmp_path / "laid")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the sandbox's uid can read what lies there: of anything else it gets a copy, without pipes."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir="/var/tmp") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="module")
def local() -> Iterator[Sandbox]:
    made = Local()
    yield made
    made.close()


@pytest.mark.parametrize("candidate", IN_ONE_PROCESS, ids=lambda each: each.name)
def test_a_grader_of_one_process_pays_for_an_attack(
    candidate: HostileCandidate, laid_out: Laid, tmp_path: Path
) -> None:
    case, reference = laid_out
    make_attack(candidate, reference, ("src",), tmp_path / "attack")
    upstream = reference / "src" / "tally" if candidate.name == "found_upstream" else None
    run = run_naively(case, tmp_path / "attack", select=candidate.aimed_at, installed=upstream)
    assert candidate.naive in run.paid_by, (run.exit_code, run.results, run.output)


def test_no_such_grader_pays_for_the_same_damage_without_the_attack(laid_out: Laid, tmp_path: Path) -> None:
    case, reference = laid_out
    patch = next(each for each in EVERY if each.name == "patch_pytest")
    bare = patch.model_copy(update={"name": "exit_zero"})  # its folder has no attack beside the statement
    make_attack(bare, reference, ("src",), tmp_path / "attack")
    run = run_naively(case, tmp_path / "attack")
    assert run.exit_code == 1
    assert set(run.results.values()) == {"failed"}
    assert run.paid_by == frozenset()


HARM: dict[str, Callable[[Beside | None], bool]] = {
    "archive_bomb": lambda seen: seen is None or seen.peak_mb > 400,
    "asks_around": lambda seen: seen is not None and "somebody: ('127.0.0.1'" in seen.said,
    "closed_descriptors": lambda seen: seen is not None and (seen.code, seen.output) == (0, 0),
    "daemon": lambda seen: seen is not None and seen.code == 0 and seen.left > 0,
    "deep_value": lambda seen: seen is not None and "RecursionError" in seen.said,
    "endless_output": lambda seen: seen is not None and seen.code is None and seen.output >= 16 << 20,
    "endless_thread": lambda seen: seen is not None and seen.code is None,
    "fork_bomb": lambda seen: seen is None or (not seen.can_fork and seen.left > 20),
    "full_disk": lambda seen: seen is None or seen.free == 0,
    "kills": lambda seen: seen is None,
    "leaderless": lambda seen: seen is not None and (seen.code, seen.state) == (None, "Z"),
    "left_message": lambda seen: seen is not None and all(f"a{each}" in seen.again for each in LEFT),
    "left_sockets": lambda seen: seen is not None and "a call before: a connection" in seen.again,
    "many_digits": lambda seen: seen is not None and "ValueError" in seen.said,
    "many_files": lambda seen: seen is not None and seen.files >= 10_000,
    "memory_bomb": lambda seen: seen is None or seen.peak_mb > 150,
    "more_rights": lambda seen: seen is not None and "a signal to the driver" in seen.said,
    "odd_names": lambda seen: seen is not None and seen.look == "UnicodeEncodeError",
    "other_memory": lambda seen: seen is not None and seen.verdict == "verdict: passed",
    "pipes": lambda seen: seen is not None and seen.look == "stuck",
    "planted_startup": lambda seen: seen is not None and "started by a plant" in seen.again,
    "timers": lambda seen: seen is not None and seen.code == -14,
    "users_quotas": lambda seen: seen is not None and 0 < seen.pipe < 1 << 16,
}
"""What must be seen without the defence; None is a grader that was taken along when the sandbox was ended."""
LEFT = (" file", "n object of the kernel", " process's name", "n abstract socket", " socket", " port")
"""Where a message of an earlier call is found without the defence."""


def test_every_attack_is_shown_where_it_succeeds() -> None:
    assert sorted(HARM) == [each.name for each in BESIDE]


@pytest.mark.parametrize("candidate", BESIDE, ids=lambda each: each.name)
def test_a_grader_that_stands_beside_comes_to_harm(
    candidate: HostileCandidate, laid_out: Laid, local: Sandbox, folder: Path
) -> None:
    _, reference = laid_out
    make_attack(candidate, reference, ("src",), folder / "attack")
    seen = run_beside(local, folder / "attack")
    assert HARM[candidate.name](seen), seen


def test_the_reference_does_no_harm(laid_out: Laid, local: Sandbox) -> None:
    _, reference = laid_out
    seen = run_beside(local, reference)
    assert seen is not None
    assert (seen.code, seen.said, seen.left, seen.can_fork) == (0, 'said: "1.00"', 0, True)
    assert (seen.again, seen.look, seen.state, seen.pipe) == (seen.said, "done", "", 1 << 16)
    assert seen.verdict == "verdict: failed"
    assert [name for name, harmed in HARM.items() if harmed(seen)] == []
