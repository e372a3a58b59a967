"""The `local` back end: bubblewrap, always started as an unprivileged uid. `docs/sandbox.md` tells what it holds."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import shlex
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO

from environments.base import base_mounts, base_name, make_etc
from environments.bwrap import find_bwrap, isolation, private_places
from environments.interface import Finished, Launch, Mount
from environments.languages.python.interpreter import Interpreter, find_interpreter
from environments.network import RegistryAccess, open_registry
from environments.running import LocalRunning, Tail
from environments.runtime import Runtime, record_process
from environments.transfer import copy_out, remove_tree
from environments.usermap import UserMap, current_users
from taskpack.errors import RepowrightError, SandboxFailed, SandboxUnavailable
from taskpack.files import space_errors
from taskpack.layout import WorkFolder

_RESERVED = frozenset({"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "sys", "usr"})
_START_S = 60.0
_OPEN_FILES = 4096
_FILE_MB = 1024

_STARTERS: dict[int, ThreadPoolExecutor] = {}
_STARTERS_LOCK = threading.Lock()


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
        self.interpreter: Interpreter = find_interpreter(self.users)
        self.base = base_name(self.interpreter)
        self.python = self.interpreter.path
        self._environments = work.environments.resolve() if work else None
        self._bwrap = str(find_bwrap(self.runtime))
        self._unshare, self._prlimit = (_program(name) for name in ("unshare", "prlimit"))

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
            code = running.wait(launch.limits.wall_s + _START_S)
            if code is None:
                raise SandboxFailed("a sandbox outlived its time limit")
            output.join()
            running.stderr.join()
            for number, mount in enumerate(launch.mounts):
                if mount.writable:
                    copy_out(run / f"mount-{number}", mount.source)
            return Finished(
                exit_code=code,
                timed_out=running.timed_out,
                stdout=output.bytes(),
                stderr=running.stderr.bytes(),
            )

    def _start(self, launch: Launch, run: Path) -> LocalRunning:
        uids = launch.uids and self.users.dropped
        try:
            with space_errors(run):
                return self._launch(launch, run, uids=uids)
        except OSError as error:
            remove_tree(run)
            raise SandboxFailed(f"the sandbox could not be prepared: {error}") from error
        except RepowrightError:
            remove_tree(run)
            raise

    def _arguments(self, launch: Launch, run: Path, *, uids: bool) -> list[str]:
        access = self._registry if launch.network else RegistryAccess(env={}, mounts=())
        mounts = [*launch.mounts, *access.mounts]
        _check(launch.argv, mounts)
        etc = self._etc_registry if launch.network else self._etc
        arguments = [
            *isolation(uids=uids, network=launch.network),
            *base_mounts(self.interpreter, etc=etc, empty=self._empty),
            *private_places(launch.limits.tmp_mb),
        ]
        for number, mount in enumerate(mounts):
            source = self._source(mount, run, f"mount-{number}")
            arguments += ["--bind" if mount.writable else "--ro-bind", str(source), mount.dest]
        for name, value in {**access.env, **launch.env}.items():
            arguments += ["--setenv", name, value]
        return [*arguments, "--remount-ro", "/", "--chdir", launch.cwd]

    def _source(self, mount: Mount, run: Path, name: str) -> Path:
        source = mount.source.resolve(strict=True)
        if mount.writable:
            return self.runtime.writable(source, run, name)
        if self._environments and source.parent == self._environments:
            return self.runtime.keep(source, source.name)
        return self.runtime.readable(source, run, name)

    def _launch(self, launch: Launch, run: Path, *, uids: bool) -> LocalRunning:
        arguments = self._arguments(launch, run, uids=uids)
        with contextlib.ExitStack() as stack:
            reading, writing = os.pipe()
            status: IO[bytes] = os.fdopen(reading, "rb")
            stack.callback(status.close)
            with os.fdopen(writing, "wb"), _argument_file(arguments) as options:
                passed = (writing, options.fileno())
                command = self._command(launch, passed, uids=uids)
                process = _in_starter(lambda: self._popen(command, passed))
            stack.callback(process.communicate)
            stack.callback(process.kill)
            self._handshake(process, run, uids=uids)
            stack.pop_all()
        clean = functools.partial(remove_tree, run)
        return LocalRunning(process, status=status, uids=uids, wall_s=launch.limits.wall_s, clean=clean)

    def _command(self, launch: Launch, passed: tuple[int, int], *, uids: bool) -> list[str]:
        """unshare, then limits (so that they count inside the namespace alone), then a wait for our word, then bwrap."""
        status, options = passed
        limits = launch.limits
        inner = 'exec "$@"'
        if uids:
            # Mapped from outside, the next program is uid 0 of the namespace: it forbids further ones, for good.
            locked = 'echo 0 >/proc/sys/user/max_user_namespaces || exit 97; exec "$@"'
            inner = f'exec /bin/sh -c {shlex.quote(locked)} sh "$@"'
        return [
            self._unshare,
            "--user" if uids else "--map-current-user",
            self._prlimit,
            f"--as={limits.memory_mb * 1024 * 1024}",
            f"--nproc={limits.processes}",
            f"--fsize={_FILE_MB * 1024 * 1024}",
            f"--nofile={_OPEN_FILES}",
            "--core=0",
            "/bin/sh",
            "-c",
            f"echo ready >&2; read -r go || exit 98; {inner}",
            "sh",
            self._bwrap,
            "--json-status-fd",
            str(status),
            "--args",
            str(options),
            "--",
            *launch.argv,
        ]

    def _popen(self, command: Sequence[str], passed: tuple[int, int]) -> subprocess.Popen[bytes]:
        drop: Mapping[str, object] = {}
        if self.users.dropped:
            drop = {"user": self.users.uid, "group": self.users.gid, "extra_groups": ()}
        return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={},
            pass_fds=passed,
            **drop,
        )

    def _handshake(self, process: subprocess.Popen[bytes], run: Path, *, uids: bool) -> None:
        """Map the range and note the process while it waits. If we die here it reads an end of file and exits."""
        assert process.stdin is not None and process.stderr is not None  # noqa: PT018, S101 (both are pipes)
        said = _first_line(process.stderr.fileno())
        if said != b"ready\n":
            rest = said.decode("utf-8", "replace").strip()
            raise SandboxFailed(
                "no user namespace could be made",
                details={"as uid": str(self.users.uid), "fact": rest or "no word within a minute"},
                remedy="allow user namespaces: sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
                "kernel.apparmor_restrict_unprivileged_userns",
            )
        if uids:
            self.users.map_range(process.pid)
        record_process(run, process.pid)
        process.stdin.write(b"go\n")
        process.stdin.flush()

    @cached_property
    def _empty(self) -> Path:
        folder = self.runtime.new_run()
        folder.chmod(0o755)
        return folder

    @cached_property
    def _etc(self) -> Path:
        folder = self.runtime.new_run() / "etc"
        make_etc(folder)
        return folder

    @cached_property
    def _etc_registry(self) -> Path:
        folder = self.runtime.new_run() / "etc"
        make_etc(folder)
        return folder

    @cached_property
    def _registry(self) -> RegistryAccess:
        return open_registry(self._etc_registry, environ=os.environ)


def _in_starter(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Start in a thread that lives as long as we do: --die-with-parent follows the starting thread, not the process."""
    with _STARTERS_LOCK:
        if os.getpid() not in _STARTERS:
            _STARTERS[os.getpid()] = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox-starter")
        starter = _STARTERS[os.getpid()]
    return starter.submit(start).result()


