"""The broker's side of the product: whatever a driver does is an outcome, a fault of the candidate, and never a hang."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from environments.driver.call import send
from environments.driver.main import _hello
from environments.driver.pack import Pack
from environments.driver.scene import Scene
from environments.interface import Bound, Launch
from environments.languages.command.driver_pack import CommandPack
from environments.languages.go.driver_pack import GoPack
from environments.languages.python.driver_pack import PythonPack
from judge.bundle_lib import copy_lib
from judge.harness.seen import read_seen
from judge.product import DriverSilent, Product
from judge.trial import _check_needs
from taskpack.errors import SandboxFailed
from taskpack.suite import TestManifest
from taskpack.wire.frames import BODY_CAP, Frame
from taskpack.wire.messages import Reply, read_reply
from taskpack.wire.pipes import FramePipe
from taskpack.wire.values import Body, encode_args
from tests.integration.judge.sandboxes import HostileDriver, PlainProcess, PlainSandbox

SCRIPTS = {
    "dies": "os._exit(0)",
    "closes its side": "os.close(1); time.sleep(60)",
    "answers another request": "reply(id=2)",
    "answers with a text as id": "reply(id='1')",
    "invents an outcome": "reply(outcome='passed')",
    "sends an unknown key": "reply(verdict=1)",
    "sends a value that is none": "reply(value={'i': 1})",
    "sends a range that is not there": "reply(value={'b': [0, 9999]})",
    "sends a range outside": "reply(stdout=[0, 10])",
    "sends no object": "raw(b'[]')",
    "sends no JSON": "raw(b'{{')",
    "sends no UTF-8": "raw(b'{\"\\xff\":1}')",
    "sends the same key twice": 'raw(b\'{"id":1,"id":1}\')',
    "sends a lone surrogate": 'raw(b\'{"id":"\\\\ud800"}\')',
    "sends too much nesting": "raw(b'{\"a\":' + b'[' * 5000 + b']' * 5000 + b'}')",
    "announces a giant header": "pipe.send_raw(struct.pack('>II', 1 << 31, 0))",
    "announces a giant body": "pipe.send_raw(struct.pack('>II', 2, 1 << 31) + b'{}')",
    "stops in the middle": "raw(b'{}', more=100); os._exit(0)",
    "sends an infinite time": "raw(b'{\"seconds\":1e999}')",
    "sends random bytes": "pipe.send_raw(os.urandom(4096))",
}


@pytest.fixture(autouse=True)
def no_long_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that closed its side and lives on is not waited for."""
    monkeypatch.setattr("judge.connection._END_S", 0.3)


