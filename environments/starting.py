"""From a command line to a running bubblewrap: dropped uid, user namespace, limits, a handshake before it runs."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from environments.interface import Launch, Limits
from environments.usermap import UserMap
from taskpack.errors import SandboxFailed, SandboxUnavailable

START_S = 60.0
"""How long a start may take on a machine that is busy with other things. It takes milliseconds."""
_OPEN_FILES = 4096
_FILE_MB = 1024
_MIB = 1024 * 1024

# Says which process it is, as the host counts, and waits for our word. If we die meanwhile it reads an end of file.
_GATE = 'read -r pid rest </proc/self/stat; echo "ready $pid" >&2; read -r go || exit 98; exec "$@"'
# Mapped from outside, this program is uid 0 of the namespace: it forbids further ones, for good.
_LOCK = 'echo 0 >/proc/sys/user/max_user_namespaces || exit 97; exec "$@"'
# Tied again by then, it waits for a second word: who dies before saying it is read as an end of file, who dies later
# takes it along.
_TIED = 'echo tied >&2; read -r go || exit 98; exec "$@"'

_starters: dict[int, ThreadPoolExecutor] = {}
_starters_lock = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Started:
    """A bubblewrap that was told to go."""

    process: subprocess.Popen[bytes]
    """Ours; it ends after everything inside has ended."""
    first: int
    """A handle on the first process of the outer process namespace: whatever ends it ends all others."""
    number: int
    """That process, as the host counts."""
    status: IO[bytes]
    """Where bubblewrap reports, as lines of JSON."""

    def end(self) -> None:
        """End it, where nobody has taken it over."""
        self.process.kill()
        self.process.wait()
        select.select([self.first], [], [], START_S)
        os.close(self.first)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr, self.status):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


@dataclass(frozen=True, kw_only=True)
class Chain:
    """What one start needs besides its launch."""

    options: Sequence[str]
    """Arguments for bubblewrap."""
    users: UserMap
    """As whom it runs."""
    uids: bool
    admit: Callable[[int], None]
    """Is given the first process before it may go on: the place to put it where its bounds are held."""
    processes_held: bool
    """Whether something else than our rlimit bounds the number of processes."""


class Starter:
    """Starts bubblewrap, with system calls filtered by `calls` (none when it is empty).

    Raises `SandboxUnavailable` when a program of the system is missing.
    """

    def __init__(self, *, bwrap: Path, calls: bytes) -> None:
        self._bwrap = str(bwrap)
        self._calls = calls
        self._unshare, self._prlimit, self._setpriv = (_program(name) for name in ("unshare", "prlimit", "setpriv"))

    def start(self, launch: Launch, chain: Chain) -> Started:
        """Start `launch.argv` under bubblewrap; nothing of it outlives us.

        Raises `SandboxFailed` when the user namespace cannot be made; nothing is left behind then.
        """
        with contextlib.ExitStack() as stack:
            reading, writing = os.pipe()
            status: IO[bytes] = os.fdopen(reading, "rb")
            stack.callback(status.close)
            with os.fdopen(writing, "wb"), contextlib.ExitStack() as files:
                options, passed = list(chain.options), [writing]
                if self._calls:
                    calls = files.enter_context(_memory_file(self._calls))
                    options = ["--seccomp", str(calls.fileno()), *options]
                    passed.append(calls.fileno())
                file = files.enter_context(_memory_file(b"".join(os.fsencode(option) + b"\0" for option in options)))
                passed.append(file.fileno())
                command = self._command(launch, chain, status=writing, options=file.fileno())
                # A death signal follows the starting thread, not the process: it must live as long as we do.
                process = _starter().submit(partial(self._popen, command, passed, chain.users)).result()
            stack.callback(process.communicate)
            stack.callback(process.kill)
            first, number = self._handshake(process, chain)
            stack.pop_all()
        return Started(process=process, first=first, number=number, status=status)

    def _command(self, launch: Launch, chain: Chain, *, status: int, options: int) -> list[str]:
        """The chain of programs. Each is tied to the one before, and the first to us, when it gets our word.

        bubblewrap's own tie (--die-with-parent) comes late: what it starts would outlive a kill before that. In a
        process namespace around it, of which it is the first process, nothing outlives it.
        """
        tied = [self._setpriv, "--pdeathsig", "KILL"]
        # Gaining the namespace's capabilities unties it, so it is tied again after that.
        locked = ["/bin/sh", "-c", _LOCK, "sh", *tied, "/bin/sh", "-c", _TIED, "sh"] if chain.uids else []
        return [
            *(*tied, self._unshare, "--user" if chain.uids else "--map-current-user", "--pid", "--kill-child"),
            self._prlimit,  # inside the user namespace, so that it counts there alone
            *_rlimits(launch.limits, written=any(mount.writable for mount in launch.mounts), held=chain.processes_held),
            *("/bin/sh", "-c", _GATE, "sh", *locked),
            *(self._bwrap, "--json-status-fd", str(status), "--args", str(options), "--", *launch.argv),
        ]

    def _popen(self, command: Sequence[str], passed: Sequence[int], users: UserMap) -> subprocess.Popen[bytes]:
        drop: Mapping[str, object] = {}
        if users.dropped:
            drop = {"user": users.uid, "group": users.gid, "extra_groups": ()}
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

    def _handshake(self, process: subprocess.Popen[bytes], chain: Chain) -> tuple[int, int]:
        """Map the range while the chain waits, then let it go; its first process: a handle and its number."""
        pid = int(self._await_word(process, "ready"))
        first = os.pidfd_open(pid)
        try:
            chain.admit(pid)
            if chain.uids:
                chain.users.map_range(process.pid)
                _tell(process)
                self._await_word(process, "tied")
            _tell(process)
        except (OSError, SandboxFailed):
            os.close(first)
            raise
        return first, pid

    def _await_word(self, process: subprocess.Popen[bytes], wanted: str) -> str:
        """What follows the word in the chain's next line. Raises `SandboxFailed` when it says something else."""
        assert process.stderr is not None  # noqa: S101 (it is a pipe)
        said = _first_line(process.stderr.fileno()).decode("utf-8", "replace").strip()
        word, _, rest = said.partition(" ")
        if word != wanted:
            raise SandboxFailed(
                "no user namespace could be made",
                details={"fact": said or f"no word within {START_S:.0f} s"},
                remedy="allow user namespaces: sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
                "kernel.apparmor_restrict_unprivileged_userns",
            )
        return rest


