"""The candidate's side: a product sandbox, its driver, and answers in which every byte was checked against the page."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from environments.interface import Launch, Limits, Mount, Running, Sandbox
from taskpack.errors import SandboxFailed
from taskpack.wire.frames import Frame, Json, Malformed
from taskpack.wire.messages import (
    FRAMES_A_VERDICT,
    Hello,
    Reply,
    Request,
    read_hello,
    read_reply,
    wire_error,
)
from taskpack.wire.pipes import Closed, FramePipe, Silence

log = logging.getLogger(__name__)

LIBRARY = "/opt/lib"
_WORKSPACE = "/app"
_SCENARIOS = "/scenarios"
_SITE = "/env/site"
_BOOT = (
    "import sys; sys.path.append(sys.argv.pop(1));"
    "from environments.languages.python.driver import main; sys.exit(main())"
)
_HELLO_S = 60.0
_GRACE_S = 30.0
"""How long past its limit an answer may take: killing and cleaning come after the limit."""
_CALLS_A_SANDBOX = 50_000
"""Uids are never used twice, and a range has 60,000."""
_SLOW_CALLS = 3
_SLOW_SHARE = 0.1


class DriverSilent(SandboxFailed):
    """The sandbox was there, but its driver did not greet: something outside the workspace, or something in it."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A checked reply. Ranges of `reply` lie in `body`."""

    reply: Reply
    body: bytes = b""


class Product:
    """A candidate to be called.

    Whatever goes wrong in the sandbox once it has been given a call is an outcome of that call; a sandbox that cannot
    be started raises `SandboxFailed`; one whose driver does not greet, before any candidate code ran, `DriverSilent`.
    """

    def __init__(
        self,
        *,
        sandbox: Sandbox,
        workspace: Path,
        lib: Path,
        scenarios: Path,
        product_paths: Sequence[str],
        site: Path | None = None,
        wall_s: float = 600.0,
    ) -> None:
        self._sandbox = sandbox
        mounts = [
            Mount(source=workspace, dest=_WORKSPACE),
            Mount(source=lib, dest=LIBRARY),
            Mount(source=scenarios, dest=_SCENARIOS),
            *([Mount(source=site, dest=_SITE)] if site else []),
        ]
        self._launch = Launch(
            argv=[*_driver_command(sandbox.python, product_paths), *(["--site", _SITE] if site else [])],
            env={"LANG": "C.UTF-8", "TZ": "UTC"},
            mounts=mounts,
            uids=True,
            limits=Limits(wall_s=wall_s),
        )
        self._running: Running | None = None
        self._pipe: FramePipe | None = None
        self._greeting: Hello | None = None
        self._ids = 0
        self._frames = 0
        self._slow = 0
        self.seconds = 0.0
        """Time spent in calls."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def features(self) -> tuple[str, ...]:
        """What the driver offers."""
        return self._greet().features

    def start(self) -> None:
        """Start the sandbox; the greeting is exchanged with the first call."""
        if self._running is None:
            self._running = self._sandbox.start(self._launch).__enter__()
            self._pipe, self._greeting, self._ids = None, None, 0

    def stop(self) -> None:
        """End the sandbox with everything in it."""
        running, self._running, self._pipe = self._running, None, None
        if running is not None:
            running.__exit__(None, None, None)

    def call(
        self,
        name: str,
        args: Mapping[str, Json],
        *,
        body: bytes = b"",
        limit_s: float = 30.0,
        fresh: bool = False,
        seed: int | None = None,
    ) -> Answer:
        """Call a scenario function with wire values whose ranges lie in `body`."""
        own: dict[str, Json] = {"name": name, "args": dict(args), **({"fresh": True} if fresh else {})}
        return self.relay(Request(id=1, op="call", limit_s=limit_s, seed=seed, own=own), body)

    def relay(self, request: Request, body: bytes) -> Answer:
        """Send a request, under an id of this connection, and give its checked reply."""
        self._frames += 2
        if self._frames > FRAMES_A_VERDICT:
            return _fault("malformed", "wire.Frames", f"more than {FRAMES_A_VERDICT} frames in one verdict")
        greeting = self._greet()
        if self._slow >= _SLOW_CALLS:
            # Such a candidate has lost; its verdict should still come to an end.
            request = dataclasses.replace(request, limit_s=request.limit_s * _SLOW_SHARE)
        started = time.monotonic()
        answer = self._exchange(request, body)
        self.seconds += time.monotonic() - started
        self._slow += answer.reply.outcome == "timeout"
        if greeting.limits.get("calls") == 1 or self._ids >= _CALLS_A_SANDBOX:
            self.stop()
        return answer

    def _greet(self) -> Hello:
        if self._greeting is not None and self._running is not None:
            return self._greeting
        self.start()
        running = self._running
        assert running is not None  # noqa: S101 (start has set it)
        pipe = FramePipe(running.stdout.fileno(), running.stdin.fileno())
        features = ("uids",) if running.uids else ()
        ours = Hello(side="bench", pack="repowright/1", language="python", features=features)
        try:
            pipe.send(Frame(header=ours.header()), _HELLO_S)
            self._greeting = read_hello(pipe.receive(_HELLO_S))
        except (Malformed, Silence, Closed) as error:
            said = running.stderr_tail()
            self.stop()
            raise DriverSilent(
                "the driver in the product sandbox did not greet",
                details={"fact": str(error), "it said": said[-1000:]},
                remedy="judge an empty folder: if that fails as well, run repowright doctor",
            ) from error
        self._pipe = pipe
        return self._greeting

    def _exchange(self, request: Request, body: bytes) -> Answer:
        assert self._pipe is not None  # noqa: S101 (greeted)
        self._ids += 1
        request = dataclasses.replace(request, id=self._ids)
        wait_s = request.limit_s + _GRACE_S
        try:
            self._pipe.send(Frame(header=request.header(), body=body), wait_s)
            frame = self._pipe.receive(wait_s)
            return Answer(reply=read_reply(frame, self._ids), body=frame.body)
        except Silence as error:
            outcome, kind, fact = "timeout", "wire.Silence", str(error)
        except (Malformed, Closed) as error:
            outcome, kind, fact = "malformed", f"wire.{type(error).__name__}", str(error)
        said = self._running.stderr_tail()[-2000:] if self._running else ""
        log.info("product: %s after request %d: %s; the driver said: %s", outcome, self._ids, fact, said)
        self.stop()
        return _fault(outcome, kind, fact, seconds=wait_s if outcome == "timeout" else 0.0)


def _fault(outcome: str, kind: str, fact: str, *, seconds: float = 0.0) -> Answer:
    return Answer(reply=Reply(id=0, outcome=outcome, error=wire_error(kind, fact), seconds=seconds))


def _driver_command(python: str, product_paths: Sequence[str]) -> list[str]:
    command = [python, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, LIBRARY, "--scenarios", _SCENARIOS]
    for path in product_paths:
        command += ["--product", _WORKSPACE if path in {"", "."} else f"{_WORKSPACE}/{path}"]
    return command
