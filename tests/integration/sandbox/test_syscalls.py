"""The system call filter: what it refuses is refused inside, is reached without it, and ordinary programs do not notice."""

from __future__ import annotations

import contextlib
import errno
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Launch, Limits
from environments.local import Local
from environments.runtime import Runtime
from environments.syscalls import MACHINES, REFUSED
from environments.transfer import remove_tree

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(platform.machine() not in MACHINES, reason="no numbers are known for this architecture"),
]

X86 = platform.machine() == "x86_64"


class Unfiltered(Local):
    """The real back end without its system call filter."""

    def _calls(self, *, measured: bool) -> bytes:
        return b""


@pytest.fixture(scope="module")
def unfiltered(local: Local) -> Iterator[Local]:
    with _on_preview(Unfiltered, local) as made:
        yield made


@pytest.fixture(scope="module")
def preview(local: Local) -> Iterator[Local]:
    """The host's own programs: the root file system has neither git nor node."""
    with _on_preview(Local, local) as made:
        yield made


@contextlib.contextmanager
def _on_preview(kind: type[Local], local: Local) -> Iterator[Local]:
    """In a runtime area of its own, where no root file system was built."""
    area = Path(tempfile.mkdtemp(prefix="area-", dir="/var/tmp"))
    area.chmod(0o711)
    made = kind(users=local.users, runtime=Runtime(local.users, area=area / "runtime"))
    yield made
    made.close()
    remove_tree(area)


CALL = """
import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
number, *words = json.loads(sys.argv[1])
words = [word.encode() if isinstance(word, str) else ctypes.c_long(word) for word in words]
made = libc.syscall(ctypes.c_long(number), *words)
print(0 if made >= 0 else ctypes.get_errno())
"""


def answer(sandbox: Local, *words: int | str, uids: bool = False) -> int:
    """The error number of one system call inside; 0 when it succeeded."""
    import json

    argv = [sandbox.python, "-I", "-S", "-c", CALL, json.dumps(words)]
    done = sandbox.run(Launch(argv=argv, uids=uids))
    assert done.exit_code == 0, done
    return int(done.stdout)


def number(name: str) -> int:
    return REFUSED[name][MACHINES[platform.machine()].column]


SOCKET = 41 if X86 else 198
SOCKETPAIR = 53 if X86 else 199
PERSONALITY = 135 if X86 else 92
CLONE, CLONE3, UNSHARE = (56, 435, 272) if X86 else (220, 435, 97)
IOCTL = 16 if X86 else 29
VSOCK, ALG, NETLINK = 40, 38, 16


@pytest.mark.parametrize(
    "name", sorted(name for name in REFUSED if platform.machine() in MACHINES and number(name) >= 0)
)
def test_every_refused_call_is_refused(local: Local, name: str) -> None:
    assert answer(local, number(name), 0, 0, 0, 0, 0) == errno.EPERM


@pytest.mark.parametrize("name", ["mount", "add_key", "ptrace", "chroot"])
def test_the_filter_is_there_with_uids_of_its_own(local: Local, name: str) -> None:
    assert answer(local, number(name), 0, 0, 0, 0, 0, uids=True) == errno.EPERM


# What an unprivileged program reaches on an ordinary kernel. The kernel may lack some: then that row says nothing here.
REACHED = {
    "vsock": (SOCKET, VSOCK, 1, 0),
    "crypto socket": (SOCKET, ALG, 5, 0),
    "netlink, not routes": (SOCKET, NETLINK, 3, 15),
    "add_key": (number("add_key") if platform.machine() in MACHINES else 0, "user", "name", "data", 4, -2),
    "keyctl": (number("keyctl") if platform.machine() in MACHINES else 0, 0, -3, 1),
    "personality": (PERSONALITY, 0x0040000),
    "traced by its parent": (number("ptrace") if platform.machine() in MACHINES else 0, 0, 0, 0, 0),
}


@pytest.mark.parametrize("call", REACHED.values(), ids=REACHED.keys())
def test_what_is_refused_is_reached_without_the_filter(
    local: Local, unfiltered: Local, call: tuple[int | str, ...]
) -> None:
    without = answer(unfiltered, *call)
    assert answer(local, *call) == errno.EPERM
    if without in {errno.ENOSYS, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT, errno.EPERM}:
        pytest.skip(f"this kernel, or what we run in, has none of it to reach (error {without})")
    assert without == 0


IO_URING = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
made = libc.syscall(ctypes.c_long(425), ctypes.c_long(1), ctypes.create_string_buffer(120))
print(0 if made >= 0 else ctypes.get_errno())
"""


def test_io_uring_is_reached_without_the_filter(local: Local, unfiltered: Local) -> None:
    answers = [int(made.run(Launch(argv=[made.python, "-I", "-c", IO_URING])).stdout) for made in (local, unfiltered)]
    assert answers[0] == errno.EPERM
    if answers[1] in {errno.ENOSYS, errno.EPERM}:
        pytest.skip("this kernel has no io_uring to reach")
    assert answers[1] == 0


CONTEXTS = """
import ctypes, sys
libc, made, kept = ctypes.CDLL(None, use_errno=True), 0, []
while made < 3:
    kept.append(ctypes.c_ulong(0))
    if libc.syscall(ctypes.c_long(int(sys.argv[1])), ctypes.c_int(1), ctypes.byref(kept[-1])):
        break
    made += 1
