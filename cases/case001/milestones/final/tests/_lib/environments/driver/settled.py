"""What calls share, made so that to read it changes nothing: else one call could tell another what of it was read."""

from __future__ import annotations

import os
from pathlib import Path

_READ_LAST = 4_102_444_800
"""Seconds since 1970, far ahead: the kernel writes down the time of a reading where the last one is older than the last
change, or older than a day."""


def settle(folder: Path) -> None:
    """Set the time of the last reading of `folder` and all that is in it, links included. Called by uid 0."""
    for place, folders, names in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in (*folders, *names))):  # noqa: PTH118 (hundreds)
            info = os.lstat(path)
            os.lchown(path, 0, 0)  # only its owner may set a time
            os.utime(path, ns=(_READ_LAST * 10**9, info.st_mtime_ns), follow_symlinks=False)
            os.lchown(path, info.st_uid, info.st_gid)
