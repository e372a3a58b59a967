"""What can be asked of a product: every op with its own keys. Unknown keys are refused, types are checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from taskpack.wire.checks import check_keys, is_list_of, is_number, need
from taskpack.wire.decoding import Decoder
from taskpack.wire.frames import Frame, Json, Malformed, check_range, check_ranges_apart

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
LIMIT_S = 30.0
PATH_BYTES = 1024
PATHS_CAP = 1000
_LONGEST_S = 3600
_COMMON = frozenset({"id", "op", "tree", "limit_s", "seed", "now"})
_TREE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")
_EPOCH = 2**40
"""Seconds; far beyond any year that a calendar here can write."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What a program is told of the time."""

    epoch: float
    """Seconds since 1970, at the start of the op."""
    running: bool = False
    """Whether time goes on from there; else it stands still."""

    def wire(self) -> Json:
        """A number where time stands still, else `{epoch, running}`."""
        return {"epoch": self.epoch, "running": True} if self.running else self.epoch


@dataclass(frozen=True, kw_only=True)
class Request:
    """One op. For `call`, `args` are wire values whose ranges lie in the frame's body; so do `content` and `stdin`."""

    id: int
    op: str
    limit_s: float = LIMIT_S
    tree: str | None = None
    """A named tree, or an anonymous one for this op alone."""
    seed: int | None = None
    now: Clock | None = None
    own: Mapping[str, Json] = field(default_factory=dict)
    """The op's own keys."""

    def header(self) -> dict[str, Json]:
        common: dict[str, Json] = {"id": self.id, "op": self.op, "limit_s": self.limit_s}
        more = {"tree": self.tree, "seed": self.seed, "now": self.now.wire() if self.now else None}
        return common | {key: value for key, value in more.items() if value is not None} | dict(self.own)

    @property
    def paths(self) -> tuple[str, ...]:
        """`path` or `paths` of a file op; empty where neither was given."""
        return tuple(self.own["paths"]) if "paths" in self.own else (self.own["path"],) if "path" in self.own else ()


def read_request(frame: Frame) -> Request:
    """Raises `Malformed`, also for arguments that are no values of the page."""
    header = frame.header
    op = header.get("op")
    if type(op) is not str or op not in OPS:
        raise Malformed(f"op {str(op)[:20]!r} is not in version 1")
    check_keys(header, {"id", "op"}, (_COMMON | OPS[op]) - {"id", "op"}, op)
    need(type(header["id"]) is int and header["id"] >= 1, "id counts from 1")
    limit_s = header.get("limit_s", LIMIT_S)
    need(is_number(limit_s) and 0 < limit_s <= _LONGEST_S, "limit_s is a number of seconds up to an hour")
    tree = header.get("tree")
    need(tree is None or (type(tree) is str and bool(_TREE.match(tree))), "tree is a name of up to 64 plain characters")
    need(header.get("seed") is None or type(header["seed"]) is int, "seed is an integer")
    own = {key: value for key, value in header.items() if key in OPS[op]}
    _CHECKS.get(op, _check_nothing)(own, len(frame.body))
    need(op != "drop" or tree is not None, "drop: which tree?")
    if op == "call":
        _check_args(own["args"], frame.body)
    return Request(
        id=header["id"], op=op, limit_s=float(limit_s), tree=tree, seed=header.get("seed"),
        now=_clock(header.get("now")), own=own,
    )  # fmt: skip


def _clock(now: Json) -> Clock | None:
    if now is None:
        return None
    if type(now) is dict:
        check_keys(now, {"epoch"}, {"running"}, "now")
        need(type(now.get("running", False)) is bool, "now: running is true or false")
        epoch, running = now["epoch"], now.get("running", False)
    else:
        epoch, running = now, False
    need(is_number(epoch) and 0 <= epoch < _EPOCH, "now is a number of seconds since 1970, or {epoch, running}")
    return Clock(epoch=float(epoch), running=running)


def _check_call(own: Mapping[str, Json], _size: int) -> None:
    need(type(own.get("name")) is str, "call: name is a string")
    need(type(own.get("args")) is dict, "call: args maps names to values")
    need(type(own.get("fresh", False)) is bool, "call: fresh is true or false")


def _check_args(args: Mapping[str, Json], body: bytes) -> None:
    decoder = Decoder(body)
    for value in args.values():
        decoder.value(value)
    check_ranges_apart(decoder.ranges)


def _check_run(own: Mapping[str, Json], size: int) -> None:
    argv, env = own.get("argv", []), own.get("env", {})
    need(is_list_of(argv, str) and bool(argv) and bool(argv[0]), "run: argv is a list of strings, the program first")
    need(type(env) is dict and is_list_of(list(env.values()), str), "run: env maps names to strings")
    need(not any("=" in name or not name for name in env), "run: a name in env is not empty and has no =")
    need("\0" not in "".join([*argv, *env, *env.values()]), "run: a null character")
    need(type(own.get("cwd", "")) is str, "run: cwd is a path")
    check_path(own.get("cwd", ""))
    if own.get("stdin") is not None:
        check_range(own["stdin"], size)
    if own.get("terminal") is not None:
        _check_terminal(own["terminal"])


def _check_terminal(terminal: Json) -> None:
    need(type(terminal) is dict, "run: terminal is an object")
    check_keys(terminal, {"rows", "cols"}, {"controlling"}, "terminal")
    sizes = (terminal["rows"], terminal["cols"])
    need(all(type(size) is int and 0 < size < 2**16 for size in sizes), "terminal: rows and cols are integers")
    need(type(terminal.get("controlling", True)) is bool, "terminal: controlling is true or false")


def _check_put(own: Mapping[str, Json], size: int) -> None:
    _check_paths(own, size)
    need("path" in own or bool(own.get("paths")), "put: path or paths")
    mode = own.get("mode", 0)
    need(type(mode) is int and 0 <= mode <= 0o777, "put: mode is an integer up to 511 (octal 777)")
    if own.get("content") is not None:
        check_ranges_apart([check_range(own["content"], size)])


def _check_get(own: Mapping[str, Json], size: int) -> None:
    _check_paths(own, size)
    need("path" in own or bool(own.get("paths")), "path or paths")


def _check_paths(own: Mapping[str, Json], _size: int) -> None:
    need(not ("path" in own and "paths" in own), "path or paths, not both")
    need("path" not in own or type(own["path"]) is str, "path is a string")
    need("paths" not in own or is_list_of(own["paths"], str), "paths is a list of strings")
    paths = [own["path"]] if "path" in own else own.get("paths", [])
    need(len(paths) <= PATHS_CAP, f"more than {PATHS_CAP} paths")
    for path in paths:
        check_path(path)


def check_path(path: str) -> None:
    """A path within a tree: relative, without `..`. Raises `Malformed`."""
    need("\0" not in path and len(path.encode("utf-8", "surrogatepass")) <= PATH_BYTES, "a path that cannot be one")
    need(not path.startswith("/") and ".." not in path.split("/"), "a path stays within its tree")


def _check_nothing(_own: Mapping[str, Json], _size: int) -> None:
    pass


_CHECKS = {
    "call": _check_call,
    "run": _check_run,
    "put": _check_put,
    "get": _check_get,
    "list": _check_paths,
    "delete": _check_get,
}
