"""Each fault at each step of a verdict: tried again, or no reward with cause and log; never 1 for a wrong one, never 0."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from environments.cgroups import Group, Place
from environments.interface import Mechanism
from environments.starting import Starter
from environments.usermap import UserMap
from judge.judging import suite_digest
from taskpack.errors import BadInput, NoSpace, RecordUnreadable, SandboxFailed
from taskpack.verdict import Judged, Verdict
from tests.faults.judging import at_calls, few_files, kill, larger, small_disk, wait_for_program
from tests.integration.judge.scenes import Scene, check_infra, no_program

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="kills in sandboxes, mounts and uids of its own need root"),
]
CALLS = 7
"""What the suite of `tally` asks of a right product, and of one that is wrong in the last answer alone."""


Arm = Callable[[Scene], None]


def _raises(owner: Any, name: str, error: BaseException, kind: str) -> Arm:
    """At the start of a sandbox of `kind`, `owner.name` raises."""

    def arm(scene: Scene) -> None:
        now = [""]
        scene.sandbox.before = lambda kind, launch: now.__setitem__(0, kind)
        real = getattr(owner, name)

        def instead(*args: Any, **options: Any) -> Any:
            if now[0] == kind and scene.hit():
                raise error
            return real(*args, **options)

        scene.patch.setattr(owner, name, instead)

    return arm


def _killed_at_start(kind: str, *, first: bool) -> Arm:
    """As soon as the program is there: before it greets, before it collects."""

    def arm(scene: Scene) -> None:
        def after(now: str, running: Any) -> None:
            if now == kind and scene.hit():
                wait_for_program(running, kind)
                kill(running, kind, first=first)

        scene.sandbox.after = after

    return arm


def _killed_at_call(kind: str, number: int, *, first: bool = False, after: bool = False) -> Arm:
    """With the request in hand; `after`: with its answer, before the bench has it."""

    def arm(scene: Scene) -> None:
        count = [0]
        scene.sandbox.after = lambda now, running: count.__setitem__(0, 0)

        def strike(_: int) -> None:
            count[0] += 1
            if count[0] == number and scene.hit():
                kill(scene.sandbox.alive[kind], kind, first=first)

        scene.stack.enter_context(at_calls(strike, after=after))

    return arm


def _bench_out_of_memory(scene: Scene) -> None:
    import judge.bench as room

    real = room._launch

    def small(*args: Any, **options: Any) -> Any:
        launch = real(*args, **options)
        return replace(launch, limits=replace(launch.limits, memory_mb=16)) if scene.hit() else launch

    scene.patch.setattr(room, "_launch", small)


def _machine_out_of_memory(kind: str) -> Arm:
    """The group around the sandboxes is at its bound; the sandbox is far from its own."""

    def arm(scene: Scene) -> None:
        groups = scene.local._groups
        if groups is None or groups.mechanism is not Mechanism.CGROUP_V1:
            pytest.skip("written for groups of version 1")
        around = groups.folders[0] / f"repowright-around-{os.getpid()}"
        around.mkdir()
        scene.stack.callback(_gone, around)
        (around / "memory.limit_in_bytes").write_text(str(12 * 1024 * 1024))
        scene.stack.callback(setattr, scene.local, "_groups", groups)

        def before(now: str, launch: Any) -> None:
            tight = now == kind and scene.hit()
            scene.local._groups = Place(
                mechanism=groups.mechanism, folders=(around if tight else groups.folders[0], *groups.folders[1:])
            )

        scene.sandbox.before = before

    return arm


def _gone(group: Path) -> None:
    until = time.monotonic() + 10
    while group.is_dir():
        with contextlib.suppress(OSError):
            group.rmdir()
        assert time.monotonic() < until


def _cannot_clean(scene: Scene) -> None:
    import environments.local as room

    real = room.remove_tree

    def busy(root: Path) -> None:
        real(root)
        if scene.hit():
            raise OSError(errno.EBUSY, "busy", str(root))

    scene.patch.setattr(room, "remove_tree", busy)


def _lost_while_judging(what: str) -> Arm:
    """Somebody takes away what the verdict rests on; for one try."""

    def arm(scene: Scene) -> None:
        def strike(number: int) -> None:
            if number % CALLS == 2 and scene.hit():
                for place in scene.local.runtime.area.glob(f"owners/*/run-*/{what}"):
                    place.rename(place.with_name("taken"))

        scene.stack.enter_context(at_calls(strike))

    return arm


REFUSED = OSError(errno.EAGAIN, "Resource temporarily unavailable")
FAULTS: dict[str, Arm] = {}
for _kind in ("product", "bench"):
    FAULTS |= {
        f"{_kind} start: no bubblewrap": no_program(_kind),
        f"{_kind} start: no fork": _raises(Starter, "_popen", REFUSED, _kind),
        f"{_kind} start: no thread": _raises(threading.Thread, "start", RuntimeError("can't start new thread"), _kind),
        f"{_kind} start: no control group": _raises(Group, "make", OSError(errno.EROFS, "read-only"), _kind),
        f"{_kind} start: no map of uids": _raises(UserMap, "map_range", PermissionError(errno.EPERM, "no"), "product"),
        f"{_kind} start: no files": _raises(os, "pidfd_open", OSError(errno.EMFILE, "too many"), _kind),
        f"{_kind} start: program killed": _killed_at_start(_kind, first=False),
        f"{_kind} start: first process killed": _killed_at_start(_kind, first=True),
        f"{_kind} start: machine out of memory": _machine_out_of_memory(_kind),
    }
    for _number in (1, 4, CALLS):
        FAULTS |= {
            f"call {_number}: {_kind} killed": _killed_at_call(_kind, _number),
            f"call {_number}: first process of the {_kind} killed": _killed_at_call(_kind, _number, first=True),
        }
FAULTS |= {
    "bench out of memory": _bench_out_of_memory,
    "report: bench killed before it": _killed_at_call("bench", CALLS, after=True),
    "cleaning up: busy": _cannot_clean,
}
PLAIN = ("bench start: no fork", "call 4: product killed")
"""Those that stand for all where time is short."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in PLAIN else [pytest.mark.full]) for name in FAULTS]
)
def test_a_fault_is_tried_again_and_then_has_a_cause_and_a_log_and_no_reward(scene: Scene, name: str) -> None:
    for workspace, reward in ((scene.right, 1), (scene.wrong, 0)):
        scene.left = 1
        FAULTS[name](scene)
        verdict = scene.judge(workspace)
        assert scene.left <= 0, "the fault did not come"
        assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, reward), verdict.causes
        assert not (scene.folder / "logs").exists()
        scene.at_rest()
    scene.left = 1000
    FAULTS[name](scene)
    verdict = scene.judge(scene.right)
    assert 1000 - scene.left >= 3
    check_infra(verdict)
    scene.at_rest()
    verdict = scene.judge(scene.right)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 1), verdict.causes


