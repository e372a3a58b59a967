"""The `docker` back end: a container for each sandbox, on an image made of the root file system."""

from __future__ import annotations

import atexit
import contextlib
import functools
import logging
import os
import threading
import weakref
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import IO

from environments.base import find_base
from environments.bwrap import INSIDE_UID
from environments.covers import NOTHING, covers
from environments.docker import Bind, Container, Engine, engine_address
from environments.docker_owners import AREA, OWNER, area_mark, sweep_containers
from environments.docker_running import READY, DockerRunning
from environments.docker_syscalls import profile
from environments.interface import Finished, Launch, Mechanism, Mount
from environments.local import check_launch
from environments.network import RegistryAccess, open_registry
from environments.rootfs import COMMAND, find_rootfs, why_none
from environments.running import AGAIN, Starved, Tail
from environments.runtime import Runtime
from environments.transfer import Owner, copy_in, copy_out, others_may_read, remove_tree
from environments.usermap import UserMap, current_users
from taskpack.errors import RepowrightError, SandboxFailed, SandboxUnavailable
from taskpack.files import space_errors
from taskpack.layout import WorkFolder

_log = logging.getLogger(__name__)

REPOSITORY = "repowright/rootfs"
_CAPABILITIES = ("SETUID", "SETGID", "KILL", "CHOWN", "DAC_OVERRIDE")
_MIB = 1024 * 1024
_OPEN_FILES = 4096
_END_S = 60.0
_OWN_ETC = ("hostname", "hosts", "resolv.conf")
"""Files that the engine would put there itself, with names of the host in them."""
# Says that it is there, takes away what the engine adds to the environment, and becomes the program.
_BOOT = (
    'repowright_program=$(command -v -- "$1") || {{ echo "there is no $1 inside" >&2; exit 127; }}; shift; {limit}'
    'unset {added}; echo "{ready}" >&2; exec "$repowright_program" "$@"'
)
_ADDED = ("HOME", "HOSTNAME", "PATH")


