"""What is the docker back end's own: streams through an engine, faults of an engine, and whose a container is."""

from __future__ import annotations

import gc
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from environments.choose import Backend, open_sandbox, prove
from environments.docker import Engine, engine_address
from environments.docker_meter import EngineMeter, container_meter
from environments.interface import Bound, Launch, Limits, Mount
from environments.selfprobe import Way, probe
from taskpack.errors import SandboxFailed, SandboxUnavailable
from tests.engine import NoEngine, TestEngine, own_engine, why_no_engine
from tests.host import processes_with

if TYPE_CHECKING:
    from environments.docker_sandbox import Docker

pytestmark = [pytest.mark.sandbox, pytest.mark.docker]

CHECKOUT = Path(__file__).resolve().parents[3]
SLEEP = ["/bin/sh", "-c", "echo up; sleep 600; :"]


def python(docker: Docker, program: str, *arguments: str) -> list[str]:
    return [docker.python, "-I", "-S", "-c", program, *arguments]


def test_sixty_four_mebibytes_pass_both_ways_while_errors_flow(docker: Docker) -> None:
    data = secrets.token_bytes(1 << 20) * 64
    echo = (
        "import sys\n"
        "while chunk := sys.stdin.buffer.read(1 << 20):\n"
        "    sys.stdout.buffer.write(chunk); sys.stderr.write('.')\n"
    )
    with docker.start(Launch(argv=python(docker, echo))) as running:
        feeder = threading.Thread(target=lambda: (running.stdin.write(data), running.stdin.close()))
        feeder.start()
        assert running.stdout.read() == data
        feeder.join()
        assert running.wait(30) == 0
        assert running.stderr_tail() == "." * 64


def test_a_reader_that_does_not_read_stops_the_program_and_not_its_errors(docker: Docker) -> None:
    flood = (
        "import sys, threading, time\n"
        "def count():\n"
        "    while True:\n"
        "        sys.stderr.write(f'{done}\\n'); sys.stderr.flush(); time.sleep(0.1)\n"
        "done = 0\n"
        "threading.Thread(target=count, daemon=True).start()\n"
        "while True:\n"
        "    sys.stdout.buffer.write(bytes(1 << 16)); done += 1\n"
    )
    with docker.start(Launch(argv=python(docker, flood))) as running:
        until = time.monotonic() + 30
        seen: list[str] = []
        while len(seen) < 5 and time.monotonic() < until:
            time.sleep(0.1)
            told = running.stderr_tail().split()
            seen = [word for word in told if word == told[-1]]
        # It stands still, far from endless, and tells so.
        assert len(seen) >= 5
        assert int(seen[0]) < 1000


DENIED = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    ctypes.set_errno(0)
    libc.syscall(*arguments)
    print(name, ctypes.get_errno())
try:
    socket.socket(40, socket.SOCK_STREAM); print('vsock 0')
except OSError as error: print('vsock', error.errno)
call('add_key', 248, b'user', b'name', b'data', 4, -3)
call('io_uring_setup', 425, 1, ctypes.create_string_buffer(256))
call('ptrace', 101, 0, 0, 0, 0)
call('unshare', 272, 0x10000000)
call('personality', 135, 0x0040000)
if socket.has_ipv6:
    six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    asked = bytes(15) + bytes([1]) + (0xABCDE).to_bytes(4, 'big') + bytes([0, 1, 1, 0, 0, 0, 60, 0]) + bytes(4)
    for name, high in (('label', 0), ('label_with_a_high_half', 1 << 32)):
        call(name, ctypes.c_long(54), six.fileno(), ctypes.c_long(41 | high), ctypes.c_long(32 | high), asked, len(asked))
    six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
with open('/proc/self/exe', 'rb') as file:
    call('fadvise', 221, file.fileno(), 0, 0, 4)
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
    assert os.preadv(file.fileno(), [bytearray(4)], 0, 0) == 4
    try:
        os.preadv(file.fileno(), [bytearray(4)], 0, os.RWF_NOWAIT); print('preadv2 0')
    except OSError as error: print('preadv2', error.errno)