print(made, ctypes.get_errno(), open("/proc/sys/fs/aio-nr").read().strip())
"""


def test_contexts_that_the_whole_machine_shares_cannot_be_taken(local: Local, unfiltered: Local) -> None:
    """Without the filter three are taken, and the machine's one count tells of them."""
    with_, without = (
        made.run(Launch(argv=[made.python, "-I", "-c", CONTEXTS, str(number("io_setup"))])).stdout.split()
        for made in (local, unfiltered)
    )
    assert with_[:2] == [b"0", str(errno.EPERM).encode()]
    if without[1] == str(errno.ENOSYS).encode():
        pytest.skip("this kernel has no contexts to take")
    assert without[0] == b"3"
    assert int(without[2]) >= 3


# As in a call's own sandbox, namespaces are forbidden by count as well (ENOSPC); EPERM is the filter's word.
@pytest.mark.parametrize("flag", [1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30])
def test_new_namespaces_are_refused_and_ordinary_clones_are_not(local: Local, flag: int) -> None:
    assert answer(local, UNSHARE, flag) == errno.EPERM
    assert answer(local, CLONE, flag | 17, 0, 0, 0, 0) == errno.EPERM
    assert answer(local, UNSHARE, 0x400) == 0  # descriptors of its own


def test_clone3_is_said_not_to_exist(local: Local) -> None:
    assert answer(local, CLONE3, 0, 0) == errno.ENOSYS


def test_typing_into_a_terminal_is_refused(local: Local) -> None:
    assert answer(local, IOCTL, 0, 0x5412, "x") == errno.EPERM
    assert answer(local, IOCTL, 0, 0x5412 | 1 << 32, "x") == errno.EPERM  # the kernel looks at the low half alone
    assert answer(local, IOCTL, 0, 0x5401, "x" * 100) == errno.ENOTTY


def test_personality_can_be_read(local: Local) -> None:
    assert answer(local, PERSONALITY, 0xFFFFFFFF) == 0
    assert answer(local, PERSONALITY, 0x0400000) == errno.EPERM


@pytest.mark.parametrize("family", [1, 2, 10])
def test_ordinary_sockets_are_there(local: Local, family: int) -> None:
    assert answer(local, SOCKET, family, 1, 0) == 0
    assert answer(local, SOCKETPAIR, 2, 1, 0) == errno.EPERM
    assert answer(local, SOCKET, NETLINK, 3, 0) == 0


def test_a_family_cannot_be_hidden_in_the_upper_half(local: Local) -> None:
    assert answer(local, SOCKET, VSOCK | 1 << 32, 1, 0) == errno.EPERM


@pytest.mark.skipif(not X86, reason="only x86_64 has calls of a second kind")
def test_calls_of_another_architecture_kill(local: Local, unfiltered: Local) -> None:
    argv = [local.python, "-I", "-S", "-c", CALL, f"[{0x40000000 + 39}]"]
    assert local.run(Launch(argv=argv)).exit_code == -31  # SIGSYS
    assert unfiltered.run(Launch(argv=argv)).exit_code == 0


PYTHON = """
import asyncio, multiprocessing, os, socket, subprocess, tempfile, threading
assert socket.getaddrinfo('localhost', 80)
assert [name for _, name in socket.if_nameindex()]
with socket.create_server(('127.0.0.1', 0)) as server, socket.create_connection(server.getsockname()): pass
a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'
assert subprocess.run(['/bin/echo', 'x'], capture_output=True).stdout == b'x\\n'
async def main():
    process = await asyncio.create_subprocess_exec('/bin/true')
    return await process.wait()
assert asyncio.run(main()) == 0
assert multiprocessing.get_context('spawn').Pool
lock = multiprocessing.Lock()
with lock: pass
thread = threading.Thread(target=os.getpid); thread.start(); thread.join()
print('works')
"""
NODE = """
const os = require('os'), fs = require('fs'), http = require('http'), child = require('child_process');
const { Worker } = require('worker_threads');
if (!Object.keys(os.networkInterfaces()).includes('lo')) throw new Error('interfaces');
fs.writeFileSync('/tmp/x', 'x');
if (child.execSync('/bin/echo x').toString() !== 'x\\n') throw new Error('child');
const server = http.createServer((_, answer) => answer.end('x')).listen(0, '127.0.0.1', () =>
  http.get(server.address(), () => { server.close();
    new Worker('setTimeout(() => 0, 1)', { eval: true }).on('exit', () => { console.log('works'); process.exit(0); }); }));
"""
COMPILE = """
cd /tmp && printf '#include <stdio.h>\\n#include <thread>\\nint main() { std::thread t([] { puts("works"); }); t.join(); }' > a.cc \
&& g++ -pthread a.cc -o a && ./a
"""
GIT = """
cd /tmp && export HOME=/tmp && git init -q . && echo x > x && git add x \
&& git -c user.name=a -c user.email=a@b.c commit -qm x && git gc -q && git log --oneline | grep -q x && echo works
"""
ORDINARY = {
    "python": ("", ["{python}", "-I", "-c", PYTHON]),
    "node": ("node", ["/usr/bin/node", "-e", NODE]),
    "c++": ("g++", ["/bin/sh", "-c", COMPILE]),
    "git": ("git", ["/bin/sh", "-c", GIT]),
}


@pytest.mark.parametrize("uids", [False, True])
@pytest.mark.parametrize(("program", "argv"), ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_programs_do_not_notice(preview: Local, program: str, argv: list[str], uids: bool) -> None:
    if program and not Path("/usr/bin", program).exists():
        pytest.skip(f"{program} is not part of this system")
    words = [word.replace("{python}", preview.python) for word in argv]
    launch = Launch(argv=words, env={"PATH": "/usr/bin:/bin"}, uids=uids, limits=Limits(wall_s=120))
    done = preview.run(launch)
    assert done.stdout.endswith(b"works\n"), done
