"""Limits of the whole tree, on every back end: each attack is stopped and named, and its modest twin is left alone."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from environments.interface import Bound, Finished, Launch, Limits, Mechanism, Mount, Sandbox

pytestmark = pytest.mark.sandbox

MIB = 1024 * 1024


def ran(sandbox: Sandbox, program: str, *arguments: object, limits: Limits, **options: object) -> Finished:
    argv = [sandbox.python, "-I", "-S", "-c", program, *map(str, arguments)]
    return sandbox.run(Launch(argv=argv, limits=limits, **options))  # type: ignore[arg-type]


def assert_stopped(done: Finished, bound: Bound) -> None:
    assert done.stopped_by is bound, done
    assert done.timed_out is (bound is Bound.WALL)
    assert b"unharmed" not in done.stdout


def assert_left_alone(done: Finished) -> None:
    assert (done.stopped_by, done.exit_code, done.timed_out) == (Bound.NONE, 0, False), done
    assert done.stdout.endswith(b"unharmed\n")


def test_the_mechanism_is_told(sandbox: Sandbox) -> None:
    assert sandbox.limits_by in set(Mechanism)


SLEEP = "import time; time.sleep(float(__import__('sys').argv[1])); print('unharmed')"


def test_wall_clock_is_named(sandbox: Sandbox) -> None:
    assert_stopped(ran(sandbox, SLEEP, 60, limits=Limits(wall_s=1)), Bound.WALL)
    assert_left_alone(ran(sandbox, SLEEP, 0.1, limits=Limits(wall_s=60)))


def test_a_started_process_tells_what_ended_it(sandbox: Sandbox) -> None:
    argv = [sandbox.python, "-c", SLEEP, "60"]
    with sandbox.start(Launch(argv=argv, limits=Limits(wall_s=1))) as running:
        assert running.limited_by is Bound.NONE
        assert running.wait(30) == -9
        assert running.limited_by is Bound.WALL
    with sandbox.start(Launch(argv=argv)) as running:
        running.kill()
        assert running.wait(30) == -9
        assert running.limited_by is Bound.NONE


# Each process alone stays far below the bound.
TOGETHER = """
import os, sys, time
mebibytes = int(sys.argv[1])
reading, writing = os.pipe()
for _ in range(10):
    if os.fork() == 0:
        held = bytearray(b'x') * (mebibytes << 20)
        os.write(writing, b'.')
        time.sleep(60)
for _ in range(10):
    os.read(reading, 1)
print('unharmed')
"""


@pytest.mark.parametrize("uids", [False, True])
def test_memory_of_many_processes_together_is_bounded(sandbox: Sandbox, uids: bool) -> None:
    limits = Limits(memory_mb=256, wall_s=60)
    assert_stopped(ran(sandbox, TOGETHER, 60, limits=limits, uids=uids), Bound.MEMORY)
    assert_left_alone(ran(sandbox, TOGETHER, 6, limits=limits, uids=uids))


SHARED = """
import os, sys, time
held = bytearray(b'x') * (150 << 20)
reading, writing = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        os.write(writing, b'.')
        time.sleep(1)
        os._exit(0)
for _ in range(8):
    os.read(reading, 1)
    os.wait()
print('unharmed')
"""


def test_pages_that_forks_share_count_once(sandbox: Sandbox) -> None:
    assert_left_alone(ran(sandbox, SHARED, limits=Limits(memory_mb=512)))


FILL_TMP = """
import sys, time
with open(sys.argv[1] + '/file', 'wb') as file:
    for _ in range(int(sys.argv[2])):
        file.write(bytes(1 << 20))
if int(sys.argv[2]) > 100: time.sleep(60)
print('unharmed')
"""


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_temporary_folders_count_as_memory(sandbox: Sandbox, place: str) -> None:
    limits = Limits(memory_mb=128, tmp_mb=256, wall_s=60)
    assert_stopped(ran(sandbox, FILL_TMP, place, 200, limits=limits), Bound.MEMORY)
    assert_left_alone(ran(sandbox, FILL_TMP, place, 20, limits=limits))


UNMAPPED = """
import os, time
try:
    file = os.memfd_create('x')
    for _ in range(300):
        os.write(file, bytes(1 << 20))
except OSError as error:
    print('refused', error.errno)
else:
    time.sleep(60)
    print('unharmed')
"""


def test_memory_that_no_process_maps_counts_or_is_refused(sandbox: Sandbox) -> None:
    done = ran(sandbox, UNMAPPED, limits=Limits(memory_mb=128, wall_s=60))
    if done.stdout != f"refused {errno.ENOSYS}\n".encode():
        assert_stopped(done, Bound.MEMORY)


TABLES = """
import mmap, sys, time
size = int(sys.argv[1]) << 30
held = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
for place in range(0, size, 2 << 20):
    held[place]
if size > 10 << 30: time.sleep(60)
print('unharmed')
"""


def test_page_tables_count_as_memory(sandbox: Sandbox) -> None:
    limits = Limits(memory_mb=64, wall_s=60)
    assert_stopped(ran(sandbox, TABLES, 64, limits=limits), Bound.MEMORY)
    assert_left_alone(ran(sandbox, TABLES, 2, limits=limits))


EMPTY_FILES = """
import os, sys, time
for number in range(int(sys.argv[1])):
    os.close(os.open(f'/tmp/{number}', os.O_CREAT | os.O_WRONLY))
