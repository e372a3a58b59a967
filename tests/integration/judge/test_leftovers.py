"""What a call leaves where a later call could find it, and what a workspace leaves in the causes."""

from __future__ import annotations

import ast
import os
import secrets
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import Seen, read_seen
from judge.product import Product
from taskpack.verdict import Judged, Verdict
from taskpack.wire.values import Body, encode_args
from tests.integration.judge.sandboxes import WithoutUids

pytestmark = pytest.mark.sandbox

CHECKOUT = Path(__file__).resolve().parents[3]

CHANNELS = '''
import ctypes, os, re, socket, struct, sys, time

LIBC = ctypes.CDLL(None, use_errno=True)
KEYS = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(os.uname().machine)
PLACES = ("~", "/tmp", "/tmp/bytecode", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/app", "/app/src", "/scenarios",
          "/opt/lib", "/env")
SHARED = ("/tmp", "/var/tmp", "/dev/shm")

def number_of(mark): return int(mark[:7], 16)

def stay(name, work):
    """A process that outlives its parent, holding what `work` makes; answers when it is there."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        try:
            held = work()
            os.write(writer, b"x")
            for number in range(3):
                os.close(number)
            time.sleep(600)
        finally:
            os._exit(0)
    os.close(writer)
    os.wait()
    if not os.read(reader, 1):
        raise OSError(name)

def listening(family, place):
    one = socket.socket(family)
    one.bind(place)
    one.listen()
    return one

def meet(family, place):
    with socket.socket(family) as one:
        one.connect(place)

def leave_connection(mark):
    """Its own end is closed first, so that the kernel keeps it for a minute."""
    with listening(socket.AF_INET, ("127.0.0.1", 0)) as server, socket.socket() as one:
        one.bind(("127.0.0.1", 40000 + number_of(mark) % 9999))
        one.connect(server.getsockname())
        other, _ = server.accept()
        one.close()
        other.recv(1)
        other.close()

def find_connection(mark):
    with open("/proc/net/tcp") as rows:
        equal(f":{40000 + number_of(mark) % 9999:04X} " in rows.read(), True)

def leave_deaf_connection(mark):
    """Its last words are never heard to be received: for minutes nobody has it, and the kernel says them again."""
    with listening(socket.AF_INET, ("127.0.0.2", 30000 + number_of(mark) % 9999)) as server, socket.socket() as one:
        one.connect(server.getsockname())
        server.accept()
        one.setsockopt(socket.IPPROTO_IP, 21, 255)  # IP_MINTTL
        one.send(b"x")

def find_deaf_connection(mark):
    with open("/proc/net/tcp") as rows:
        equal(f":{30000 + number_of(mark) % 9999:04X} " in rows.read(), True)

def leave_unreachable(mark):
    """Each of them lies in a message to the other, and nobody closes one before the process ends."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    named.bind("\\0unreachable" + mark)
    socket.send_fds(one, [b"x"], [named.fileno(), other.fileno(), one.fileno()])
    socket.send_fds(other, [b"x"], [named.fileno(), one.fileno(), other.fileno()])
    for each in (one, other, named):
        each.detach()

def find_unreachable(mark):
    with open("/proc/net/unix") as rows:
        equal("@unreachable" + mark in rows.read(), True)

def bits_of(mark):
    return [place for place in range(24) if number_of(mark) >> place & 1]

def leave_speed(mark):
    for place in bits_of(mark):
        with listening(socket.AF_INET, (f"127.1.1.{1 + place}", 0)) as server, socket.socket() as one:
            one.connect(server.getsockname())
            other, _ = server.accept()
            for sender, reader in ((one, other), (other, one)) * 3:
                sender.send(b"x")
                reader.recv(1)
            other.close()

def patience_with(address):
    """How long the first answer is waited for, in microseconds."""
    with listening(socket.AF_INET, (address, 0)) as server, socket.socket() as one:
        one.connect(server.getsockname())
        return struct.unpack_from("=I", one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 8)[0]

def find_speed(mark):
    """With some address of which something was kept it is another time than with one that nobody has spoken to."""
    new = patience_with("127.2.2.2")
    equal(any(patience_with(f"127.1.1.{1 + place}") != new for place in bits_of(mark)), True)

def label(mark):
    return socket.inet_pton(socket.AF_INET6, "::1") + struct.pack(">I", number_of(mark) % 0xfffff + 1)

def leave_label(mark):
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as one:
        one.setsockopt(41, 32, label(mark) + struct.pack("=BBHHHI", 0, 255, 1, 60, 60, 0))

def find_label(mark):
    with open("/proc/net/ip6_flowlabel") as rows:
        equal(f"{number_of(mark) % 0xfffff + 1:05X} " in rows.read(), True)

def bytecode(place):
    return f"/run/bytecode/app/src/bits/bit{place}.cpython-311.pyc".replace("311", f"3{sys.version_info[1]}")

def leave_reading(mark):
    os.stat(bytecode(0))
    for place in bits_of(mark):
        with open(bytecode(place), "rb") as file:
            file.read()

def find_reading(mark):
    read = [place for place in range(24) if os.stat(bytecode(place)).st_atime_ns > os.stat(bytecode(place)).st_mtime_ns]
    equal(read, bits_of(mark))

def file_in(folder, mark):
    return os.path.join(os.path.expanduser(folder), mark)

def key(ring, mark):
    if KEYS is None or LIBC.syscall(KEYS[0], b"user", mark.encode(), b"x", ctypes.c_size_t(1), ring) < 0:
        raise OSError("no keys")

def find_key(ring, mark):
    if KEYS is None or LIBC.syscall(KEYS[1], 10, ring, b"user", mark.encode(), 0) < 0:
        raise OSError("no such key")

def time_of(mark):
    return number_of(mark) * 10**9

def rules(mark):
    """An access list that names a uid."""
    rows = ((1, 7, -1), (2, 7, 1 + number_of(mark) % 50_000), (4, 0, -1), (0x10, 7, -1), (0x20, 0, -1))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows)

def uids_in(rules):
    return [struct.unpack_from("<HHi", rules, place)[2] for place in range(4, len(rules), 8)]

def equal(one, other):
    if one != other:
        raise ValueError

def checked(number):
    if number < 0:
        raise OSError(ctypes.get_errno())

def find_process(mark):
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/comm") as file:
                if file.read().strip() == mark[:15]:
                    return
        except OSError:
            continue
    raise OSError("no such process")

def in_memory(mark):
    with open("/proc/self/maps") as rows, open("/proc/self/mem", "rb", buffering=0) as memory:
        for row in rows:
            start, end, mode = re.match("([0-9a-f]+)-([0-9a-f]+) (..)", row).groups()
            if mode == "rw":
                try:
                    memory.seek(int(start, 16))
                    data = memory.read(int(end, 16) - int(start, 16)) or b""
                except (OSError, OverflowError):
                    continue
                if re.search(mark.encode() + b"-the-[r]est", data):
                    return
    raise OSError("not there")

LEAVE = {
    **{f"a file in {place}": lambda mark, place=place: open(file_in(place, mark), "w").close() for place in PLACES},
    **{f"the time of {place}": lambda mark, place=place: os.utime(place, ns=(0, time_of(mark))) for place in SHARED},
    **{f"an attribute of {place}": lambda mark, place=place: os.setxattr(place, "user.mark", mark.encode())
       for place in SHARED},
    **{f"a rule of {place}": lambda mark, place=place: os.setxattr(place, "system.posix_acl_access", rules(mark))
       for place in SHARED},
    "shared memory": lambda mark: checked(LIBC.shmget(number_of(mark), 4096, 0o1666)),
    "a message queue": lambda mark: checked(LIBC.msgget(number_of(mark), 0o1666)),
    "a semaphore": lambda mark: checked(LIBC.semget(number_of(mark), 1, 0o1666)),
    "an abstract socket": lambda mark: stay(mark, lambda: listening(socket.AF_UNIX, "\\0" + mark)),
    "a port": lambda mark: stay(mark, lambda: listening(socket.AF_INET, ("127.0.0.1", 20000 + number_of(mark) % 9999))),
    "a connection": leave_connection,
    "an unreachable socket": leave_unreachable,
    "the speed of an address": leave_speed,
    "a label of a flow": leave_label,
    "when something was read": leave_reading,
    "a process": lambda mark: stay(mark, lambda: open("/proc/self/comm", "w").write(mark[:15])),
    "a key of the user": lambda mark: key(-4, mark),
    "memory": lambda mark: None,
}
FIND = {
    **{f"a file in {place}": lambda mark, place=place: os.stat(file_in(place, mark)) for place in PLACES},
    **{f"the time of {place}": lambda mark, place=place: equal(os.stat(place).st_mtime_ns, time_of(mark))
       for place in SHARED},
    **{f"an attribute of {place}": lambda mark, place=place: equal(os.getxattr(place, "user.mark"), mark.encode())
       for place in SHARED},
    **{f"a rule of {place}": lambda mark, place=place: equal(
        uids_in(os.getxattr(place, "system.posix_acl_access"))[1], uids_in(rules(mark))[1]) for place in SHARED},
    "shared memory": lambda mark: checked(LIBC.shmget(number_of(mark), 0, 0)),
    "a message queue": lambda mark: checked(LIBC.msgget(number_of(mark), 0)),
    "a semaphore": lambda mark: checked(LIBC.semget(number_of(mark), 0, 0)),
    "an abstract socket": lambda mark: meet(socket.AF_UNIX, "\\0" + mark),
    "a port": lambda mark: meet(socket.AF_INET, ("127.0.0.1", 20000 + number_of(mark) % 9999)),
    "a connection": find_connection,
    "an unreachable socket": find_unreachable,
    "the speed of an address": find_speed,
    "a label of a flow": find_label,
    "when something was read": find_reading,
    "a process": lambda mark: find_process(mark),
    "a key of the user": lambda mark: find_key(-4, mark),
    "memory": in_memory,
}
SESSION = -3

def open_processes():
    """Other processes whose memory or pipes can be opened."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            for place in ("mem", "fd/0", "fd/1"):
                try:
                    os.close(os.open(f"/proc/{name}/{place}", os.O_RDWR if place == "mem" else os.O_WRONLY))
                except OSError:
                    continue
                found.append(f"{name}: {place}")
    return found

OF_FOLDERS = ("the time of", "an attribute of", "a rule of")

def worked(attempts, mark, of_folders=False):
    names = []
    for name, attempt in attempts.items():
        if name.startswith(OF_FOLDERS) != of_folders:
            continue
        try:
            attempt(mark)
        except (OSError, ValueError):
            continue
        names.append(name)
    return names
'''
SCENARIO = """
import channels

def left(mark, rest):
    return channels.worked(channels.LEAVE, mark)

def found(mark):
    return channels.worked(channels.FIND, mark)

def both(mark, rest):
    channels.worked(channels.LEAVE, mark)
    return channels.worked(channels.FIND, mark)

def folders_left(mark):
    return channels.worked(channels.LEAVE, mark, of_folders=True)

def folders_found(mark):
    return channels.worked(channels.FIND, mark, of_folders=True)

def folders_both(mark):
    folders_left(mark)
    return folders_found(mark)

def open_processes():
    return channels.open_processes()

def deaf_left(mark):
    channels.leave_deaf_connection(mark)
    channels.find_deaf_connection(mark)
    print("left")

def deaf_found(mark):
    return channels.worked({"it": channels.find_deaf_connection}, mark)

def key_left(mark):
    channels.key(channels.SESSION, mark)
    return "left"

def key_found(mark):
    channels.find_key(channels.SESSION, mark)
    return "found"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_channels(tmp_path)


def lay_channels(folder: Path) -> Path:
    """A workspace and a suite of channels."""
    (folder / "app/src").mkdir(parents=True)
    (folder / "app/src/channels.py").write_text(CHANNELS)
    (folder / "app/src/bits").mkdir()
    for place in range(24):
        (folder / f"app/src/bits/bit{place}.py").touch()
    (folder / "scenarios").mkdir()
    (folder / "scenarios/F01.py").write_text(SCENARIO)
    copy_lib(folder / "tests")
    return folder


def start(sandbox: Sandbox, folder: Path) -> Product:
    return Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=("src",),
    )


def call(product: Product, name: str, **args: Any) -> Seen:
    body = Body()
    answer = product.call(name, encode_args(args, body), body=body.to_bytes())
    return read_seen(answer.reply, answer.body)


@pytest.fixture(params=["range of uids", "no range"])
def product(request: pytest.FixtureRequest, sandbox: Sandbox, folder: Path) -> Iterator[Product]:
    made: Any = sandbox if request.param == "range of uids" else WithoutUids(sandbox)
    with start(made, folder) as product:
        yield product


def test_a_call_finds_nothing_of_an_earlier_one(product: Product) -> None:
    """Every channel is one: the call that leaves something finds it as long as it lasts. Keys, and shared memory where
    nothing measures it, are refused altogether."""
    mark = secrets.token_hex(8)
    channels = {"a file in ~", "a message queue", "a semaphore", "an abstract socket", "a port"}
    channels |= {"a process", "memory", "an unreachable socket"}
    left = set(call(product, "left", mark=mark, rest=f"{mark}-the-rest").value)
    assert left >= channels | ({"when something was read"} if "uids" in product.features else set())
    assert call(product, "found", mark=mark).value == []
    mark = secrets.token_hex(8)  # last: of each file the kernel writes down one reading a day
    assert set(call(product, "both", mark=mark, rest=f"{mark}-the-rest").value) >= channels


def test_a_connection_that_outlives_its_call_ends_the_sandbox(product: Product) -> None:
    """Nobody but the kernel can end it, and that takes minutes: the call has failed, and the next one is elsewhere."""
    mark = secrets.token_hex(8)
    assert call(product, "deaf_left", mark=mark).outcome in {"malformed", "returned"}
    assert call(product, "deaf_found", mark=mark).value == []


@pytest.mark.parametrize(
    "shape",
    ["range of uids", "no range"],
)
def test_no_other_process_can_be_written_by_a_call(sandbox: Sandbox, folder: Path, shape: str) -> None:
    """Whoever opens the pipes of the first process speaks to the broker in the driver's place; whoever writes to its
    memory stays when the call's processes are killed."""
    made: Any = sandbox if shape == "range of uids" else WithoutUids(sandbox)
    with start(made, folder) as product:
        if shape == "range of uids" and "uids" not in product.features:
            pytest.skip("a plain user has no range of uids")
        assert call(product, "open_processes").value == []


