"""The product's TypeScript without its types, made once for all calls by a process that runs nothing of the product.

Node's own loader keeps what is left of a file in a folder, by the file's address and a sum of its text, and looks there
before it takes the types away itself. A file that is missing there, or is of another text, costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import stat
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from environments.driver.scene import BUILD_UID, FIRST_UID, become, set_limits

_PROGRAM = Path(__file__).parent / "wire" / "strip.mjs"
_CODE = re.compile(r".*(?<!\.d)\.[mc]?ts", re.DOTALL)
"""Files with declarations alone, `.d.ts`, are loaded by nobody."""
_NOT_STRIPPED = "node_modules"
"""Node refuses to take types from what lies in a folder of this name."""
_STRIP_S = 10
_KILL_S = 15
_FILES_CAP = 2000
_ENTRIES_CAP = 100_000
_FILE_BYTES_CAP = 1024 * 1024
_BYTES_CAP = 8 * 1024 * 1024
"""Beyond each of them, what is left is stripped in calls: the folder lies in memory, each file in it twice."""


@dataclass(kw_only=True)
class Stripped:
    """A folder that only the driver can write to, in which Node looks for `STORE-UID`."""

    folder: Path
    store: str
    """Version of Node and what else its cache depends on."""
    _uids: int = field(default=0)
    """How many uids, from the first one on, have a link to what the build made."""

    def open_to(self, count: int) -> None:
        """Let the first `count` uids find it. Whoever cannot, for want of room, strips for itself."""
        first = self.folder / f"{self.store}-{FIRST_UID}"
        with contextlib.suppress(OSError):
            while self._uids < count:
                if self._uids:  # a name more for the link is cheaper than another link
                    os.link(first, self.folder / f"{self.store}-{FIRST_UID + self._uids}", follow_symlinks=False)
                else:
                    first.symlink_to(f"{self.store}-{BUILD_UID}")
                self._uids += 1


def strip_product(
    place: Path, node: Path, *, flags: Sequence[str], product: Sequence[Path], memory_mb: int
) -> Stripped | None:
    """Make the folder `place`; None where the product has no TypeScript, or nothing came of it.

    Only with uids of their own for calls: else a call could change what the next one loads. `flags` are those of calls,
    for which V8 keeps what it makes apart. Text in the product ends the building process at worst.
    """
    sources = list(plain_sources(product))
    if not sources:
        return None
    place.mkdir(mode=0o755)
    os.chown(place, BUILD_UID, BUILD_UID)

    def drop() -> None:
        os.umask(0o022)  # calls read what is made, and none may change it
        set_limits(seconds=_KILL_S, memory_mb=memory_mb, own_uid=True)
        become(BUILD_UID)

    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [node, *flags, "--expose-internals", "--no-warnings", _PROGRAM, place, str(_STRIP_S)],
            input=b"".join(os.fsencode(path) + b"\0" for path in sources),
            cwd="/",
            env={"LANG": "C.UTF-8", "PATH": os.defpath, "TZ": "UTC"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_KILL_S,
            preexec_fn=drop,  # the driver has one thread
            check=False,
        )
    os.chown(place, 0, 0)
    made = [path for path in place.iterdir() if path.name.endswith(f"-{BUILD_UID}")]
    if len(made) != 1:
        return None
    return Stripped(folder=place, store=made[0].name.removesuffix(f"-{BUILD_UID}"))


def plain_sources(folders: Sequence[Path]) -> Iterator[Path]:
    """Plain files alone, each within the caps: to open a pipe would wait. By the paths that Node knows them by."""
    left = [Path(os.path.realpath(folder)) for folder in reversed(folders)]
    entries = files = size = 0
    while left:
        inner = []
        for path, info in _entries(left.pop()):
            entries += 1
            if entries > _ENTRIES_CAP:
                return
            if stat.S_ISDIR(info.st_mode):
                inner += [path] if path.name != _NOT_STRIPPED else []
            elif _CODE.fullmatch(path.name) and stat.S_ISREG(info.st_mode) and info.st_size <= _FILE_BYTES_CAP:
                files, size = files + 1, size + info.st_size
                if files > _FILES_CAP or size > _BYTES_CAP:
                    return
                yield path
        left += reversed(inner)


def _entries(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """What lies in a folder, by name; without what cannot be looked at."""
    names: list[str] = []
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        names += (entry.name for entry in itertools.islice(found, _ENTRIES_CAP + 1))
    for name in sorted(names):
        try:
            info = (folder / name).lstat()
        except OSError:
            continue
        yield folder / name, info
