"""Which uids a sandbox runs as: a first one, and the range that root maps into it; a slice for each that is alive."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import SandboxUnavailable

PLAIN_UID = 1_950_000_000
"""Between systemd's last reserved range and 2^31: nobody is given ids here by default."""
SPAN = 60_000
"""How many ids follow the first one into a sandbox with uids of its own."""
SLICES = 32
"""How many sandboxes can be alive at once, each with ids of its own."""
VARIABLE = "REPOWRIGHT_SANDBOX_UID"


@dataclass(frozen=True, kw_only=True)
class UserMap:
    """The uid that starts a sandbox. When we are root, the gid is that of the first slice for all."""

    uid: int
    gid: int
    dropped: bool
    """Root drops to `uid`; a plain user stays what it is and cannot map a range."""
    slices: int = 1
    """How many ranges there are one after the other, the one at `uid` first. With 1, all sandboxes share it."""

    @property
    def last(self) -> int:
        """The last id that any sandbox may use."""
        return self.uid + self.slices * (SPAN + 1) - 1 if self.dropped else self.uid

    def slice(self, number: int) -> UserMap:
        """The map of one sandbox. Its ids are its own, but for the first gid, which may pass through our folders."""
        return UserMap(uid=self.uid + number * (SPAN + 1), gid=self.gid, dropped=self.dropped)

    def describe(self, kind: str = "uid") -> str:
        """The mapping of `uid` or `gid`, in the words of `/proc/PID/uid_map`."""
        return f"0 {self.uid if kind == 'uid' else self.gid} 1\n1 {self.uid + 1} {SPAN}\n"

    def map_range(self, pid: int) -> None:
        """Give process `pid`, which has just made a user namespace, uid 0 (our plain uid) and 1 to `SPAN`."""
        for kind in ("uid", "gid"):
            Path(f"/proc/{pid}/{kind}_map").write_text(self.describe(kind), "ascii")


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
    slices = SLICES
    for kind in ("uid", "gid"):
        slices = min(slices, _slices(Path(f"/proc/self/{kind}_map").read_text("ascii"), uid))
        if slices < 1:
            raise SandboxUnavailable(
                f"this system has no {kind} {uid} to drop to",
                details={"map": " ".join(Path(f"/proc/self/{kind}_map").read_text("ascii").split())},
                remedy=f"set {VARIABLE} to a free uid inside that map with {SPAN} free ones after it",
            )
    return UserMap(uid=uid, gid=uid, dropped=True, slices=slices)


def _slices(table: str, uid: int) -> int:
    """How many whole slices this system maps from `uid` on."""
    rows = [[int(number) for number in line.split()] for line in table.splitlines()]
    ends = [min(first + count, 2**31) for first, _, count in rows if first <= uid < first + count]
    return max(((end - uid) // (SPAN + 1) for end in ends), default=0)
