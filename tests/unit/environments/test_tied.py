"""What was started by a process that is killed ends with it, and would not if it were not tied."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from environments.tied import tied

STARTS = """
import subprocess, sys
subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
sys.stdout.write("started\\n"); sys.stdout.flush()
sys.stdin.read()
"""
WAITS = [sys.executable, "-c", "import os, sys, time; os.write(1, b'%d\\n' % os.getpid()); time.sleep(600)"]


@pytest.mark.parametrize("is_tied", [True, False])
def test_a_tied_program_ends_with_a_killed_parent_and_another_does_not(is_tied: bool, tmp_path: Path) -> None:
    command = tied(WAITS) if is_tied else WAITS
    parent = subprocess.Popen(
        [sys.executable, "-c", STARTS, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    assert parent.stdin is not None
    lines = {parent.stdout.readline().strip(), parent.stdout.readline().strip()}
    (child,) = (int(line) for line in lines if line.isdigit())
    handle = os.pidfd_open(child)
    try:
        parent.kill()
        parent.wait()
        ended = bool(select.select([handle], [], [], 20 if is_tied else 0.5)[0])
        assert ended == is_tied
    finally:
        if not is_tied:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
        parent.stdin.close()
        parent.stdout.close()