def product(sandbox: PlainSandbox, tmp_path: Path) -> Product:
    (tmp_path / "app/src").mkdir(parents=True)
    (tmp_path / "app/src/own.py").write_text("def double(value): return value * 2\n")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios/F01.py").write_text("import own\n\ndef double(value):\n    return own.double(value)\n")
    copy_lib(tmp_path / "tests")
    return Product(
        sandbox=sandbox,
        workspace=tmp_path / "app",
        lib=tmp_path / "tests/_lib",
        scenarios=tmp_path / "scenarios",
        product_paths=("src",),
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_driver_that_breaks_the_page_is_malformed_and_started_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.connection._END_S", 1.0)  # one that has closed its side and lives on is not waited for
    sandbox = HostileDriver(tmp_path, SCRIPTS[name])
    started = time.monotonic()
    with product(sandbox, tmp_path) as hostile:
        for times in (1, 2):
            answer = hostile.call("double", {"value": {"i": "1"}}, limit_s=5)
            assert answer.reply.outcome == "malformed"
            assert read_seen(answer.reply, answer.body).failure is not None
            assert sandbox.started == times
    assert time.monotonic() - started < 60  # each of two answers that is waited for takes 35


def test_a_driver_that_says_nothing_is_a_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.connection._GRACE_S", 0.2)
    with product(HostileDriver(tmp_path, "time.sleep(60)"), tmp_path) as silent:
        assert silent.call("double", {}, limit_s=0.1).reply.outcome == "timeout"


def test_a_driver_that_does_not_read_cannot_hold_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.connection._GRACE_S", 0.5)
    with product(HostileDriver(tmp_path, "reply(); time.sleep(60)"), tmp_path) as deaf:
        assert deaf.call("double", {}, limit_s=0.1).reply.outcome == "returned"
        answer = deaf.call("double", {}, body=bytes(8_000_000), limit_s=0.1)
        assert answer.reply.outcome == "timeout"


def test_a_driver_that_does_not_greet_is_not_the_candidates_fault(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    with product(PlainSandbox(tmp_path), tmp_path) as broken:
        (tmp_path / "tests/_lib/environments/driver/main.py").write_text("raise SystemExit(5)\n")
        with pytest.raises(SandboxFailed, match="did not greet"):
            broken.call("double", {})


def test_no_entry_of_a_product_folder_keeps_the_driver_from_greeting(tmp_path: Path) -> None:
    with product(PlainSandbox(tmp_path), tmp_path) as called:
        src = tmp_path / "app/src"
        for name, text in {"loop": "loop", "loop.py": "loop.py", "a": "b", "b": "a", "tty.py": "/dev/tty"}.items():
            (src / name).symlink_to(text)
        os.mkfifo(src / "pipe.py")
        os.mkfifo(src / "pipe")
        (src / "closed").mkdir(mode=0)
        Path(os.fsdecode(os.fsencode(src) + b"/\xff\xfe.py")).touch()
        for number in range(100_000):
            (src / f"n{number}").symlink_to("own.py")
        assert called.call("double", encode_args({"value": 4}, Body())).reply.value == {"i": "8"}


def test_a_product_folder_that_is_none_does_not_either(tmp_path: Path) -> None:
    with product(PlainSandbox(tmp_path), tmp_path) as called:
        (tmp_path / "app/src").rename(tmp_path / "app/elsewhere")
        (tmp_path / "app/src").symlink_to("src")
        answer = called.call("double", encode_args({"value": 4}, Body()))
        assert read_seen(answer.reply, answer.body).error.is_a("ImportError")


def test_after_three_timeouts_the_rest_of_a_verdict_is_short(tmp_path: Path) -> None:
    sandbox = PlainSandbox(tmp_path)
    with product(sandbox, tmp_path) as slow:
        (tmp_path / "app/src/own.py").write_text("import time\n\ndef double(value): time.sleep(100)\n")
        args = encode_args({"value": 1}, Body())
        seconds = [slow.call("double", args, limit_s=1).reply.seconds for _ in range(4)]
    assert min(seconds[:3]) >= 1
    assert seconds[3] < 0.6


def test_frames_of_a_verdict_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.product.FRAMES_A_VERDICT", 2)
    with product(PlainSandbox(tmp_path), tmp_path) as counted:
        args = encode_args({"value": 4}, Body())
        assert counted.call("double", args).reply.value == {"i": "8"}
        assert counted.call("double", args).reply.outcome == "malformed"


def test_a_sandbox_that_went_past_a_bound_is_a_limit_and_one_that_broke_outside_is_not_the_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver hangs up in each case; who ended it decides."""

    def broken(self: PlainProcess, timeout_s: float) -> int:
        raise SandboxFailed("the engine is gone", remedy="start it")

    with product(HostileDriver(tmp_path, "os._exit(0)"), tmp_path) as ended:
        assert ended.call("double", {}).reply.outcome == "malformed"
        for bound, outcome in ((Bound.MEMORY, "limit"), (Bound.DISK, "limit"), (Bound.WALL, "timeout")):
            monkeypatch.setattr(PlainProcess, "limited_by", bound)
            reply = ended.call("double", {}).reply
            assert (reply.outcome, reply.limit) == (outcome, str(bound) if outcome == "limit" else None)
        monkeypatch.setattr(PlainProcess, "limited_by", Bound.NONE)
        monkeypatch.setattr(PlainProcess, "wait", broken)
        with pytest.raises(SandboxFailed, match="engine is gone"):
            ended.call("double", {})


def test_a_frame_that_ends_in_the_middle_is_not_the_candidates_where_the_sandbox_broke_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What broke is known only a moment after the stream has ended."""

    def broken(self: PlainProcess, timeout_s: float) -> int | None:
        if timeout_s:
            raise SandboxFailed("the engine is gone", remedy="start it")
        return None

    with product(HostileDriver(tmp_path, "raw(b'{}', more=100); os._exit(0)"), tmp_path) as ended:
        monkeypatch.setattr(PlainProcess, "wait", broken)
        with pytest.raises(SandboxFailed, match="engine is gone"):
            ended.call("double", {})


def test_a_greeting_that_does_not_come_is_not_the_candidates_where_the_sandbox_broke_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Mute(PlainSandbox):
        def start(self, launch: Launch) -> PlainProcess:
            return PlainProcess(["/bin/true"], str(tmp_path))

    def broken(self: PlainProcess, timeout_s: float) -> int | None:
        raise SandboxFailed("the engine is gone", remedy="start it")

    with product(Mute(tmp_path), tmp_path) as mute:
        with pytest.raises(DriverSilent):
            mute.call("double", {})
        monkeypatch.setattr(PlainProcess, "wait", broken)
        with pytest.raises(SandboxFailed, match="engine is gone"):
            mute.call("double", {})


def test_a_new_sandbox_for_one_that_was_broken_is_made_in_the_candidates_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    class Slow(HostileDriver):
        def start(self, launch: Launch) -> PlainProcess:
            nonlocal now
            now += 100
            return super().start(launch)

    with product(Slow(tmp_path, "os._exit(0)"), tmp_path) as hostile:
        monkeypatch.setattr("judge.product.time.monotonic", lambda: now)
        monkeypatch.setattr("judge.connection._END_S", 1.0)
        monkeypatch.setattr("taskpack.wire.pipes._deadline", lambda _: None)
        hostile.call("double", {})
        assert hostile.seconds == 0  # the first sandbox is ours
        hostile.call("double", {})
        assert hostile.seconds == 100


def test_a_suite_that_needs_forks_is_judged_where_a_module_of_the_product_makes_every_call_fresh(
    tmp_path: Path,
) -> None:
    manifest = TestManifest.model_construct(needs=("fork",))
    with product(PlainSandbox(tmp_path), tmp_path) as called:
        (tmp_path / "app/src/json.py").touch()
        assert "fork" not in called.features
        _check_needs(manifest, called)


def test_a_value_that_fits_only_without_its_reply_is_a_limit_and_the_driver_lives() -> None:
    reading, writing = os.pipe()
    link = FramePipe(reading, writing)
    send(link, Frame(header=Reply(id=7, outcome="returned").header(), body=bytes(BODY_CAP + 1)))
    reply = read_reply(link.receive(5), 7)
    assert (reply.outcome, reply.limit) == ("limit", "value")
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize(("pack", "offered"), [(PythonPack(), True), (CommandPack(), True), (GoPack(), False)])
def test_a_clock_is_offered_where_the_language_looks_at_it(pack: Pack, offered: bool, tmp_path: Path) -> None:
    here = Path("/nowhere")
    scene = Scene(
        workspace=here, product=(), site=None, scenarios=here, place=tmp_path,
        memory_mb=0, uids=False, alone=False, clock={"LD_PRELOAD": "libfaketime.so.1"},
    )  # fmt: skip
    if isinstance(pack, PythonPack):
        pack.prepare(scene)
    assert ("clock" in _hello(scene, pack).features) == offered
