"""Messages: unknown keys and wrong types are refused."""

from __future__ import annotations

from typing import Any

import pytest

from taskpack.wire.caught import caught_as
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import Hello, Reply, read_hello, read_reply, wire_error
from taskpack.wire.requests import OPS, Request, read_request

HELLO = Hello(side="product", pack="python/1", language="python", features=("call",), limits={"calls": 1})
REQUEST = Request(id=1, op="call", own={"name": "f", "args": {"a": {"i": "1"}}})
REPLY = Reply(id=1, outcome="returned", value={"i": "1"})


def test_each_message_reads_back_what_it_wrote() -> None:
    assert read_hello(Frame(header=HELLO.header())) == HELLO
    assert read_request(Frame(header=REQUEST.header())) == REQUEST
    assert read_reply(Frame(header=REPLY.header()), 1) == REPLY
    raised = Reply(id=2, outcome="raised", error=wire_error("a.B", "no"))
    assert read_reply(Frame(header=raised.header()), 2) == raised


def test_every_op_of_version_1_is_named() -> None:
    assert set(OPS) == {"call", "run", "put", "get", "list", "delete", "drop", "session", "spawn", "tunnel"}
    needed = {"call": {"name": "f", "args": {}}, "run": {"argv": ["x"]}, "drop": {"tree": "t"}}
    needed |= {op: {"path": "a"} for op in ("put", "get", "delete")}
    for op in OPS:
        assert read_request(Frame(header={"id": 1, "op": op} | needed.get(op, {}))).op == op


BAD_HELLOS: list[dict[str, Any]] = [
    {"protocol": 2},
    {"protocol": True},
    {"protocol": "1"},
    {"side": 1},
    {"features": "call"},
    {"limits": {"calls": "1"}},
    {"more": 1},
]


@pytest.mark.parametrize("change", BAD_HELLOS)
def test_a_hello_that_says_something_else_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        read_hello(Frame(header=HELLO.header() | change))


def test_another_protocol_is_refused_by_name() -> None:
    with pytest.raises(Malformed, match="protocol 2 is not spoken here; 1 is"):
        read_hello(Frame(header=HELLO.header() | {"protocol": 2}))


BAD_REQUESTS: list[dict[str, Any]] = [
    {"op": "sing"},
    {"op": 1},
    {"id": 0},
    {"id": True},
    {"limit_s": 0},
    {"limit_s": "30"},
    {"limit_s": 10**9},
    {"name": None},
    {"args": []},
    {"fresh": 1},
    {"seed": "1"},
    {"argv": []},
]


@pytest.mark.parametrize("change", BAD_REQUESTS)
def test_a_request_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        read_request(Frame(header=REQUEST.header() | change))


BAD_REPLIES: list[dict[str, Any]] = [
    {"id": 2},
    {"id": True},
    {"id": "1"},
    {"outcome": "fine"},
    {"outcome": ["returned"]},
    {"value": 1},
    {"value": {"zz": 1}},
    {"error": wire_error("a", "b")},
    {"exit": 0},
    {"stdout": [0, 1]},
    {"stdout": None},
    {"cut": [1]},
    {"seconds": -1},
    {"seconds": "1"},
    {"files": [{}]},
    {"files": [{"path": "a", "kind": "file", "mode": 1, "size": "1"}]},
    {"surprise": 1},
    {"outcome": "raised"},
    {"outcome": "exited"},
    {"outcome": "limit", "limit": 1},
]


@pytest.mark.parametrize("change", BAD_REPLIES)
def test_a_reply_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        read_reply(Frame(header=REPLY.header() | change), 1)


@pytest.mark.parametrize("key", ["id", "outcome", "stdout", "stderr", "cut", "seconds", "files", "value"])
def test_a_reply_without_one_of_its_keys_is_refused(key: str) -> None:
    header = REPLY.header()
    del header[key]
    with pytest.raises(Malformed):
        read_reply(Frame(header=header), 1)


@pytest.mark.parametrize(
    "change",
    [{"type": 1}, {"bases": [1]}, {"builtin": 1}, {"attrs": []}, {"attrs": {"a": 1}}, {"message": 1}, {"more": 1}],
)
def test_an_error_of_another_form_is_refused(change: dict[str, Any]) -> None:
    error = wire_error("a.B", "no") | change
    header = Reply(id=1, outcome="raised", error=error).header()
    with pytest.raises(Malformed):
        read_reply(Frame(header=header), 1)


def test_a_value_and_a_stream_must_not_share_bytes() -> None:
    header = REPLY.header() | {"value": {"b": [0, 5000]}, "stdout": [4000, 2000]}
    with pytest.raises(Malformed, match="overlap"):
        read_reply(Frame(header=header, body=bytes(6000)), 1)
    read_reply(Frame(header=header | {"stdout": [5000, 1000]}, body=bytes(6000)), 1)


def test_an_error_is_caught_under_its_names_and_under_no_lookalike() -> None:
    own = ("tally.BadLine", "tally.ledger.BadLine", "builtins.ValueError", "builtins.Exception")
    assert caught_as(own, "tally.BadLine")
    assert caught_as(own, "BadLine")
    assert caught_as(own, "ValueError")
    assert not caught_as(own, "KeyError")
    assert not caught_as(own, "other.BadLine")
    assert not caught_as(("tally.ValueError", "builtins.Exception"), "ValueError")