def test_a_call_finds_nothing_that_an_earlier_one_wrote_on_the_shared_folders_themselves(
    sandbox: Sandbox, folder: Path
) -> None:
    with start(sandbox, folder) as product:
        if "uids" not in product.features:
            pytest.skip("each call has a sandbox of its own here")
        mark = secrets.token_hex(8)
        assert {"the time of /tmp", "a rule of /tmp"} <= set(call(product, "folders_both", mark=mark).value)
        mark = secrets.token_hex(8)
        call(product, "folders_left", mark=mark)
        assert call(product, "folders_found", mark=mark).value == []


def test_another_sandbox_finds_nothing_either(sandbox: Sandbox, folder: Path) -> None:
    """Calls of two sandboxes have the same uids inside, and never the same outside."""
    mark = secrets.token_hex(8)
    with start(sandbox, folder) as one:
        assert call(one, "left", mark=mark, rest=f"{mark}-the-rest").value != []
        with start(sandbox, folder) as beside:
            assert call(beside, "found", mark=mark).value == []
    with start(sandbox, folder) as after:
        assert call(after, "found", mark=mark).value == []


UNDEFENDED = """
import fcntl, os, pathlib, socket, struct, sys
from tests.integration.judge import test_leftovers as here
space = {}
exec(here.CHANNELS, space)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:  # the loopback of a new namespace is down
    fcntl.ioctl(asks, 0x8914, struct.pack("16sh22x", b"lo", 1))
folder = pathlib.Path(sys.argv[1])
for place in range(24):
    (folder / str(place)).write_text("x")
    os.utime(folder / str(place), (10**9, 10**9))
space["bytecode"] = lambda place: str(folder / str(place))
names = ("the speed of an address", "a label of a flow", "when something was read")
mark = "abcdef0123456789"
for half in (space["LEAVE"], space["FIND"]):
    print(space["worked"]({name: half[name] for name in names}, mark))
"""


