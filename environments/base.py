"""What a sandbox shows as its root: the root file system built from our recipe, else the host's toolchain.

The second is the *preview* base: `/usr` read-only, an /etc of our own, the host's Python packages masked.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from environments.bwrap import INSIDE_UID
from environments.languages.python.interpreter import Interpreter, base_name, find_interpreter
from environments.runtime import Runtime
from environments.usermap import UserMap, current_users

_TOPS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC_FILES = {
    "passwd": f"root:x:0:0:root:/tmp:/bin/sh\nsandbox:x:{INSIDE_UID}:{INSIDE_UID}:sandbox:/tmp:/bin/sh\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": f"root:x:0:\nsandbox:x:{INSIDE_UID}:\nnogroup:x:65534:\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
}
"""Files of /etc that are ours on every base."""


@dataclass(frozen=True, kw_only=True)
class Base:
    """A root to show, read-only: `<root>/usr` and what belongs to it, with an /etc of our own."""

    name: str
    """`rootfs:<digest>` or `preview:<facts>`."""
    interpreter: Interpreter
    root: Path = Path("/")

    def mounts(self, *, etc: Path, empty: Path) -> list[str]:
        """Arguments for bubblewrap that build the root; everything else of the host is absent."""
        arguments = ["--ro-bind", str(self.root / "usr"), "/usr"]
        for name in _TOPS:
            top = self.root / name
            if top.is_symlink():
                arguments += ["--symlink", str(top.readlink()), f"/{name}"]
            elif top.is_dir():
                arguments += ["--ro-bind", str(top), f"/{name}"]
        for folder in _masked(self.interpreter):
            arguments += ["--ro-bind", str(empty), folder]
        return [*arguments, "--ro-bind", str(etc), "/etc"]

    def make_etc(self, folder: Path) -> None:
        """Fill `folder` as /etc: names for our uids, the loader's cache, the system's choice of programs."""
        if self.is_preview:
            _make_preview_etc(folder)
        else:
            shutil.copytree(self.root / "etc", folder, symlinks=True)

    @property
    def is_preview(self) -> bool:
        return self.root == Path("/")


def find_base(users: UserMap, area: Path) -> Base:
    """The root file system of the present recipe where it was built in the runtime area `area`, else the preview base.

    Raises `SandboxUnavailable` when the host has no Python that could serve.
    """
    if users.dropped:
        from environments.rootfs import find_rootfs  # noqa: PLC0415 (what a plain user never has needs more to be read)

        built = find_rootfs(area)
        if built is not None:
            return Base(name=built.record.name, interpreter=built.record.python.interpreter, root=built.root)
    found = find_interpreter(users)
    return Base(name=base_name(found), interpreter=found)


def base_facts() -> str:
    """The name of the base that a sandbox of this machine would have, without starting one.

    Raises `SandboxUnavailable` when there is none.
    """
    runtime = Runtime(current_users())
    try:
        return find_base(runtime.users, runtime.area).name
    finally:
        runtime.close()


def _make_preview_etc(folder: Path) -> None:
    folder.mkdir()
    for name, text in ETC_FILES.items():
        (folder / name).write_text(text, "utf-8")
    cache, choices = Path("/etc/ld.so.cache"), Path("/etc/alternatives")
    if cache.is_file():
        shutil.copyfile(cache, folder / cache.name)
    if choices.is_dir():
        shutil.copytree(choices, folder / choices.name, symlinks=True)
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def _masked(interpreter: Interpreter) -> list[str]:
    """Folders below /usr that must look empty: installed Python packages, and our own environment if it lies there."""
    if not interpreter.packages:
        return []
    ours = [sys.prefix] if sys.prefix != sys.base_prefix else []
    ours.append(str(Path(__file__).resolve().parent.parent))
    folders = dict.fromkeys(str(Path(folder).resolve()) for folder in [*interpreter.packages, *ours])
    return [folder for folder in folders if folder.startswith("/usr/") and Path(folder).is_dir()]
