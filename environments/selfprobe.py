"""The self-probe: a program inside a sandbox really tries to get out, and what succeeded is named."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from environments.interface import Launch, Limits, Mount, Sandbox
from environments.runtime import VARIABLE, scratch
from environments.usermap import UserMap
from taskpack.errors import SandboxFailed

_PROGRAM = Path(__file__).with_name("probe_inside.py")
_READONLY = "/probe"
_SOCKET = "socket"
_LONGEST = 107
"""Bytes in the path of a socket, on Linux."""


class Way(StrEnum):
    """A way out that is tried."""

    TCP = "tcp"
    ABSTRACT_SOCKET = "abstract-socket"
    PATH_SOCKET = "path-socket"
    INTERFACE = "interface"
    SECRET_FILE = "secret-file"  # noqa: S105 (a way out, not a password)
    WRITE_OUTSIDE = "write-outside"
    REMOUNT = "remount"
    NESTED_NAMESPACE = "nested-namespace"
    HOST_PROCESS = "host-process"
    SIGNAL = "signal"
    VSOCK = "vsock"
    KERNEL_KEYS = "kernel-keys"


@dataclass(frozen=True, kw_only=True)
class Leak:
    """A way out that succeeded."""

    way: Way
    fact: str


def probe(sandbox: Sandbox, users: UserMap, *, uids: bool, outside: UserMap | None = None) -> tuple[Leak, ...]:
    """Every way out of `sandbox` that works, sorted by name.

    `outside`, else `users`, own the processes outside that are to be hit.
    Raises `SandboxFailed` when the probe itself does not run to its end: then nothing is known.
    """
    with _trap(users) as trap, trap.victims(outside or users) as victims:
        plan = {**trap.plan, "victims": [victim.pid for victim in victims], "marker": trap.marker}
        done = sandbox.run(
            Launch(
                argv=[sandbox.python, "-I", "-S", "-c", _PROGRAM.read_text("utf-8"), json.dumps(plan)],
                mounts=[Mount(source=trap.folder / "readonly", dest=_READONLY)],
                env={"PATH": "/usr/bin:/bin"},
                uids=uids,
                limits=Limits(wall_s=60),
            )
        )
        if done.exit_code != 0:
            raise SandboxFailed(
                "the self-probe did not run to its end",
                details={"exit": str(done.exit_code), "stderr": done.stderr.decode("utf-8", "replace")[-400:]},
                remedy="run the same command again; repowright doctor shows what is missing",
            )
        found = {Way(way): fact for way, fact in json.loads(done.stdout).items()}
        found |= dict.fromkeys(trap.heard(), "a listener outside was reached")
        if found.get(Way.SECRET_FILE) != trap.secret:
            found.pop(Way.SECRET_FILE, None)
        if not (trap.folder / "outside" / "mark").exists():
            found.pop(Way.WRITE_OUTSIDE, None)
        if _is_hit(victims):
            found[Way.SIGNAL] = "a process outside was killed"
    return tuple(Leak(way=way, fact=_shown(way, fact)) for way, fact in sorted(found.items()))


class _Trap:
    """Listeners, files and a process on the host that only someone who got out can touch."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        self.folder = folder
        self.secret = secrets.token_hex(16)
        self.marker = f"probe-{secrets.token_hex(8)}"
        for name, mode in (("outside", 0o777), ("readonly", 0o777)):
            (folder / name).mkdir()
            (folder / name).chmod(mode)
        (folder / "secret").write_text(self.secret, "ascii")
        (folder / "secret").chmod(0o644)
        self._heard: set[Way] = set()
        port = self._listen(socket.AF_INET, ("127.0.0.1", 0), stack).getsockname()[1]
        self._listen(socket.AF_UNIX, "\0" + self.marker, stack)
        self._listen(socket.AF_UNIX, str(folder / _SOCKET), stack)
        (folder / _SOCKET).chmod(0o777)
        self.plan = {
            "port": port,
            "abstract": self.marker,
            "socket": str(folder / _SOCKET),
            "secret": str(folder / "secret"),
            "outside": str(folder / "outside" / "mark"),
            "readonly": _READONLY,
        }

    def heard(self) -> set[Way]:
        return set(self._heard)

    @contextlib.contextmanager
    def victims(self, users: UserMap) -> Iterator[list[subprocess.Popen[bytes]]]:
        """A process of each uid that the sandbox may have outside, so that no permission protects it."""
        command = ["/bin/sh", "-c", "read line", self.marker]
        with contextlib.ExitStack() as stack:
            victims = []
            for number in range(users.slices):
                one = users.slice(number)
                drop = {"user": one.uid, "group": one.gid, "extra_groups": ()} if one.dropped else {}
                process = subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/", env={}, **drop)  # type: ignore[call-overload]
                stack.enter_context(process)
                stack.callback(process.kill)
                victims.append(process)
            yield victims

    def _listen(self, family: int, address: object, stack: contextlib.ExitStack) -> socket.socket:
        listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        listener.bind(address)  # type: ignore[arg-type]
        listener.listen()
        thread = threading.Thread(target=self._hear, args=(listener,), daemon=True)
        thread.start()
        # A closed listener does not wake its accept; a shut down one does.
        stack.callback(thread.join, 5)
        stack.callback(listener.shutdown, socket.SHUT_RDWR)
        return listener

    def _hear(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(OSError, ValueError):
                    connection.settimeout(2)
                    self._heard.add(Way(connection.recv(64).decode("ascii")))


def _is_hit(victims: list[subprocess.Popen[bytes]]) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        victims[0].wait(0.05)
    return any(victim.poll() is not None for victim in victims)


@contextlib.contextmanager
def _trap(users: UserMap) -> Iterator[_Trap]:
    with scratch(users) as folder, contextlib.ExitStack() as stack:
        if len(os.fsencode(folder / _SOCKET)) > _LONGEST:
            raise SandboxFailed(
                "the self-probe cannot make a socket in the runtime folder: its path is too long",
                details={"folder": str(folder)},
                remedy=f"set {VARIABLE} to a shorter path",
            )
        yield _Trap(folder, stack)


def _shown(way: Way, fact: str) -> str:
    return "a file of the host was read" if way is Way.SECRET_FILE else fact
