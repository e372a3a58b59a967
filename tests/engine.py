"""A container engine for tests: started on a socket of its own, stopped with everything it made.

    python3 -m tests.engine COMMAND...    runs COMMAND with such an engine, named in REPOWRIGHT_TEST_DOCKER

Nothing of an engine that is already on the machine is touched. Standard library only: it runs before the set-up.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

VARIABLE = "REPOWRIGHT_TEST_DOCKER"
_CGROUPS = Path("/sys/fs/cgroup")
_START_S = 60.0
_STOP_S = 30.0
# No bridge and no packet filter: containers have no network, or the host's.
_FLAGS = ("--bridge=none", "--iptables=false", "--ip6tables=false", "--log-level=warn")


@dataclass(kw_only=True)
class TestEngine:
    """An engine that answers at `address` (`unix://…`)."""

    __test__ = False

    address: str
    process: subprocess.Popen[bytes] | None = None
    """None where somebody else started it."""
    home: Path | None = None

    def kill(self) -> None:
        """End it without a chance to tidy up; its helpers and containers stay. For one of our own alone."""
        if self.process is None:
            raise NoEngine("it is somebody else's")
        self.process.kill()
        self.process.wait()

    def start_again(self) -> None:
        """The same engine with its images, after `kill`; its containers have ended. Raises `NoEngine`."""
        if self.home is None:
            raise NoEngine("it is somebody else's")
        self.process = _started(self.home)


class NoEngine(Exception):
    """None can be started here, with the reason."""


def why_no_engine() -> str:
    """Why no engine can be started here; empty where one can, or is named in the environment."""
    if os.environ.get(VARIABLE):
        return ""
    if os.geteuid() != 0:
        return "only root can start a container engine"
    if shutil.which("dockerd") is None:
        return "dockerd is not installed (apt-get install docker.io)"
    return ""


@contextlib.contextmanager
def an_engine() -> Iterator[TestEngine]:
    """The engine that the environment names, else one of our own. Raises `NoEngine`."""
    named = os.environ.get(VARIABLE)
    if named:
        yield TestEngine(address=named)
        return
    with own_engine() as engine:
        yield engine


@contextlib.contextmanager
def own_engine() -> Iterator[TestEngine]:
    """A new engine. At the end its processes, mounts, groups and files are gone. Raises `NoEngine`."""
    reason = why_no_engine() if not os.environ.get(VARIABLE) else ""
    if reason:
        raise NoEngine(reason)
    home = Path(tempfile.mkdtemp(prefix="repowright-engine-", dir="/var/tmp"))
    engine = TestEngine(address=f"unix://{home}/socket", home=home)
    try:
        engine.start_again()
        yield engine
    finally:
        if engine.process is not None:
            _stop(engine.process)
        _take_away(home)


def _started(home: Path) -> subprocess.Popen[bytes]:
    """An engine of `home` that answers. Raises `NoEngine`; nothing of it runs then."""
    command = ["dockerd", *_FLAGS, "--host", f"unix://{home}/socket", "--pidfile", f"{home}/pid"]
    command += ["--data-root", f"{home}/data", "--exec-root", f"{home}/exec", "--cgroup-parent", f"/{home.name}"]
    _end_helpers(home)  # a killed one's
    shutil.rmtree(home / "exec", ignore_errors=True)
    (home / "pid").unlink(missing_ok=True)
    with (home / "log").open("ab") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=_end_with_us,  # noqa: PLW1509
        )
    try:
        _await_answer(home, process)
    except BaseException:
        _stop(process)
        raise
    return process


def _end_with_us() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _await_answer(home: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            client.connect(f"{home}/socket")
            client.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            if b" 200 " in client.recv(100):
                return
        time.sleep(0.05)
    said = (home / "log").read_text("utf-8", "replace")[-600:]
    raise NoEngine(f"dockerd does not come up: {said}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _end_helpers(home: Path) -> None:
    """What a killed engine has left at work: its helpers name `home` in their command lines."""
    until = time.monotonic() + _STOP_S
    while (left := _processes_of(home)) and time.monotonic() < until:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    for mounted in reversed(_mounts_below(home)):
        subprocess.run(["umount", "--lazy", mounted], check=False, capture_output=True)


def _take_away(home: Path) -> None:
    _end_helpers(home)
    shutil.rmtree(home, ignore_errors=True)
    for group in _CGROUPS.glob(f"*/{home.name}"):
        for folder, _, _ in os.walk(group, topdown=False):
            with contextlib.suppress(OSError):
                Path(folder).rmdir()


def _processes_of(home: Path) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            inside = any(home.name in line for line in (folder / "cgroup").read_text().splitlines())
            if inside or os.fsencode(home) in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return [pid for pid in found if pid != os.getpid()]


def _mounts_below(home: Path) -> list[str]:
    points = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines()]
    return [point for point in points if point.startswith(f"{home}/")]


def main(command: list[str]) -> int:
    """Run `command` with an engine where one can be started, else without; its exit code."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    with contextlib.ExitStack() as stack:
        environment = dict(os.environ)
        try:
            environment[VARIABLE] = stack.enter_context(an_engine()).address
        except NoEngine as reason:
            sys.stdout.write(f"no container engine: {reason}; the docker back end is not tested\n")
            sys.stdout.flush()
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
