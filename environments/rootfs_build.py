"""Builds the root file system: mmdebstrap makes a Debian tree as root, the tree is trimmed, packed, named, unpacked.

The host's package archive is used while building and leaves no trace in the result. The same packages give the same
bytes on every machine of one architecture.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from environments.base import ETC_FILES
from environments.languages.python.interpreter import FACTS
from environments.rootfs import (
    PROGRAM,
    RECORD,
    BasePython,
    BaseRecipe,
    Built,
    RootFs,
    find_rootfs,
    read_recipe,
    why_none,
)
from environments.rootfs_trim import trim
from environments.runtime import Runtime
from environments.transfer import remove_tree
from environments.usermap import UserMap, current_users
from taskpack.errors import EnvironmentFailed, SandboxUnavailable
from taskpack.files import space_errors, write_bytes

_PART = ".rootfs-part-"
_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
_ASK_S = 60
_PATH = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

Say = Callable[[str], None]


def build_rootfs(say: Say) -> Built:
    """The base of the recipe: what is there, else built now, which takes a minute or two.

    One build at a time; whoever waited for another finds what that one made. A killed build leaves nothing that
    counts, and the next one takes it away. Raises `SandboxUnavailable` where none can be built, `EnvironmentFailed`
    when the archive does not give it, `NoSpace` on a full disk.
    """
    runtime = Runtime(current_users())
    try:
        with _alone(runtime.area / "kept", say):
            return find_rootfs(runtime.area) or _build(runtime, say)
    finally:
        runtime.close()


def make_tar(recipe: BaseRecipe, folder: Path, say: Say) -> tuple[str, ...]:
    """Build `folder/root.tar` from the archive; give its packages. Needs root."""
    raw = folder / "raw.tar"
    _bootstrap(recipe, raw, folder, say)
    say("leaving out what a sandbox does not show")
    with tarfile.open(raw) as before, tarfile.open(folder / "root.tar", "w", format=tarfile.GNU_FORMAT) as after:
        packages = trim(
            before, after, written={f"etc/{name}": text for name, text in ETC_FILES.items()}, epoch=recipe.epoch
        )
    raw.unlink()
    return packages


def _build(runtime: Runtime, say: Say) -> Built:
    users, kept = runtime.users, runtime.area / "kept"
    if not users.dropped or shutil.which(PROGRAM) is None:
        raise SandboxUnavailable(
            "the root file system cannot be built here",
            details={"because": why_none(users)},
            remedy="run as root with mmdebstrap installed, or go on with the preview base",
        )
    recipe = read_recipe()
    with space_errors(kept):
        part = Path(tempfile.mkdtemp(prefix=_PART, dir=kept))
        try:
            packages = make_tar(recipe, part, say)
            say("unpacking")
            _unpack(part / "root.tar", part / "root")
            with (part / "root.tar").open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            record = RootFs(
                sha256=digest,
                recipe=recipe.key,
                suite=recipe.suite,
                packages=packages,
                python=_ask_python(part / "root", users),
            )
            write_bytes(part / RECORD, record.to_bytes())
            part.chmod(0o755)
            os.sync()  # one for ten thousand files
            place = kept / f"rootfs-{digest}"
            remove_tree(place)  # one without a readable record
            part.rename(place)
        finally:
            remove_tree(part)
    say(f"built {record.name}: {len(packages)} packages, Python {record.python.version}")
    return Built(folder=place, record=record)


def _bootstrap(recipe: BaseRecipe, raw: Path, folder: Path, say: Say) -> None:
    command = [PROGRAM, "--mode=root", "--variant=essential", "--format=tar", f"--include={','.join(recipe.packages)}"]
    command += ['--aptopt=APT::Sandbox::User "root"', f"--components={','.join(recipe.components)}"]
    command += [recipe.suite, str(raw), *_archive(recipe)]
    kept = {name: os.environ[name] for name in _PROXIES if name in os.environ}
    env = {**_PATH, "LANG": "C.UTF-8", "HOME": "/nonexistent", **kept}
    env |= {"TMPDIR": str(folder), "SOURCE_DATE_EPOCH": str(recipe.epoch)}
    said: list[str] = []
    # A tree of programs: none of them may outlive us.
    with subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", *command],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=env,
        text=True,
    ) as process:
        assert process.stderr is not None  # noqa: S101 (it is a pipe)
        try:
            for line in process.stderr:
                said.append(line.rstrip())
                if line.startswith("I: "):
                    say(line[3:].rstrip())
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        raise EnvironmentFailed(
            "the root file system could not be built",
            details={"exit": str(process.returncode), PROGRAM: "\n".join(said[-12:])[-1500:]},
            remedy=f"check that the package archive answers and has {recipe.suite}, then run the same command again",
        )


def _archive(recipe: BaseRecipe) -> Sequence[str]:
    """Where the host has this release from; nothing where it knows none, for mmdebstrap's own default."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        asked = ["apt-get", "indextargets", "--format", "$(CODENAME) $(COMPONENT) $(REPO_URI)"]
        done = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=_ASK_S)
        rows = [line.split(" ", 2) for line in done.stdout.splitlines()]
        found = dict.fromkeys(row[2] for row in rows if row[0] == recipe.suite and row[1] in recipe.components)
        return [f"deb {address} {recipe.suite} {' '.join(recipe.components)}" for address in found]
    return []


def _unpack(tar: Path, root: Path) -> None:
    root.mkdir()
    command = [
        "tar",
        "--extract",
        "--file",
        str(tar),
        "--directory",
        str(root),
        "--numeric-owner",
        "--same-permissions",
    ]
    subprocess.run(command, check=True, capture_output=True)
    root.chmod(0o755)


def _ask_python(root: Path, users: UserMap) -> BasePython:
    """The facts of the base's interpreter, which runs in the tree as the uid that sandboxes have."""
    command = [
        "chroot",
        f"--userspec={users.uid}:{users.gid}",
        "--groups=",
        str(root),
        "/usr/bin/python3",
        "-I",
        "-c",
        FACTS,
    ]
    done = subprocess.run(command, capture_output=True, check=False, env=_PATH, timeout=_ASK_S)
    if done.returncode != 0:
        raise EnvironmentFailed(
            "the Python of the root file system does not run",
            details={"it said": done.stderr.decode("utf-8", "replace")[-400:]},
            remedy="correct environments/rootfs.toml or what environments/rootfs_trim.py leaves out",
        )
    facts = json.loads(done.stdout)
    minor = ".".join(str(number) for number in facts["minor"])
    return BasePython(path=facts["executable"], version=facts["version"], minor=minor, machine=facts["machine"])


@contextlib.contextmanager
def _alone(kept: Path, say: Say) -> Iterator[None]:
    """Hold the lock of all builds; take away what a killed one left."""
    with (kept / ".rootfs-lock").open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another build to end")
            fcntl.flock(file, fcntl.LOCK_EX)
        for left in kept.glob(f"{_PART}*"):
            remove_tree(left)
        yield
