"""What the frames say: hello, requests, replies. Unknown keys are refused, and every type is checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from taskpack.wire.decoding import Decoder
from taskpack.wire.frames import Frame, Json, Malformed, check_range, check_ranges_apart

PROTOCOL = 1
STREAM_CAP = 1024 * 1024
FRAMES_A_VERDICT = 100_000
OUTCOMES = ("returned", "raised", "exited", "signalled", "timeout", "limit", "malformed")
OPS: Mapping[str, frozenset[str]] = {
    "call": frozenset({"name", "args", "fresh"}),
    "run": frozenset({"argv", "stdin", "env", "cwd", "terminal"}),
    "put": frozenset({"path", "paths", "mode", "content"}),
    "get": frozenset({"path", "paths"}),
    "list": frozenset({"path", "paths"}),
    "delete": frozenset({"path", "paths"}),
    "drop": frozenset(),
    "session": frozenset(),
    "spawn": frozenset(),
    "tunnel": frozenset(),
}
"""Every op of version 1 with its own keys; the last three are reserved. `hello` says which of them are there."""
_COMMON = frozenset({"id", "op", "tree", "limit_s", "seed", "now"})
_REPLY = frozenset({"id", "outcome", "stdout", "stderr", "cut", "seconds", "files"})
_REPLY_MORE = frozenset({"value", "error", "exit", "signal", "limit"})
_ERROR = frozenset({"type", "bases", "builtin", "attrs", "message"})


@dataclass(frozen=True, kw_only=True)
class Hello:
    """Who speaks, and what it offers."""

    side: str
    pack: str
    language: str
    protocol: int = PROTOCOL
    features: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)

    def header(self) -> dict[str, Json]:
        return {
            "protocol": self.protocol,
            "side": self.side,
            "pack": self.pack,
            "language": self.language,
            "features": list(self.features),
            "limits": dict(self.limits),
        }


@dataclass(frozen=True, kw_only=True)
class Request:
    """One op. For `call`, `args` are wire values whose ranges lie in the frame's body."""

    id: int
    op: str
    limit_s: float = 30.0
    tree: str | None = None
    seed: int | None = None
    now: Json = None
    own: Mapping[str, Json] = field(default_factory=dict)
    """The op's own keys."""

    def header(self) -> dict[str, Json]:
        common: dict[str, Json] = {"id": self.id, "op": self.op, "limit_s": self.limit_s}
        more = {"tree": self.tree, "seed": self.seed, "now": self.now}
        return common | {key: value for key, value in more.items() if value is not None} | dict(self.own)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The answer to one request. `value` and the error's parts are wire values; ranges lie in the frame's body."""

    id: int
    outcome: str
    value: Json = None
    error: Mapping[str, Json] | None = None
    exit: int | None = None
    signal: int | None = None
    limit: str | None = None
    stdout: tuple[int, int] = (0, 0)
    stderr: tuple[int, int] = (0, 0)
    cut: tuple[str, ...] = ()
    seconds: float = 0.0
    files: tuple[Json, ...] = ()

    def header(self) -> dict[str, Json]:
        header: dict[str, Json] = {
            "id": self.id,
            "outcome": self.outcome,
            "stdout": list(self.stdout),
            "stderr": list(self.stderr),
            "cut": list(self.cut),
            "seconds": self.seconds,
            "files": list(self.files),
        }
        if self.outcome == "returned":
            header["value"] = self.value
        more = {"error": self.error, "exit": self.exit, "signal": self.signal, "limit": self.limit}
        return header | {key: value for key, value in more.items() if value is not None}


def wire_error(kind: str, message: str) -> dict[str, Json]:
    """An error of the wire itself, such as `wire.Malformed`."""
    return {"type": kind, "bases": [], "builtin": None, "attrs": {}, "message": message[:2000]}


def read_hello(frame: Frame) -> Hello:
    """Raises `Malformed`; another protocol is named in its text."""
    header = frame.header
    if type(header.get("protocol")) is not int or header["protocol"] != PROTOCOL:
        raise Malformed(f"protocol {str(header.get('protocol'))[:20]} is not spoken here; {PROTOCOL} is")
    _keys(header, {"protocol", "side", "pack", "language", "features", "limits"}, set(), "hello")
    if frame.body:
        raise Malformed("hello has no body")
    for key in ("side", "pack", "language"):
        _need(type(header[key]) is str, f"hello: {key} is a string")
    features, limits = header["features"], header["limits"]
    _need(_all_of(features, str), "hello: features is a list of strings")
    _need(type(limits) is dict and _all_of(list(limits.values()), int), "hello: limits maps names to integers")
    return Hello(
        side=header["side"],
        pack=header["pack"],
        language=header["language"],
        features=tuple(features),
        limits=limits,
    )


def read_request(frame: Frame) -> Request:
    """Raises `Malformed`. The values of `call` are not decoded here."""
    header = frame.header
    op = header.get("op")
    if type(op) is not str or op not in OPS:
        raise Malformed(f"op {str(op)[:20]!r} is not in version {PROTOCOL}")
    _keys(header, {"id", "op"}, (_COMMON | OPS[op]) - {"id", "op"}, op)
    _need(type(header["id"]) is int and header["id"] >= 1, "id counts from 1")
    limit_s = header.get("limit_s", 30.0)
    _need(_is_number(limit_s) and 0 < limit_s <= 3600, "limit_s is a number of seconds up to an hour")
    _need(header.get("tree") is None or type(header["tree"]) is str, "tree is a name")
    _need(header.get("seed") is None or type(header["seed"]) is int, "seed is an integer")
    own = {key: value for key, value in header.items() if key in OPS[op]}
    if op == "call":
        _need(type(own.get("name")) is str, "call: name is a string")
        _need(type(own.get("args")) is dict, "call: args maps names to values")
        _need(type(own.get("fresh", False)) is bool, "call: fresh is true or false")
    return Request(
        id=header["id"],
        op=op,
        limit_s=float(limit_s),
        tree=header.get("tree"),
        seed=header.get("seed"),
        now=header.get("now"),
        own=own,
    )


def read_reply(frame: Frame, expected_id: int) -> Reply:
    """A reply in which every value, range and key is as the page says. Raises `Malformed`."""
    header, size = frame.header, len(frame.body)
    _keys(header, set(_REPLY), set(_REPLY_MORE), "reply")
    _need(type(header["id"]) is int and header["id"] == expected_id, f"the reply is not to request {expected_id}")
    outcome = header["outcome"]
    _need(outcome in OUTCOMES, "outcome is not one of the page's")
    decoder = Decoder(frame.body)
    _check_result(header, decoder)
    stdout, stderr = check_range(header["stdout"], size), check_range(header["stderr"], size)
    _need(max(stdout[1], stderr[1]) <= STREAM_CAP, "a stream is over 1 MiB")
    check_ranges_apart([stdout, stderr, *decoder.ranges])
    _need(header["cut"] in ([], ["stdout"], ["stderr"], ["stdout", "stderr"]), "cut names streams in their order")
    _need(_is_number(header["seconds"]) and header["seconds"] >= 0, "seconds is a number")
    _need(type(header["files"]) is list, "files is a list")
    for entry in header["files"]:
        _check_file(entry)
    return Reply(
        id=expected_id,
        outcome=outcome,
        value=header.get("value"),
        error=header.get("error"),
        exit=header.get("exit"),
        signal=header.get("signal"),
        limit=header.get("limit"),
        stdout=stdout,
        stderr=stderr,
        cut=tuple(header["cut"]),
        seconds=float(header["seconds"]),
        files=tuple(header["files"]),
    )


def check_error(error: Json, decoder: Decoder) -> None:
    """Raises `Malformed` when it is no `{type, bases, builtin, attrs, message}`."""
    _need(type(error) is dict, "error is an object")
    _keys(error, set(_ERROR), set(), "error")
    _need(type(error["type"]) is str and _all_of(error["bases"], str), "error: type and bases are names")
    _need(error["builtin"] is None or type(error["builtin"]) is str, "error: builtin is null or a name")
    _need(type(error["attrs"]) is dict, "error: attrs is an object")
    for value in error["attrs"].values():
        decoder.value(value)
    _need(type(decoder.value(error["message"])) is str, "error: message is text")


def _check_result(header: Mapping[str, Json], decoder: Decoder) -> None:
    outcome = header["outcome"]
    wanted = {"returned": "value", "raised": "error", "exited": "exit", "signalled": "signal", "limit": "limit"}
    allowed = {wanted[outcome]} if outcome in wanted else {"error"}
    present = set(header) & _REPLY_MORE
    needed = allowed if outcome in wanted else set()
    _need(needed <= present <= allowed, f"{outcome} goes with other keys")
    if "value" in present:
        decoder.value(header["value"])
    if "error" in present:
        check_error(header["error"], decoder)
    _need("exit" not in present or type(header["exit"]) is int, "exit is an integer")
    _need("signal" not in present or type(header["signal"]) is int, "signal is an integer")
    _need("limit" not in present or type(header["limit"]) is str, "limit is a name")


def _check_file(entry: Json) -> None:
    _need(type(entry) is dict, "files holds objects")
    _keys(entry, {"path", "kind", "mode", "size"}, set(), "file")
    kinds = (("path", str), ("kind", str), ("mode", int), ("size", int))
    _need(
        all(type(entry[key]) is kind for key, kind in kinds), "file: path and kind are strings, mode and size integers"
    )


def _keys(found: Mapping[str, Json], needed: set[str], more: set[str] | frozenset[str], what: str) -> None:
    missing = needed - set(found)
    if missing:
        _refuse(f"{what}: {', '.join(sorted(missing))} is missing")
    unknown = set(found) - needed - set(more)
    if unknown:
        _refuse(f"{what}: unknown key {min(unknown)[:40]!r}")


def _all_of(value: Any, kind: type) -> bool:
    return type(value) is list and all(type(item) is kind for item in value)


def _is_number(value: Json) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _need(holds: bool, text: str) -> None:
    if not holds:
        _refuse(text)


def _refuse(text: str) -> NoReturn:
    raise Malformed(text)
