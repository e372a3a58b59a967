"""The broker's half of a conversation with a driver: hello, one request at a time, replies checked against the page."""

import os
import select
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.wire_client.frames import BadFrame, Frame, pack, read
from tests.wire_client.reading import Reader, Tree, need
from tests.wire_client.values import Writer

PROTOCOL = 1
HELLO = frozenset({"protocol", "side", "pack", "language", "features", "limits"})
CARRIERS = {
    "returned": {"value"},
    "raised": {"error"},
    "exited": {"exit"},
    "signalled": {"signal"},
    "timeout": {"error"},
    "limit": {"limit"},
    "malformed": {"error"},
}
ALWAYS = {"id", "outcome", "stdout", "stderr", "cut", "seconds", "files"}
KINDS = {"exit": int, "signal": int, "limit": str}
CUTS: tuple[list[str], ...] = ([], ["stdout"], ["stderr"], ["stdout", "stderr"])
FILES = ("file", "folder", "link", "fifo", "socket", "device")
STREAM_BYTES = 1 << 20
PATIENCE_S = 60.0


@dataclass(frozen=True, kw_only=True)
class ErrorSeen:
    """An error as the product's side states it."""

    type: str
    bases: tuple[str, ...]
    builtin: str | None
    attrs: dict[str, Tree]
    message: Tree


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A reply that obeys the page."""

    outcome: str
    stdout: bytes
    stderr: bytes
    cut: tuple[str, ...]
    seconds: float
    value: Tree | None = None
    error: ErrorSeen | None = None
    exit: int | None = None
    signal: Any = None
    limit: str | None = None
    files: tuple[dict[str, Any], ...] = ()


@dataclass
class Client:
    """Talks to one driver over two descriptors, which stay its starter's own."""

    reader: int
    writer: int
    hello: dict[str, Any] = field(default_factory=dict)
    """What the driver greeted with."""
    last_id: int = 0
    uids: bool = False
    """Whether the sandbox has a range of uids; its starter knows."""

    def greet(self, *, features: Sequence[str] = (), **changes: Any) -> dict[str, Any]:
        """Say hello and return the answer. Raises `BadFrame` when the answer is none of the page's."""
        hello: dict[str, Any] = {"protocol": PROTOCOL, "side": "broker", "pack": "", "language": "", "limits": {}}
        self.send(hello | {"features": list(features)} | changes)
        self.hello = _hello(self.receive())
        return self.hello

    def call(self, name: str, /, *, arguments: dict[str, Any] | None = None, **keys: Any) -> Reply:
        """One `call`; `keys` are the request's others (`fresh`, `limit_s`, `seed`, `tree`, `now`)."""
        writer = Writer()
        written = writer.arguments(arguments or {})
        return self.request({"op": "call", "name": name, "args": written} | keys, bytes(writer.body))

    def request(self, keys: dict[str, Any], body: bytes = b"") -> Reply:
        """One request of any op, under the next id, and its checked reply."""
        self.last_id += 1
        self.send({"id": self.last_id} | keys, body)
        return reply_of(self.receive(), self.last_id)

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Write one frame."""
        self.send_bytes(pack(header, body))

    def send_bytes(self, content: bytes) -> None:
        """Write bytes as they are, frame or not."""
        view = memoryview(content)
        while view:
            view = view[os.write(self.writer, view) :]

    def receive(self) -> Frame:
        """The next frame. Raises `BadFrame`, `EOFError` at the end, `TimeoutError` after a minute of waiting."""
        return read(self._exactly)

    def rest(self) -> bytes:
        """All bytes up to the driver's end. Raises `TimeoutError` when that does not come."""
        found, until = bytearray(), time.monotonic() + PATIENCE_S
        while part := self._some(1 << 20, until):
            found += part
        return bytes(found)

    def _exactly(self, count: int) -> bytes:
        found, until = bytearray(), time.monotonic() + PATIENCE_S
        while len(found) < count:
            part = self._some(count - len(found), until)
            if not part:
                raise EOFError(f"the driver's stream ended {count - len(found)} bytes early")
            found += part
        return bytes(found)

    def _some(self, most: int, until: float) -> bytes:
        if not select.select([self.reader], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError("the driver is silent")
        return os.read(self.reader, min(most, 1 << 20))


def _hello(frame: Frame) -> dict[str, Any]:
    header = frame.header
    need(set(header) == HELLO, f"keys of a hello: {sorted(header)}")
    need(header["protocol"] == PROTOCOL and not frame.body, "protocol 1, no body")
    need(all(type(header[key]) is str for key in ("side", "pack", "language")), "side, pack, language are text")
    need(type(header["features"]) is list and type(header["limits"]) is dict, "features and limits")
    return header


def reply_of(frame: Frame, asked: int) -> Reply:
    """The reply to request `asked`. Raises `BadFrame` where it breaks the page."""
    header = frame.header
    outcome = header.get("outcome")
    need(type(outcome) is str and outcome in CARRIERS, f"no outcome of the page: {outcome!r}")
    carried = set(header) - ALWAYS
    optional = {"error"} if outcome in {"malformed", "timeout"} else set()
    need(set(header) >= ALWAYS, f"keys are missing: {sorted(ALWAYS - set(header))}")
    need(carried == CARRIERS[outcome] or carried == CARRIERS[outcome] - optional, f"{outcome} with {sorted(carried)}")
    need(type(header["id"]) is int and header["id"] == asked, f"a reply to {header['id']!r}, asked was {asked}")
    stdout, stderr = frame.range(header["stdout"]), frame.range(header["stderr"])
    need(max(len(stdout), len(stderr)) <= STREAM_BYTES, "a stream over its cap")
    need(header["cut"] in CUTS, f"cut streams: {header['cut']!r}")
    need(type(header["seconds"]) in (int, float) and header["seconds"] >= 0, "seconds")
    need(all(type(header[key]) is kind for key, kind in KINDS.items() if key in header), "an exit, signal or limit")
    need(type(header["files"]) is list, "files are a list")
    for entry in header["files"]:
        _check_file(entry)
    return Reply(
        outcome=outcome,
        stdout=stdout,
        stderr=stderr,
        cut=tuple(header["cut"]),
        seconds=header["seconds"],
        value=Reader(frame).value(header["value"]) if "value" in header else None,
        error=_error(frame, header["error"]) if "error" in header else None,
        exit=header.get("exit"),
        signal=header.get("signal"),
        limit=header.get("limit"),
        files=tuple(header["files"]),
    )


def _check_file(entry: Any) -> None:
    need(type(entry) is dict and set(entry) == {"path", "kind", "mode", "size"}, "keys of a file")
    need(type(entry["path"]) is str and type(entry["kind"]) is str and entry["kind"] in FILES, "path and kind")
    need(type(entry["mode"]) is int and type(entry["size"]) is int, "mode and size are integers")
    need(0 <= entry["mode"] <= 0o7777 and entry["size"] >= 0, "mode or size out of bounds")


def _error(frame: Frame, error: Any) -> ErrorSeen:
    need(type(error) is dict and set(error) == {"type", "bases", "builtin", "attrs", "message"}, "keys of an error")
    names = [error["type"], *(error["bases"] if type(error["bases"]) is list else [None])]
    need(all(type(name) is str for name in names), "type and bases of an error are names")
    need(error["builtin"] is None or type(error["builtin"]) is str, "builtin is a name or null")
    need(type(error["attrs"]) is dict, "attributes of an error")
    attributes = {name: Reader(frame).value(item) for name, item in error["attrs"].items()}
    message = Reader(frame).value(error["message"])
    need(message[0] == "str", "a message is text")
    return ErrorSeen(
        type=error["type"],
        bases=tuple(error["bases"]),
        builtin=error["builtin"],
        attrs=attributes,
        message=message,
    )


__all__ = ["BadFrame", "Client", "ErrorSeen", "Reply", "reply_of"]
