"""A full disk at each step and in each place of a verdict: a right verdict, or none and its cause; never a wrong one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.local import Local
from flows.bench import Court, _Kept
from judge.judging import judge
from taskpack.errors import NoSpace
from taskpack.verdict import Judged, Verdict
from tests.faults.judging import Disturbed, at_calls, larger, small_disk
from tests.integration.judge.scenes import Scene, check_infra, no_program

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="small file systems need root"),
]
FILLS = "fills"
"""Name of the file that takes what is left of a small disk."""


def fill(place: Path) -> None:
    with contextlib.suppress(OSError), (place / FILLS).open("ab", buffering=0) as file:
        while True:
            file.write(bytes(65536))
    with contextlib.suppress(OSError), (place / FILLS).open("ab", buffering=0) as file:
        while True:
            file.write(b"\0")


def spare(place: Path) -> None:
    (place / FILLS).unlink(missing_ok=True)


@pytest.fixture
def small(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small disk that all of the scene's sandboxes and copies lie on."""
    place = Path(os.environ["REPOWRIGHT_RUNTIME"]).parent / "small"
    with small_disk(place, "64m"):
        place.chmod(0o755)
        monkeypatch.setenv("REPOWRIGHT_RUNTIME", str(place / "area"))
        local = Local()
        scene.sandbox = Disturbed(local)
        yield place
        local.close()
        assert list(place.glob("area/owners/*")) == []


def _before(kind: str) -> Callable[[Scene, Callable[[], None]], contextlib.AbstractContextManager[None]]:
    def when(scene: Scene, strike: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
        scene.sandbox.before = lambda now, _: strike() if now == kind else None
        return contextlib.nullcontext()

    return when


def _call(number: int) -> Callable[[Scene, Callable[[], None]], contextlib.AbstractContextManager[None]]:
    return lambda _, strike: at_calls(lambda now: strike() if now == number else None)


MOMENTS = {"product start": _before("product"), "bench start": _before("bench"), "first call": _call(1)}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_disk_that_is_full_from_a_moment_on_gives_a_right_verdict_or_none(
    scene: Scene, small: Path, moment: str
) -> None:
    for workspace, reward in ((scene.right, 1), (scene.wrong, 0)):
        struck: list[int] = []

        def strike(struck: list[int] = struck) -> None:
            struck.append(1)
            fill(small)

        with MOMENTS[moment](scene, strike):
            seen = _verdict_or_cause(scene, workspace)
        assert struck
        # The first start of all writes what every sandbox of this process has in /etc.
        assert seen in ({None} if (moment, reward) == ("product start", 1) else {reward, None})
        scene.at_rest()
        spare(small)
        assert scene.judge(workspace).reward == reward


def _verdict_or_cause(scene: Scene, workspace: Path) -> int | None:
    log = ""
    try:
        verdict = scene.judge(workspace)
        if verdict.reward is None:
            check_infra(verdict)
        return verdict.reward
    except NoSpace as error:
        log = error.details["log"]
    assert Path(log).is_file()
    return None


WRITES = """
import os as _os, pathlib as _pathlib, tempfile as _tempfile
for _place in (_tempfile.gettempdir(), _os.environ["HOME"]):
    for _number in range({mib}):
        _pathlib.Path(_place, f"written-{{_number}}").write_bytes(bytes(1 << 20))
"""


def _writing(scene: Scene, mib: int) -> Path:
    module = scene.right / "src/tally/__init__.py"
    module.write_text(module.read_text() + WRITES.format(mib=mib))
    return scene.right


def test_a_candidate_that_writes_is_not_blamed_for_a_disk_that_somebody_else_has_filled(
    scene: Scene, small: Path
) -> None:
    with at_calls(lambda number: fill(small) if number == 1 else None):
        verdict = scene.judge(_writing(scene, 8))
    assert (small / FILLS).is_file()
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 1), verdict.causes


def test_a_candidate_that_fills_its_own_places_has_0_and_the_cause_says_so(scene: Scene) -> None:
    verdict = scene.judge(_writing(scene, 4096))
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0), verdict.causes
    said = " ".join(verdict.causes)
    assert any(word in said for word in ("No space left", "limit memory", "limit disk")), verdict.causes


@pytest.mark.parametrize("both", [False, True], ids=["the folder of logs", "the temporary folder as well"])
def test_where_no_log_can_be_written_the_verdict_is_still_infra_and_says_why_there_is_none(
    scene: Scene, both: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = scene.folder / "logs"
    scene.left = 1000
    no_program("bench")(scene)
    with small_disk(place, "64k"):
        fill(place)
        if both:
            (place / "tmp").mkdir()
            monkeypatch.setattr(tempfile, "tempdir", str(place / "tmp"))
        verdict = scene.judge(scene.right)
        assert [path.name for path in place.rglob("*") if path.is_file()] == [FILLS]  # no half of a log
    if both:
        assert (verdict.outcome, verdict.reward) == (Judged.INFRA, None)
        assert any("not written" in cause and "No space left" in cause for cause in verdict.causes), verdict.causes
    else:
        check_infra(verdict)
        [log] = Path(tempfile.gettempdir()).glob("judge-*.log")
        log.unlink()


def test_where_no_seed_can_be_kept_nobody_is_judged(scene: Scene) -> None:
    place = scene.folder / "seeds"
    with small_disk(place, "64k"):
        fill(place)
        with pytest.raises(NoSpace) as raised:
            _drawn(scene, place)
        assert Path(raised.value.details["log"]).is_file()
        assert [path.name for path in place.rglob("*") if path.is_file()] == [FILLS]
        spare(place)
        first, second = _drawn(scene, place), _drawn(scene, place)
    assert first.reward == second.reward == 1
    assert first.seed == second.seed


def _drawn(scene: Scene, seeds: Path) -> Verdict:
    return judge(
        scene.suite, scene.right, sandbox=scene.sandbox, bench_site=scene.bench_site, product_site=None,
        seeds=seeds, logs=scene.folder / "logs",
    )  # fmt: skip


def test_a_verdict_that_cannot_be_stored_is_said_and_reached_again(scene: Scene) -> None:
    """The store of the gates: nothing of the verdict is there afterwards, or all of it."""
    reached: list[Verdict] = []

    class Counted(Court):
        def judge(self, *arguments: object, **options: object) -> Verdict:  # type: ignore[override]
            reached.append(scene.judge(scene.right))
            return reached[-1]

    court = Counted(sandbox=scene.sandbox, bench_site=scene.bench_site, product_site=None, seeds=scene.folder)
    place = scene.folder / "verdicts"
    with small_disk(place, "64k"):
        kept = _Kept(suite=scene.suite, place=place, note=lambda _: None)
        fill(place)
        with pytest.raises(NoSpace, match="no space left while writing"):
            kept.judge(court, scene.right, seed="tally")
        assert [path.name for path in place.iterdir()] == [FILLS]
        spare(place)
        assert kept.judge(court, scene.right, seed="tally") == reached[1]
        larger(place, "128k")
        assert kept.judge(court, scene.right, seed="tally") == reached[1]
        assert len(reached) == 2
        [path] = place.iterdir()
        assert Verdict.from_bytes(path.read_bytes()) == reached[1]
