"""The preview base: the host's toolchain, read-only, with an /etc of our own and the host's Python packages masked."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from environments.bwrap import INSIDE_UID
from environments.languages.python.interpreter import Interpreter

_TOPS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_ETC_FILES = {
    "passwd": f"root:x:0:0:root:/tmp:/bin/sh\nsandbox:x:{INSIDE_UID}:{INSIDE_UID}:sandbox:/tmp:/bin/sh\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": f"root:x:0:\nsandbox:x:{INSIDE_UID}:\nnogroup:x:65534:\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
}


def base_mounts(interpreter: Interpreter, *, etc: Path, empty: Path) -> list[str]:
    """Arguments that build the root: /usr and what belongs to it read-only, everything else of the host absent."""
    arguments = ["--ro-bind", "/usr", "/usr"]
    for name in _TOPS:
        top = Path("/", name)
        if top.is_symlink():
            arguments += ["--symlink", str(top.readlink()), str(top)]
        elif top.is_dir():
            arguments += ["--ro-bind", str(top), str(top)]
    for folder in _masked(interpreter):
        arguments += ["--ro-bind", str(empty), folder]
    return [*arguments, "--ro-bind", str(etc), "/etc"]


def make_etc(folder: Path) -> None:
    """Fill `folder` as /etc: names for our uids, the loader's cache, the system's choice of programs."""
    folder.mkdir()
    for name, text in _ETC_FILES.items():
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
    ours = [sys.prefix] if sys.prefix != sys.base_prefix else []
    ours.append(str(Path(__file__).resolve().parent.parent))
    folders = dict.fromkeys(str(Path(folder).resolve()) for folder in [*interpreter.packages, *ours])
    return [folder for folder in folders if folder.startswith("/usr/") and Path(folder).is_dir()]