@pytest.mark.parametrize("number", [1, pytest.param(CALLS, marks=pytest.mark.full)])
def test_a_fault_with_one_workspace_alone_is_unjudgeable_where_a_right_one_passes_beside_it(
    scene: Scene, number: int
) -> None:
    scene.left = 3
    _killed_at_call("bench", number)(scene)
    check_infra(scene.judge(scene.wrong, reference=scene.right), Judged.UNJUDGEABLE)
    scene.at_rest()
    scene.left = 1000
    _killed_at_call("bench", number)(scene)
    check_infra(scene.judge(scene.wrong, reference=scene.right))
    scene.at_rest()
    scene.left = 3
    _killed_at_call("bench", number)(scene)
    check_infra(scene.judge(scene.right, reference=scene.wrong))


@pytest.mark.full
def test_a_killed_driver_is_tried_again_where_bounds_are_only_sampled(scene: Scene) -> None:
    scene.local._groups, groups = None, scene.local._groups
    scene.stack.callback(setattr, scene.local, "_groups", groups)
    scene.patch.setattr(scene.sandbox, "limits_by", Mechanism.WATCHER)
    for left, reward in ((1, 1), (1000, None)):
        scene.left = left
        with contextlib.ExitStack() as scene.stack:
            _killed_at_call("product", 4)(scene)
            verdict = scene.judge(scene.right)
        assert verdict.reward == reward
    check_infra(verdict)