class Docker:
    """Sandboxes in containers of an engine on this machine.

    Any thread may start one and any may use it. Writable mounts are copies; `run` brings them back to their source
    when the process has ended, `start` does not.
    """

    name = "docker"

    def __init__(
        self,
        *,
        work: WorkFolder | None = None,
        users: UserMap | None = None,
        runtime: Runtime | None = None,
        address: str | None = None,
    ) -> None:
        """`work` is where built environments lie; `address` is `unix://…`, by default what `engine_address` finds.

        Raises `SandboxUnavailable` when no engine answers, or the root file system was not built. Containers of
        processes that are dead are taken away. Nothing has been proven yet: see `choose_sandbox`.
        """
        self.users = users or current_users()
        self.engine = Engine(address or engine_address())
        self.runtime = runtime or Runtime(self.users)
        built = find_rootfs(self.runtime.area)
        if built is None:
            raise SandboxUnavailable(
                "there is no root file system for containers",
                details={"because": why_none(self.users)},
                remedy=COMMAND,
            )
        self._base = find_base(self.users, self.runtime.area)
        self._root = built.root
        self.base = built.record.name
        self.python = built.record.python.path
        self.image = f"{REPOSITORY}:{built.record.sha256}"
        self.limits_by = Mechanism.CGROUP_V2 if self.engine.facts.cgroup == "2" else Mechanism.CGROUP_V1
        self._environments = work.environments.resolve() if work else None
        self._alive: weakref.WeakSet[DockerRunning] = weakref.WeakSet()
        self._pid = os.getpid()
        self._mark = area_mark(self.runtime.area)
        sweep_containers(self.engine, self._mark)
        if not self.engine.has_image(self.image):
            self.engine.import_image(built.tar, REPOSITORY, built.record.sha256)
        atexit.register(self.close)

    def close(self) -> None:
        """End its sandboxes and take away what this process put on disk for them. It happens at exit as well.

        Containers that an engine in trouble has kept go as well, if it answers by now.
        """
        if os.getpid() == self._pid:
            with contextlib.suppress(SandboxFailed):
                for running in list(self._alive):
                    with contextlib.suppress(Starved):
                        running.close()
                for container, owner in self.engine.labelled(f"{AREA}={self._mark}", value_of=OWNER).items():
                    if owner == str(self.runtime.own):
                        self.engine.remove(container)
            self.engine.close()
        self.runtime.close()
        atexit.unregister(self.close)

    @property
    def outside(self) -> UserMap:
        """Whom a program that got out would be outside, as long as the engine does not remap uids."""
        return UserMap(uid=INSIDE_UID, gid=INSIDE_UID, dropped=True) if os.geteuid() == 0 else self.users

    def start(self, launch: Launch) -> DockerRunning:
        """Start a process with pipes on stdin and stdout.

        Raises `SandboxFailed` when the sandbox cannot be made.
        """
        return self._start(launch, self.runtime.new_run())

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        """Run to the end or to `limits.wall_s`, bring writable mounts back, then leave nothing behind."""
        run = self.runtime.new_run()
        with self._start(launch, run) as running:
            threading.Thread(target=_feed, args=(running.stdin, stdin), daemon=True).start()
            output = Tail(running.stdout)
            code = running.wait(launch.limits.wall_s + _END_S)
            if code is None:
                raise SandboxFailed("a container outlived its time limit", remedy=AGAIN)
            output.join()
            running.stderr.join()
            for number, mount in enumerate(launch.mounts):
                if mount.writable:
                    copy_out(run / f"mount-{number}", mount.source)
            return Finished(
                exit_code=code,
                timed_out=running.timed_out,
                stopped_by=running.limited_by,
                stdout=output.bytes(),
                stderr=running.stderr.bytes(),
            )

    def _start(self, launch: Launch, run: Path) -> DockerRunning:
        uids = launch.uids and (os.geteuid() == 0 or not any(mount.writable for mount in launch.mounts))
        clean = functools.partial(remove_tree, run)
        try:
            with space_errors(run):
                container = self.engine.create(self._container(launch, run, uids=uids))
            writable = [run / f"mount-{number}" for number, mount in enumerate(launch.mounts) if mount.writable]
        except OSError as error:
            clean()
            raise SandboxFailed(
                "the sandbox could not be prepared", details={"fact": str(error)[:400]}, remedy=AGAIN
            ) from error
        except RepowrightError:
            clean()
            raise
        running = DockerRunning(self.engine, container, uids=uids, limits=launch.limits, writable=writable, clean=clean)
        self._alive.add(running)
        return running

    def _container(self, launch: Launch, run: Path, *, uids: bool) -> Container:
        access = self._registry if launch.network else RegistryAccess(env={}, mounts=())
        mounts = [*launch.mounts, *access.mounts]
        check_launch(launch.argv, mounts)
        env = {**access.env, **launch.env}
        inside = 0 if uids else self._inside_uid
        limits = launch.limits
        return Container(
            image=self.image,
            argv=["/bin/sh", "-c", _boot(env, limits.process_mb), "sh", *launch.argv],
            env=env,
            cwd=launch.cwd,
            user=f"{inside}:{inside}",
            capabilities=_CAPABILITIES if uids else (),
            network=launch.network,
            binds=[
                *self._binds(mounts, run, etc=self._etc_registry if launch.network else self._etc, owner=inside),
                *self._covers(launch),
            ],
            tmpfs=_private_places(limits.tmp_mb, inside),
            shm=limits.tmp_mb * _MIB,
            memory=limits.memory_mb * _MIB,
            processes=limits.processes,
            ulimits={"nofile": _OPEN_FILES, "fsize": limits.disk_mb * _MIB, "core": 0},
            seccomp=self._profile,
            labels={AREA: self._mark, OWNER: str(self.runtime.own)},
        )

    @property
    def _inside_uid(self) -> int:
        return INSIDE_UID if os.geteuid() == 0 else os.geteuid()

    def _binds(self, mounts: Sequence[Mount], run: Path, *, etc: Path, owner: int) -> list[Bind]:
        binds = [Bind(source=etc, dest="/etc"), *(Bind(source=etc / name, dest=f"/etc/{name}") for name in _OWN_ETC)]
        for number, mount in enumerate(mounts):
            source = self._source(mount, run, f"mount-{number}", owner)
            binds.append(Bind(source=source, dest=mount.dest, writable=mount.writable))
        return binds

    def _covers(self, launch: Launch) -> list[Bind]:
        found = covers(launch.masked, root=self._root, mounts=launch.mounts)
        return [Bind(source=self._empty if one.folder else Path(NOTHING), dest=one.dest) for one in found]

    def _source(self, mount: Mount, run: Path, name: str, owner: int) -> Path:
        source = mount.source.resolve(strict=True)
        if mount.writable:
            copy_in(source, run / name, owner=Owner(uid=owner, gid=owner) if os.geteuid() == 0 else None)
            return run / name
        if self._environments and source.parent == self._environments:
            return self.runtime.keep(source, source.name)
        if self.users.dropped:
            return self.runtime.readable(source, run, name)
        if not others_may_read(source):
            copy_in(source, run / name)
            return run / name
        return source

    @cached_property
    def _profile(self) -> str:
        return profile()

    @cached_property
    def _empty(self) -> Path:
        folder = self.runtime.new_run()
        folder.chmod(0o755)
        return folder

    @cached_property
    def _etc(self) -> Path:
        folder = self.runtime.new_run() / "etc"
        self._base.make_etc(folder)
        (folder / "resolv.conf").touch()
        return _named(folder)

    @cached_property
    def _etc_registry(self) -> Path:
        folder = self.runtime.new_run() / "etc"
        self._base.make_etc(folder)
        return _named(folder)

    @cached_property
    def _registry(self) -> RegistryAccess:
        access = open_registry(self._etc_registry, environ=os.environ, hosts_usr=False)
        (self._etc_registry / "resolv.conf").touch()
        return access


def _named(etc: Path) -> Path:
    (etc / "hostname").write_text("sandbox\n", "ascii")
    return etc


def _boot(env: dict[str, str], process_mb: int) -> str:
    limit = f"ulimit -v {process_mb * 1024}; " if process_mb else ""
    return _BOOT.format(limit=limit, added=" ".join(name for name in _ADDED if name not in env), ready=READY)


def _private_places(tmp_mb: int, owner: int) -> dict[str, str]:
    """The only writable places, in memory and sized; the engine sees to /dev/shm. Nothing of the host is in /sys."""
    shared = f"rw,exec,nosuid,nodev,size={tmp_mb}m,mode=1777"
    return {
        "/tmp": shared,  # noqa: S108 (inside)
        "/var/tmp": shared,  # noqa: S108
        "/run": f"rw,exec,nosuid,nodev,size={tmp_mb}m,mode=755,uid={owner},gid={owner}",
        "/sys": "ro,nosuid,nodev,noexec,size=0,mode=555",
    }


def _feed(pipe: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        pipe.write(data)
    with contextlib.suppress(OSError, ValueError):
        pipe.close()
