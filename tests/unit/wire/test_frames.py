"""Frames: whatever is not exactly one is refused, in time that grows with its size only."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpack.wire.frames import (
    BODY_CAP,
    HEADER_CAP,
    NESTING_CAP,
    NODE_CAP,
    Frame,
    Malformed,
    TooLarge,
    check_range,
    check_ranges_apart,
    pack,
    parse_header,
    read_lengths,
)
from taskpack.wire.pipes import Closed, FramePipe, Silence, unpack

_LEAVES = st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.text()
_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


@given(st.dictionaries(st.text(), _JSON, max_size=4), st.binary(max_size=200))
def test_a_packed_frame_reads_back_the_same(header: dict[str, object], body: bytes) -> None:
    assert unpack(pack(Frame(header=header, body=body))) == Frame(header=header, body=body)


MALFORMED_HEADERS = {
    "not UTF-8": b'{"a":"\xff"}',
    "surrogate as UTF-8": b'{"a":"\xed\xa0\x80"}',
    "lone surrogate escaped": b'{"a":"\\ud800"}',
    "lone surrogate as a key": b'{"\\udfff":1}',
    "not JSON": b"{a:1}",
    "nothing": b"  ",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "two values": b"{}{}",
    "a list": b"[]",
    "a number": b"12",
    "duplicate key": b'{"a":1,"a":1}',
    "duplicate key deep down": b'{"a":[{"b":1,"b":2}]}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":-Infinity}',
    "a float beyond floats": b'{"a":1e999}',
    "an integer of 5,000 digits": b'{"a":' + b"1" * 5000 + b"}",
    "a float of 5,000 digits": b'{"a":0.' + b"1" * 5000 + b"}",
    "nested too deep": b'{"a":' * 101 + b"1" + b"}" * 101,
    "nested without an end": b"[" * 200_000,
    "closed without a beginning": b"]" * 200_000,
    "an open string full of quotes": b'{"' + b'\\"' * 200_000,
    "an open string that ends in a backslash": b'{"a\\',
    "a million and one nodes": b'{"a":[' + b"1," * NODE_CAP + b"1]}",
    "a million and one empty lists": b'{"a":[' + b"[]," * NODE_CAP + b"1]}",
}


@pytest.mark.parametrize("name", MALFORMED_HEADERS)
def test_a_malformed_header_is_refused_at_once(name: str) -> None:
    started = time.monotonic()
    with pytest.raises(Malformed):
        parse_header(MALFORMED_HEADERS[name])
    assert time.monotonic() - started < 5


def test_the_caps_themselves_are_allowed() -> None:
    deep = b'{"a":' * NESTING_CAP + b"1" + b"}" * NESTING_CAP
    assert json.loads(deep) == parse_header(deep)
    wide = b'{"a":[' + b"1," * (NODE_CAP - 3) + b"1]}"
    assert len(parse_header(wide)["a"]) == NODE_CAP - 2
    with pytest.raises(Malformed):
        parse_header(b'{"a":[1,' + b"1," * (NODE_CAP - 3) + b"1]}")


def test_brackets_and_escapes_inside_strings_do_not_count() -> None:
    text = '[[{{"\\' * 300
    assert parse_header(json.dumps({"a": text}).encode()) == {"a": text}


@pytest.mark.parametrize(
    ("header", "body"), [(0, 0), (1, 0), (HEADER_CAP + 1, 0), (2, BODY_CAP + 1), (2**32 - 1, 2**32 - 1)]
)
def test_lengths_beyond_the_caps_are_refused_before_anything_is_read(header: int, body: int) -> None:
    with pytest.raises(Malformed):
        read_lengths(struct.pack(">II", header, body))


def test_what_does_not_fit_is_not_sent() -> None:
    with pytest.raises(TooLarge):
        pack(Frame(header={"a": "x" * HEADER_CAP}))
    deep: object = 1
    for _ in range(NESTING_CAP):
        deep = [deep]
    with pytest.raises(TooLarge):
        pack(Frame(header={"a": deep}))


@pytest.mark.parametrize("value", [None, 1, [1], [1, 2, 3], [-1, 1], [0, -1], [0, 11], [11, 0], [True, 1], [0, 1.0]])
def test_a_range_outside_the_body_is_refused(value: object) -> None:
    with pytest.raises(Malformed):
        check_range(value, 10)


def test_ranges_may_touch_but_not_overlap() -> None:
    check_ranges_apart([(0, 5), (5, 5), (3, 0), (10, 1)])
    with pytest.raises(Malformed):
        check_ranges_apart([(0, 5), (4, 1)])


@given(st.binary(max_size=64))
def test_random_bytes_never_do_more_than_be_refused(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        unpack(data)


def test_a_peer_that_stops_in_the_middle_is_malformed_and_one_that_is_silent_is_silence() -> None:
    reading, writing = os.pipe()
    pipe = FramePipe(reading, writing)
    with pytest.raises(Silence):
        pipe.receive(0.05)
    os.write(writing, pack(Frame(header={"a": 1}))[:-2])
    os.close(writing)
    with pytest.raises(Malformed):
        FramePipe(reading, reading).receive(1)
    with pytest.raises(Closed):
        FramePipe(reading, reading).receive(1)
    os.close(reading)


def test_a_peer_that_does_not_read_is_silence() -> None:
    reading, writing = os.pipe()
    pipe = FramePipe(reading, writing)
    with pytest.raises(Silence):
        pipe.send(Frame(header={"a": 1}, body=bytes(1_000_000)), 0.1)
    os.close(reading)
    with pytest.raises(Closed):
        FramePipe(writing, writing).send(Frame(header={"a": 1}), 0.1)
    os.close(writing)
