"""libfaketime for product sandboxes: built inside from the source that the wheel of that name carries, locked by hash.

The library in the wheel itself is not used: a product that sleeps under it does not wake up.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from environments.build import build
from environments.interface import Launch, Limits, Mount, Sandbox
from environments.languages.python.lock import committed_lock
from taskpack.errors import EnvironmentFailed
from taskpack.files import publish_folder, space_errors
from taskpack.layout import WorkFolder
from taskpack.scratch import temporary_folder

_PLACE = "/opt/clock"
_NAME = "libfaketime.so.1"
_SOURCE = "libfaketime/vendor/libfaketime/src"
CLOCK_ENV = {"LD_PRELOAD": f"{_PLACE}/{_NAME}", "FAKETIME_NO_CACHE": "1", "FAKETIME_FMT": "%s", "FAKETIME": "+0"}
"""What a driver is started with. An offset of nothing keeps the library from looking for its settings in three files at
every call that has to do with time or files. FAKETIME_DONT_FAKE_MONOTONIC stays unset: with it, sleeping fails."""
_PARTS = ("FAKE_PTHREAD", "FAKE_STAT", "FAKE_UTIME", "FAKE_SLEEP", "FAKE_TIMERS", "FAKE_INTERNAL_CALLS")
_OPTIONS = ("-std=gnu99", "-O2", "-fPIC", "-shared", "-Wl,--version-script=libfaketime.map")
_STRINGS = ('-DPREFIX="/usr"', '-DLIBDIRNAME="/lib"')
_BUILD = Limits(wall_s=120)


def clock_site(*, work: WorkFolder, sandbox: Sandbox) -> Path:
    """The folder with the library, built once for a base.

    Raises `EnvironmentFailed` when the base has no C compiler, and as `build`.
    """
    source = build(committed_lock("clock", python=sandbox.python), work=work, sandbox=sandbox)
    key = hashlib.sha256(f"{source.tree}\n{sandbox.base}\n{_OPTIONS}\n{_PARTS}".encode()).hexdigest()
    place = work.environments / f"clock-{key}"
    if not (place / _NAME).is_file():
        with space_errors(work.environments), temporary_folder(work.environments, prefix=".building-") as folder:
            out = folder / "out"
            out.mkdir()
            _compile(work.root / source.folder / _SOURCE, out, sandbox=sandbox)
            publish_folder(out, place)
    return place


def clock_mount(site: Path) -> Mount:
    """Where the library lies inside."""
    return Mount(source=site, dest=_PLACE)


def _compile(source: Path, out: Path, *, sandbox: Sandbox) -> None:
    defines = [f"-D{part}" for part in _PARTS]
    command = ["cc", *_OPTIONS, *defines, *_STRINGS, "-o", f"/out/{_NAME}", "libfaketime.c", "-ldl", "-lm", "-lrt"]
    done = sandbox.run(
        Launch(
            argv=["/bin/sh", "-c", 'exec "$@"', "sh", *command],
            cwd="/source",
            env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
            mounts=[Mount(source=source, dest="/source"), Mount(source=out, dest="/out", writable=True)],
            limits=_BUILD,
        )
    )
    if done.exit_code != 0 or not (out / _NAME).is_file():
        raise EnvironmentFailed(
            "the clock for product sandboxes could not be built",
            details={"exit": str(done.exit_code), "log": done.stderr.decode("utf-8", "replace")[-400:]},
            remedy="use a base with a C compiler: install gcc, or build the root file system (repowright doctor tells)",
        )
