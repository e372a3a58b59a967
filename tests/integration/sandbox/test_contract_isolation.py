"""What two sandboxes see of each other, what crosses the border, and what is left afterwards: on every back end."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from environments.interface import Bound, Launch, Limits, Mount, Running, Sandbox
from environments.selfprobe import probe
from environments.usermap import current_users

from .conftest import processes_with

pytestmark = pytest.mark.sandbox


def python(sandbox: Sandbox, program: str, *arguments: str) -> list[str]:
    return [sandbox.python, "-I", "-S", "-c", program, *arguments]


@pytest.mark.parametrize("uids", [False, True])
def test_the_self_probe_finds_no_way_out(sandbox: Sandbox, uids: bool) -> None:
    assert probe(sandbox, current_users(), uids=uids) == ()


# Makes one thing of each kind with a fixed name, then waits while the other looks.
LEAVE = """
import ctypes, os, socket, sys
for place in ('/tmp', '/var/tmp', '/dev/shm'):
    open(place + '/mark', 'w').write('x')
libc = ctypes.CDLL(None)
assert libc.shmget(0x5ec, 4096, 0o1666) >= 0
assert libc.msgget(0x5ec, 0o1666) >= 0
listener = socket.socket(socket.AF_UNIX)
listener.bind('\\0mark')
listener.listen()
server = socket.create_server(('127.0.0.1', 4711))
print('ready', flush=True)
sys.stdin.read()
"""
LOOK = """
import ctypes, glob, os, socket
libc = ctypes.CDLL(None)
found = [place for place in ('/tmp', '/var/tmp', '/dev/shm') if os.path.exists(place + '/mark')]
found += ['shm'] if libc.shmget(0x5ec, 4096, 0) >= 0 else []
found += ['msg'] if libc.msgget(0x5ec, 0) >= 0 else []
found += ['abstract'] if socket.socket(socket.AF_UNIX).connect_ex('\\0mark') == 0 else []
found += ['tcp'] if socket.socket().connect_ex(('127.0.0.1', 4711)) == 0 else []
lines = [open(name, 'rb').read() for name in glob.glob('/proc/[0-9]*/cmdline') if name != f'/proc/{os.getpid()}/cmdline']
found += ['process'] if any(b'LEAVE' in line.split(b'\\0') for line in lines) else []
print(found)
"""


@pytest.mark.parametrize("uids", [False, True])
def test_two_living_sandboxes_see_nothing_of_each_other(sandbox: Sandbox, uids: bool) -> None:
    with sandbox.start(Launch(argv=python(sandbox, LEAVE, "LEAVE"), uids=uids)) as first:
        assert first.stdout.readline() == b"ready\n", first.stderr_tail()
        seen = sandbox.run(Launch(argv=python(sandbox, LOOK), uids=uids))
        assert (seen.stdout, seen.stderr) == (b"[]\n", b"")


def test_what_the_one_looks_for_is_found_in_its_own(sandbox: Sandbox) -> None:
    program = LEAVE.replace("sys.stdin.read()", LOOK)
    seen = sandbox.run(Launch(argv=python(sandbox, program))).stdout.splitlines()[-1]
    assert seen == b"['/tmp', '/var/tmp', '/dev/shm', 'shm', 'msg', 'abstract', 'tcp']"


def test_links_in_a_mount_lead_nowhere_outside(sandbox: Sandbox, tmp_path: Path) -> None:
    secret, given = tmp_path / "secret", tmp_path / "given"
    secret.write_text("host")
    given.mkdir()
    (given / "absolute").symlink_to(secret)
    (given / "relative").symlink_to("../secret")
    (given / "within").symlink_to("file")
    (given / "file").write_text("inside")
    program = "import os\nfor name in sorted(os.listdir('/given')):\n  try: print(name, open('/given/' + name).read())\n  except OSError as error: print(name, error.errno)"
    for writable in (False, True):
        mounts = [Mount(source=given, dest="/given", writable=writable)]
        seen = sandbox.run(Launch(argv=python(sandbox, program), mounts=mounts, uids=True))
        assert seen.stdout == b"absolute 2\nfile inside\nrelative 2\nwithin inside\n", seen.stderr
        secret.write_text("host")
    assert secret.read_text() == "host"


# Both parents are gone at once, it leads a session of its own, and it does not listen to signals.
DAEMON = """
import os, signal, sys, time
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        os.write(writing, b'.')
        os.closerange(0, 100)
        time.sleep(600)
    os._exit(0)
os.wait()
os.read(reading, 1)
print('up', flush=True)
"""


@pytest.mark.parametrize("uids", [False, True])
def test_a_daemon_ends_with_its_sandbox(sandbox: Sandbox, uids: bool) -> None:
    marker = secrets.token_hex(8)
    done = sandbox.run(Launch(argv=python(sandbox, DAEMON, marker), uids=uids))
    assert (done.exit_code, done.stdout) == (0, b"up\n")
    assert processes_with(marker) == []
    held = Launch(argv=python(sandbox, DAEMON + "time.sleep(600)", marker), uids=uids)
    with sandbox.start(held) as running:
        assert running.stdout.readline() == b"up\n"
        assert len(processes_with(marker)) >= 2  # it is there before it is ended
        running.kill()
        assert running.wait(20) == -9
        assert processes_with(marker) == []
    with sandbox.start(held) as running:
        assert running.stdout.readline() == b"up\n"
    assert processes_with(marker) == []


def left_of(marker: str, folders: Sequence[Path]) -> list[str]:
    """Processes that carry the marker, and mounts and new entries that have to do with the folders."""
    mounts = [row for row in Path("/proc/self/mountinfo").read_text().splitlines() if marker in row]
    return [*processes_with(marker), *mounts, *(str(path) for folder in folders for path in folder.rglob(".*"))]


def ended(running: Running) -> None:
    running.kill()
    running.wait(20)


def test_nothing_of_a_sandbox_is_left(sandbox: Sandbox, tmp_path: Path) -> None:
    marker = secrets.token_hex(8)
    given, out = tmp_path / marker, tmp_path / f"{marker}-out"
    given.mkdir()
    out.mkdir()
    mounts = [Mount(source=given, dest="/given"), Mount(source=out, dest="/out", writable=True)]
    script = 'mkdir -p /out/a/b /tmp/a; chmod 0 /out/a /tmp/a; (setsid sleep 600 &); exec "$@"'
    for uids in (False, True):
        ends = sandbox.run(
            Launch(argv=["/bin/sh", "-c", script, marker, "true"], uids=uids, mounts=mounts, limits=Limits(wall_s=60))
        )
        assert ends.stopped_by is Bound.NONE
        late = sandbox.run(
            Launch(
                argv=["/bin/sh", "-c", script, marker, "sleep", "60"], uids=uids, mounts=mounts, limits=Limits(wall_s=1)
            )
        )
        assert late.stopped_by is Bound.WALL
        with sandbox.start(Launch(argv=["/bin/sh", "-c", script, marker, "cat"], uids=uids, mounts=mounts)) as running:
            ended(running)
    until = time.monotonic() + 5
    while left_of(marker, [tmp_path]) and time.monotonic() < until:
        time.sleep(0.05)
    assert left_of(marker, [tmp_path]) == []
