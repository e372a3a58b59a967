"""`repowright judge` with something killed at a random moment: what it left, and what the next verdict is."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from environments.languages.python.lock import committed_lock
from environments.runtime import _default_area
from environments.usermap import current_users
from judge.bundle_lib import copy_lib
from taskpack.denylist import Denylist
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.mutant import KillMatrix
from taskpack.recipe import Bench, Environment, Recipe
from taskpack.record import to_json
from taskpack.rendering import CHECKOUT
from tests.engine import VARIABLE as ENGINE
from tests.faults.ground import NotHeld, need
from tests.integration.validation import hostile_look as look
from validation.reading import suite_digest

CASE = "case901"
TALLY = CHECKOUT / "tests" / "data" / "judge" / "tally"
VICTIMS = ("judge", "judge", "judge", "bench", "driver", "first of bench", "first of product")
"""Half of the kills and more are of the program itself."""
_WORDS = {"bench": b"--suite", "driver": b"--workspace"}
_END_S = 600.0
_SHARE = 0.75
"""Of the last run's length: on a machine that is busy one moment and not the next, later is too late too often."""
NO_REWARD = (8, 9, 14)


@dataclass(frozen=True, kw_only=True)
class Room:
    """A released case of `tally`, a right and a wrong candidate, and a work directory with its environments."""

    root: Path
    backend: str = "local"

    @property
    def case(self) -> CaseFolder:
        return CaseFolder(root=self.root / "cases" / CASE)

    @property
    def work(self) -> WorkFolder:
        return WorkFolder(root=self.root / "work")

    def candidate(self, *, right: bool) -> Path:
        return self.root / ("right" if right else "wrong")

    def command(self, *, right: bool) -> list[str]:
        places = ["--cases", str(self.root / "cases"), "--work", str(self.work.root)]
        word = [sys.executable, "-m", "flows.entry", "judge", CASE, str(self.candidate(right=right))]
        return [*word, *places, "--backend", self.backend, "--seed", "tally", "--json"]


@dataclass(frozen=True, kw_only=True)
class Kill:
    """One kill and what became of it."""

    number: int
    victim: str
    met: bool
    """Whether there was something to be killed at that moment."""
    right: bool
    after_s: float
    """Since the program began, or, when negative, since the candidate was copied."""
    code: int
    """Of the disturbed run: its exit code, minus the signal for a kill."""
    outcome: str
    seconds: float
    ground: look.Ground
    fault: str = ""

    def line(self) -> str:
        who = "right" if self.right else "wrong"
        return (
            f"{self.number:4} {self.victim if self.met else 'nothing'} killed {abs(self.after_s):.2f}s after "
            f"{'the copy' if self.after_s < 0 else 'the start'}, {who} candidate: "
            f"exit {self.code} {self.outcome}, {self.seconds:.1f}s {self.fault}"
        )


class HasGround(Protocol):
    """What was done on ground of its own."""

    @property
    def ground(self) -> look.Ground: ...


@dataclass(kw_only=True)
class Lengths:
    """How long an undisturbed run took last, so that moments are drawn over its whole length."""

    whole: float = 8.0
    from_copy: float = 2.0
    """From when the candidate is copied: what comes before is starting up and the self-probe."""


def make_room(root: Path, *, backend: str = "local") -> Room:
    """Lay the case out. The first verdict builds its environment, from the registry of this machine."""
    room = Room(root=root, backend=backend)
    shutil.copytree(TALLY / "suite", room.case.suite)
    copy_lib(room.case.tests)
    for name in ("right", "wrong", "cases/case901/controls/clean_room/app"):
        shutil.copytree(TALLY / "workspace", root / name)
    module = root / "wrong/src/tally/ledger.py"
    module.write_text(module.read_text().replace("self.number = number", "self.number = number - 1"))
    (room.case.controls / "clean_room" / "expect.json").write_text('{"reward": 1}')
    room.case.order.write_text("")  # it says that there is a case; judging reads nothing of it
    harness = committed_lock("bench", python=sys.executable)
    nothing = Recipe(language=harness.language, python=harness.python, packages=())
    unbuilt = Environment(recipe=nothing.digest(), tree="0" * 64, base="none", folder="none")
    record = Bench(
        product_recipe=nothing, product=unbuilt, bench_recipe=harness, bench=unbuilt,
        upstream_recipe=nothing, upstream=unbuilt, upstream_tests=0,
    )  # fmt: skip
    passed = KillMatrix(suite=suite_digest(room.case), reference="0" * 64, results=())
    room.case.kill_matrix.write_bytes(passed.to_bytes())
    room.case.bench.parent.mkdir(parents=True)
    room.case.bench.write_bytes(record.to_bytes())
    bans = Denylist(case_id=CASE, ecosystem="pip", install_ban=("tally-upstream",), import_ban=("tally_upstream",))
    room.case.denylist.parent.mkdir(parents=True, exist_ok=True)
    room.case.denylist.write_bytes(to_json(bans.model_dump(mode="json")))
    return room


