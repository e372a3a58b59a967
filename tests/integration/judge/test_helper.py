"""Who works with a call's rights must be out of reach of what the call left: signals, memory, descriptors, bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environments.interface import Launch, Limits, Mount, Sandbox
from judge.bundle_lib import copy_lib

pytestmark = pytest.mark.sandbox

SCRIPT = '''
import json, os, resource, signal, sys, time
sys.path.insert(0, "/opt/lib")
from environments.driver.end import as_uid
from environments.driver.scene import become

UID = 1000

def uids_of(process):
    for line in open(f"/proc/{process}/status"):
        if line.startswith("Uid:"):
            return {int(word) for word in line.split()[1:]}

def tries(process):
    def write_memory():
        with open(f"/proc/{process}/mem", "r+b"): pass
    yield "stop", lambda: (os.kill(process, signal.SIGSTOP), os.kill(process, signal.SIGCONT))
    yield "memory", write_memory
    yield "descriptors", lambda: os.listdir(f"/proc/{process}/fd")
    yield "bounds", lambda: resource.prlimit(process, resource.RLIMIT_FSIZE, (0, 0))
    yield "end", lambda: os.kill(process, signal.SIGTERM)

def attack(answers):
    """What the call's uid can do to other processes that have it in any form, in a second and last to end them."""
    found, until = set(), time.monotonic() + 20
    while time.monotonic() < until and "end" not in found:
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if int(name) == os.getpid() or UID not in uids_of(name):
                    continue
            except OSError:
                continue
            if "met" not in found:
                until = time.monotonic() + 1
            found.add("met")
            for what, do in tries(int(name)):
                if what == "end" and time.monotonic() < until - 0.2:
                    continue
                try:
                    do()
                    found.add(what)
                except OSError:
                    pass
    os.write(answers, json.dumps(sorted(found)).encode())

def attacked(work):
    """What an attacker of the uid could do while `work` runs, and what that came to."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            become(UID)
            attack(writer)
        finally:
            os._exit(0)
    os.close(writer)
    came_to = work()
    os.wait()
    return {"done": came_to, "could": json.loads(os.read(reader, 4096))}

def of_the_uid():
    """A plain process of the uid, as what the call starts is."""
    child = os.fork()
    if child == 0:
        become(UID)
        time.sleep(4)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0

def helped():
    def work():
        time.sleep(4)
        os.close(os.open("/tmp/made", os.O_CREAT))
        assert os.stat("/tmp/made").st_uid == UID and len(os.listdir("/proc/self/task")) == 1
        assert not [name for name in range(3, 64) if is_open(name)]
    return as_uid(UID, work)

def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True

print(json.dumps({"plain": attacked(of_the_uid), "helper": attacked(helped)}))
'''


def test_a_call_cannot_reach_what_cleans_up_after_it(sandbox: Sandbox, tmp_path: Path) -> None:
    copy_lib(tmp_path)
    (tmp_path / "_lib" / "script.py").write_text(SCRIPT)
    launch = Launch(
        argv=("/usr/bin/python3", "/opt/lib/script.py"),
        mounts=(Mount(source=tmp_path / "_lib", dest="/opt/lib"),),
        limits=Limits(wall_s=60),
        uids=True,
    )
    done = sandbox.run(launch)
    assert done.exit_code == 0, done.stderr.decode()
    seen = json.loads(done.stdout)
    assert seen["plain"] == {"done": False, "could": ["bounds", "descriptors", "end", "memory", "met", "stop"]}
    assert seen["helper"] == {"done": True, "could": ["met"]}
