"""What `local` promises beyond the contract: its preview base, its network, its folders, what a start costs."""

from __future__ import annotations

import socket
import statistics
import threading
import time
from pathlib import Path

import pytest

from environments.interface import Launch, Mount
from environments.local import Local

pytestmark = pytest.mark.sandbox


def said(local: Local, program: str, *arguments: str, network: bool = False) -> str:
    """What a program inside printed; it must have succeeded."""
    done = local.run(Launch(argv=[local.python, "-I", "-S", "-c", program, *arguments], network=network))
    assert done.exit_code == 0, done.stderr.decode()
    return done.stdout.decode().strip()


CONNECT = "import socket, sys; print(socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1]))) == 0)"


@pytest.mark.parametrize("network", [False, True])
def test_host_listener_is_reached_only_with_network(local: Local, network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        reached = said(local, CONNECT, str(listener.getsockname()[1]), network=network)
    assert reached == str(network)


def test_the_root_holds_the_toolchain_and_nothing_else(local: Local) -> None:
    assert said(
        local, "import os; print(sorted(set(os.listdir('/')) - {'lib32', 'lib64', 'libx32', 'sbin', 'lib', 'bin'}))"
    ) == ("['dev', 'etc', 'proc', 'run', 'tmp', 'usr', 'var']")
    assert "root" in said(local, "print(open('/etc/passwd').read())")
    assert said(local, "import os; print(os.path.exists('/etc/shadow'))") == "False"


def test_packages_of_the_host_cannot_be_imported(local: Local) -> None:
    program = "import site, os; print([n for p in site.getsitepackages() if os.path.isdir(p) for n in os.listdir(p)])"
    done = local.run(Launch(argv=[local.python, "-c", program]))
    assert done.stdout.decode().strip() == "[]"


def test_nothing_is_left_behind(local: Local, tmp_path: Path) -> None:
    def there() -> tuple[object, ...]:
        # Others may mount and unmount meanwhile: what counts is what has to do with us.
        mounts = [row for row in Path("/proc/self/mountinfo").read_text().splitlines() if str(local.runtime.own) in row]
        groups = list(Path("/sys/fs/cgroup").rglob(f"repowright-{local.runtime.own.name}-*"))
        return sorted(local.runtime.own.iterdir()), mounts, groups, threading.active_count()

    local.run(Launch(argv=["/bin/true"]))
    before, descriptors = there(), len(list(Path("/proc/self/fd").iterdir()))
    for uids in (False, True):
        mounts = [Mount(source=tmp_path, dest="/out", writable=True)]
        local.run(Launch(argv=["/bin/sh", "-c", "mkdir -p /out/a/b; chmod 0 /out/a"], uids=uids, mounts=mounts))
        with local.start(Launch(argv=["/bin/cat"], uids=uids)):
            pass
    assert there() == before
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors


@pytest.mark.parametrize("uids", [False, True])
def test_a_start_costs_little(local: Local, uids: bool, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = []
    for _ in range(15):
        start = time.perf_counter()
        local.run(Launch(argv=["/bin/true"], uids=uids))
        seconds.append(time.perf_counter() - start)
    with capsys.disabled():
        print(f"\n  a local sandbox, uids={uids}: {statistics.median(seconds) * 1000:.1f} ms (median of 15)")  # noqa: T201 (a measurement to read)
    assert min(seconds) < 0.3  # milliseconds on a quiet machine; this only stops a copy per start
