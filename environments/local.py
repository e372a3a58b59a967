"""The `local` back end: bubblewrap, always started as an unprivileged uid. `docs/sandbox.md` tells what it holds."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import weakref
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO

from environments.base import find_base
from environments.bwrap import TEMPORARY, find_bwrap, isolation, private_places
from environments.cgroups import Group, Place, find_place, group_name
from environments.connections import can_forget
from environments.covers import NOTHING, covers
from environments.disk import DiskMeter
from environments.interface import Finished, Launch, Limits, Mechanism, Mount
from environments.network import RegistryAccess, open_registry
from environments.running import AGAIN, LocalRunning, Starved, Tail
from environments.runtime import Runtime
from environments.slices import Slices
from environments.starting import START_S, Chain, Starter
from environments.syscalls import filter_program
from environments.transfer import copy_out, remove_tree
from environments.usage import TreeMeter, children_are_told
from environments.usermap import UserMap, current_users
from environments.watcher import Watched
from taskpack.errors import SandboxFailed, SandboxUnavailable
from taskpack.files import space_errors
from taskpack.layout import WorkFolder

_RESERVED = frozenset({"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "sys", "usr"})

_PLACES = "correct the launch: a program, and mounts at absolute places of their own outside the base"
_MISSING = "run the stage that makes it again: repowright author CASE"


class Local:
    """Sandboxes on this machine, without an engine.

    Any thread may start one and any may use it. Writable mounts are copies; `run` brings them back to their source
    when the process has ended, `start` does not.
    """

    name = "local"

    def __init__(
        self, *, work: WorkFolder | None = None, users: UserMap | None = None, runtime: Runtime | None = None
    ) -> None:
        """`work` is where built environments lie: they never change, and are made readable once, not at each start.

        Raises `SandboxUnavailable` naming what is missing. Nothing has been proven yet: see `choose_sandbox`.
        """
        self.users = users or current_users()
        self.runtime = runtime or Runtime(self.users)
        self._base = find_base(self.users, self.runtime.area)
        self.base = self._base.name
        self.python = self._base.interpreter.path
        self._environments = work.environments.resolve() if work else None
        self._slices = Slices(self.users, self.runtime.area / "slices")
        self._groups = self._find_groups()
        self.limits_by = self._groups.mechanism if self._groups else Mechanism.WATCHER
        calls = self._calls(measured=self._groups is not None)
        self._starter = Starter(bwrap=find_bwrap(self.runtime), calls=calls)
        self._alive: weakref.WeakSet[LocalRunning] = weakref.WeakSet()
        self._pid = os.getpid()
        atexit.register(self.close)

    def close(self) -> None:
        """End its sandboxes and take away what this process put on disk for them. It happens at exit as well."""
        try:
            # What a forked child has of these is its parent's.
            for running in list(self._alive) if os.getpid() == self._pid else ():
                with contextlib.suppress(Starved):
                    running.close()
        finally:
            self.runtime.close()
            atexit.unregister(self.close)

    def start(self, launch: Launch) -> LocalRunning:
        """Start a process with pipes on stdin and stdout.

        Raises `SandboxFailed` when the sandbox cannot be made.
        """
        return self._start(launch, self.runtime.new_run())

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        """Run to the end or to `limits.wall_s`, bring writable mounts back, then leave nothing behind."""
        run = self.runtime.new_run()
        with self._start(launch, run) as running:
            feeder = threading.Thread(target=_feed, args=(running.stdin, stdin), daemon=True)
            feeder.start()
            output = Tail(running.stdout)
            code = running.wait(launch.limits.wall_s + START_S)
            if code is None:
                raise SandboxFailed("a sandbox outlived its time limit", remedy=AGAIN)
            output.join()
            running.stderr.join()
            for number, mount in enumerate(launch.mounts):
                if mount.writable:
                    copy_out(run / _mount_name(number), mount.source)
            return Finished(
                exit_code=code,
                timed_out=running.timed_out,
                stopped_by=running.limited_by,
                stdout=output.bytes(),
                stderr=running.stderr.bytes(),
            )

    def _start(self, launch: Launch, run: Path) -> LocalRunning:
        with contextlib.ExitStack() as undo:
            undo.callback(remove_tree, run)
            try:
                running = self._prepared(launch, run, undo)
            except OSError as error:
                raise SandboxFailed(
                    "the sandbox could not be prepared", details={"fact": str(error)[:400]}, remedy=AGAIN
                ) from error
            self._alive.add(running)
            return running

    def _prepared(self, launch: Launch, run: Path, undo: contextlib.ExitStack) -> LocalRunning:
        """What was made for the sandbox is undone after its end, or now when it cannot be started."""
        slice_ = self._slices.take()
        undo.callback(slice_.close)
        uids = launch.uids and self.users.dropped and can_forget()
        group = self._groups.group(group_name(self.runtime.own.name, run.name), launch.limits) if self._groups else None
        if group:
            undo.callback(group.remove)
        watched: list[Watched] = []

        def admit(pid: int) -> None:
            if group:
                group.add(pid)
            watched.append(_watched(launch, run, group or _sampled(pid, launch.limits)))

        with space_errors(run):
            chain = Chain(
                options=self._options(launch, run, users=slice_.users, uids=uids),
                users=slice_.users,
                uids=uids,
                admit=admit,
                processes_held=group is not None,
            )
            started = self._starter.start(launch, chain)
        held = undo.pop_all()
        try:
            return LocalRunning(started, uids=uids, alone=not launch.network, watched=watched[0], clean=held.close)
        except BaseException:
            with held:
                started.end()
            raise

    def _find_groups(self) -> Place | None:
        place = find_place(owner=self.runtime.own)
        if place is None and not children_are_told():
            raise SandboxUnavailable(
                "nothing can hold the limits of a sandbox here",
                details={"control groups": "not writable", "/proc/PID/task/PID/children": "not there"},
                remedy="give this process a writable cgroup, or use a kernel with CONFIG_PROC_CHILDREN",
            )
        return place

    def _calls(self, *, measured: bool) -> bytes:
        return filter_program(measured=measured)

    def _options(self, launch: Launch, run: Path, *, users: UserMap, uids: bool) -> list[str]:
        access = self._registry if launch.network else RegistryAccess(env={}, mounts=())
        mounts = [*launch.mounts, *access.mounts]
        check_launch(launch.argv, mounts)
        etc = self._etc_registry if launch.network else self._etc
        arguments = [
            *isolation(uids=uids, network=launch.network),
            *self._base.mounts(etc=etc, empty=self._empty),
            *private_places(launch.limits.tmp_mb),
        ]
        for number, mount in enumerate(mounts):
            source = self._source(mount, run, _mount_name(number), users)
            # Folders that bubblewrap makes on its own way to a mount would be closed to every uid but 0.
            for parent in reversed(PurePosixPath(mount.dest).parents[:-1]):
                arguments += ["--dir", str(parent)]
            arguments += ["--bind" if mount.writable else "--ro-bind", str(source), mount.dest]
        for cover in covers(launch.masked, root=self._base.root, mounts=launch.mounts):
            arguments += ["--ro-bind", str(self._empty) if cover.folder else NOTHING, cover.dest]
        for name, value in {**access.env, **launch.env}.items():
            arguments += ["--setenv", name, value]
        return [*arguments, "--remount-ro", "/", "--chdir", launch.cwd]

    def _source(self, mount: Mount, run: Path, name: str, users: UserMap) -> Path:
        source = mount.source.resolve(strict=True)
        if mount.writable:
            return self.runtime.writable(source, run, name, users=users)
        if self._environments and source.parent == self._environments:
            return self.runtime.keep(source, source.name)
        return self.runtime.readable(source, run, name)

    @cached_property
    def _empty(self) -> Path:
        folder = self.runtime.new_run()
        folder.chmod(0o755)
        return folder

    @cached_property
    def _etc(self) -> Path:
        folder = self.runtime.new_run() / "etc"
        self._base.make_etc(folder)
        return folder

    @cached_property
    def _etc_registry(self) -> Path:
        folder = self.runtime.new_run() / "etc"
        self._base.make_etc(folder)
        return folder

    @cached_property
    def _registry(self) -> RegistryAccess:
        return open_registry(self._etc_registry, environ=os.environ, hosts_usr=self._base.is_preview)


def check_launch(argv: Sequence[str], mounts: Sequence[Mount]) -> None:
    """Refuse places inside that would hide the base or lie in a folder that someone else filled."""
    if not argv:
        raise SandboxFailed("nothing to run in the sandbox", remedy=_PLACES)
    taken: list[PurePosixPath] = []
    for mount in mounts:
        dest = PurePosixPath(mount.dest)
        if not dest.is_absolute() or ".." in dest.parts or len(dest.parts) < 2 or dest.parts[1] in _RESERVED:
            raise SandboxFailed(
                f"{mount.dest} cannot be a mount", details={"fact": "it is reserved or not absolute"}, remedy=_PLACES
            )
        if any(dest.is_relative_to(other) for other in taken):
            raise SandboxFailed(
                f"{mount.dest} cannot be a mount", details={"fact": "it lies inside another mount"}, remedy=_PLACES
            )
        if not mount.source.exists():
            raise SandboxFailed(f"{mount.source} is not there to be mounted", remedy=_MISSING)
        taken.append(dest)


def _mount_name(number: int) -> str:
    return f"mount-{number}"


def _watched(launch: Launch, run: Path, meter: Group | TreeMeter) -> Watched:
    written = [run / _mount_name(number) for number, mount in enumerate(launch.mounts) if mount.writable]
    disk = DiskMeter(written, pids=meter.pids) if written else None
    return Watched(limits=launch.limits, meter=meter, disk=disk)


def _sampled(first: int, limits: Limits) -> TreeMeter:
    return TreeMeter(first, memory_mb=limits.memory_mb, tmp_mb=limits.tmp_mb, places=TEMPORARY)


def _feed(pipe: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        pipe.write(data)
    with contextlib.suppress(OSError, ValueError):
        pipe.close()