@pytest.mark.parametrize("shown", [False, True], ids=["nothing shows it", "a right workspace shows it"])
def test_a_bench_that_breaks_at_every_real_answer_is_infra_where_a_right_workspace_shows_it(
    scene: Scene, shown: bool
) -> None:
    """An empty workspace gives no answer that breaks it: alone, it would make every candidate guilty."""
    path = scene.suite / "tests/F01_acceptance.py"
    old = 'assert same(product.call("totals", text="").value, {})\n'
    assert old in path.read_text()
    new = "seen = product.call('totals', text='')\n    if seen.returned is not None:\n        import os\n        os._exit(7)\n"
    path.write_text(path.read_text().replace(old, new))
    verdict = scene.judge(scene.right, reference=scene.right if shown else None)
    if shown:
        check_infra(verdict)
    else:
        assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)


@pytest.mark.full
@pytest.mark.parametrize("spare", range(1, 40, 2))
def test_with_few_files_left_there_is_a_right_verdict_or_none(scene: Scene, spare: int) -> None:
    """Real bounds of this process: one more file each time, so that each step is the one that is refused."""
    scene.judge(scene.right)
    for workspace, reward in ((scene.right, 1), (scene.wrong, 0)):
        with few_files(spare):
            verdict = _verdict_or_log(scene, workspace)
        if verdict is not None and verdict.reward is None:
            check_infra(verdict)
        assert verdict is None or verdict.reward in {reward, None}
    assert scene.judge(scene.right).reward == 1


def _verdict_or_log(scene: Scene, workspace: Path) -> Verdict | None:
    try:
        return scene.judge(workspace)
    except SandboxFailed as error:
        log = error.details["log"]
    assert Path(log).is_file() or "not written" in log
    return None


@pytest.mark.parametrize("what", ["app", "suite"])
def test_what_a_verdict_rests_on_is_missed_when_somebody_takes_it_away(scene: Scene, what: str) -> None:
    scene.left = 1
    _lost_while_judging(what)(scene)
    check_infra(scene.judge(scene.right))
    assert scene.left == 0
    scene.at_rest()
    assert scene.judge(scene.right).reward == 1


@pytest.mark.parametrize("half", [False, True], ids=["lost", "half"])
@pytest.mark.parametrize("name", ["scenarios/F01.py", "F01_acceptance.py", "F01_helpers.py"])
def test_a_file_of_the_suite_that_is_harmed_while_it_is_judged_is_missed(scene: Scene, name: str, half: bool) -> None:
    """The copy in the runtime area: the original is not looked at any more."""

    def strike(number: int) -> None:
        if number == 1:
            for file in scene.local.runtime.area.glob(f"owners/*/run-*/suite/tests/{name}"):
                harm(file, half=half)
                struck.append(file)

    struck: list[Path] = []
    with at_calls(strike):
        verdict = scene.judge(scene.right)
    assert struck
    check_infra(verdict)


def harm(file: Path, *, half: bool) -> None:
    os.truncate(file, file.stat().st_size // 2) if half else file.unlink()


@pytest.mark.parametrize("half", [False, True], ids=["lost", "half"])
@pytest.mark.parametrize("name", ["scenarios/F01.py", "F01_acceptance.py", "test_manifest.json"])
def test_a_suite_that_was_harmed_since_its_gates_is_judged_with_by_nobody(scene: Scene, name: str, half: bool) -> None:
    """A scenario file that is not there would fail every right candidate."""
    expected = suite_digest(scene.suite)
    assert scene.judge(scene.right, expected=expected).reward == 1
    harm(scene.suite / ("" if name.endswith("json") else "tests") / name, half=half)
    with pytest.raises((BadInput, RecordUnreadable)):
        scene.judge(scene.right, expected=expected)


def test_installed_packages_that_vanish_while_judging_are_not_the_candidates_fault(scene: Scene) -> None:
    site = scene.folder / "site"
    site.mkdir()
    scene.folder.chmod(0o755)
    (site / "needed.py").write_text("amount = 1\n")
    (scene.right / "src/tally/__init__.py").write_text(
        "import needed\n" + (scene.right / "src/tally/__init__.py").read_text()
    )
    assert scene.judge(scene.right, product_site=site).reward == 1

    def strike(number: int) -> None:
        (site / "needed.py").rename(site / "gone.py") if number == 3 else None

    with at_calls(strike):
        verdict = scene.judge(scene.right, product_site=site)
    assert (site / "gone.py").is_file()
    check_infra(verdict)
    assert any(str(site) in cause for cause in verdict.causes)


@pytest.mark.parametrize("jump", [-3600.0, *(pytest.param(jump, marks=pytest.mark.full) for jump in (3600.0, 1e9))])
def test_a_clock_that_jumps_changes_nothing(scene: Scene, jump: float) -> None:
    real, jumps = time.time, itertools.count()
    scene.patch.setattr(time, "time", lambda: real() + jump * next(jumps))
    scene.patch.setattr(time, "time_ns", lambda: int(time.time() * 1e9))
    verdict = scene.judge(scene.right)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 1), verdict.causes
    assert scene.judge(scene.wrong).reward == 0


