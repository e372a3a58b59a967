"""What a driver does with frames that break the page: it says so, and the candidate is not asked."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import pytest

from environments.interface import Sandbox
from tests.integration.wire.conftest import Connect, driver
from tests.wire_client.client import Client, reply_of
from tests.wire_client.frames import pack

HELLO = {"protocol": 1, "side": "bench", "pack": "", "language": "python", "features": [], "limits": {}}
CALL: dict[str, Any] = {"op": "call", "name": "echo", "args": {"value": None}}


def raw(header: bytes, body: bytes = b"") -> bytes:
    """A frame whose header is whatever is given."""
    return struct.pack(">II", len(header), len(body)) + header + body


NO_HELLO = {
    "another protocol": pack(HELLO | {"protocol": 2}),
    "a protocol that is a text": pack(HELLO | {"protocol": "1"}),
    "a request": pack({"id": 1} | CALL),
    "a body": pack(HELLO, b"x"),
    "an unknown key": pack(HELLO | {"user": "root"}),
    "a key less": pack({key: value for key, value in HELLO.items() if key != "side"}),
    "features that are none": pack(HELLO | {"features": "uids"}),
    "no JSON": raw(b"{{}"),
    "no UTF-8": raw(b'{"protocol":"\xff"}'),
    "a giant header": struct.pack(">II", 1 << 31, 0),
    "no header": struct.pack(">II", 0, 0),
}


@pytest.mark.parametrize("name", NO_HELLO)
@pytest.mark.parametrize("kind", ["plain"], indirect=True, scope="module")
def test_what_is_no_hello_is_answered_to_request_0_and_the_driver_ends(connect: Connect, name: str) -> None:
    with connect() as client:
        client.send_bytes(NO_HELLO[name])
        reply = reply_of(client.receive(), 0)
        assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")
        assert client.rest() == b""


NO_FRAME = {
    "a giant header": struct.pack(">II", 1 << 31, 0),
    "a giant body": struct.pack(">II", 2, 1 << 31) + b"{}",
    "no header": struct.pack(">II", 0, 0),
    "no JSON": raw(b'{"id":1,'),
    "no object": raw(b"[1]"),
    "no UTF-8": raw(b'{"id":"\xff"}'),
    "a lone surrogate": raw(b'{"id":"\\ud800"}'),
    "a key twice": raw(b'{"id":1,"id":1}'),
    "NaN": raw(b'{"id":NaN}'),
    "a number of 41 digits": raw(b'{"id":' + b"1" * 41 + b"}"),
    "101 levels": raw(b'{"id":' + b"[" * 100 + b"]" * 100 + b"}"),
}


@pytest.mark.parametrize("name", NO_FRAME)
@pytest.mark.parametrize("kind", ["plain"], indirect=True, scope="module")
def test_what_is_no_frame_is_answered_to_request_0_and_the_driver_ends(connect: Connect, name: str) -> None:
    with connect() as client:
        client.greet()
        client.send_bytes(NO_FRAME[name])
        reply = reply_of(client.receive(), 0)
        assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Malformed")
        assert client.rest() == b""


@pytest.fixture(scope="module")
def greeted(sandbox: Sandbox, library: Any) -> Iterator[Client]:
    """One connection for many requests."""
    with driver(sandbox, library) as client:
        if not client.uids:
            pytest.skip("no range of uids here: a sandbox serves one call")
        client.greet(features=["uids", "alone"])
        yield client


def value(wire: Any) -> dict[str, Any]:
    """A call with this argument."""
    return CALL | {"args": {"value": wire}}


REFUSED: dict[str, dict[str, Any]] = {
    "no op": {"name": "echo", "args": {}},
    "an unknown op": {"op": "sing"},
    "an op that is none": {"op": ["call"]},
    "an unknown key": CALL | {"user": "root"},
    "the key of another op": CALL | {"argv": ["true"]},
    "a second hello": HELLO,
    "no name": {"op": "call", "args": {}},
    "no arguments": {"op": "call", "name": "echo"},
    "arguments in a list": CALL | {"args": [None]},
    "a limit of 0": CALL | {"limit_s": 0},
    "a limit of more than an hour": CALL | {"limit_s": 3601},
    "a limit that is a text": CALL | {"limit_s": "1"},
    "a seed that is a text": CALL | {"seed": "1"},
    "fresh that is a number": CALL | {"fresh": 1},
}
NO_VALUE: dict[str, tuple[dict[str, Any], bytes]] = {
    "a bare number": (value(1), b""),
    "an unknown tag": (value({"q": 1}), b""),
    "two keys": (value({"i": "1", "f": "1.0"}), b""),
    "a zero in front": (value({"i": "01"}), b""),
    "a range outside the body": (value({"b": [0, 5000]}), bytes(4999)),
    "a range before the body": (value({"b": [-1, 5000]}), bytes(5000)),
    "a short range": (value({"S": [0, 4096]}), bytes(4096)),
    "a reference to nothing": (value({"r": 1}), b""),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", REFUSED)
def test_a_request_of_another_form_is_refused_and_the_next_one_served(greeted: Client, name: str) -> None:
    reply = greeted.request(REFUSED[name])
    assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")
    assert greeted.call("echo", arguments={"value": 1}).value == ("int", 1)


@pytest.mark.sandbox
@pytest.mark.parametrize("number", [0, 1, -1, 10**30, True, "1", 1.0, None, "the one after the next"])
def test_a_request_with_another_id_than_the_next_is_refused(greeted: Client, number: Any) -> None:
    greeted.last_id += 1  # it counts all the same
    greeted.send({"id": greeted.last_id + 1 if type(number) is str and len(number) > 1 else number} | CALL)
    header = greeted.receive().header
    assert header["outcome"] == "malformed"
    assert header["error"]["type"] == "wire.Refused"
    assert greeted.call("echo", arguments={"value": 1}).value == ("int", 1)


@pytest.mark.sandbox
@pytest.mark.parametrize("name", NO_VALUE)
def test_an_argument_that_is_no_value_is_refused(greeted: Client, name: str) -> None:
    reply = greeted.request(*NO_VALUE[name])
    assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")


@pytest.mark.sandbox
def test_arguments_that_share_bytes_are_refused(greeted: Client) -> None:
    reply = greeted.request(value({"l": [{"b": [0, 5000]}, {"b": [1, 5000]}]}), bytes(5001))
    assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")


@pytest.mark.sandbox
@pytest.mark.xfail(strict=True, reason="what Python cannot hold shows in the child alone, which exits with 70 then")
@pytest.mark.parametrize(
    "wire", [{"m": [[{"i": "1"}, "a"], [True, "b"]]}, {"s": [{"i": "1"}, {"f": "1.0"}]}, {"s": [{"l": []}]}]
)
def test_arguments_that_python_would_blur_or_cannot_hold_are_refused(greeted: Client, wire: Any) -> None:
    reply = greeted.request(value(wire))
    assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")
