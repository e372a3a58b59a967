"""A grader that stands beside the product: another process, but of the same user and in the same place, with no bounds
but those of the sandbox around both. What an attack does to it is told as facts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from environments.interface import Launch, Limits, Mount, Sandbox

_PRODUCT = """
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
_GRADER = """
import json, os, resource, subprocess, sys, threading, time

verdict = bytearray(b"verdict: failed")
seen = {"output": 0, "said": ""}

def processes():
    return {name for name in os.listdir("/proc") if name.isdigit()}

def read(stream):
    while seen["output"] < 64 << 20 and (part := os.read(stream.fileno(), 1 << 20)):
        seen["output"] += len(part)
        for line in part.decode("utf-8", "replace").splitlines():
            if line.startswith("said:"):
                seen["said"] = line

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
product = subprocess.Popen(
    [sys.executable, "-B", "-c", sys.argv[1]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/tmp",
    env={"HOME": "/tmp", "TMPDIR": "/tmp"},
)
reader = threading.Thread(target=read, args=(product.stdout,), daemon=True)
reader.start()
try:
    code = product.wait(6)
except subprocess.TimeoutExpired:
    code = None
reader.join(1)
print(json.dumps(seen | {
    "code": code,
    "can_fork": can_fork(),
    "left": len(processes() - before - {str(product.pid)}),
    "files": files - os.statvfs("/tmp").f_ffree,
    "peak_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    "verdict": verdict.decode(),
}), flush=True)
os._exit(0)
"""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What the grader found after the product had 6 seconds."""

    output: int
    """Bytes that it had to read, as far as it did: at most 64 MiB."""
    said: str
    """What the product's answer or error came to when it was written down."""
    code: int | None
    """How the product ended; None when it did not."""
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


def run_beside(sandbox: Sandbox, workspace: Path) -> Beside | None:
    """None when the grader itself did not live to tell. Whatever the attack does ends with the sandbox."""
    done = sandbox.run(
        Launch(
            argv=[sandbox.python, "-I", "-S", "-B", "-c", _GRADER, _PRODUCT],
            mounts=[Mount(source=workspace, dest="/app")],
            env={"HOME": "/tmp"},
            limits=Limits(wall_s=30, memory_mb=512, processes=64),
        )
    )
    lines = done.stdout.splitlines()
    return Beside(**json.loads(lines[-1])) if done.exit_code == 0 and lines else None