BROKEN_SUITES: dict[str, tuple[Callable[[Path], object], type[Exception]]] = {
    "no manifest": (lambda suite: (suite / "test_manifest.json").unlink(), BadInput),
    "half a manifest": (
        lambda suite: os.truncate(suite / "test_manifest.json", 100),
        RecordUnreadable,
    ),
    "a folder as manifest": (
        lambda suite: ((suite / "test_manifest.json").unlink(), (suite / "test_manifest.json").mkdir()),
        BadInput,
    ),
    "no test file": (lambda suite: (suite / "tests/F01_acceptance.py").unlink(), BadInput),
    "no tests": (lambda suite: shutil.rmtree(suite / "tests"), BadInput),
    "a link in the place of a file": (
        lambda suite: (
            (suite / "tests/F01_helpers.py").unlink(),
            (suite / "tests/F01_helpers.py").symlink_to("/etc/hosts"),
        ),
        BadInput,
    ),
}


@pytest.mark.parametrize("name", BROKEN_SUITES)
def test_a_suite_that_cannot_be_read_is_named_and_nobody_is_judged(scene: Scene, name: str) -> None:
    breaks, error = BROKEN_SUITES[name]
    breaks(scene.suite)
    with pytest.raises(error):
        scene.judge(scene.right)


@pytest.mark.parametrize("text", [None, "def ledger(:\n"], ids=["missing", "half"])
def test_a_suite_that_has_lost_a_helper_is_infra(scene: Scene, text: str | None) -> None:
    helper = scene.suite / "tests/F01_helpers.py"
    helper.unlink() if text is None else helper.write_text(text)
    verdict = scene.judge(scene.right)
    check_infra(verdict)
    assert any("F01_helpers" in cause for cause in verdict.causes)


def test_a_full_disk_is_named_with_its_place_and_the_next_verdict_is_right(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scene.right / "large").write_bytes(b"x" * 4_000_000)
    place = Path(os.environ["REPOWRIGHT_RUNTIME"]).parent / "small"
    with small_disk(place, "1m"):
        place.chmod(0o755)
        monkeypatch.setenv("REPOWRIGHT_RUNTIME", str(place / "area"))
        with pytest.raises(NoSpace) as raised:
            scene.judge(scene.right)
        assert Path(raised.value.details["log"]).is_file()
        assert str(place) in str(raised.value.details) + raised.value.message
        assert list(place.glob("area/owners/*")) == []
        larger(place, "64m")
        assert scene.judge(scene.right).reward == 1
        assert list(place.glob("area/owners/*")) == []


@pytest.mark.parametrize("code", [errno.EMFILE, errno.EIO, errno.ENOMEM, errno.ENOENT], ids=errno.errorcode.get)
def test_a_file_of_the_workspace_that_this_machine_cannot_read_is_not_left_out(scene: Scene, code: int) -> None:
    real = os.open

    def refused(path: Any, *more: Any, **options: Any) -> int:
        if str(path).endswith("tally/ledger.py") and str(scene.right) in str(path):
            raise OSError(code, os.strerror(code), str(path))
        return real(path, *more, **options)

    scene.patch.setattr(os, "open", refused)
    with pytest.raises((SandboxFailed, BadInput), match="workspace"):
        scene.judge(scene.right)
    scene.at_rest()
    assert scene.judge(scene.right).reward == 1


def test_a_log_that_cannot_be_written_where_it_should_is_in_the_temporary_folder(scene: Scene) -> None:
    (scene.folder / "logs").write_text("no folder")
    scene.left = 1000
    no_program("bench")(scene)
    verdict = scene.judge(scene.right)
    check_infra(verdict)
    [log] = Path(tempfile.gettempdir()).glob("judge-*.log")
    assert any(str(log) in cause for cause in verdict.causes)
    log.unlink()
