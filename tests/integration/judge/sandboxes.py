"""Sandboxes for tests only: one that is none, one with a hostile driver, one that gives no uids."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from environments.interface import Bound, Finished, Launch, Mechanism, Running, Sandbox
from taskpack.errors import SandboxFailed


class PlainProcess:
    """A child process without any isolation; leaving ends it."""

    uids = False
    limited_by = Bound.NONE

    def __init__(self, argv: Sequence[str], folder: str) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed on leaving)
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env={"TMPDIR": folder}
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.stdin: IO[bytes] = self._process.stdin
        self.stdout: IO[bytes] = self._process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.kill()
        self.stdin.close()
        self.stdout.close()
        self._log.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def wait(self, timeout_s: float) -> int | None:
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None

    def stderr_tail(self) -> str:
        self._log.seek(0)
        return self._log.read()[-65536:].decode("utf-8", "replace")


class PlainSandbox:
    """Starts what it is told with the places inside replaced by those outside. For trusted code alone."""

    name = "plain"
    base = "test"
    python = sys.executable
    limits_by = Mechanism.WATCHER

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.started = 0

    def start(self, launch: Launch) -> PlainProcess:
        self.started += 1
        argv = list(launch.argv)
        for mount in launch.mounts:
            argv = [
                str(mount.source) + part[len(mount.dest) :] if part.startswith(mount.dest) else part for part in argv
            ]
        place = self._folder / f"place-{self.started}"
        place.mkdir()
        return PlainProcess([*argv, "--place", str(place)], str(self._folder))

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        raise NotImplementedError


class HostileDriver(PlainSandbox):
    """Runs `script` in the place of the driver: it greets properly, reads the first request, then does its worst."""

    def __init__(self, folder: Path, script: str) -> None:
        super().__init__(folder)
        self._script = script

    def start(self, launch: Launch) -> PlainProcess:
        self.started += 1
        lib = next(str(mount.source) for mount in launch.mounts if mount.dest == "/opt/lib")
        program = (
            "import sys, os, json, struct, time; sys.path.append(sys.argv[1])\n"
            "from taskpack.wire.frames import Frame, pack\n"
            "from taskpack.wire.messages import Hello, Reply\n"
            "from taskpack.wire.pipes import FramePipe\n"
            "pipe = FramePipe(0, 1); pipe.receive()\n"
            "pipe.send(Frame(header=Hello(side='product', pack='x', language='python').header()))\n"
            "pipe.receive()\n"
            "def reply(**changes):\n"
            "    header = Reply(id=1, outcome='returned').header() | changes\n"
            "    pipe.send(Frame(header=header))\n"
            "def raw(header, body=b'', more=0):\n"
            "    pipe.send_raw(struct.pack('>II', len(header) + more, len(body)) + header + body)\n"
        )
        return PlainProcess([sys.executable, "-c", program + self._script, lib], str(self._folder))


class WithoutUids:
    """A real sandbox as a plain user without a mapped range has it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.name, self.base, self.python = sandbox.name, sandbox.base, sandbox.python
        self.limits_by = sandbox.limits_by

    def start(self, launch: Launch) -> Running:
        return self._sandbox.start(dataclasses.replace(launch, uids=False))

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Finished:
        return self._sandbox.run(dataclasses.replace(launch, uids=False), stdin=stdin)


class Breaking:
    """A sandbox whose bench never starts."""

    def __init__(self, sandbox: Sandbox, *, times: int) -> None:
        self._sandbox = sandbox
        self._times = times
        self.name, self.base, self.python = sandbox.name, sandbox.base, sandbox.python
        self.limits_by = sandbox.limits_by

    def start(self, launch: Launch) -> Running:
        if "--seed" in launch.argv and self._times:
            self._times -= 1
            raise SandboxFailed("no bench today")
        return self._sandbox.start(launch)

    def run(self, launch: Launch, *, stdin: bytes = b"") -> None:
        raise NotImplementedError


class Muted:
    """A sandbox whose driver says nothing: with every workspace, or with one that holds something."""

    def __init__(self, sandbox: Sandbox, *, every: bool) -> None:
        self._sandbox = sandbox
        self._every = every
        self.name, self.base, self.python = sandbox.name, sandbox.base, sandbox.python
        self.limits_by = sandbox.limits_by

    def start(self, launch: Launch) -> Running:
        [app] = [mount.source for mount in launch.mounts if mount.dest == "/app"] or [None]
        if app is not None and (self._every or any(app.iterdir())):
            launch = dataclasses.replace(launch, argv=[self.python, "-c", "raise SystemExit(5)"])
        return self._sandbox.start(launch)
