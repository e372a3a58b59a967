"""Runs a command as root of a user namespace that has every uid, and in which no further namespace can be made."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

CLOSED = 'read go; exec sh -c "echo 0 > /proc/sys/user/max_user_namespaces; exec \\"\\$@\\"" sh "$@" < /dev/null'


def main() -> int:
    child = subprocess.Popen(["unshare", "--user", "sh", "-c", CLOSED, "sh", *sys.argv[1:]], stdin=subprocess.PIPE)
    ours = Path("/proc/self/ns/user").readlink()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{child.pid}/ns/user").readlink() == ours and time.monotonic() < deadline:
        time.sleep(0.01)
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{child.pid}/{name}").write_text(f"0 0 {2**32 - 1}")
    child.communicate(b"go" + os.linesep.encode())
    return child.returncode


if __name__ == "__main__":
    sys.exit(main())