one, other = socket.socketpair()
one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of these system calls are those of x86_64")
def test_calls_that_reach_past_namespaces_are_refused_and_the_engine_alone_would_not(docker: Docker) -> None:
    def answers() -> dict[str, int]:
        done = docker.run(Launch(argv=python(docker, DENIED)))
        assert done.exit_code == 0, done.stderr
        return {name: int(error) for name, error in (line.split() for line in done.stdout.decode().splitlines())}

    assert set(answers().values()) == {1}
    kept = docker._profile
    docker._profile = "unconfined"
    try:
        without = answers()
    finally:
        docker._profile = kept
    assert without["personality"] == without["ptrace"] == 0
    assert without["unshare"] == without["fadvise"] == 0
    assert without.get("label", 0) == 0


def test_self_probe_names_what_a_weaker_container_lets_out(docker: Docker, monkeypatch: pytest.MonkeyPatch) -> None:
    prove(docker)
    monkeypatch.setattr(docker, "_profile", "unconfined", raising=False)
    found = {leak.way for leak in probe(docker, docker.users, uids=False, outside=docker.outside)}
    assert Way.NESTED_NAMESPACE in found


def test_engine_tells_usage_where_the_group_cannot_be_seen(docker: Docker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("environments.docker_meter._own_group", lambda *_: None)
    assert isinstance(container_meter(docker.engine, "any", 1), EngineMeter)
    burn = docker.run(Launch(argv=python(docker, "while True: pass"), limits=Limits(cpu_s=1, wall_s=60)))
    assert burn.stopped_by is Bound.CPU
    hog = "held = [bytearray(b'x') * (64 << 20) for _ in range(8)]"
    assert docker.run(Launch(argv=python(docker, hog), limits=Limits(memory_mb=128))).stopped_by is Bound.MEMORY
    bomb = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    done = docker.run(Launch(argv=python(docker, bomb), limits=Limits(processes=30, wall_s=60)))
    assert done.stopped_by is Bound.PROCESSES


def ours(docker: Docker) -> list[str]:
    label = f"repowright.owner={docker.runtime.own}"
    return sorted(docker.engine.labelled(label, value_of="repowright.owner"))


def test_nothing_is_left_behind(docker: Docker, tmp_path: Path) -> None:
    for _ in range(4):  # the SDK keeps as many connections as it has once needed at a time
        with docker.start(Launch(argv=["/bin/cat"])):
            docker.run(Launch(argv=["/bin/true"]))

    def looks() -> tuple[object, ...]:
        runs = sorted(docker.runtime.own.iterdir())
        # Somebody else may mount something at the same time.
        places = (str(docker.runtime.own), str(Path(docker.engine.address.removeprefix("unix://")).parent))
        mounts = [line for line in Path("/proc/self/mounts").read_text().splitlines() if any(map(line.count, places))]
        return runs, mounts, ours(docker), threading.active_count()

    before, descriptors = looks(), len(list(Path("/proc/self/fd").iterdir()))
    for uids in (False, True):
        mounts = [Mount(source=tmp_path, dest="/out", writable=True)]
        docker.run(Launch(argv=["/bin/sh", "-c", "mkdir -p /out/a/b; chmod 0 /out/a"], uids=uids, mounts=mounts))
        with docker.start(Launch(argv=["/bin/cat"], uids=uids)):
            assert len(ours(docker)) == 1
        with pytest.raises(SandboxFailed):
            docker.run(Launch(argv=["/bin/nowhere"], uids=uids))
    assert looks() == before
    assert len(list(Path("/proc/self/fd").iterdir())) <= descriptors + 4


def test_a_container_that_somebody_else_kills_is_no_fault_of_the_code_in_it(docker: Docker) -> None:
    with pytest.raises(SandboxFailed, match="somebody else"), docker.start(Launch(argv=SLEEP)) as running:  # noqa: PT012 (the end of the block raises)
        assert running.stdout.readline() == b"up\n"
        docker.engine.kill(ours(docker)[0])
        assert running.stdout.read() == b""
        running.wait(30)
    assert ours(docker) == []


def test_a_container_that_somebody_else_removes_is_no_fault_of_the_code_in_it(docker: Docker) -> None:
    with pytest.raises(SandboxFailed), docker.start(Launch(argv=SLEEP)) as running:  # noqa: PT012 (the end of the block raises)
        assert running.stdout.readline() == b"up\n"
        docker.engine.remove(ours(docker)[0])
        running.wait(30)


HOLD = """
import sys
from environments.docker_sandbox import Docker
from environments.interface import Launch
sandbox = Docker(address=sys.argv[1])
running = sandbox.start(Launch(argv=["/bin/sh", "-c", "echo up; sleep 600; :", sys.argv[2]]))
assert running.stdout.readline() == b"up\\n"
print(sandbox.runtime.own, flush=True)
sys.stdin.read()
"""


def holder(address: str, marker: str) -> tuple[subprocess.Popen[bytes], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, address, marker],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    return process, process.stdout.readline().decode().strip()


def test_what_a_killed_owner_left_is_swept_by_the_next(docker: Docker) -> None:
    from environments.docker_sandbox import Docker as Opened

    marker = secrets.token_hex(8)
    process, owner = holder(docker.engine.address, marker)
    with process:
        Opened(users=docker.users, address=docker.engine.address).close()
        assert processes_with(marker)  # a living owner's container is left alone
        process.send_signal(signal.SIGKILL)
        process.wait()
    label = f"repowright.owner={owner}"
    assert docker.engine.labelled(label, value_of="repowright.owner")
    Opened(users=docker.users, address=docker.engine.address).close()
    assert docker.engine.labelled(label, value_of="repowright.owner") == {}
    assert processes_with(marker) == []


def test_an_owner_that_exits_takes_its_containers_along(docker: Docker) -> None:
    marker = secrets.token_hex(8)
    process, owner = holder(docker.engine.address, marker)
    with process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
    assert docker.engine.labelled(f"repowright.owner={owner}", value_of="repowright.owner") == {}
    assert processes_with(marker) == []


@pytest.fixture
def mortal(base: str) -> Iterator[TestEngine]:
    """An engine that a test may stop."""
    if base or (why_no_engine() and not os.environ.get("REPOWRIGHT_TEST_DOCKER")):
        pytest.skip(base or why_no_engine())
    try:
        with own_engine() as engine:
            yield engine
    except NoEngine as reason:
        pytest.skip(str(reason))


# The SDK leaves the socket of a refused connection to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_an_engine_that_ends_in_the_middle_is_named_and_nothing_hangs(mortal: TestEngine, how: signal.Signals) -> None:
    from environments.docker_sandbox import Docker as Opened

    assert mortal.process is not None
    docker = Opened(address=mortal.address)
    started = time.monotonic()
    with pytest.raises(SandboxFailed, match="engine"), docker.start(Launch(argv=SLEEP)) as running:  # noqa: PT012 (the end of the block raises)
        assert running.stdout.readline() == b"up\n"
        mortal.process.send_signal(how)
        assert running.stdout.read() == b""
        running.wait(60)
    assert time.monotonic() - started < 120
    with pytest.raises(SandboxFailed, match="engine"):
        docker.run(Launch(argv=["/bin/true"]))
    assert [path.name for path in docker.runtime.own.iterdir() if path.name.startswith("run-")] == ["run-2"]  # its /etc
    docker.close()
    gc.collect()


def test_without_an_engine_the_refusal_names_the_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REPOWRIGHT_DOCKER", str(tmp_path / "none.sock"))
    with pytest.raises(SandboxUnavailable, match="no container engine answers") as caught:
        open_sandbox(Backend.DOCKER)
    assert str(tmp_path / "none.sock") in caught.value.render()


def test_an_engine_on_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REPOWRIGHT_DOCKER", raising=False)
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    with pytest.raises(SandboxUnavailable, match="on this machine"):
        engine_address()


def test_facts_of_the_engine_are_read(docker: Docker) -> None:
    facts = Engine(docker.engine.address).facts
    assert facts.version
    assert facts.cgroup in {"1", "2"}
    assert facts.seccomp
