"""Which uid a sandbox runs as, and the range of uids that root maps into one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import SandboxUnavailable

PLAIN_UID = 1_950_000_000
"""Between systemd's last reserved range and 2^31: nobody is given ids here by default."""
SPAN = 60_000
"""How many ids follow it into a sandbox with uids of its own."""
VARIABLE = "REPOWRIGHT_SANDBOX_UID"


@dataclass(frozen=True, kw_only=True)
class UserMap:
    """The uid that starts every sandbox. Its gid is the same number when we are root."""

    uid: int
    gid: int
    dropped: bool
    """Root drops to `uid`; a plain user stays what it is and cannot map a range."""

    def describe(self) -> str:
        """The mapping in the words of `/proc/PID/uid_map`."""
        return f"0 {self.uid} 1\n1 {self.uid + 1} {SPAN}\n"

    def map_range(self, pid: int) -> None:
        """Give process `pid`, which has just made a user namespace, uid 0 (our plain uid) and 1 to `SPAN`."""
        for kind in ("uid", "gid"):
            Path(f"/proc/{pid}/{kind}_map").write_text(self.describe(), "ascii")


def current_users() -> UserMap:
    """The map for this process, read from its uid and from `REPOWRIGHT_SANDBOX_UID`.

    Raises `SandboxUnavailable` for a value that is no free uid, or one that this system does not map.
    """
    if os.geteuid() != 0:
        return UserMap(uid=os.geteuid(), gid=os.getegid(), dropped=False)
    text = os.environ.get(VARIABLE, str(PLAIN_UID))
    if not text.isascii() or not text.isdigit() or not 1000 <= int(text) < 2**31 - SPAN:
        raise SandboxUnavailable(
            f"{VARIABLE} is not a usable uid",
            details={
                "value": text,
                "wanted": f"a free uid from 1000 to {2**31 - SPAN - 1}, as are the {SPAN} after it",
            },
            remedy=f"unset {VARIABLE}, or name a uid that no account and no line of /etc/subuid has",
        )
    uid = int(text)
    for kind in ("uid", "gid"):
        if not _is_mapped(Path(f"/proc/self/{kind}_map").read_text("ascii"), uid):
            raise SandboxUnavailable(
                f"this system has no {kind} {uid} to drop to",
                details={"map": " ".join(Path(f"/proc/self/{kind}_map").read_text("ascii").split())},
                remedy=f"set {VARIABLE} to a free uid inside that map with {SPAN} free ones after it",
            )
    return UserMap(uid=uid, gid=uid, dropped=True)


def _is_mapped(table: str, uid: int) -> bool:
    rows = [[int(number) for number in line.split()] for line in table.splitlines()]
    return any(first <= uid and uid + SPAN < first + count for first, _, count in rows)
