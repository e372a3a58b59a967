"""The root file system of official verdicts: its recipe, and where it is once it was built. `rootfs_build` makes it.

`<area>/kept/rootfs-<digest>/` holds `root/` (what `local` shows), `root.tar` (what an engine imports; the digest is
its SHA-256) and `rootfs.json`. Nobody but root can write there.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tomllib
from pathlib import Path

from environments.languages.python.interpreter import Interpreter
from environments.rootfs_trim import VERSION
from environments.usermap import UserMap
from taskpack.errors import RecordUnreadable
from taskpack.record import Part, Record, to_json

RECIPE = Path(__file__).with_name("rootfs.toml")
RECORD = "rootfs.json"
COMMAND = "repowright doctor --build-base"
PROGRAM = "mmdebstrap"


class BaseRecipe(Part):
    """What a base is built from."""

    suite: str
    """Code name of the Debian release."""
    components: tuple[str, ...]
    epoch: int
    """Seconds since 1970: the youngest time of a file."""
    packages: tuple[str, ...]
    """Besides the essential ones; what they depend on comes along."""

    @property
    def key(self) -> str:
        """Digest of all that decides about a base except the archive's state."""
        parts = [self.model_dump(mode="json"), VERSION, platform.machine()]
        return hashlib.sha256(to_json(parts)).hexdigest()


class BasePython(Part):
    """The interpreter of a base."""

    path: str
    version: str
    minor: str
    machine: str

    @property
    def interpreter(self) -> Interpreter:
        return Interpreter(path=self.path, version=self.version, minor=self.minor, machine=self.machine, packages=())


class RootFs(Record):
    """A base that was built."""

    sha256: str
    """Of `root.tar`, in full: the base's digest."""
    recipe: str
    """`BaseRecipe.key` of the recipe that it was built from."""
    suite: str
    packages: tuple[str, ...]
    """`name=version`, sorted: what the archive gave on that day."""
    python: BasePython

    @property
    def name(self) -> str:
        """`rootfs:<first twelve digits of the digest>`, for receipts and verdicts."""
        return f"rootfs:{self.sha256[:12]}"


class Built(Part):
    """A base and where it lies."""

    folder: Path
    record: RootFs

    @property
    def root(self) -> Path:
        return self.folder / "root"

    @property
    def tar(self) -> Path:
        return self.folder / "root.tar"


def read_recipe(path: Path = RECIPE) -> BaseRecipe:
    """The recipe that this version of Repowright builds."""
    return BaseRecipe.model_validate(tomllib.loads(path.read_text("utf-8")))


def find_rootfs(area: Path) -> Built | None:
    """The base of the present recipe, if it was built in this runtime area."""
    key = read_recipe().key
    for path in sorted((area / "kept").glob(f"rootfs-*/{RECORD}")):
        try:
            record = RootFs.from_bytes(path.read_bytes(), where=str(path))
        except (RecordUnreadable, OSError):
            continue
        if record.recipe == key and path.parent.name == f"rootfs-{record.sha256}":
            return Built(folder=path.parent, record=record)
    return None


def why_none(users: UserMap) -> str:
    """Why this machine has no such base, and what would change that."""
    if os.geteuid() != 0 or not users.dropped:
        return "only root can build the root file system"
    if shutil.which(PROGRAM) is None:
        return f"{PROGRAM} is not installed (apt-get install {PROGRAM}), then: {COMMAND}"
    return f"it was not built yet: {COMMAND}"