def test_channels_that_a_sandbox_closes_at_once_are_found_where_nothing_closes_them(tmp_path: Path) -> None:
    """Else the call that leaves something could not find it either, and a broken probe would look like a closed one."""
    command = [*unshared_net(), sys.executable, "-c", UNDEFENDED, str(tmp_path)]
    done = subprocess.run(
        command, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    names = ["the speed of an address", "a label of a flow", "when something was read"]
    if os.statvfs(tmp_path).f_flag & os.ST_NOATIME:
        names.remove("when something was read")
    left, found = (set(line) for line in map(ast.literal_eval, done.stdout.splitlines()))
    assert set(names) <= left & found


def unshared_net() -> list[str]:
    """What runs a program in a network namespace of its own, with the right to set it up."""
    command = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no network namespace can be made here")
    return command


IN_A_SESSION = """
import ctypes, sys
from pathlib import Path
from environments.choose import choose_sandbox
from taskpack.layout import WorkFolder
from tests.integration.judge import test_leftovers as here
space = {}
exec(here.CHANNELS, space)
if space["KEYS"] is None or space["LIBC"].syscall(space["KEYS"][1], 1, None) < 0:
    sys.exit(77)
folder = here.lay_channels(Path(sys.argv[1]))
sandbox = choose_sandbox(WorkFolder(root=folder / "work"))
with here.start(sandbox, folder) as product:
    here.call(product, "key_left", mark="mark")
    print("a later call:", here.call(product, "key_found", mark="mark").outcome)
try:
    space["find_key"](space["SESSION"], "mark")
    print("this machine: found")
except OSError:
    print("this machine: nothing")
space["key"](space["SESSION"], "mark")
space["find_key"](space["SESSION"], "mark")
"""


def test_a_key_of_the_session_is_found_by_no_later_call_and_not_left_here(tmp_path: Path) -> None:
    """A login gives its processes a session keyring; whoever has it may write to it, whatever its uid."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SESSION, str(tmp_path)],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip("the kernel gives no session keyring here")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == ["a later call: raised", "this machine: nothing"]


def test_names_in_a_workspace_cannot_steer_the_terminal_that_shows_the_causes(
    verdict_of: Callable[[Path], Verdict], workspace: Path
) -> None:
    (workspace / "\x1b[2J\x1b[1;1H\nreward 1\u202e").symlink_to("/etc/passwd")
    (workspace / "src/tally/ledger.py").write_text(
        textwrap.dedent("""
        class BadLine(ValueError): pass
        BadLine.__qualname__ = BadLine.__module__ = "\\x1b]0;title\\x07\\nreward 1"
        def total(text): raise BadLine("\\x1b[2J")
        parse = total
        """)
    )
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert any(
        "\\x1b[2J\\x1b[1;1H\\nreward 1\\u202e: a link that leaves the workspace" in each for each in verdict.causes
    )
    assert [cause for cause in verdict.causes if not cause.isprintable()] == []
    assert [node for node in verdict.nodes if not node.cause.isprintable()] == []