def _argument_file(arguments: Sequence[str]) -> IO[bytes]:
    """Options in a file that only bubblewrap reads: its command line can be seen from inside."""
    file = os.fdopen(os.memfd_create("options"), "w+b", buffering=0)
    file.write(b"".join(os.fsencode(argument) + b"\0" for argument in arguments))
    file.seek(0)
    return file


def _program(name: str) -> str:
    for folder in ("/usr/bin", "/bin"):
        if Path(folder, name).is_file():
            return f"{folder}/{name}"
    raise SandboxUnavailable(
        f"there is no {name} here", remedy="install util-linux with the system's packages"
    )


def _check(argv: Sequence[str], mounts: Sequence[Mount]) -> None:
    """Refuse places inside that would hide the base or lie in a folder that someone else filled."""
    if not argv:
        raise SandboxFailed("nothing to run in the sandbox")
    taken: list[PurePosixPath] = []
    for mount in mounts:
        dest = PurePosixPath(mount.dest)
        if not dest.is_absolute() or ".." in dest.parts or len(dest.parts) < 2 or dest.parts[1] in _RESERVED:
            raise SandboxFailed(
                f"{mount.dest} cannot be a mount", details={"fact": "it is reserved or not absolute"}
            )
        if any(dest.is_relative_to(other) for other in taken):
            raise SandboxFailed(
                f"{mount.dest} cannot be a mount", details={"fact": "it lies inside another mount"}
            )
        if not mount.source.exists():
            raise SandboxFailed(f"{mount.source} is not there to be mounted")
        taken.append(dest)


def _first_line(descriptor: int) -> bytes:
    """The first line, read byte by byte so that nothing after it is taken; all there is when the pipe ends."""
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([descriptor], [], [], _START_S)
        byte = os.read(descriptor, 1) if ready else b""
        if not byte:
            break
        line += byte
    return line


def _feed(pipe: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        pipe.write(data)
    with contextlib.suppress(OSError, ValueError):
        pipe.close()