def undisturbed(room: Room, scratch: Path, lengths: Lengths, *, right: bool) -> int:
    """The exit code of a verdict that nobody disturbs."""
    ground = ground_for(room, scratch)
    with judging(room, ground, right=right) as process:
        code, out = ended(process, ground, lengths)
    need(code == (0 if right else 1), f"exit {code}: {out[-2000:]!r}")
    return code


def kill_once(room: Room, scratch: Path, *, seed: int, number: int, lengths: Lengths) -> Kill:
    """Kill number `number` of the series `seed`. A fault is in the result, not raised."""
    rng = Random(f"{seed}-{number}")
    victims = VICTIMS if room.backend == "local" else ("judge",)  # the engine's processes are not below ours
    victim, right = victims[number % len(victims)], rng.random() < 0.7
    started, after_s, met, code, outcome, fault = time.monotonic(), 0.0, False, 0, "", ""
    ground = ground_for(room, scratch)
    try:
        with judging(room, ground, right=right) as process:
            from_copy = rng.random() < 2 / 3
            longest = lengths.from_copy if from_copy else lengths.whole
            after_s = rng.uniform(0.0, _SHARE * longest) * (-1 if from_copy else 1)
            met = _strike(process, ground, victim, after_s)
            code, out = ended(process, ground, Lengths())
        outcome = outcome_of(out)
        need(not (not right and code == 0), "a wrong candidate got 1")
        need(not (right and code == 1), f"a right candidate was blamed: {out[-2000:]!r}")
        need(code in {0, 1, -signal.SIGKILL, *NO_REWARD}, f"exit code {code}: {out[-2000:]!r}")
        if code in NO_REWARD:
            need(_log(out).is_file(), f"no log: {out[-2000:]!r}")
        need(not _running(ground), f"running after the end: {_running(ground)}")
        with judging(room, ground, right=right) as process:
            again, out = ended(process, ground, lengths)
        need(again == (0 if right else 1), f"the next verdict: exit {again} {out[-2000:]!r}")
        left = [*look.left_on(ground, everywhere=False), *containers(room, ground)]
        need(not left, f"left: {left}")
    except NotHeld as error:
        fault = f"FAULT: {error}"
    seconds = time.monotonic() - started
    return Kill(
        number=number, victim=victim, met=met, right=right, after_s=after_s, code=code,
        outcome=outcome, seconds=seconds, ground=ground, fault=fault,
    )  # fmt: skip


def ground_for(room: Room, scratch: Path) -> look.Ground:
    """Ground of a run's own; on an engine with this machine's root file system, which it needs there."""
    ground = look.new_ground(scratch)
    if room.backend == "docker":
        bases = _default_area(current_users()).glob("kept/rootfs-*")
        (ground.area / "kept").mkdir()
        subprocess.run(["cp", "-al", *bases, str(ground.area / "kept")], check=True)
    return ground


def containers(room: Room, ground: look.Ground) -> list[str]:
    """What an engine still has of the runs on this ground."""
    if room.backend != "docker":
        return []
    from environments.docker import Engine  # the SDK takes its time to import
    from environments.docker_owners import AREA, OWNER, area_mark

    engine = Engine(os.environ[ENGINE])
    try:
        return [f"container: {each}" for each in engine.labelled(f"{AREA}={area_mark(ground.area)}", value_of=OWNER)]
    finally:
        engine.close()


def public_files(kills: Sequence[HasGround]) -> list[str]:
    """Files of theirs outside of their own ground."""
    return look.public_files([kill.ground for kill in kills])


def counts(kills: Sequence[Kill]) -> Iterator[str]:
    """How often each victim was met and what the disturbed runs came to."""
    table = Counter(
        (kill.victim if kill.met else "nothing", "right" if kill.right else "wrong", kill.code, kill.outcome)
        for kill in kills
    )
    for (victim, who, code, outcome), number in sorted(table.items()):
        yield f"{number:4}  {victim}, {who} candidate: exit {code} {outcome}"


