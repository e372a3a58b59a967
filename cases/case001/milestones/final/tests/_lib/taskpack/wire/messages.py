"""What the frames say: hello and replies (requests have a module of their own). Unknown keys are refused, and every
type is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from taskpack.wire.checks import check_keys, is_list_of, is_number, need
from taskpack.wire.decoding import Decoder
from taskpack.wire.frames import Frame, Json, Malformed, check_range, check_ranges_apart

PROTOCOL = 1
STREAM_CAP = 1024 * 1024
FRAMES_A_VERDICT = 100_000
OUTCOMES = ("returned", "raised", "exited", "signalled", "timeout", "limit", "malformed")
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
    check_keys(header, {"protocol", "side", "pack", "language", "features", "limits"}, set(), "hello")
    if frame.body:
        raise Malformed("hello has no body")
    for key in ("side", "pack", "language"):
        need(type(header[key]) is str, f"hello: {key} is a string")
    features, limits = header["features"], header["limits"]
    need(is_list_of(features, str), "hello: features is a list of strings")
    need(type(limits) is dict and is_list_of(list(limits.values()), int), "hello: limits maps names to integers")
    return Hello(
        side=header["side"],
        pack=header["pack"],
        language=header["language"],
        features=tuple(features),
        limits=limits,
    )


def read_reply(frame: Frame, expected_id: int) -> Reply:
    """A reply in which every value, range and key is as the page says. Raises `Malformed`."""
    header, size = frame.header, len(frame.body)
    check_keys(header, set(_REPLY), set(_REPLY_MORE), "reply")
    need(type(header["id"]) is int and header["id"] == expected_id, f"the reply is not to request {expected_id}")
    outcome = header["outcome"]
    need(outcome in OUTCOMES, "outcome is not one of the page's")
    decoder = Decoder(frame.body)
    _check_result(header, decoder)
    stdout, stderr = check_range(header["stdout"], size), check_range(header["stderr"], size)
    need(max(stdout[1], stderr[1]) <= STREAM_CAP, "a stream is over 1 MiB")
    check_ranges_apart([stdout, stderr, *decoder.ranges])
    need(header["cut"] in ([], ["stdout"], ["stderr"], ["stdout", "stderr"]), "cut names streams in their order")
    need(is_number(header["seconds"]) and header["seconds"] >= 0, "seconds is a number")
    need(type(header["files"]) is list, "files is a list")
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
    need(type(error) is dict, "error is an object")
    check_keys(error, set(_ERROR), set(), "error")
    need(type(error["type"]) is str and is_list_of(error["bases"], str), "error: type and bases are names")
    need(error["builtin"] is None or type(error["builtin"]) is str, "error: builtin is null or a name")
    need(type(error["attrs"]) is dict, "error: attrs is an object")
    for value in error["attrs"].values():
        decoder.value(value)
    need(type(decoder.value(error["message"])) is str, "error: message is text")


def _check_result(header: Mapping[str, Json], decoder: Decoder) -> None:
    outcome = header["outcome"]
    wanted = {"returned": "value", "raised": "error", "exited": "exit", "signalled": "signal", "limit": "limit"}
    allowed = {wanted[outcome]} if outcome in wanted else {"error"}
    present = set(header) & _REPLY_MORE
    needed = allowed if outcome in wanted else set()
    need(needed <= present <= allowed, f"{outcome} goes with other keys")
    if "value" in present:
        decoder.value(header["value"])
    if "error" in present:
        check_error(header["error"], decoder)
    need("exit" not in present or type(header["exit"]) is int, "exit is an integer")
    need("signal" not in present or type(header["signal"]) is int, "signal is an integer")
    need("limit" not in present or type(header["limit"]) is str, "limit is a name")


FILE_KINDS = ("file", "folder", "link", "fifo", "socket", "device")


def _check_file(entry: Json) -> None:
    need(type(entry) is dict, "files holds objects")
    check_keys(entry, {"path", "kind", "mode", "size"}, set(), "file")
    kinds = (("path", str), ("kind", str), ("mode", int), ("size", int))
    need(
        all(type(entry[key]) is kind for key, kind in kinds), "file: path and kind are strings, mode and size integers"
    )
    need(entry["kind"] in FILE_KINDS, "file: kind is not one of the page's")
    need(0 <= entry["mode"] <= 0o7777 and entry["size"] >= 0, "file: mode or size is out of bounds")