def _tell(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None  # noqa: S101 (it is a pipe)
    process.stdin.write(b"go\n")
    process.stdin.flush()


def _starter() -> ThreadPoolExecutor:
    """The one thread of this process that starts sandboxes."""
    with _starters_lock:
        if os.getpid() not in _starters:
            made = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox-starter")
            made.submit(os.getpid).result()  # its thread is there, or none of this is
            _starters[os.getpid()] = made
        return _starters[os.getpid()]


def _memory_file(data: bytes) -> IO[bytes]:
    """What only bubblewrap reads. Its options are in one because its command line can be seen from inside."""
    file = os.fdopen(os.memfd_create("options"), "w+b", buffering=0)
    file.write(data)
    file.seek(0)
    return file


def _rlimits(limits: Limits, *, written: bool, held: bool) -> list[str]:
    """Arguments for prlimit. `written`: there are writable mounts. Twice the processes where something else holds them,
    so that it is the one that refuses, and counts.
    """
    file_mb = min(_FILE_MB, limits.disk_mb) if written else _FILE_MB
    address_space = [f"--as={_bound(resource.RLIMIT_AS, limits.process_mb * _MIB)}"] if limits.process_mb else []
    return [
        *address_space,
        f"--nproc={_bound(resource.RLIMIT_NPROC, limits.processes * (2 if held else 1))}",
        f"--fsize={_bound(resource.RLIMIT_FSIZE, file_mb * _MIB)}",
        f"--nofile={_bound(resource.RLIMIT_NOFILE, _OPEN_FILES)}",
        "--core=0",
    ]


def _bound(kind: int, wanted: int) -> int:
    """What may be set: never more than this process has itself."""
    _, hard = resource.getrlimit(kind)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _program(name: str) -> str:
    for folder in ("/usr/bin", "/bin"):
        if Path(folder, name).is_file():
            return f"{folder}/{name}"
    raise SandboxUnavailable(f"there is no {name} here", remedy="install util-linux with the system's packages")


def _first_line(descriptor: int) -> bytes:
    """The first line, read byte by byte so that nothing after it is taken; all there is when the pipe ends."""
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([descriptor], [], [], START_S)
        byte = os.read(descriptor, 1) if ready else b""
        if not byte:
            break
        line += byte
    return line