if number > 10_000: time.sleep(60)
print('unharmed')
"""


def test_empty_files_in_temporary_folders_count_as_memory(sandbox: Sandbox) -> None:
    limits = Limits(memory_mb=48, wall_s=60)
    assert_stopped(ran(sandbox, EMPTY_FILES, 200_000, limits=limits), Bound.MEMORY)
    assert_left_alone(ran(sandbox, EMPTY_FILES, 1000, limits=limits))


BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""


@pytest.mark.parametrize("uids", [False, True])
def test_fork_bomb_is_stopped_and_the_machine_stays_usable(sandbox: Sandbox, uids: bool) -> None:
    ends: list[Finished] = []
    limits = Limits(processes=40, wall_s=60)
    bomb = threading.Thread(target=lambda: ends.append(ran(sandbox, BOMB, limits=limits, uids=uids)))
    bomb.start()
    beside = ran(sandbox, "print('unharmed')", limits=Limits(wall_s=60))
    bomb.join()
    assert_left_alone(beside)
    assert_stopped(ends[0], Bound.PROCESSES)


THREADS = """
import threading
go, made = threading.Event(), 0
try:
    for _ in range(100):
        threading.Thread(target=go.wait, daemon=True).start()
        made += 1
except RuntimeError:
    pass
print(made)
print('unharmed')
"""


def test_threads_count_as_processes_and_a_refusal_alone_ends_nothing(sandbox: Sandbox) -> None:
    few = ran(sandbox, THREADS, limits=Limits(processes=30))
    assert_left_alone(few)
    assert 15 <= int(few.stdout.split()[0]) < 30
    assert ran(sandbox, THREADS, limits=Limits(processes=200)).stdout.split()[0] == b"100"


BURN = """
import os, sys, time
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
seconds = float(sys.argv[1])
for _ in range(2):
    if os.fork() == 0:
        burn(seconds)
        os._exit(0)
os.wait(), os.wait()
print('unharmed')
"""


def test_processor_time_of_the_tree_is_bounded(sandbox: Sandbox) -> None:
    limits = Limits(cpu_s=2, wall_s=60)
    assert_stopped(ran(sandbox, BURN, 30, limits=limits), Bound.CPU)
    assert_left_alone(ran(sandbox, BURN, 0.2, limits=limits))
    assert_left_alone(ran(sandbox, SLEEP, 2, limits=Limits(cpu_s=1)))
    assert_left_alone(ran(sandbox, BURN, 1.2, limits=Limits()))


BURN_BY_TURNS = """
import os, sys, time
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        burn(0.2)
        os._exit(0)
    os.wait()
print('unharmed')
"""


def test_processor_time_of_those_that_have_ended_counts(sandbox: Sandbox) -> None:
    assert_stopped(ran(sandbox, BURN_BY_TURNS, 200, limits=Limits(cpu_s=2, wall_s=60)), Bound.CPU)


# Files of 1 MiB, so that no bound of a single file helps; what was written is told as it goes.
FILL = """
import os, sys, time
how, mebibytes = sys.argv[1], int(sys.argv[2])
held = []
for number in range(mebibytes):
    file = os.open(f'/out/{number}', os.O_CREAT | os.O_WRONLY)
    if how == 'unlinked':
        os.unlink(f'/out/{number}')
        held.append(file)
    os.write(file, b'x' * (1 << 20))
    if how == 'named':
        os.close(file)
    print(number + 1, flush=True)
if mebibytes > 100: time.sleep(60)
print('unharmed')
"""


@pytest.fixture
def out(tmp_path: Path) -> Mount:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "given").write_bytes(bytes(200 * MIB))
    return Mount(source=tmp_path / "out", dest="/out", writable=True)


@pytest.mark.parametrize("how", ["named", "unlinked"])
@pytest.mark.parametrize("uids", [False, True])
def test_filling_a_writable_mount_is_stopped_soon(sandbox: Sandbox, out: Mount, how: str, uids: bool) -> None:
    bound = 100
    done = ran(sandbox, FILL, how, 2000, limits=Limits(disk_mb=bound, wall_s=60), mounts=[out], uids=uids)
    assert_stopped(done, Bound.DISK)
    written = int(done.stdout.splitlines()[-1])
    assert bound <= written < 10 * bound  # of 2000 that it would write


def test_what_was_given_in_a_writable_mount_is_free(sandbox: Sandbox, out: Mount) -> None:
    done = ran(sandbox, FILL, "named", 50, limits=Limits(disk_mb=100), mounts=[out])
    assert_left_alone(done)
    assert sum(path.stat().st_size for path in out.source.iterdir()) == 250 * MIB


ONE_FILE = """
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open('/out/one', 'wb', buffering=0) as file:
    try:
        for _ in range(1000): file.write(bytes(1 << 20))
    except OSError:
        print(file.tell() >> 20)
"""


def test_one_file_in_a_writable_mount_cannot_pass_the_bound(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    mount = Mount(source=tmp_path / "out", dest="/out", writable=True)
    assert ran(sandbox, ONE_FILE, limits=Limits(disk_mb=40), mounts=[mount]).stdout == b"40\n"


MANY = """
import os, time
for number in range(20_000):
    os.close(os.open(f'/out/{number}', os.O_CREAT | os.O_WRONLY))
time.sleep(60)
print('unharmed')
"""


def test_empty_files_without_end_are_stopped(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    mount = Mount(source=tmp_path / "out", dest="/out", writable=True)
    assert_stopped(ran(sandbox, MANY, limits=Limits(disk_mb=40, wall_s=60), mounts=[mount]), Bound.DISK)