@contextlib.contextmanager
def judging(room: Room, ground: look.Ground, *, right: bool) -> Iterator[subprocess.Popen[bytes]]:
    """The command at work, as somebody at a terminal starts it: a shell's background job ignores Ctrl-C."""
    process = subprocess.Popen(
        ["env", "--default-signal=INT,TERM,HUP", *room.command(right=right)],
        cwd=CHECKOUT,
        env={**os.environ, **ground.environment, "REPOWRIGHT_DOCKER": os.environ.get(ENGINE, "")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def ended(process: subprocess.Popen[bytes], ground: look.Ground, lengths: Lengths) -> tuple[int, bytes]:
    """Exit code and what it said; meanwhile its folders are noted, by which its control groups are known."""
    began, copied = time.monotonic(), 0.0
    while True:
        ground.note()
        copied = copied or (time.monotonic() if _has_copied(ground) else 0.0)
        with contextlib.suppress(subprocess.TimeoutExpired):
            out, _ = process.communicate(timeout=0.02)
            lengths.whole = time.monotonic() - began
            lengths.from_copy = time.monotonic() - copied if copied else lengths.from_copy
            return process.returncode, out
        need(time.monotonic() < began + _END_S, f"it did not end within {_END_S:.0f} s")


def _has_copied(ground: look.Ground) -> bool:
    with contextlib.suppress(OSError):  # a folder that goes while it is looked into
        return any(ground.area.glob("owners/*/run-*/app"))
    return False


def _strike(process: subprocess.Popen[bytes], ground: look.Ground, victim: str, after_s: float) -> bool:
    """SIGKILL to the victim at that moment, or at its first chance after it; whether there was one."""

    def kill() -> bool:
        pid = process.pid if victim == "judge" else _find(process.pid, victim)
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                return True
        return False

    return at_moment(process, ground, after_s, kill)


def at_moment(
    process: subprocess.Popen[bytes], ground: look.Ground, after_s: float, strike: Callable[[], bool]
) -> bool:
    """`strike` at that moment, and again until it says that it has met something; whether it did."""
    began = time.monotonic() if after_s >= 0 else 0.0
    while process.poll() is None:
        ground.note()
        began = began or (time.monotonic() if _has_copied(ground) else 0.0)
        if began and time.monotonic() >= began + abs(after_s) and strike():
            return True
        time.sleep(0.003)
    return False


def _find(parent: int, victim: str) -> int:
    """The process of a bench or a driver, or the first of its sandbox; 0 when there is none now."""
    word = _WORDS["bench" if "bench" in victim else "driver"]
    for line in _lines(parent):
        words = _words(line[-1])
        if words and b"python" in words[0] and word in words:
            return line[1] if victim.startswith("first") and len(line) > 2 else line[-1]
    return 0


def _lines(parent: int) -> Iterator[tuple[int, ...]]:
    """From each child of `parent` downwards: every line of descent, ending at every process of it."""
    todo: list[tuple[int, ...]] = [(pid,) for pid in _children(parent)]
    while todo:
        line = todo.pop(0)
        yield line
        todo += [(*line, pid) for pid in _children(line[-1])]


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(word) for word in (thread / "children").read_text().split()]
    return found


def _words(pid: int) -> list[bytes]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return []


def _running(ground: look.Ground) -> list[str]:
    """Who of the run is still there some seconds after its end."""
    until = time.monotonic() + 10
    while True:
        found = list(look._processes(ground))
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.02)


def document(out: bytes) -> dict[str, object]:
    text = out.decode("utf-8", "replace")
    with contextlib.suppress(ValueError):
        found, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
        return found if isinstance(found, dict) else {}
    return {}


def outcome_of(out: bytes) -> str:
    found = document(out)
    return str(found.get("outcome") or ("error" if "error" in found else "said nothing"))


def _log(out: bytes) -> Path:
    """The log that the causes or the error name."""
    found = document(out)
    error = found.get("error")
    if isinstance(error, dict):
        return Path(str(error["details"].get("log", "none")))
    causes = found.get("causes")
    lines = [str(line) for line in causes] if isinstance(causes, list) else []
    return Path(next((line.split(maxsplit=1)[1] for line in lines if line.startswith("log ")), "none"))
