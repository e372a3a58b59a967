"""One product sandbox with its driver: a greeting, then one request at a time, every reply checked against the page."""

from __future__ import annotations

import dataclasses
import logging
from dataclasses import dataclass

from environments.interface import Bound, Launch, Running, Sandbox
from judge.ends import check_ended_by_itself
from taskpack.errors import SandboxFailed
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import Hello, Reply, read_hello, read_reply, wire_error
from taskpack.wire.pipes import Closed, CutShort, FramePipe, Silence
from taskpack.wire.requests import Request

log = logging.getLogger(__name__)

_HELLO_S = 60.0
_END_S = 10.0
"""How long a sandbox whose driver hung up may take to be gone, so that the reason is known."""
_GRACE_S = 30.0
"""How long past its limit an answer may take: killing and cleaning come after the limit."""


class DriverSilent(SandboxFailed):
    """The sandbox was there, but its driver did not greet: something outside the workspace, or something in it."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A checked reply. Ranges of `reply` lie in `body`."""

    reply: Reply
    body: bytes = b""


class Connection:
    """A started sandbox. `closed` once it was ended, by us or by a fault in it."""

    def __init__(self, sandbox: Sandbox, launch: Launch, *, language: str) -> None:
        """Raises `SandboxFailed` when the sandbox cannot be started. The greeting comes with the first request."""
        self._language = language
        self._limits_by = sandbox.limits_by
        self._running: Running = sandbox.start(launch).__enter__()
        self._pipe: FramePipe | None = None
        self._greeting: Hello | None = None
        self.closed = False
        self.ids = 0
        """Requests that were sent."""

    def close(self) -> None:
        """End the sandbox with everything in it."""
        if not self.closed:
            self.closed = True
            self._running.__exit__(None, None, None)

    def greet(self) -> Hello:
        """What the driver offers. Raises `DriverSilent`."""
        if self._greeting is None:
            self._greeting = self._exchange_hellos()
        return self._greeting

    def exchange(self, request: Request, body: bytes) -> Answer:
        """Send a request, under an id of this connection. What goes wrong is an outcome, and ends the sandbox."""
        self.greet()
        assert self._pipe is not None  # noqa: S101 (greeted)
        self.ids += 1
        request = dataclasses.replace(request, id=self.ids)
        wait_s = request.limit_s + _GRACE_S
        try:
            self._pipe.need_silence()
            self._pipe.send(Frame(header=request.header(), body=body), wait_s)
            frame = self._pipe.receive(wait_s)
            return Answer(reply=read_reply(frame, self.ids), body=frame.body)
        except (Silence, Malformed, Closed) as error:
            try:
                answer = self._explained(error, wait_s)
            except SandboxFailed:
                self.close()
                raise
        said = self._running.stderr_tail()[-2000:]
        log.info(
            "product: %s after request %d: %s; it said: %s", answer.reply.outcome, self.ids, answer.reply.error, said
        )
        self.close()
        return answer

    def _explained(self, error: Silence | Malformed | Closed, waited_s: float) -> Answer:
        """What it comes to that no reply came. Raises `SandboxFailed` when that was not the product's doing."""
        bound = self._bound_reached(error)
        if bound and bound is not Bound.WALL:
            return Answer(reply=Reply(id=0, outcome="limit", limit=str(bound)))
        if isinstance(error, Silence) or bound is Bound.WALL:
            return fault("timeout", "wire.Silence", str(error), seconds=waited_s)
        return fault("malformed", "wire.Closed" if isinstance(error, Closed) else "wire.Malformed", str(error))

    def _bound_reached(self, error: Silence | Malformed | Closed) -> Bound:
        """Which bound ended the sandbox, if one did. Raises `SandboxFailed` when something outside it did."""
        try:
            code = self._running.wait(_END_S if isinstance(error, Closed | CutShort) else 0)
        except SandboxFailed:
            if not self._running.limited_by:
                raise
        else:
            reachable = not self._running.uids
            check_ended_by_itself(
                "the driver in the product sandbox", code, self._running, self._limits_by, reachable=reachable
            )
        return self._running.limited_by

    def _exchange_hellos(self) -> Hello:
        pipe = FramePipe(self._running.stdout.fileno(), self._running.stdin.fileno())
        features = ("alone", *(["uids"] if self._running.uids else []))
        ours = Hello(side="bench", pack="repowright/1", language=self._language, features=features)
        try:
            pipe.send(Frame(header=ours.header()), _HELLO_S)
            greeting = read_hello(pipe.receive(_HELLO_S))
        except (Malformed, Silence, Closed) as error:
            bound = self._bound_reached(error)
            said = self._running.stderr_tail()
            self.close()
            raise DriverSilent(
                "the driver in the product sandbox did not greet",
                details={"fact": f"past its bound: {bound}" if bound else str(error), "it said": said[-1000:]},
                remedy="judge an empty folder: if that fails as well, run repowright doctor",
            ) from error
        self._pipe = pipe
        return greeting


def fault(outcome: str, kind: str, fact: str, *, seconds: float = 0.0) -> Answer:
    """The answer where the product's side gave none."""
    return Answer(reply=Reply(id=0, outcome=outcome, error=wire_error(kind, fact), seconds=seconds))
