"""What every back end must hold. One suite, one row a back end."""

from __future__ import annotations

import secrets
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from environments.interface import Launch, Limits, Mount, Sandbox
from taskpack.errors import SandboxFailed

from .conftest import processes_with

pytestmark = pytest.mark.sandbox


def python(sandbox: Sandbox, program: str, *arguments: str) -> list[str]:
    return [sandbox.python, "-I", "-S", "-c", program, *arguments]


def said(sandbox: Sandbox, program: str, *arguments: str, **options: object) -> str:
    """What a program inside printed; it must have succeeded."""
    done = sandbox.run(Launch(argv=python(sandbox, program, *arguments), **options))  # type: ignore[arg-type]
    assert done.exit_code == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def test_bytes_pass_both_pipes_unchanged(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 4096
    done = sandbox.run(Launch(argv=["/bin/cat"]), stdin=data)
    assert done.stdout == data
    assert done.stderr == b""


def test_a_started_process_answers_while_it_runs(sandbox: Sandbox) -> None:
    with sandbox.start(Launch(argv=["/bin/cat"])) as running:
        for message in (b"\x00\x01\xff\n", b"second\n"):
            running.stdin.write(message)
            running.stdin.flush()
            assert running.stdout.read(len(message)) == message
        assert running.wait(0) is None
        running.stdin.close()
        assert running.wait(10) == 0


def test_output_is_cut_to_its_last_mebibyte(sandbox: Sandbox) -> None:
    done = sandbox.run(Launch(argv=python(sandbox, "import sys; sys.stdout.write('x' * 3_000_000 + 'end')")))
    assert len(done.stdout) == 1024 * 1024
    assert done.stdout.endswith(b"xend")


@pytest.mark.parametrize(("script", "code"), [("exit 3", 3), ("kill -SEGV $$", -11), ("kill -KILL $$", -9)])
def test_exit_codes_and_signals_come_out(sandbox: Sandbox, script: str, code: int) -> None:
    done = sandbox.run(Launch(argv=["/bin/sh", "-c", script]))
    assert (done.exit_code, done.timed_out) == (code, False)


def test_environment_is_the_launch_and_nothing_else(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REPOWRIGHT_SECRET", "host")
    seen = said(sandbox, "import os; print(sorted(os.environ.items()))", env={"ONE": "1"})
    assert eval(seen) in ([("ONE", "1"), ("PWD", "/")], [("LC_CTYPE", "C.UTF-8"), ("ONE", "1"), ("PWD", "/")])


CONNECT = "import socket, sys; print(socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1]))) == 0)"


def test_host_listener_is_not_reached(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert said(sandbox, CONNECT, str(listener.getsockname()[1])) == "False"


def test_only_the_loopback_interface_exists(sandbox: Sandbox) -> None:
    routes = said(sandbox, "print(len(open('/proc/net/route').readlines()) - 1)")
    assert routes == "0"


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm"])
def test_temporary_places_are_private_to_one_sandbox(sandbox: Sandbox, place: str) -> None:
    mark = f"{place}/{secrets.token_hex(8)}"
    assert said(sandbox, "import sys; print(open(sys.argv[1], 'w').write('x'))", mark) == "1"
    assert not Path(mark).exists()
    assert said(sandbox, "import os, sys; print(os.listdir(sys.argv[1]))", place) == "[]"


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm"])
def test_temporary_places_are_sized(sandbox: Sandbox, place: str) -> None:
    program = (
        "import sys\n"
        "file = open(sys.argv[1] + '/big', 'wb', buffering=0)\n"
        "try:\n"
        "    for _ in range(64): file.write(bytes(1 << 20))\n"
        "except OSError as error: print(error.errno, file.tell() >> 20)\n"
    )
    assert said(sandbox, program, place, limits=Limits(tmp_mb=8)) == "28 8"


WRITE = """
import os, sys
for folder in sys.argv[1:]:
    try:
        open(folder + '/mark', 'w')
        print('wrote', folder)
    except OSError as error:
        assert error.errno in (13, 30), error
"""


@pytest.mark.parametrize("uids", [False, True])
def test_root_and_mounts_cannot_be_written(sandbox: Sandbox, tmp_path: Path, uids: bool) -> None:
    tmp_path.chmod(0o777)
    folders = ["/", "/usr", "/usr/lib", "/etc", "/bin", "/var", "/given"]
    if sandbox.name != "docker" or not uids:
        folders.append("/dev")  # an engine gives uid 0 inside, who is the driver alone, a small one of its own
    seen = said(sandbox, WRITE, *folders, mounts=[Mount(source=tmp_path, dest="/given")], uids=uids)
    assert seen == ""
    assert list(tmp_path.iterdir()) == []


def test_files_of_the_host_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    checkout = Path(__file__).resolve().parents[3]
    places = [str(checkout), str(tmp_path)]
    if not sys.prefix.startswith("/usr"):
        places.append(sys.prefix)
    # An engine insists on a /sys; nothing is in it.
    program = "import os, sys; print([p for p in sys.argv[1:] if os.path.exists(p) and (p != '/sys' or os.listdir(p))])"
    assert said(sandbox, program, *places) == "[]"


COMMAND_LINES = """
import glob
COMMAND = [open(name, 'rb').read() for name in glob.glob('/proc/[0-9]*/cmdline')]
print(COMMAND)
"""


def test_paths_of_the_host_are_not_on_the_command_line(sandbox: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    mounts = [Mount(source=tmp_path, dest="/given")]
    seen = said(sandbox, COMMAND_LINES, mounts=mounts)
    assert "COMMAND" in seen
    assert str(tmp_path) not in seen


OPEN = "import os, sys; print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1])"


def test_no_descriptor_of_the_host_is_open_inside(sandbox: Sandbox) -> None:
    assert said(sandbox, OPEN) == "[0, 1, 2]"


def test_only_own_processes_are_seen(sandbox: Sandbox) -> None:
    pids = said(sandbox, "import os; print(max(int(p) for p in os.listdir('/proc') if p.isdigit()))")
    assert int(pids) < 20


CALLS = """
import os
seen = []
for call in (11, 12, 59_999):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([]); os.setgid(call); os.setuid(call)
        caps = open('/proc/self/status').read().split('CapEff:')[1].split()[0]
        os.write(writing, f'{os.getuid()} {os.getgid()} {int(caps, 16)}'.encode())
        os._exit(0)
    os.waitpid(child, 0)
    seen.append(os.read(reading, 100).decode())
print(seen)
"""


def test_each_call_can_have_a_uid_of_its_own(sandbox: Sandbox) -> None:
    with sandbox.start(Launch(argv=python(sandbox, CALLS), uids=True)) as running:
        if not running.uids:
            pytest.skip("a plain user has no range of uids to give")
        assert running.stdout.read() == b"['11 11 0', '12 12 0', '59999 59999 0']\n", running.stderr_tail()


@pytest.mark.parametrize("uids", [False, True])
def test_no_group_comes_along_from_the_host(sandbox: Sandbox, uids: bool) -> None:
    ids = "import os; print(os.getuid() == os.getgid(), set(os.getgroups()) - {os.getgid()})"
    assert said(sandbox, ids, uids=uids) == "True set()"


HELD = """
rows = dict(line.split(':', 1) for line in open('/proc/self/status'))
print(*(int(rows[name], 16) for name in ('CapPrm', 'CapEff', 'CapInh', 'CapAmb', 'NoNewPrivs')))
"""


def test_only_five_capabilities_are_kept_with_uids_and_none_without(sandbox: Sandbox) -> None:
    with sandbox.start(Launch(argv=["/bin/true"], uids=True)) as running:
        given = running.uids
    five = sum(1 << number for number in (0, 1, 5, 6, 7))
    kept = five if given else 0
    permitted, effective, *_, no_new = said(sandbox, HELD, uids=True).split()
    assert (int(permitted), int(effective), no_new) == (kept, kept, "1")
    assert said(sandbox, HELD) == "0 0 0 0 1"


@pytest.mark.parametrize("uids", [False, True])
def test_timeout_ends_children_and_grandchildren(sandbox: Sandbox, uids: bool) -> None:
    marker = secrets.token_hex(8)
    script = f"(setsid sh -c 'sleep 600; :' {marker} &) ; sh -c 'sh -c \"sleep 600; :\" {marker}; :' {marker}"
    start = time.monotonic()
    with sandbox.start(Launch(argv=["/bin/sh", "-c", script], uids=uids)) as running:
        until = time.monotonic() + 10
        while len(processes_with(marker)) < 3 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(processes_with(marker)) >= 3  # the attack is there before it is ended
        running.kill()
        assert running.wait(10) == -9
        assert processes_with(marker) == []
    done = sandbox.run(Launch(argv=["/bin/sh", "-c", script], uids=uids, limits=Limits(wall_s=1)))
    assert (done.timed_out, done.exit_code) == (True, -9)
    assert processes_with(marker) == []
    assert time.monotonic() - start < 300  # they sleep for 600


def test_children_left_behind_end_with_the_program(sandbox: Sandbox) -> None:
    marker = secrets.token_hex(8)
    done = sandbox.run(Launch(argv=["/bin/sh", "-c", f"setsid sh -c 'sleep 600; :' {marker} & exit 0"]))
    assert done.exit_code == 0
    assert processes_with(marker) == []


def test_writable_mount_comes_back_without_links(sandbox: Sandbox, tmp_path: Path) -> None:
    secret, out = tmp_path / "secret", tmp_path / "out"
    secret.write_text("host")
    out.mkdir()
    (out / "old").write_text("old")
    (out / "gone").write_text("gone")
    script = (
        f"cd /out && cat old > new && rm gone && ln -s {secret} link && ln -s / root && mkfifo pipe && mkdir -p a/b"
    )
    done = sandbox.run(Launch(argv=["/bin/sh", "-c", script], mounts=[Mount(source=out, dest="/out", writable=True)]))
    assert done.exit_code == 0, done.stderr
    found = sorted(str(path.relative_to(out)) for path in out.rglob("*"))
    assert found == ["a", "a/b", "new", "old"]
    assert (out / "new").read_text() == "old"


def test_a_source_that_others_may_not_enter_is_shown_all_the_same(sandbox: Sandbox, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "workspace").mkdir(parents=True)
    (closed / "workspace" / "file").write_text("seen")
    (closed / "workspace" / "file").chmod(0o600)
    closed.chmod(0o700)
    mounts = [Mount(source=closed / "workspace", dest="/workspace")]
    done = sandbox.run(Launch(argv=["/bin/cat", "/workspace/file"], mounts=mounts, uids=True))
    assert done.stdout == b"seen", done.stderr


def test_address_space_of_a_process_is_bounded(sandbox: Sandbox) -> None:
    program = "try: bytearray(200 << 20)\nexcept MemoryError: print('refused')"
    assert said(sandbox, program, limits=Limits(process_mb=100)) == "refused"
    assert said(sandbox, program, limits=Limits(process_mb=1000)) == ""


@pytest.mark.parametrize("uids", [False, True])
def test_number_of_processes_is_bounded(sandbox: Sandbox, uids: bool) -> None:
    program = (
        "import os, time\n"
        "made = 0\n"
        "try:\n"
        "    for _ in range(100):\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "        made += 1\n"
        "except BlockingIOError: pass\n"
        "print(made)\n"
    )
    made = int(said(sandbox, program, limits=Limits(processes=20), uids=uids))
    assert 10 <= made < 20
    assert said(sandbox, program, limits=Limits(processes=200), uids=uids) == "100"


def test_two_sandboxes_do_not_share_their_bound_of_processes(sandbox: Sandbox) -> None:
    hold = "import os, time\nfor _ in range(15):\n  os.fork() or time.sleep(60)\nprint(1, flush=True)\ntime.sleep(60)"
    limits = Limits(processes=20)
    with (
        sandbox.start(Launch(argv=python(sandbox, hold), limits=limits)) as first,
        sandbox.start(Launch(argv=python(sandbox, hold), limits=limits)) as second,
    ):
        assert first.stdout.readline() == second.stdout.readline() == b"1\n"


def test_a_mount_that_is_not_there_is_named(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxFailed, match="nowhere"):
        sandbox.run(Launch(argv=["/bin/true"], mounts=[Mount(source=tmp_path / "nowhere", dest="/given")]))


@pytest.mark.parametrize("dest", ["/", "/usr/lib", "/etc", "/proc/x", "relative", "/a/../usr"])
def test_a_mount_cannot_cover_the_base(sandbox: Sandbox, tmp_path: Path, dest: str) -> None:
    with pytest.raises(SandboxFailed, match="cannot be a mount"):
        sandbox.run(Launch(argv=["/bin/true"], mounts=[Mount(source=tmp_path, dest=dest)]))


def test_a_program_that_is_not_there_is_a_broken_sandbox(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxFailed) as caught:
        sandbox.run(Launch(argv=["/bin/nowhere"]))
    assert any("nowhere" in fact for fact in caught.value.details.values())


def test_sandbox_outlives_the_thread_that_started_it(sandbox: Sandbox) -> None:
    started = []
    thread = threading.Thread(target=lambda: started.append(sandbox.start(Launch(argv=["/bin/cat"]))))
    thread.start()
    thread.join()
    with started[0] as running:
        time.sleep(0.2)
        running.stdin.write(b"alive")
        running.stdin.close()
        assert running.stdout.read() == b"alive"


def test_many_start_at_once(sandbox: Sandbox) -> None:
    seen: list[int] = []
    threads = [
        threading.Thread(
            target=lambda n=n: seen.append(sandbox.run(Launch(argv=["/bin/sh", "-c", f"exit {n}"])).exit_code)
        )
        for n in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(16))
