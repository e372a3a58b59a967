"""A test's way to the product: requests out, observations back."""

from __future__ import annotations

from typing import Any, Protocol

from judge.harness.seen import Seen, read_seen
from judge.harness.watch import Watch
from taskpack.wire.frames import Frame, TooLarge
from taskpack.wire.messages import Request, read_reply
from taskpack.wire.pipes import FramePipe, unpack
from taskpack.wire.values import Body, encode_args


class Link(Protocol):
    """Whatever carries one request to a driver and its reply back."""

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        """The reply's frame, and the id that it answers."""


class BrokerLink:
    """The broker at the other end of two pipes. It has checked each reply before we see it."""

    def __init__(self, pipe: FramePipe, watch: Watch) -> None:
        self._pipe = pipe
        self._watch = watch
        self._ids = 0

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        self._ids += 1
        header = request.header() | {"id": self._ids}
        self._watch.rest()
        self._pipe.send(Frame(header=header, body=body))
        raw = self._pipe.receive_raw()
        self._watch.start()
        return unpack(raw), self._ids


class Product:
    """The `product` fixture."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def call(self, name: str, *, limit_s: float = 30.0, fresh: bool = False, **args: Any) -> Seen:
        """Call the scenario function `name` in a fresh child of the product sandbox.

        `fresh` asks for a new interpreter instead of a fork. Raises only when the arguments do not fit a frame.
        """
        body = Body()
        own = {"name": name, "args": encode_args(args, body), **({"fresh": True} if fresh else {})}
        request = Request(id=1, op="call", limit_s=limit_s, own=own)
        try:
            frame, number = self._link.exchange(request, body.to_bytes())
        except TooLarge as error:
            raise ValueError(f"the arguments of {name} do not fit a frame: {error}") from None
        return read_seen(read_reply(frame, number), frame.body)
